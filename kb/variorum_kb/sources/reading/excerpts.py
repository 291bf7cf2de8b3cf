"""Reads excerpts, fragments, wiki pages, hyperlinked editions and articles."""

from collections.abc import Sequence

from variorum_kb.reading.unwrap import EXAMPLE
from variorum_kb.sources.reading.markup.shown_lines import GLOSSARY_HEADING, Line, MarkedProvision
from variorum_kb.sources.reading.page_signs import (
    begins_inside,
    ends_citation,
    is_headline,
    is_personal,
    role_of,
)
from variorum_kb.sources.reading.passages.contents import (
    are_unnumbered,
    find_contents,
    goes_on_from,
    leads_to,
)
from variorum_kb.sources.reading.passages.definitions import signs_below
from variorum_kb.sources.reading.passages.glossary_reader import DefinitionReader
from variorum_kb.sources.reading.passages.openers import (
    Opening,
    Stamp,
    find_stamp,
    is_titled,
    open_headed,
    open_numbered,
    open_point,
    without_bullet,
)
from variorum_kb.sources.reading.passages.passage_account import PassageDraft, PassageSorter
from variorum_kb.sources.reading.passages.passages import (
    LineRole,
    PassageKind,
    SourceLayout,
    Stated,
)
from variorum_kb.sources.reading.prose import find_quotations
from variorum_kb.text.sentences import ends_marked_sentence

_LONGEST_HEADLINE = 12


