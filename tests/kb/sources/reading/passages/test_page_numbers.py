"""Page numbers around quoted rules."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum_kb.sources.reading.markup.plain_text import lay_out
from variorum_kb.sources.reading.passages.page_numbers import find_pages
from variorum_kb.sources.reading.passages.passages import LineRole, Partial, PassageKind
from variorum_kb.sources.recognise_kind import read_partial


def read(text: str) -> Partial:
    """Read a page of these tests."""
    return read_partial(text.encode(), "page.txt")


def rules(page: Partial) -> list[tuple[str, str]]:
    """Return the numbers and words of quoted rules."""
    return [(passage.number, passage.text) for passage in page.of(PassageKind.RULE)]


@pytest.mark.parametrize(
    "head",
    [
        "Magic: The Gathering Comprehensive Rules 41",
        "41  Magic: The Gathering Comprehensive Rules",
        "41 | Comprehensive Rules",
        "Comprehensive Rules, page 41",
        "Comprehensive Rules  •  41",
        "Comprehensive Rules 41/180",
        "11/21/2026   Comprehensive Rules   41",
        "41/180",
        "https://x.example/rules 3/180",
    ],
)
def test_running_heads(head: str) -> None:
    """A running head with the page number is furniture, and the rule continues after it."""
    page = read(
        "705.1. To turn a lamp, a keeper lifts it and names a side of the\n"
        f"bay, and every keeper who sits at the table may watch.\n{head}\n"
        "The lamp is turned in the open and with both hands on the rim of\n"
        "it, and nobody else may touch it or the rim before the tide is\n"
        "high.\n705.2. A boat floats.\n"
    )

    assert [number for number, _ in rules(page)] == ["705.1", "705.2"]
    assert "may watch. The lamp is turned" in rules(page)[0][1]
    assert [(furniture.role, furniture.text) for furniture in page.furniture] == [
        (LineRole.BANNER, " ".join(head.split()))
    ]


def test_heads_of_other_titles() -> None:
    """Words that are repeated with the next number are running heads."""
    lines = ["A lamp", "Harbor Lights 7", "burns.", "8 Harbor Lights", "Harbor Lights 9", "It"]

    assert find_pages(lines) == {2, 4, 5}
    assert find_pages(["See rule 101", "See rule 102", "See rule 103"]) == frozenset()


def test_titles_beside_pages() -> None:
    """The title of the rules is a running head beside a page number, but not at the very top."""
    title = "Magic: The Gathering Comprehensive Rules"

    assert find_pages([title, "705.1. A lamp. See rule", "", title, "42", "", "705.4a."]) == {4, 5}


@pytest.mark.parametrize(
    "lines",
    [
        ["3/20"],
        ["20/20"],
        ["1/3", "2/3"],
        [f"https://{'x' * 85} 3/180"],
        ["Page 7"],
        ["- 7 -", "8", "9"],
        ["Harbor Lights 7", "Harbor Lights 8", "Harbor Lights 10"],
    ],
)
def test_numbers_of_pages(lines: list[str]) -> None:
    """Numbers of many pages, and numbers that count up, are page numbers."""
    assert find_pages(["A lamp", *lines, "burns."]) == set(range(2, len(lines) + 2))


@pytest.mark.parametrize(
    "line",
    [
        "2/2",
        "10/10",
        "1+*/1",
        "3/19",
        "Comprehensive Rules 705.1",
        "181/180",
        f"https://{'x' * 86} 3/180",
    ],
)
def test_no_pages(line: str) -> None:
    """Powers, citations and numbers above the last page's are not page numbers."""
    assert find_pages(["A lamp", line, "burns."]) == frozenset()


def test_bar_of_links() -> None:
    """The links below a bot's answer are navigation; linked numbers begin rules."""
    page = read(
        "#####CR 705.1\n\nA lamp burns.\n\n[705.2](#705.2) A boat floats.\n\n"
        "^^[Source](https://x.example) ^^| ^^[Feedback](https://x.example)\n"
    )

    assert rules(page) == [("705.1", "A lamp burns."), ("705.2", "A boat floats.")]
    assert page.furniture[-1].role is LineRole.NAVIGATION


@given(
    st.lists(
        st.text(alphabet="1270. ab():[]|\t/", max_size=12)
        | st.sampled_from(["1. 705.1 A lamp.", "2) 706. Oil", "41/180", "812:705.1 A lamp."]),
        max_size=8,
    )
)
def test_nothing_is_lost(lines: list[str]) -> None:
    """The shown and removed lines are the whole page, in order."""
    sheet = lay_out(lines)

    assert sheet.characters + sheet.hidden == len("".join("".join(lines).split()))
    numbers = [line.number for line in sheet.lines if line.role is None]
    assert all(first < two for first, two in pairwise(numbers))
