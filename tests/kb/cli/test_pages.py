"""The layout of provisions on the page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum_kb.answers.lookup import Known
from variorum_kb.cli.pages.diff import marked, with_examples_named
from variorum_kb.cli.pages.events import Event, set_event
from variorum_kb.cli.pages.provisions import edition_line, set_matches, wrap
from variorum_kb.rows import Row, join_body
from variorum_kb.system.terminal import BOLD, DIM, NO_UNDERLINE, PLAIN, UNDERLINE, shown

LONG = "A keeper lights the lamp, and the tide turns; another keeper may then put it out again."


def state(body: str = LONG, number: str = "704.5a", meant: str = "") -> Row:
    return Row("subrule", number, number, "", body, "704.5", meant, "", 0)


@pytest.mark.parametrize("width", [30, 60, 100])
def test_width(width: int) -> None:
    """No line is longer than the terminal, or than is comfortable to read."""
    body = join_body([("", LONG * 3), ("Example:", LONG)])
    page = set_matches(
        [(state(body), [(1, state(body)), (2, state(body))])],
        [("7", "Additional Rules"), ("704", "What Happens by Itself")],
        edition_line(Known(0, "2025-05-30", "A Set", "SET", "2025-05-30", 1, True, "")),
        width=width,
        is_coloured=False,
    )

    assert max(map(len, page.splitlines())) <= width


def test_pipe() -> None:
    """In a pipe, a paragraph is one line."""
    body = join_body([("", LONG), ("Example:", LONG)])
    page = set_matches(
        [(state(body), [])], [("704", "")], "the edition", width=0, is_coloured=False
    )

    assert page == (f"704.5a  {LONG}\nExample: {LONG}\n\n  704 › 704.5a\n  the edition\n")


def test_colour() -> None:
    """In colour, numbers are bold and the last lines dim; nothing else changes."""
    plain = set_matches([(state(), [])], [("704", "")], "now", width=40, is_coloured=False)
    coloured = set_matches([(state(), [])], [("704", "")], "now", width=40, is_coloured=True)

    assert coloured.startswith(f"{BOLD}704.5a{PLAIN}  A keeper")
    for code in (BOLD, DIM, PLAIN):
        coloured = coloured.replace(code, "")
    assert coloured == plain


def test_citations_are_underlined() -> None:
    """In colour, whole citations are underlined."""
    body = "See 702.5, 702.9, x702.5, 702.52, 702.5a and 702."
    page = set_matches(
        [(state(body), [])],
        [],
        "now",
        width=80,
        is_coloured=True,
        cited=lambda _: ["702.5", "702.5a", "702"],
    )

    first, *others = [f"{UNDERLINE}{number}{NO_UNDERLINE}" for number in ("702.5", "702.5a", "702")]
    marked = f"See {first}, 702.9, x702.5, 702.52, {' and '.join(others)}."
    assert page.startswith(f"{BOLD}704.5a{PLAIN}  {marked}\n")


def test_misprint() -> None:
    """A misprinted number is shown with the right one."""
    page = set_matches([(state(meant="704.5b"), [])], [], "now", width=0, is_coloured=False)

    assert page.endswith("\n  704.5a is a misprint for 704.5b\n  now\n")


@given(st.text(alphabet="ab ", max_size=80), st.integers(1, 30), st.integers(0, 5))
def test_wrap_keeps_words(text: str, width: int, hanging: int) -> None:
    """Wrapping loses no word and breaks none."""
    assert " ".join(wrap(text, width, hanging)).split() == text.split()


@pytest.mark.parametrize(
    ("pieces", "before", "after", "expected"),
    [
        ([("=", "A.\nB.\nC.")], 2, 2, "A.\nExample: B.\nExample: C."),
        ([("=", "A.\n"), ("-", "B "), ("+", "D "), ("=", "goes.")], 1, 1, "A.\nExample: [-B-] {+D+} goes."),
        ([("=", "A."), ("+", "\nB.")], 0, 1, "A.{+\nExample: B.+}"),
        ([("=", "A."), ("-", "\nB."), ("+", "\nC.\nD.")], 1, 2, "A.[-\nExample: B.-] {+\nExample: C.\nExample: D.+}"),
        ([("-", "A.\nB."), ("+", "C.")], 1, 0, "[-A.\nExample: B.-] {+C.+}"),
        ([("+", "A.")], 0, 1, "{+Example: A.+}"),
        ([("=", "A.\nB.")], 0, 0, "A.\nB."),
        ([("=", "A.\nB.\nC.")], 1, 1, "A.\nB.\nExample: C."),
    ],
)  # fmt: skip
def test_examples_are_named(
    pieces: list[tuple[str, str]], before: int, after: int, expected: str
) -> None:
    """Each example of a word diff begins with "Example:", only once if both readings have it."""
    assert marked(with_examples_named(pieces, before, after), context=None) == expected


@pytest.mark.parametrize("number", ["", "704.5a", "Wandering Moon Boats"])
def test_event_fills_its_lines(number: str) -> None:
    """No line of an event is wider than the page; each ends where the next word would not fit."""
    words = f"reworded, then {LONG} {LONG}"
    event = Event("2008-06-20", number, words, (), [])

    lines = [*map(shown, set_event(event, 80))]

    following = [line.split()[0] for line in lines[1:]]
    assert " ".join(" ".join(lines).split()).endswith(words)
    assert max(map(len, lines)) <= 80
    assert all(len(f"{line} {word}") > 80 for line, word in zip(lines, following, strict=False))
