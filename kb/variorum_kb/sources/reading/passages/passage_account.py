"""Collects passages during reading, and accounts for every character."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from variorum_kb.reading.ledger import LedgerError, without_blanks
from variorum_kb.reading.unwrap import EXAMPLE
from variorum_kb.sources.reading.markup.shown_lines import Line, ShownText
from variorum_kb.sources.reading.passages.openers import Opening, take_claims
from variorum_kb.sources.reading.passages.passages import (
    Furniture,
    LineRole,
    Passage,
    PassageKind,
    PassageParagraph,
    Quotation,
    WitnessLedger,
)

# "+" after a sentence marks it as new.
_MARKED_END = re.compile(r"(?<=[.!?)”\"])\s*\++$")


@dataclass(slots=True)
class PassageDraft:
    """A passage that is being read; for its attributes see `Passage`."""

    kind: PassageKind
    first: int
    last: int
    number: str = ""
    printed: str = ""
    headword: str = ""
    heading: str = ""
    under: str = ""
    about: str = ""
    edition: str = ""
    is_cut_before: bool = False
    is_cut_after: bool = False
    paragraphs: list[PassageParagraph] = field(default_factory=list[PassageParagraph])
    quotations: tuple[Quotation, ...] = ()

    def finish(self) -> Passage:
        """Return the finished passage."""
        attributes: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        attributes["paragraphs"] = tuple(self.paragraphs)
        return Passage(**attributes)


class PassageSorter:
    """Sorts the paragraphs of a document into passages and furniture, and accounts for each character.

    Attributes:
        drafts: Passages in printed order.
        furniture: The furniture, in printed order.
        blocks: The paragraphs of the document.
    """

    def __init__(self, blocks: Sequence[Line]) -> None:
        self.drafts: list[PassageDraft] = []
        self.furniture: list[Furniture] = []
        self.blocks = blocks
        self._kept: dict[int, list[str]] = {}
        self._roles: dict[int, LineRole] = {}

    def furnish(self, block: Line, role: LineRole, text: str | None = None) -> None:
        """Keep a paragraph, or part of it, as furniture."""
        words = block.text if text is None else text
        if words.strip():
            self.furniture.append(Furniture(role, words.strip(), block.number))
            self._keep(block, role, words)

    def begin(self, kind: PassageKind, block: Line, opening: Opening | None = None) -> PassageDraft:
        """Begin a passage, with its number."""
        draft = PassageDraft(kind, block.number, block.last)
        if opening is not None:
            draft.number, draft.printed, draft.about = (
                opening.number,
                opening.printed,
                opening.about,
            )
            self.furnish(block, LineRole.MARK, opening.label)
            if opening.number:
                self._keep(block, LineRole(kind.value), opening.printed)
            else:
                self.furnish(block, LineRole.MARK, opening.printed)
                draft.printed = ""
            self.furnish(block, LineRole.MARK, opening.mark)
        self.drafts.append(draft)
        return draft

    def head(self, draft: PassageDraft, block: Line, text: str) -> None:
        """Give a passage its heading, or a definition its headword."""
        if draft.kind is PassageKind.GLOSSARY:
            draft.headword = text
        else:
            draft.heading = text
        self._keep(block, LineRole(draft.kind.value), text)
        draft.last = max(draft.last, block.last)

    def write(self, draft: PassageDraft, block: Line, text: str) -> None:
        """Add a paragraph to a passage: text or an example, with its claims."""
        mark = _MARKED_END.search(text)
        text = text[: mark.start()] if mark else text
        match = EXAMPLE.match(text)
        marker = match["marker"] if match else ""
        words, claims, printed = take_claims(text[match.end() :] if match else text)
        self._keep(block, LineRole(draft.kind.value), " ".join([marker, *printed]))
        if mark:
            self.furnish(block, LineRole.MARK, mark[0])
        draft.paragraphs.append(PassageParagraph(words, marker, block.number, claims))
        draft.last = max(draft.last, block.last)

    def _keep(self, block: Line, role: LineRole, text: str) -> None:
        if without_blanks(text):
            self._kept.setdefault(block.place, []).append(text)
            known = self._roles.get(block.place)
            if known in {None, LineRole.MARK}:
                self._roles[block.place] = role

    def account(self, shown_text: ShownText) -> WitnessLedger:
        """Account for every line and every character.

        Raises:
            LedgerError: A character of the document was lost or changed.
        """
        for block in self.blocks:
            kept = without_blanks("".join(self._kept.get(block.place, [])))
            if kept != without_blanks(block.text):
                raise LedgerError(f"line {block.number}: {block.text[:60]!r} became {kept[:60]!r}")
        lines: dict[int, LineRole] = {}
        for block in self.blocks:
            if block.place not in self._roles:
                continue  # a headline without words
            for number in range(block.number, block.last + 1):
                lines.setdefault(number, self._roles[block.place])
        counts = Counter(lines.values())
        count = self._count_kept()
        if count != shown_text.characters:
            raise LedgerError(f"{shown_text.characters} characters in, {count} out")
        return WitnessLedger(
            lines=shown_text.count,
            blank=shown_text.count - len(lines),
            accounted=tuple((role, counts[role]) for role in LineRole if counts[role]),
            unaccounted=(),
            characters=shown_text.characters,
            characters_kept=count,
            markup=shown_text.hidden,
        )

    def _count_kept(self) -> int:
        """Count the characters of passages and furniture again."""
        texts = [part.text for part in self.furniture]
        for draft in self.drafts:
            texts += [draft.printed, draft.headword, draft.heading]
            for paragraph in draft.paragraphs:
                texts += [paragraph.marker, paragraph.text]
                texts += [claim.words for claim in paragraph.claims]
        return sum(len(without_blanks(text)) for text in texts)
