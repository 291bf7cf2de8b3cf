"""Numbers of lines, points and pages around quoted rules."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum_kb.sources.kinds.table import read_partial
from variorum_kb.sources.reading.line_numbers import (
    find_pages,
    without_line_numbers,
    without_points,
)
from variorum_kb.sources.reading.passages import LineRole, Partial, PassageKind
from variorum_kb.sources.reading.plain_text import lay_out

RULES = ("705.1. A lamp burns.", "Example: A lamp.", "705.1a It shines.", "706. Boats")


def read(text: str) -> Partial:
    """Read a page of these tests."""
    return read_partial(text.encode(), "page.txt")


def rules(page: Partial) -> list[tuple[str, str]]:
    """Return the numbers and words of what a page quotes."""
    return [(passage.number, passage.text) for passage in page.of(PassageKind.RULE)]


@pytest.mark.parametrize(
    "form", ["{0}. {1}", "{0}) {1}", "({0}) {1}", "[{0}] {1}", "> {0}. {1}", "1. {1}", "{0}:{1}"]
)
def test_points(form: str) -> None:
    """A list's own numbers are taken off, examples' and headings' with those of rules."""
    lines = [form.format(number, line) for number, line in enumerate(RULES, start=1)]

    shown = lay_out(lines)

    assert [line.text for line in shown.lines] == list(RULES)
    assert shown.characters + shown.hidden == len("".join("".join(lines).split()))


def test_points_with_lines_between() -> None:
    """Lines that are no points keep what they begin with, and count in numbers left out."""
    lines = ["1. 705.1. A lamp", "   that burns.", "3. 705.1a It shines.", "4. So it is.", "9. Oil"]

    assert without_points(lines) == [
        "705.1. A lamp",
        "   that burns.",
        "705.1a It shines.",
        "So it is.",
        "9. Oil",
    ]


def test_points_begin_again() -> None:
    """A second list counts from 1 again."""
    lines = [
        "1. 705.1. A lamp.",
        "2. 705.2. A boat.",
        "Then",
        "1. 706.1. Oil.",
        "2. 706.2. A wick.",
    ]

    assert [line[:3] for line in without_points(lines)] == ["705", "705", "The", "706", "706"]


@pytest.mark.parametrize(
    "lines",
    [
        ["1. Far Waters", "100. General", "100.1. A lamp burns.", "2. Lamps", "200. General"],
        ["Lamp", "1. A light. See rule 705.", "2. To light it.", "705.1. A lamp."],
        ["3. 705.1. A lamp.", "2. 705.2. A boat."],
        ["1. 705.1. A lamp.", "2. It burns.", "3. It shines.", "4. It is lit."],
        ["705. Lamps", "705.1. A lamp.", "706. Boats", "706.1. A boat."],
        ["1. 705.1 says that a lamp burns.", "2. 706.1 says that a boat floats."],
    ],
)
def test_numbers_that_stay(lines: list[str]) -> None:
    """Numbers of chapters and senses stay, and so do those that do not count or list no rules."""
    assert without_line_numbers(without_points(lines)) == lines


def test_chapters_between_points() -> None:
    """The heading of a chapter keeps its number beside a list that counts as far."""
    lines = ["1. 101.1. A lamp.", "2. 101.2. A boat.", "3. Far Waters"]

    assert without_points(lines)[-1] == "3. Far Waters"


@pytest.mark.parametrize("form", ["{0:6}\t{1}", "{0:4}  {1}", "{0}:{1}", "{0:3} | {1}", "{0} {1}"])
def test_line_numbers(form: str) -> None:
    """The numbers of a listing are taken off, those of its blank lines, too."""
    lines = ["705.1. A lamp", "burns.", "", "Example: A lamp.", "", "705.1a It shines."]
    listed = [form.format(number, line) for number, line in enumerate(lines, start=812)]

    shown = lay_out(listed)

    assert [line.text for line in shown.lines] == [line for line in lines if line]
    assert [line.after_blank for line in shown.lines] == [True, False, True, True]
    assert shown.characters + shown.hidden == len("".join("".join(listed).split()))


def test_line_numbers_without_rules() -> None:
    """A listing of definitions is known by its length; headings that count up are no listing."""
    words = ["Glossary", "", "Lamp", "A light.", "", "Oil", "What burns.", "", "Wick", "It is lit."]
    listed = [f"{number:4}  {line}" for number, line in enumerate(words, start=1)]
    headings = [f"{number} - Far Waters" for number in range(100, 112)]

    assert without_line_numbers(listed) == words
    assert without_line_numbers(headings) == headings
    assert without_line_numbers(["705", "706"]) == ["705", "706"]
    assert without_line_numbers([]) == []


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
    """A running head with the number of its page is furniture, and the rule goes on behind it."""
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
    """Words that come again with the next number are running heads, whatever they say."""
    lines = ["A lamp", "Harbor Lights 7", "burns.", "8 Harbor Lights", "Harbor Lights 9", "It"]

    assert find_pages(lines) == {2, 4, 5}
    assert find_pages(["See rule 101", "See rule 102", "See rule 103"]) == frozenset()


def test_titles_beside_pages() -> None:
    """The title of the rules beside a page's number is of the head, at the very top it is not."""
    title = "Magic: The Gathering Comprehensive Rules"

    assert find_pages([title, "705.1. A lamp. See rule", "", title, "42", "", "705.4a."]) == {4, 5}


@pytest.mark.parametrize("line", ["2/2", "10/10", "1+*/1", "Comprehensive Rules 705.1", "181/180"])
def test_no_pages(line: str) -> None:
    """Powers, citations and numbers beyond the last page are none."""
    assert find_pages(["A lamp", line, "burns."]) == frozenset()


def test_bar_of_links() -> None:
    """What a bot sets below its answer leads elsewhere; linked numbers open rules."""
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
    """What is shown and what is taken off are the page, and lines stay where they are."""
    sheet = lay_out(lines)

    assert sheet.characters + sheet.hidden == len("".join("".join(lines).split()))
    numbers = [line.number for line in sheet.lines if line.role is None]
    assert all(first < two for first, two in pairwise(numbers))
