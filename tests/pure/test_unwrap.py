"""Wrapped paragraphs are joined, and nothing else is."""

from collections.abc import Sequence

import pytest

from variorum.reading.layouts import LAYOUTS
from variorum.reading.unwrap import Unwrapped, unwrap, unwrap_original

BY_NAME = {layout.name: layout for layout in LAYOUTS}
FULL = "The keeper whose turn it is may light as many lamps as there are wicks in the hold; "
MORE = "each of them burns until the tide turns or until another keeper puts it out, if "


def texts(lines: Sequence[str], layout: str) -> list[str]:
    return [block.text for block in unwrap(lines, BY_NAME[layout]).blocks]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([FULL, "it can."], [FULL + "it can."]),
        # A citation at the start of a wrapped line is no rule (2001-07-23 has three, 2003-10-01
        # twelve).
        ([FULL + "See rule ", '406.1, "Oil."'], [FULL + 'See rule 406.1, "Oil."']),
        ([FULL + "(see rule ", "212.2c)."], [FULL + "(see rule 212.2c)."]),
        # A hyphen or dash at a line's end joins; with a blank after it, it does not.
        ([FULL + "state-", "based tides."], [FULL + "state-based tides."]),
        ([FULL + "rules 409.1f–", "h."], [FULL + "rules 409.1f–h."]),
        ([FULL + '"Boat—', 'Trawler."'], [FULL + '"Boat—Trawler."']),
        ([FULL + '"Boat — ', 'Trawler."'], [FULL + '"Boat — Trawler."']),
        # Consecutive paragraphs without a blank line.
        ([FULL, "so.", "Example: A wick."], [FULL + "so.", "Example: A wick."]),
        ([FULL + "so.", "     A second one."], [FULL + "so.", "A second one."]),
        # A headword may end with a blank.
        ([FULL + "gets -", "1/-1."], [FULL + "gets -1/-1."]),
        (["Lamp ", FULL + "so."], ["Lamp", FULL + "so."]),
        (
            ["A keeper lights a lamp of another harbor ", "notwithstanding."],
            ["A keeper lights a lamp of another harbor notwithstanding."],
        ),
        (["101. Wick", "102. Oil "], ["101. Wick", "102. Oil"]),
    ],
)
def test_marked_wraps(lines: list[str], expected: list[str]) -> None:
    """If wrapped lines end with a blank, the blank marks the wrap."""
    filler = [FULL, MORE, FULL, "so.", ""]

    assert texts([*filler, *lines], "wrapped")[1:] == expected


def test_lost_marks() -> None:
    """A copy without these blanks is unwrapped by the lengths of its lines."""
    lines = [FULL, MORE, FULL, "so.", "", "Lamp", FULL, MORE, "it burns."]

    stripped = [line.rstrip() for line in lines]

    assert unwrap(stripped, BY_NAME["wrapped"]).repairs == (
        "the blanks at the ends of wrapped lines are lost; joined by their lengths",
    )
    assert texts(stripped, "wrapped") == [
        FULL + MORE + FULL + "so.",
        "Lamp",
        FULL + MORE + "it burns.",
    ]


def test_banners() -> None:
    """In 1999, banners separate, headwords are above indented words, and an index stays as it is."""
    lines = [
        "----------",
        "Glossary",
        "----------",
        "",
        "Lamp (Obsolete) ",
        "  What a keeper lights when night comes on, and what shows other keepers",
        "  where the boat is.",
        "",
        "----------",
        "Index",
        "----------",
        "",
        "Lamp, 101.1, 101.2, 102, 103.4, 105, 106.2, 107.8a, 109.1, 110.2, 111.3",
        "\twick, 101.1",
    ]

    result = unwrap(lines, BY_NAME["banners"])

    assert [block.text for block in result.blocks] == [
        "Glossary",
        "Lamp (Obsolete)",
        "What a keeper lights when night comes on, and what shows other keepers where the boat is.",
        "Index",
        "Lamp, 101.1, 101.2, 102, 103.4, 105, 106.2, 107.8a, 109.1, 110.2, 111.3",
        "wick, 101.1",
    ]
    assert result.banners == (1, 3, 9, 11)


def test_plain_lines_are_paragraphs() -> None:
    """Otherwise a line is a paragraph, with its place, its indent and whether a blank line precedes."""
    blocks = unwrap(["a  b ", "  c", "", "d"], BY_NAME["plain"]).blocks

    assert [tuple(block) for block in blocks] == [
        ("a b", 1, 1, 0, True),
        ("c", 2, 2, 2, False),
        ("d", 4, 4, 0, True),
    ]


def test_lines_of_an_original() -> None:
    """Of an original, the lines that continue are known, and those that belong to the page."""
    result = unwrap_original(["  Lamp", "It goes", " on", "", "7"], {2: ""}, range(5, 6))

    assert [tuple(block) for block in result.blocks] == [
        ("Lamp", 1, 1, 2, True),
        ("It goes on", 2, 3, 0, False),
    ]
    assert (result.banners, result.hyphens) == ((5,), (2,))


def test_hyphens_are_listed() -> None:
    """Line ends that were joined without a blank are listed."""
    result = unwrap([FULL, FULL + "state-", "based tides."], BY_NAME["wrapped"])

    assert result.hyphens == (2,)
    assert unwrap([], BY_NAME["plain"]) == Unwrapped(())
