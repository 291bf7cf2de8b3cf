"""Excerpts: numbers and headwords on their own lines, headings alone, contents."""

import pytest

from variorum_kb.errors import LayoutError
from variorum_kb.sources.reading.passages.passages import Partial, PassageKind
from variorum_kb.sources.recognise_kind import read_partial

RULE = "A keeper trims the wick each dusk."


def read(text: str) -> Partial:
    """Read a page of these tests."""
    return read_partial(text.encode(), "page.txt")


def numbered(partial: Partial) -> list[tuple[str, str, str]]:
    """Return the numbers, headings and words of a page."""
    return [(passage.number, passage.heading, passage.text) for passage in partial.passages]


def test_number_above_no_heading() -> None:
    """A number above words is no section's if no rule follows."""
    partial = read(f"<html><body><p>705.1. {RULE}</p><p>42</p><p>Many Lamps</p></body></html>")

    assert [passage.number for passage in partial.passages if passage.number] == ["705.1"]


def test_terms_are_headwords() -> None:
    """Terms of a definition list are headwords, even with several definitions each."""
    page = (
        f"<html><body><p>705.1. {RULE}</p><h2>Glossary</h2><dl><dt>Lamp</dt><dd>See Wick.</dd>"
        f"<dt>Wick</dt><dd>{RULE}</dd><dd>{RULE}</dd><dd>{RULE}</dd></dl></body></html>"
    )

    partial = read(page)

    assert [(passage.headword, passage.text) for passage in partial.of(PassageKind.GLOSSARY)] == [
        ("Lamp", "See Wick."),
        ("Wick", "\n".join([RULE] * 3)),
    ]


def test_terms_without_headline() -> None:
    """A definition list without a heading is also a glossary."""
    page = f"<html><body><dl><dt>Lamp</dt><dd>See Wick.</dd><dt>Wick</dt><dd>{RULE}</dd></dl>"

    partial = read(page)

    assert [(passage.headword, passage.text) for passage in partial.passages] == [
        ("Lamp", "See Wick."),
        ("Wick", RULE),
    ]


def test_headings_alone() -> None:
    """Section headings alone are an excerpt."""
    partial = read("415. Wicks and Lamps\n416. Boats\n417. Interaction of Boats and/or Lamps\n")

    assert [(passage.number, passage.heading) for passage in partial.passages] == [
        ("415", "Wicks and Lamps"),
        ("416", "Boats"),
        ("417", "Interaction of Boats and/or Lamps"),
    ]


def test_error_single_heading() -> None:
    """A single heading is not enough."""
    with pytest.raises(LayoutError) as caught:
        read("415. Wicks\n")

    assert str(caught.value) == ("page.txt: no sentence that could quote rules or be about them")


@pytest.mark.parametrize("tail", ["", "\nThanks for reading, and good night.\n"])
def test_heading_at_the_end(tail: str) -> None:
    """The heading of the next chapter at the very end is kept."""
    partial = read(f"899.1. {RULE}\n\n899.2. {RULE}\n\n9. Casual Boats\n{tail}")

    assert ("9", "Casual Boats", "") in numbered(partial)


def test_numbers_as_contents() -> None:
    """Numbers that are repeated with their rules are contents, not empty provisions."""
    numbers = ["704.9", "705", "705.1"]
    items = "".join(f"<li><a href='#{number}'>{number}</a></li>" for number in numbers)
    page = (
        f"<html><body><ul>{items}</ul><p>704.9. {RULE}</p><h3>705. Wicks</h3>"
        f"<p>705.1. {RULE}</p><p>Jump to: <a>704.9</a> | <a>705.1</a></p></body></html>"
    )

    partial = read(page)

    assert [passage.number for passage in partial.passages] == numbers
    assert [furniture.text for furniture in partial.furniture] == [
        *numbers,
        "Jump to: 704.9 | 705.1",
    ]
