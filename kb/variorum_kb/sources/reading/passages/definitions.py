"""Tells headwords of a glossary from their definitions."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from variorum_kb.reading.glossary import SENSE
from variorum_kb.reading.unwrap import EXAMPLE
from variorum_kb.sources.reading.markup.shown_lines import Line
from variorum_kb.sources.reading.page_signs import begins_inside, role_of
from variorum_kb.sources.reading.passages.openers import LONGEST_HEADING, is_titled, open_numbered
from variorum_kb.sources.reading.passages.passage_account import PassageDraft
from variorum_kb.text.sentences import ends_marked_sentence
from variorum_kb.thresholds.documents import DEFINED_ON_THE_LINE, DEFINITIONS

# "Lamp: A light at the bay": a headword and its definition on one line.
_INLINE = re.compile(
    r"(?P<headword>[A-Z][^.:!?;]{0,60}?!?)(?P<mark>:| [-–—])\s+(?=[A-Z0-9“\"(\[{])"
)
# A glossary needs no headline if it has this many entries: the first number if headwords are on the
# line of their definition, the second if they are above it.
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

    Rules below numbers and answers below questions have the same markup.
    """
    is_one = block.tag == "dt" and role_of(block) is None
    return is_one and len(block.text) <= LONGEST_HEADING and open_numbered(block.text) is None


def terms_of(blocks: Iterable[Line]) -> Callable[[Line], bool] | None:
    """Return a test for headwords if the markup of a glossary shows them; otherwise None."""
    first = islice((block for block in blocks if role_of(block) is None), _FIRST)
    return is_term if any(is_term(block) for block in first) else None


class SignsBelow(NamedTuple):
    """Signs of a glossary from a paragraph on.

    Attributes:
        has_headwords: Whether headwords have their own lines.
        has_inline: Whether most definitions follow their headwords on one line.
        are_entries: Whether all paragraphs are entries without a headline. Headwords are on the
            line of their definition or above it.
    """

    has_headwords: bool = False
    has_inline: bool = False
    are_entries: bool = False


def signs_below(blocks: Sequence[Line]) -> list[SignsBelow]:
    """Return, for each paragraph, the signs of a glossary in it and in all paragraphs after it.

    The last item has no signs: it stands for the end of the page.
    """
    signs = [SignsBelow()]
    counts: Counter[str] = Counter()
    following: Line | None = None
    for block in reversed(blocks):
        if role_of(block) is None:
            _count(counts, block, following)
            following = block
        has_inline = counts["inline"] > DEFINED_ON_THE_LINE * counts["texts"]
        above = counts["above"]
        is_above = above >= _FEWEST_ABOVE and above >= counts["begun"] - 1
        signs.append(
            SignsBelow(
                bool(counts["terms"]) or counts["short"] > DEFINITIONS * counts["shown"],
                has_inline,
                not counts["numbered"]
                and (counts["found"] >= _FEWEST_INLINE if has_inline else is_above),
            )
        )
    return signs[::-1]


def _count(counts: Counter[str], block: Line, following: Line | None) -> None:
    text = block.text
    is_example = EXAMPLE.match(text) is not None
    is_inline = _INLINE.match(text) is not None
    is_text = not (is_example or SENSE.match(text))
    is_short = is_headword(text)
    is_above = following is not None and not following.after_blank and block.after_blank
    counts["shown"] += 1
    counts["terms"] += is_term(block)
    counts["short"] += is_short and following is not None  # the last may be cut
    counts["texts"] += is_text
    counts["inline"] += is_text and is_inline
    counts["found"] += is_inline and not is_example
    counts["numbered"] += open_numbered(text) is not None
    counts["above"] += is_above and is_short
    counts["begun"] += block.after_blank


def find_inline(text: str) -> re.Match[str] | None:
    """Find the headword, and the mark after it, before a definition on the same line.

    >>> find_inline("Lamp: A light at the bay.")["headword"]
    'Lamp'
    """
    return None if EXAMPLE.match(text) else _INLINE.match(text)


def goes_on_headless(draft: PassageDraft, text: str) -> bool:
    """Say whether a text continues a definition without a headword."""
    if SENSE.match(text):
        # The first sense begins an entry unless words introduce it.
        return not text.startswith("1") or (
            bool(draft.paragraphs) and draft.paragraphs[-1].text.endswith(":")
        )
    last = draft.paragraphs[-1].text if draft.paragraphs else ""
    is_see = SENSE.match(last) is not None and text.startswith("See ")
    return is_see or EXAMPLE.match(text) is not None


def headwords_like(blocks: Sequence[Line]) -> Callable[[Line], bool]:
    """Return a test for paragraphs formatted like the first headword of a glossary."""
    first = blocks[0]
    if first.is_headline or first.tag == "dt":
        return lambda block: block.tag == first.tag
    if blocks[1:] and not blocks[1].after_blank:
        return lambda block: block.after_blank
    return lambda _: True
