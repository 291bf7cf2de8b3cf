"""Prove that a reading has lost no line and no character of its document."""

from collections.abc import Iterable, Mapping, Sequence

from variorum_kb.model import Ledger, Provision, Role
from variorum_kb.reading.unwrap import Block, Unwrapped


class LedgerError(AssertionError):
    """A reading has lost or changed something: a promise of our own is broken."""


def without_blanks(text: str) -> str:
    """Return the characters of a text that are no blanks."""
    return "".join(text.split())


class Holdings:
    """What the edition and its furniture keep of each paragraph of a document.

    Attributes:
        texts: By the first line of a paragraph, the pieces that are kept of it, as printed.
        roles: By the same, the value of the `Role` that keeps it.
    """

    def __init__(self) -> None:
        self.texts: dict[int, list[str]] = {}
        self.roles: dict[int, str] = {}

    def add_blocks(self, role: Role, blocks: Iterable[Block]) -> None:
        """Keep whole paragraphs."""
        for block in blocks:
            self._add(block.first, role.value, [block.text])

    def add_provisions(self, provisions: Iterable[Provision]) -> None:
        """Keep what provisions hold: numbers, headings and paragraphs."""
        for provision in provisions:
            role = provision.kind.value  # the roles of provisions are called as their kinds
            opening = [part for part in (provision.printed, provision.heading) if part]
            if opening:
                self._add(provision.line, role, opening)
            for paragraph in provision.paragraphs:
                text, marker = paragraph.text, paragraph.marker
                self._add(paragraph.line, role, [marker, text] if marker else [text])

    def _add(self, line: int, role: str, texts: list[str]) -> None:
        known = self.texts.get(line)
        if known is None:
            self.texts[line], self.roles[line] = texts, role
            return
        known += texts
        if self.roles[line] != role:
            raise LedgerError(f"line {line} belongs to {self.roles[line]} and {role}")


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
    everything = [lines[number - 1] for number in unwrapped.banners]
    for block in unwrapped.blocks:
        first, last = block.first, block.last
        held = texts.pop(first, None)
        if held is None:
            raise LedgerError(f"line {first} belongs to nothing: {block.text[:40]!r}")
        kept = " ".join(held)
        if kept != lines[first - 1]:
            _compare("".join(lines[first - 1 : last]), kept, first)
        everything.append(kept)
        accounted[roles[first]] += last - first + 1
    if texts:
        raise LedgerError(f"something is kept of line {min(texts)} that is not there")
    return _balance(lines, "".join(everything), accounted, unwrapped.hyphens)


def _balance(
    lines: Sequence[str], everything: str, accounted: Mapping[str, int], hyphens: tuple[int, ...]
) -> Ledger:
    """Count the whole document once more, without regard to paragraphs."""
    blank = sum(not line or line.isspace() for line in lines)
    document = "".join(lines)
    characters = len(document) - document.count(" ")
    kept = len(everything) - everything.count(" ")
    total = sum(accounted.values())
    if blank + total != len(lines) or characters != kept:
        raise LedgerError(
            f"{len(lines)} lines in, {blank + total} out; {characters} characters in, {kept} out"
        )
    return Ledger(
        lines=len(lines),
        blank=blank,
        accounted=tuple((role, accounted[role.value]) for role in Role if accounted[role.value]),
        unaccounted=(),
        characters=characters,
        characters_kept=kept,
        hyphens=hyphens,
    )


def _compare(document: str, kept: str, line: int) -> None:
    """See that a paragraph is the same in its lines and as it is kept, but for blanks."""
    document, kept = without_blanks(document), without_blanks(kept)
    if document == kept:
        return
    pairs = zip(document, kept, strict=False)
    place = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(document), len(kept)))
    raise LedgerError(
        f"line {line}: {document[place : place + 40]!r} became {kept[place : place + 40]!r}"
    )
