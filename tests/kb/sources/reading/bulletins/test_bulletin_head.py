"""How far from the top, and how long, a bulletin's title, author and day may be."""

import pytest

from variorum_kb.sources.reading.bulletins.announced_terms import split_terms
from variorum_kb.sources.reading.bulletins.bulletin_head import find_matter, is_own_line
from variorum_kb.sources.reading.markup.shown_lines import Line

BODY, TITLE, AUTHOR, DAY = (
    "Boats are well.",
    "Harbour rules changes",
    "By Ada Lantern",
    "May 3, 2017",
)


@pytest.mark.parametrize(
    ("texts", "title", "author", "day"),
    [
        ([TITLE, AUTHOR, DAY], TITLE, "Ada Lantern", "2017-05-03"),
        ([*[BODY] * 5, TITLE], TITLE, "", ""),
        ([*[BODY] * 6, TITLE], BODY, "", ""),
        (["L" * 150], "L" * 150, "", ""),
        (["L" * 151], "", "", ""),
        (["705.1", BODY], "", "", ""),
        ([TITLE, *[BODY] * 6, AUTHOR], TITLE, "Ada Lantern", ""),
        ([TITLE, *[BODY] * 7, AUTHOR], TITLE, "", ""),
        ([TITLE, f"{'x' * 84}. {AUTHOR}"], TITLE, "Ada Lantern", ""),
        ([TITLE, f"{'x' * 85}. {AUTHOR}"], TITLE, "", ""),
        ([TITLE, f"{DAY} {'x' * 88}"], TITLE, "", "2017-05-03"),
        ([TITLE, f"{DAY} {'x' * 89}"], TITLE, "", ""),
        ([], "", "", ""),
    ],
)
def test_matter(texts: list[str], title: str, author: str, day: str) -> None:
    """The title is among the first six paragraphs, author and day among the first eight."""
    matter = find_matter([Line(text, n, n, place=n) for n, text in enumerate(texts)], [])

    dated = str(matter.dated.day) if matter.dated else ""
    assert (matter.title, matter.author, dated) == (title, author, day)
    assert len(matter.roles) == sum(map(bool, (title, author, day)))


def test_hidden_matter() -> None:
    """A comment may have the source and the day; a title may name a month and sets."""
    hidden = ["source: the archive of 2017-11-03 (a copy)"]
    blocks = [Line("June 2024 rules changes of Modern Horizons 3", 4, 4), Line("x" * 250, 5, 5)]

    matter, alone = find_matter(blocks, hidden), find_matter(blocks, [])

    assert matter.dated is not None
    assert (matter.source, matter.dated.words) == ("the archive of 2017-11-03", "2017-11-03")
    assert alone.dated is not None
    assert (alone.dated.day, alone.dated.line) == (None, 4)
    assert matter.sets == ("Modern Horizons 3",)
    assert find_matter([Line(f"effective {'x' * 250}", 1, 1)], []).effective[190:] == "x" * 10


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (AUTHOR, True),
        (f"So {AUTHOR}", False),
        (f"On {DAY}", True),
        (f"Published on {DAY}", False),
    ],
)
def test_own_lines(text: str, *, expected: bool) -> None:
    """A line of its own has an author, or a day of at most four words."""
    assert is_own_line(text) is expected


def test_longest_term() -> None:
    """A headword has at most six words."""
    assert split_terms("a lamp that burns at dusk, oar") == ("a lamp that burns at dusk", "oar")
    assert split_terms("a lamp that burns at dusk now, oar") == ()
