"""Prove that a reading has lost no line and no character of its document."""

from collections.abc import Iterable, Sequence

from variorum_kb.model import Kind, Ledger, Provision, Role
from variorum_kb.reading.unwrap import Block, Unwrapped


class LedgerError(AssertionError):
    """A reading has lost or changed something: a promise of our own is broken."""


def without_blanks(text: str) -> str:
    """Return the characters of a text that are no blanks."""
    return "".join(text.split())


_ROLES = {kind.value: Role(kind.value) for kind in Kind}


class Holdings:
    """What the edition and its furniture keep of each paragraph of a document."""

    def __init__(self) -> None:
        self.texts: dict[int, list[str]] = {}
        self.roles: dict[int, Role] = {}

    def add_blocks(self, role: Role, blocks: Iterable[Block]) -> None:
        """Keep whole paragraphs."""
        for block in blocks:
            self._add(block.first, role, [block.text])

    def add_provisions(self, provisions: Iterable[Provision]) -> None:
        """Keep what provisions hold: numbers, headings and paragraphs."""
        for provision in provisions:
            role = _ROLES[provision.kind.value]
            opening = [part for part in (provision.printed, provision.heading) if part]
            if opening:
                self._add(provision.line, role, opening)
            for paragraph in provision.paragraphs:
                text, marker = paragraph.text, paragraph.marker
                self._add(paragraph.line, role, [marker, text] if marker else [text])

    def _add(self, line: int, role: Role, texts: list[str]) -> None:
        known = self.texts.get(line)
        if known is None:
            self.texts[line], self.roles[line] = texts, role
            return
        known += texts
        if self.roles[line] is not role:
            raise LedgerError(f"line {line} belongs to {self.roles[line].value} and {role.value}")


def draw_up(lines: Sequence[str], unwrapped: Unwrapped, holdings: Holdings) -> Ledger:
    """Account for every line and every character.

    Args:
        lines: The document's lines.
        unwrapped: Its paragraphs and banners.
        holdings: All that is kept of them.

    Raises:
        LedgerError: A line belongs to nothing or to two things, or characters differ.
    """
    texts, roles = dict(holdings.texts), holdings.roles
    accounted = dict.fromkeys((role.value for role in Role), 0)
    accounted[Role.BANNER.value] = len(unwrapped.banners)
    characters = sum(len(without_blanks(lines[number - 1])) for number in unwrapped.banners)
    for block in unwrapped.blocks:
        held = texts.pop(block.first, None)
        if held is None:
            raise LedgerError(f"line {block.first} belongs to nothing: {block.text[:40]!r}")
        characters += _compare(lines, block, held)
        accounted[roles[block.first].value] += block.last - block.first + 1
    if texts:
        raise LedgerError(f"something is kept of line {min(texts)} that is not there")
    _check_totals(lines, sum(accounted.values()), characters)
    return Ledger(
        lines=len(lines),
        blank=len(lines) - sum(accounted.values()),
        accounted=tuple((role, accounted[role.value]) for role in Role if accounted[role.value]),
        unaccounted=(),
        characters=characters,
        characters_kept=characters,
        hyphens=unwrapped.hyphens,
    )


def _check_totals(lines: Sequence[str], accounted: int, characters: int) -> None:
    """Count the whole document once more, without regard to paragraphs."""
    blank = sum(not line or line.isspace() for line in lines)
    text = "".join(lines)
    found = len(text) - text.count(" ")
    if blank + accounted != len(lines) or characters != found:
        raise LedgerError(
            f"{len(lines)} lines in, {blank + accounted} out; "
            f"{found} characters in, {characters} out"
        )


def _compare(lines: Sequence[str], block: Block, held: Sequence[str]) -> int:
    """Return how many characters a paragraph has, the same in its lines and as it is kept."""
    kept = " ".join(held)
    if block.first == block.last and lines[block.first - 1] == kept:
        return len(kept) - kept.count(" ")
    found = without_blanks("".join(lines[block.first - 1 : block.last]))
    kept = without_blanks(kept)
    if found != kept:
        pairs = zip(found, kept, strict=False)
        place = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(found), len(kept)))
        raise LedgerError(
            f"line {block.first}: {found[place : place + 40]!r} became {kept[place : place + 40]!r}"
        )
    return len(found)
