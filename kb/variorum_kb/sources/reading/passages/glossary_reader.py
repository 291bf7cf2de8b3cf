"""Reads the definitions of a page: in its glossary, or in a list without a headline."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from variorum_kb.reading.glossary import SENSE
from variorum_kb.reading.unwrap import EXAMPLE
from variorum_kb.sources.reading.markup.shown_lines import Line
from variorum_kb.sources.reading.page_signs import begins_inside, role_of
from variorum_kb.sources.reading.passages.openers import LONGEST_HEADING, is_titled, open_numbered
from variorum_kb.sources.reading.passages.passage_account import PassageDraft, PassageSorter
from variorum_kb.sources.reading.passages.passages import LineRole, PassageKind, SourceLayout
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
_MIXED = frozenset([SourceLayout.WIKI_PAGE, SourceLayout.ARTICLE, SourceLayout.HYPERLINKED])


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


class DefinitionReader:
    """Reads definitions, paragraph by paragraph.

    Attributes:
        sorter: Collects the passages and the furniture.
        layout: The layout of the page.
        is_mixed: Whether pages of this layout also have other text.
        is_whole: Whether pages of this layout have only rules, instead of quoting some.
        blocks: The paragraphs of the page.
        draft: The passage that is being read.
        words: The words that name the edition quoted.
        in_glossary: Whether definitions are being read.
    """

    def __init__(self, sorter: PassageSorter, layout: SourceLayout) -> None:
        self.sorter, self.layout = sorter, layout
        self.is_mixed, self.is_whole = layout in _MIXED, layout is SourceLayout.HYPERLINKED
        self.blocks: Sequence[Line] = ()
        self.draft: PassageDraft | None = None
        self.words = ""
        self.in_glossary = False
        self._has_headwords = self._has_inline = False
        self._tag = ""
        self._headword: Callable[[Line], bool] | None = None

    def begin_glossary(self, place: int, tag: str | None = None) -> None:
        """Begin the definitions at a place, below a headline with a tag."""
        self.in_glossary, self.draft = True, None
        self._tag = self._tag if tag is None else tag
        signs = self._signs_below[place]
        self._has_headwords, self._has_inline = signs.has_headwords, signs.has_inline
        self._headword = terms_of(islice(self.blocks, place, None))

    def turn_to(self, *, is_glossary: bool) -> None:
        """Begin or end a wiki's quotation of a definition."""
        self.in_glossary = self._has_headwords = is_glossary

    def ends_glossary(self, block: Line) -> bool:
        """Say whether a headline ends the glossary; headwords may be headlines of lower rank."""
        return block.is_headline and self.is_mixed and block.tag <= (self._tag or "h6")

    @cached_property
    def _signs_below(self) -> Sequence[SignsBelow]:
        return signs_below(self.blocks)

    def begins_entries(self, place: int) -> bool:
        """Say whether only glossary entries follow, without a headline."""
        is_behind = self.draft is not None and self.draft.kind is PassageKind.RULE
        if self.is_mixed or not is_behind:
            return False
        return self.blocks[place].after_blank and self._signs_below[place].are_entries

    def begins_list(self, place: int) -> bool:
        """Say whether a list of definitions begins without a headline."""
        following = self.blocks[place + 1 : place + 2]
        is_one = is_term(self.blocks[place]) and (self.is_whole or not self.is_mixed)
        return is_one and any(
            block.tag == "dd" and ends_marked_sentence(block.text) for block in following
        )

    def define(self, place: int, block: Line, text: str) -> bool:
        """Read a paragraph; return whether it belongs to a glossary."""
        draft = self.draft
        if self._has_inline and self._define_inline(block, text):
            return True
        is_awaited = draft is not None and bool(draft.headword) and not draft.paragraphs
        is_below = is_awaited and not block.after_blank and block.tag != "dt"
        if (
            self._has_headwords
            and (is_headword(text) or is_term(block))
            and not (is_below or EXAMPLE.match(text))
            and (self._headword is None or self._headword(block))
        ):
            is_one = self.is_whole or block.is_headline or self._goes_on(place)
            if self.is_mixed and not is_one:
                return False
            self._begin_entry(block, text)
        elif draft is not None and (
            self._has_headwords or self._has_inline or goes_on_headless(draft, text)
        ):
            is_apart = block.after_blank and bool(draft.paragraphs) and block.tag != "dd"
            if self.is_mixed and not self.is_whole and is_apart:
                return False
            self.sorter.write(draft, block, text)
        else:
            self.sorter.write(self._begin_entry(block), block, text)
        return True

    def _begin_entry(self, block: Line, headword: str = "") -> PassageDraft:
        self.draft = self.sorter.begin(PassageKind.GLOSSARY, block)
        self.draft.edition = self.words
        if headword:
            self.sorter.head(self.draft, block, headword)
        return self.draft

    def _define_inline(self, block: Line, text: str) -> bool:
        """Read a definition with its headword on one line; return whether it is one."""
        inline = find_inline(text)
        if inline is None:
            return False
        draft = self._begin_entry(block, inline["headword"])
        self.sorter.furnish(block, LineRole.MARK, inline["mark"])
        self.sorter.write(draft, block, text[inline.end() :])
        return True

    def _goes_on(self, place: int) -> bool:
        """Say whether a definition follows right below a headword."""
        if self.draft is None:
            return True  # the first definition, after a line with its edition
        following = self.blocks[place + 1] if place + 1 < len(self.blocks) else None
        return following is not None and (not following.after_blank or following.tag == "dd")
