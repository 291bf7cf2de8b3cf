"""Reads rulings pages, and collections with their own numbers."""

import re
from collections.abc import Sequence
from dataclasses import replace

from variorum_kb.reading.unwrap import EXAMPLE
from variorum_kb.sources.reading.markup.shown_lines import Line
from variorum_kb.sources.reading.page_signs import role_of
from variorum_kb.sources.reading.passages.openers import (
    Opening,
    find_stamp,
    open_headed,
    open_lettered,
    open_note,
    open_numbered,
    take_claims,
    without_bullet,
)
from variorum_kb.sources.reading.passages.passage_account import PassageDraft, PassageSorter
from variorum_kb.sources.reading.passages.passages import (
    LineRole,
    PassageKind,
    PassageParagraph,
    SourceLayout,
    Stated,
)
from variorum_kb.text.sentences import ends_marked_sentence

_RULES = re.compile(
    r"(?:the |Magic |MTG )?(?:Comp(?:rehensive|\.)? ?Rules?|CR|C\. ?R\.)(?!\w)", re.IGNORECASE
)
_CONTENTS = re.compile(r"(?:Table of )?Contents:?", re.IGNORECASE)
_CREDITS = re.compile(r"(?:Credits|Acknowledg\w+|Disclaimers?)\b.{0,60}", re.IGNORECASE)
_STAMPED = re.compile(
    r"This search (?:is )?based on the .{3,60}? release of the Rulings\.?", re.IGNORECASE
)
_DASHED = re.compile(r"\d[a-z]{0,2} (?:--|[-–—]) ")
# The foot of a rulings page: trademarks, maintainer and links.
_OWNER = re.compile(
    r"(?:©|\(c\)|copyright\b|all (?:rights|(?:other )?trademarks)\b"
    r"|.{1,120}\b(?:is|are)\b.{0,60}\b(?:trademarks?|copyrighted)\b|.{1,160}\ball rights reserved\b"
    r"|(?:(?:this|web) ?)?(?:page |site )?(?:is |was )?(?:maintained|hosted|designed) by\b"
    r"|(?:this page )?(?:was )?last (?:updated|modified|changed|revised)\b)",
    re.IGNORECASE,
)
_WAYS = re.compile(
    r"(?:[A-Za-z][A-Za-z ]{0,30}(?:\s*[|»·]+\s*[A-Za-z][A-Za-z ]{0,30})+[|»·\s]*"
    r"|(?:\[ ?[A-Za-z ]{1,30} ?\]\s*){2,}"
    r"|(?:top|next|previous|home|back|(?:back|return) to [\w ]{1,30})\.?)",
    re.IGNORECASE,
)


def names_rules(source: str) -> bool:
    """Say whether a claim names an edition of the rules as its source.

    >>> names_rules("CompRules"), names_rules("CR"), names_rules("D'Angelo")
    (True, True, False)
    """
    return _RULES.match(source) is not None


