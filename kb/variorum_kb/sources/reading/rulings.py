"""Reads rulings pages, and collections with their own numbers."""

import re
from collections.abc import Sequence

from variorum_kb.sources.reading.markup.shown_lines import Line
from variorum_kb.sources.reading.page_signs import role_of
from variorum_kb.sources.reading.passages.openers import (
    Opening,
    find_stamp,
    open_headed,
    open_lettered,
    open_note,
    open_numbered,
    without_bullet,
)
from variorum_kb.sources.reading.passages.passage_account import PassageDraft, PassageSorter
from variorum_kb.sources.reading.passages.passages import (
    LineRole,
    PassageKind,
    SourceLayout,
    Stated,
)

_RULES = re.compile(
    r"(?:the |Magic |MTG )?(?:Comp(?:rehensive|\.)? ?Rules?|CR|C\. ?R\.)(?!\w)", re.IGNORECASE
)
_CONTENTS = re.compile(r"(?:Table of )?Contents:?", re.IGNORECASE)
_CREDITS = re.compile(r"(?:Credits|Acknowledg\w+|Disclaimers?)\b.{0,60}", re.IGNORECASE)


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
        self._role = LineRole.INTRODUCTION

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

    def _read(self, block: Line) -> None:
        text = self._unbulleted(block)
        stamp = find_stamp(text, block.number)
        if stamp is not None and stamp.is_whole:
            self.edition = self.edition or stamp.stated
            self.sorter.furnish(block, LineRole.STAMP, text)
            if self._draft is not None:
                # The page ends with the release with which it began.
                self._draft, self._role = None, LineRole.NAVIGATION
            return
        opening = self._open(text, block)
        if opening is not None:
            self._begin(block, opening)
        elif self._ends(text):
            self._draft = None
            self.sorter.furnish(block, self._role, text)
        elif self._draft is not None and self._draft.kind is not PassageKind.HEADING:
            self.sorter.write(self._draft, block, text)
        else:
            self.sorter.furnish(block, self._role, text)

    def _unbulleted(self, block: Line) -> str:
        text = without_bullet(block.text)
        self.sorter.furnish(block, LineRole.MARK, block.text.removesuffix(text))
        return text

    def _open(self, text: str, block: Line) -> Opening | None:
        if self._is_collection:
            return open_lettered(text) or open_note(text)
        opening = open_numbered(text) or open_note(text) or open_headed(text)
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
            self.sorter.write(draft, block, opening.rest)
        if opening.number and opening.kind is not PassageKind.RULING:
            self._under = opening.number
        self._role = LineRole.INTRODUCTION
        self._draft = draft

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
