"""Reads the definitions of a page: in its glossary, or in a list without a headline."""

import itertools
from collections.abc import Callable, Sequence
from functools import cached_property

from variorum_kb.reading.unwrap import EXAMPLE
from variorum_kb.sources.reading.markup.shown_lines import Line
from variorum_kb.sources.reading.passages.definitions import (
    SignsBelow,
    find_inline,
    goes_on_headless,
    headwords_like,
    is_headword,
    is_term,
    signs_below,
    terms_of,
)
from variorum_kb.sources.reading.passages.passage_account import PassageDraft, PassageSorter
from variorum_kb.sources.reading.passages.passages import LineRole, PassageKind, SourceLayout
from variorum_kb.text.sentences import ends_marked_sentence

_MIXED = frozenset([SourceLayout.WIKI_PAGE, SourceLayout.ARTICLE, SourceLayout.HYPERLINKED])


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
        self._headword = terms_of(itertools.islice(self.blocks, place, None))

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
            if self.is_whole and self._headword is None:
                self._headword = headwords_like(self.blocks[place : place + 2])
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
