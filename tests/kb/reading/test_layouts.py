"""The choice of a layout by the lines of a page."""

import pytest

from tests.support.edition_texts import page
from variorum_kb.errors import LayoutError
from variorum_kb.reading.layouts import LAYOUTS, DocumentSigns, Layout, layout_of, look_at


def test_every_layout_can_be_met() -> None:
    """Each layout fits a page that no other fits."""
    pages = {
        "banners": DocumentSigns(longest=78, underlines=1, rules=90, indented=40, dates=1),
        "wrapped": DocumentSigns(longest=113, underlines=0, rules=90, indented=0, dates=2),
        "plain": DocumentSigns(longest=640, underlines=0, rules=90, indented=44, dates=2),
        "indented": DocumentSigns(longest=640, underlines=0, rules=90, indented=45, dates=2),
    }

    assert {name: layout_of(value, "a.txt").name for name, value in pages.items()} == {
        layout.name: layout.name for layout in LAYOUTS
    }


@pytest.mark.parametrize(("count", "longest"), [(97, 9), (98, 4)])
def test_longest_line(count: int, longest: int) -> None:
    """Of 100 lines, the longest one does not count."""
    assert look_at(["a", *["wick"] * count, "lamplight"]).longest == longest
    assert look_at([]).longest == 0


def test_look_at_measures() -> None:
    """Only the lines of a page are measured."""
    lines = page().decode().split("\n")

    assert look_at(lines) == DocumentSigns(longest=430, underlines=0, rules=7, indented=0, dates=2)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "a.txt: no known layout: no line begins with the number of a rule"),
        (
            ["These rules are effective as of May 1, 2020."],
            "a.txt: no known layout: no line begins with the number of a rule",
        ),
        (
            ["100.1. A lamp burns.", "101.1. A boat floats."],
            (
                "a.txt: no known layout: 2 lines begin with the number of a rule, "
                "but no sentence states the date from which the rules are effective"
            ),
        ),
    ],
)
def test_error_says_what_is_missing(lines: list[str], message: str) -> None:
    """For a page in no known layout, the error says what is missing."""
    with pytest.raises(LayoutError) as caught:
        layout_of(look_at(lines), "a.txt")

    assert str(caught.value) == message


def test_error_names_all_that_fit() -> None:
    """If two layouts fit a page, the error names both."""
    two = [Layout(name=name) for name in ("one", "two")]

    with pytest.raises(LayoutError) as caught:
        layout_of(look_at(page().decode().split("\n")), "a.txt", two)

    assert str(caught.value) == "a.txt: more than one layout fits: one, two"
