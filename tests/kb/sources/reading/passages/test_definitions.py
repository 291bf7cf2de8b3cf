"""Headings and headwords in the markup of pages."""

import pytest

from variorum_kb.sources.reading.markup.shown_lines import Line
from variorum_kb.sources.reading.passages.definitions import headwords_like


def line(tag: str = "", *, after_blank: bool = False) -> Line:
    """Return a line with a tag."""
    return Line("Lamp", 1, 1, after_blank=after_blank, tag=tag)


@pytest.mark.parametrize(
    ("tag", "is_headline"),
    [("h1", True), ("h6", True), ("", False), ("h", False), ("hgroup", False), ("dt", False)],
)
def test_is_headline(tag: str, is_headline: bool) -> None:
    """A heading is h1 to h6."""
    assert line(tag).is_headline is is_headline


@pytest.mark.parametrize(
    ("blocks", "block", "is_like"),
    [
        # If the first headword is a heading or a term, all are.
        ([line("h3"), line("p")], line("h3"), True),
        ([line("h3"), line("p")], line("h4"), False),
        ([line("dt"), line("dd")], line("dt"), True),
        ([line("dt"), line("dd")], line("dd"), False),
        # If its definition is directly below it, all headwords follow a blank line.
        ([line("p"), line("p")], line("p", after_blank=True), True),
        ([line("p"), line("p")], line("p"), False),
        # Otherwise, nothing distinguishes headwords from definitions.
        ([line("p"), line("p", after_blank=True)], line("p"), True),
        ([line("p")], line("p"), True),
    ],
)
def test_headwords_like(blocks: list[Line], block: Line, is_like: bool) -> None:
    """Later headwords have the markup of the first."""
    assert headwords_like(blocks)(block) is is_like
