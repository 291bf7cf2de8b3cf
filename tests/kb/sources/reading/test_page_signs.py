"""The signs that tell the markup of a page, and prose that addresses readers, at their limits."""

import pytest

from variorum_kb.sources.reading.page_signs import is_edition, is_personal, markup_of
from variorum_kb.sources.reading.passages.passages import Markup


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("x" * 4994 + "<html>", Markup.HTML),
        ("x" * 4995 + "<html>", Markup.PLAIN),
        (" " * 3998 + '["', Markup.JSON),
        (" " * 3999 + '["', Markup.PLAIN),
        ("x" * 199_995 + "{{CR|", Markup.WIKITEXT),
        ("x" * 199_996 + "{{CR|", Markup.PLAIN),
        ("[[Lamp]]s and [[boat]]s", Markup.WIKITEXT),
        ("[[Lamp]]s and boats", Markup.PLAIN),
        ("<p>A</p><p>B</p>", Markup.HTML),
        ("<p>A</p><p>B", Markup.PLAIN),
        ("## Lamps\n**705.1** A <b>lamp</b> or a <i>boat</i>.<br><br><a>x</a>", Markup.PLAIN),
        ("## Lamps\n705.1 A <b>lamp</b> or a <i>boat</i>.<br><br><a>x</a>", Markup.HTML),
    ],
)
def test_markup(text: str, markup: Markup) -> None:
    """A page is HTML, wikitext or JSON if its beginning has enough signs of it."""
    assert markup_of(text) is markup


@pytest.mark.parametrize(
    ("words", "sentences", "expected"), [(250, 13, True), (251, 12, True), (251, 13, False)]
)
def test_is_personal(words: int, sentences: int, *, expected: bool) -> None:
    """A paragraph of a page's length addresses readers if every twelfth sentence does."""
    more = ["Boats sail."] * (sentences - 2)
    rest = " ".join(["oar"] * (words - 2 * len(more) - 2))
    text = " ".join(["We row.", *more, f"{rest}."])

    assert len(text.split()) == words
    assert is_personal(text) is expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["100. General", "Glossary", "Credits"], True),
        (["100. General", "Glossary", "Lamps"], False),
    ],
)
def test_is_edition(lines: list[str], *, expected: bool) -> None:
    """An edition has three of its four landmarks, a date and rules."""
    head = ["These rules are effective as of June 7, 2024.", "100.1. A lamp burns.", ""]

    assert is_edition([*head, *lines]) is expected
    assert not is_edition(lines)