class QuotedReader(DefinitionReader):
    """Reads layouts whose rules have numbers as in editions, or no numbers.

    Attributes:
        edition: The edition that the page names first.
    """

    def __init__(self, sorter: PassageSorter, layout: SourceLayout) -> None:
        """Prepare to read a page."""
        super().__init__(sorter, layout)
        self.edition: Stated | None = None
        self._is_quoting = self._is_draft_quoted = False
        self._parts: dict[int, PassageDraft] = {}

    def read(self, blocks: Sequence[Line]) -> None:
        """Sort every paragraph."""
        self.blocks = blocks
        if any(block.part is not None for block in blocks):
            self._note_page(blocks)
        contents = find_contents(blocks)
        self._is_quoting = any(
            block.is_quoted and open_numbered(without_bullet(block.text)) is not None
            for block in blocks
        )
        for place, block in enumerate(blocks):
            role = LineRole.CONTENTS if place in contents else role_of(block)
            if role is LineRole.STAMP:
                self._stamp(block, _stamp_of(block))
            elif role is not None:
                self.sorter.furnish(block, role)
            elif block.part is not None:
                self._take(block, block.part)
            else:
                self._read(place, block)
        self._mark_cuts()

    def _take(self, block: Line, part: MarkedProvision) -> None:
        """Read a paragraph of a provision whose number the markup gives."""
        text = block.text
        is_numbered = bool(part.number) and text.startswith(part.number)
        rest = text[len(part.number) :].lstrip() if is_numbered else text
        known = self._parts.get(part.place)
        if known is not None:
            self.sorter.furnish(block, LineRole.MARK, text[: len(text) - len(rest)])
            self.sorter.write(known, block, rest)
            return
        number = part.number if is_numbered else ""
        opening = Opening(part.kind, number, number, "", "", rest) if number else None
        draft = self._parts[part.place] = self.sorter.begin(part.kind, block, opening)
        draft.edition = part.edition or self.words
        if part.kind is PassageKind.GLOSSARY or block.is_headline:
            self.sorter.head(draft, block, rest)
        elif rest:
            self.sorter.write(draft, block, rest)

    def _read(self, place: int, block: Line) -> None:
        stamp = find_stamp(block.text, block.number)
        is_article = self.layout is SourceLayout.ARTICLE
        if stamp is not None and (stamp.is_whole or (self.edition is None and not is_article)):
            self._note(stamp)
            if stamp.is_whole:
                self._stamp(block, stamp)
                return
        text = self._unbulleted(block)
        is_item = block.tag == "li" or text != block.text
        opening = open_numbered(text, is_sure=is_item) or self._open_headed(place, text)
        opening = opening or open_point(text, self._number)
        if opening is not None and not (place == 0 and ends_citation(self.blocks)):
            self._begin(block, opening)
        elif GLOSSARY_HEADING.fullmatch(text):
            self.sorter.furnish(block, LineRole.HEADLINE, text)
            self.begin_glossary(place + 1, block.tag)
        elif not self._define(place, block, text):
            if self.in_glossary:
                self.in_glossary, self.draft = False, None
            self._loose(place, block, text)

    def _define(self, place: int, block: Line, text: str) -> bool:
        """Read a definition; return whether it is one."""
        if not self.in_glossary or self.ends_glossary(block):
            if not (self.begins_list(place) or self.begins_entries(place)):
                return False
            self.begin_glossary(place)
        return self.define(place, block, text)

    def _note_page(self, blocks: Sequence[Line]) -> None:
        """Note the edition that a page with marked-up provisions states anywhere."""
        stamps = [_stamp_of(block) for block in blocks if role_of(block) is LineRole.STAMP]
        if stamps:
            self._note(stamps[0])
            self.words = stamps[0].stated.words

    # Stamps ---------------------------------------------------------------------------------------

    def _note(self, stamp: Stamp) -> None:
        self.edition = self.edition or stamp.stated

    def _stamp(self, block: Line, stamp: Stamp) -> None:
        if stamp.stated.words:
            self._note(stamp)
        self.sorter.furnish(block, LineRole.STAMP)
        self.words, self.draft = stamp.stated.words, None
        if stamp.is_glossary or self.is_mixed:
            self.turn_to(is_glossary=stamp.is_glossary)

    # Rules and headings ---------------------------------------------------------------------------

    def _unbulleted(self, block: Line) -> str:
        rest = without_bullet(block.text)
        is_mark = open_numbered(rest, is_sure=True) or open_headed(rest) or EXAMPLE.match(rest)
        if not is_mark and block.text[0] not in ">|":
            return block.text
        self.sorter.furnish(block, LineRole.MARK, block.text.removesuffix(rest))
        return rest

    def _open_headed(self, place: int, text: str) -> Opening | None:
        """Read a heading.

        If its number is one digit or has no sign after it, the text around it must confirm it.
        """
        opening = open_headed(text, is_sure=True)
        if opening is None:
            return None
        block = self.blocks[place]
        following = self._following(place)
        number = opening.number
        if is_titled(opening.rest) and self._goes_on_from_last(place, number):
            return opening
        if len(number) == 1:
            is_chapter = leads_to(number, following)
            return opening if is_chapter and not self.in_glossary else None
        rule = open_numbered(following)
        if (rule is not None and rule.number.startswith(f"{number}.")) or block.is_headline:
            return opening
        # "Replacement and/or Prevention" is also in title case.
        return open_headed(text) if is_titled(opening.rest.replace("/", " ")) else None

    @property
    def _number(self) -> str:
        """Return the number of the rule that a paragraph would continue; "" outside rules."""
        draft = self.draft
        return draft.number if draft is not None and draft.kind is PassageKind.RULE else ""

    def _goes_on_from_last(self, place: int, number: str) -> bool:
        """Say whether a heading directly follows the last rule."""
        if self.is_mixed or self.in_glossary:
            return False
        last = next((draft.number for draft in reversed(self.sorter.drafts) if draft.number), "")
        return goes_on_from(number, last) and are_unnumbered(self.blocks[place + 1 :])

    def _following(self, place: int) -> str:
        for block in self.blocks[place + 1 :]:
            if role_of(block) is None:
                return without_bullet(block.text)
        return ""

    def _begin(self, block: Line, opening: Opening) -> None:
        draft = self.sorter.begin(opening.kind, block, opening)
        draft.edition = self.words
        self.in_glossary = False
        self.draft, self._is_draft_quoted = draft, block.is_quoted
        if opening.kind is PassageKind.HEADING or (
            opening.rest and is_titled(opening.rest) and "[" not in opening.rest
        ):
            self.sorter.head(draft, block, opening.rest)
        elif opening.rest:
            self.sorter.write(draft, block, opening.rest)

    # Everything else ------------------------------------------------------------------------------

    def _loose(self, place: int, block: Line, text: str) -> None:
        draft = None if self._is_outside(block) else self.draft
        if draft is not None and self._belongs(draft, block, text):
            self.sorter.write(draft, block, text)
        elif self.layout is SourceLayout.EXCERPT and is_headline(block):
            self.sorter.furnish(block, _headline_role(block), text)
        elif self.is_mixed or self._speaks(place, block, text):
            self.draft = None
            self._prose(block, text)
        elif draft is None and self._is_title(place, block):
            self.sorter.furnish(block, LineRole.TITLE, text)
        else:
            self.draft = self.sorter.begin(PassageKind.TEXT, block)
            self.sorter.write(self.draft, block, text)
            if not self.is_mixed:
                self.draft = None

    def _is_outside(self, block: Line) -> bool:
        """Say whether a paragraph is outside quoted rules, like a reply to an e-mail."""
        is_apart = self.draft is None or self._is_draft_quoted
        return self._is_quoting and not block.is_quoted and is_apart

    def _speaks(self, place: int, block: Line, text: str) -> bool:
        """Say whether a paragraph is commentary: it addresses readers or introduces a rule."""
        if is_personal(text) or self._is_outside(block):
            return True
        is_first = not self.sorter.drafts and text.endswith(":")
        return is_first and open_numbered(self._following(place), is_sure=True) is not None

    def _is_title(self, place: int, block: Line) -> bool:
        if self.sorter.drafts or not is_titled(block.text) or not self._following(place):
            return False
        if self.layout is not SourceLayout.FRAGMENT:
            return True
        # If short lines and texts alternate, the first line is a headword. A line right above a
        # single text may be a headword.
        below = [block for block in self.blocks[place + 1 :] if role_of(block) is None]
        is_above = not below[0].after_blank and all(block.after_blank for block in below[1:])
        return not (signs_below(below)[0].has_headwords or is_above or len(below) == 1)

    def _belongs(self, draft: PassageDraft, block: Line, text: str) -> bool:
        """Say whether a paragraph without a number continues the passage above it."""
        if EXAMPLE.match(text):
            return True
        if block.is_headline or draft.kind is PassageKind.HEADING:
            return False
        if draft.kind is PassageKind.RULE and not draft.paragraphs and not draft.heading:
            return True  # its number was on its own line
        if draft.heading:
            return False
        if not self.is_mixed or self.is_whole:
            return not is_personal(text) and not is_titled(text)
        return not block.after_blank and block.tag in {"", "dd"} and not is_titled(text)

    def _prose(self, block: Line, text: str) -> None:
        if is_headline(block) and len(text.split()) <= _LONGEST_HEADLINE:
            self.sorter.furnish(block, _headline_role(block), text)
            self.words = ""
            return
        draft = self.sorter.begin(PassageKind.PROSE, block)
        self.sorter.write(draft, block, text)
        words = draft.paragraphs[0].text
        draft.quotations = find_quotations(words) if not draft.paragraphs[0].marker else ()

    def _mark_cuts(self) -> None:
        """Mark the first and last passages that the document cuts off."""
        drafts = [draft for draft in self.sorter.drafts if draft.kind is not PassageKind.HEADING]
        if not drafts:
            return
        first, last = drafts[0], drafts[-1]
        if first.paragraphs and not first.number:
            first.is_cut_before = begins_inside(first.paragraphs[0].text)
        if last.paragraphs and last.kind is not PassageKind.PROSE:
            last.is_cut_after = not ends_marked_sentence(last.paragraphs[-1].text)


def _stamp_of(block: Line) -> Stamp:
    stamp = find_stamp(block.text, block.number)
    stated = stamp.stated if stamp is not None else Stated(block.text, None, block.number)
    return Stamp(stated, is_glossary=block.tag == "glossary", is_whole=True)


def _headline_role(block: Line) -> LineRole:
    return LineRole.TITLE if block.tag == "h1" else LineRole.HEADLINE