class RulingsReader:
    """Reads rulings pages and collections.

    Attributes:
        edition: The edition on which the page says it is based.
        sorter: Collects the passages and the furniture.
    """

    def __init__(self, sorter: PassageSorter, layout: SourceLayout) -> None:
        self.edition: Stated | None = None
        self.sorter = sorter
        self._is_collection = layout is SourceLayout.RULINGS_COLLECTION
        self._draft: PassageDraft | None = None
        self._under = ""
        self._words = ""  # the last paragraph, as printed
        self._role = LineRole.INTRODUCTION
        self._is_closed = False

    def read(self, blocks: Sequence[Line]) -> None:
        """Sort every paragraph."""
        repeated = _repeated(blocks) if self._is_collection else frozenset[int]()
        for block in blocks:
            role = role_of(block)
            if block.place in repeated:
                role = LineRole.CONTENTS
            if role is not None:
                self.sorter.furnish(block, role)
                continue
            self._read(block)
        self._settle()

    def _read(self, block: Line) -> None:
        if self._draft is not None and self._goes_on(self._draft, block):
            words = f"{self._words} {block.text}"
            self._write(self._draft, block, block.text)
            self._words = words
            self._draft.paragraphs[-2:] = [_joined(self._draft.paragraphs[-2], words)]
            return
        text = self._unbulleted(block)
        stamp = find_stamp(text, block.number)
        if stamp is not None and (stamp.is_whole or _is_stamped(text)):
            self.edition = self.edition or stamp.stated
            self.sorter.furnish(block, LineRole.STAMP, text)
            self._close()
            return
        opening = self._open(text, block)
        if opening is None and _is_foot(text):
            self._close()
        if opening is not None:
            self._begin(block, opening)
        elif self._ends(text):
            self._draft = None
            self.sorter.furnish(block, self._role, text)
        elif self._draft is not None and self._draft.kind is not PassageKind.HEADING:
            self._write(self._draft, block, text)
        elif self._draft is not None and EXAMPLE.match(text) is None and self._draft.number:
            self._loose(block, text)
        else:
            self.sorter.furnish(block, self._role, text)

    def _close(self) -> None:
        """Treat the next paragraphs as the foot of the page, up to a rule with a dash."""
        if not self._is_collection and self._draft is not None:
            self._draft, self._is_closed = None, True
            self._role = LineRole.NAVIGATION

    def _goes_on(self, draft: PassageDraft, block: Line) -> bool:
        """Say whether a wrapped line only looks like an opening, such as "2. Ann sits"."""
        if self._is_collection or block.after_blank or block.tag not in {"", "pre"}:
            return False
        if draft.kind is PassageKind.HEADING or not draft.paragraphs:
            return False
        last = draft.paragraphs[-1]
        is_claimed = bool(last.claims) and last.claims[-1].end == len(last.text)
        if not last.text or is_claimed or ends_marked_sentence(last.text):
            return False
        text = without_bullet(block.text)
        return EXAMPLE.match(text) is None and self._open(text, block) is None

    def _unbulleted(self, block: Line) -> str:
        text = without_bullet(block.text)
        self.sorter.furnish(block, LineRole.MARK, block.text.removesuffix(text))
        return text

    def _open(self, text: str, block: Line) -> Opening | None:
        if self._is_collection:
            return open_lettered(text) or open_note(text)
        opening = open_numbered(text) or open_note(text) or open_headed(text)
        if self._is_closed and opening is not None:
            return opening if opening.is_dashed and opening.number else None
        if opening is None or opening.is_dashed or opening.kind is PassageKind.RULING:
            return opening
        # A wrapped citation also begins with a number, but has no dash.
        return opening if block.after_blank else None

    def _begin(self, block: Line, opening: Opening) -> None:
        draft = self.sorter.begin(opening.kind, block, opening)
        draft.under = opening.about or ("" if opening.number else self._under)
        if opening.kind is PassageKind.HEADING:
            self.sorter.head(draft, block, opening.rest)
        else:
            self._write(draft, block, opening.rest)
        if opening.number and opening.kind is not PassageKind.RULING:
            self._under = opening.number
        self._role, self._is_closed = LineRole.INTRODUCTION, False
        self._draft = draft

    def _loose(self, block: Line, text: str) -> None:
        draft = self.sorter.begin(PassageKind.RULING, block)
        draft.under = self._under
        self._write(draft, block, text)
        self._draft = draft

    def _write(self, draft: PassageDraft, block: Line, text: str) -> None:
        self.sorter.write(draft, block, text)
        self._words = text

    def _ends(self, text: str) -> bool:
        """Say whether a paragraph belongs to the parts after the rulings."""
        if not self._is_collection:
            return False
        if text == "Index":
            self._role = LineRole.INDEX
        elif _CREDITS.fullmatch(text):
            self._role = LineRole.CREDITS
        elif self._role not in {LineRole.INDEX, LineRole.CREDITS}:
            return False
        return True

    def _settle(self) -> None:
        """Turn a rule into a ruling if its claims name sources, none of them the rules."""
        for draft in self.sorter.drafts:
            sources = {claim.source for paragraph in draft.paragraphs for claim in paragraph.claims}
            is_rule = draft.kind is PassageKind.RULE
            if is_rule and sources and not any(map(names_rules, sources)):
                draft.kind = PassageKind.RULING
                draft.about = draft.number


def _is_stamped(text: str) -> bool:
    """Say whether a paragraph begins with the release of the rulings and has no rule."""
    match = _STAMPED.match(text)
    return match is not None and _DASHED.search(text, match.end()) is None


def _is_foot(text: str) -> bool:
    """Say whether a paragraph names a page's owner or maintainer, or links elsewhere.

    >>> _is_foot("Previous | Next | Top"), _is_foot("Lamps are trademarks of the bay.")
    (True, True)
    """
    words = text.strip(" |")
    return not take_claims(words)[1] and bool(_OWNER.match(words) or _WAYS.fullmatch(words))


def _joined(paragraph: PassageParagraph, printed: str) -> PassageParagraph:
    """Return a paragraph with all its text, without a wrapped note."""
    match = EXAMPLE.match(printed)
    text, claims, _ = take_claims(printed[match.end() :] if match else printed)
    return replace(paragraph, text=text, claims=claims)


def _repeated(blocks: Sequence[Line]) -> frozenset[int]:
    """Return the places of the contents: its headline and the headings before the first repeat."""
    start = next((b.place for b in blocks if _CONTENTS.fullmatch(b.text)), None)
    if start is None:
        return frozenset()
    listed: set[str] = set()
    places: set[int] = {start}
    for block in blocks[start + 1 :]:
        if block.text in listed:
            return frozenset(places if open_lettered(block.text) else {start})
        listed.add(block.text)
        places.add(block.place)
    return frozenset({start})
