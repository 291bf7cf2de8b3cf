"""Tells headwords of a glossary from their definitions."""

import itertools
import re
from collections.abc import Callable, Sequence

from variorum_kb.reading.glossary import SENSE
from variorum_kb.reading.unwrap import EXAMPLE
from variorum_kb.sources.reading.openers import LONGEST_HEADING, is_titled, open_numbered
from variorum_kb.sources.reading.page_signs import begins_inside, role_of
from variorum_kb.sources.reading.passage_account import PassageDraft
from variorum_kb.sources.reading.shown_lines import Line
from variorum_kb.text.sentences import ends_marked_sentence
from variorum_kb.thresholds import DEFINED_ON_THE_LINE, DEFINITIONS

# "Lamp: A light at the bay": a headword on the line of its definition.
_INLINE = re.compile(
    r"(?P<headword>[A-Z][^.:!?;]{0,60}?!?)(?P<mark>:| [-–—])\s+(?=[A-Z0-9“\"(\[{])"
)
# This many entries form a glossary without a headline, with or without marks after headwords.
_FEWEST_INLINE, _FEWEST_ABOVE = 3, 2
# A list of definitions begins within this many paragraphs after its headline.
_FIRST = 4


def is_headword(text: str) -> bool:
    """Say whether a paragraph may be a headword."""
    return (
        len(text) <= LONGEST_HEADING
        and not ends_marked_sentence(text)
        and (not begins_inside(text) and not SENSE.match(text))
    ) or (text.endswith("!") and is_titled(text))


def is_term(block: Line) -> bool:
    """Say whether the markup of a paragraph makes it a headword.

    Numbers with rules, and questions with answers, use the same markup.
    """
    is_one = block.tag == "dt" and role_of(block) is None
    return is_one and len(block.text) <= LONGEST_HEADING and open_numbered(block.text) is None


def terms_of(blocks: Sequence[Line]) -> Callable[[Line], bool] | None:
    """Return the test for headwords if the markup of a glossary shows them; otherwise None."""
    first = [block for block in blocks if role_of(block) is None][:_FIRST]
    return is_term if any(is_term(block) for block in first) else None


def has_headwords(blocks: Sequence[Line]) -> bool:
    """Say whether the glossary below a headline has headwords on their own lines."""
    if any(is_term(block) for block in blocks):
        return True
    texts = [block.text for block in blocks if role_of(block) is None]
    short = sum(is_headword(text) for text in texts[:-1])  # the last may be cut
    return short > DEFINITIONS * len(texts)


def has_inline(blocks: Sequence[Line]) -> bool:
    """Say whether most definitions follow their headwords on one line."""
    texts = [
        block.text
        for block in blocks
        if role_of(block) is None and not (SENSE.match(block.text) or EXAMPLE.match(block.text))
    ]
    return sum(_INLINE.match(text) is not None for text in texts) > DEFINED_ON_THE_LINE * len(texts)


def are_entries(blocks: Sequence[Line]) -> bool:
    """Say whether paragraphs without a glossary headline are all entries.

    Headwords either share a line with the definition or stand above it.
    """
    shown = [block for block in blocks if role_of(block) is None]
    if any(open_numbered(block.text) is not None for block in shown):
        return False
    if has_inline(shown):
        return sum(find_inline(block.text) is not None for block in shown) >= _FEWEST_INLINE
    pairs = [
        (first, second) for first, second in itertools.pairwise(shown) if not second.after_blank
    ]
    above = [first for first, _ in pairs if first.after_blank and is_headword(first.text)]
    begun = sum(block.after_blank for block in shown)
    return len(above) >= _FEWEST_ABOVE and len(above) >= begun - 1


def find_inline(text: str) -> re.Match[str] | None:
    """Find the headword before a definition on the same line, with the mark after it.

    >>> find_inline("Lamp: A light at the bay.")["headword"]
    'Lamp'
    """
    return None if EXAMPLE.match(text) else _INLINE.match(text)


def goes_on_headless(draft: PassageDraft, text: str) -> bool:
    """Say whether a text continues a definition whose headword is lost."""
    if SENSE.match(text):
        # The first sense begins an entry, but behind words that lead up to it.
        return not text.startswith("1") or (
            bool(draft.paragraphs) and draft.paragraphs[-1].text.endswith(":")
        )
    last = draft.paragraphs[-1].text if draft.paragraphs else ""
    is_see = SENSE.match(last) is not None and text.startswith("See ")
    return is_see or EXAMPLE.match(text) is not None


def headwords_like(blocks: Sequence[Line]) -> Callable[[Line], bool]:
    """Return the test for paragraphs formatted like the first headword of a glossary."""
    first = blocks[0]
    if first.is_headline or first.tag == "dt":
        return lambda block: block.tag == first.tag
    if blocks[1:] and not blocks[1].after_blank:
        return lambda block: block.after_blank
    return lambda _: True
