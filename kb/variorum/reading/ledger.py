"""Proves that reading has lost no line and no character of a document."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter

from variorum.model import Kind, Ledger, Provision, Role
from variorum.reading.unwrap import Block, Unwrapped


class LedgerError(AssertionError):
    """Reading has lost or changed something; this is a bug of ours."""


def without_blanks(text: str) -> str:
    """Return the characters of a text without spaces."""
    return "".join(text.split())


class Holdings:
    """What the edition and its furniture keep of each paragraph of a document.

    Attributes:
        texts: The text kept of each paragraph, as printed, by its first line.
        roles: The value of the `Role` that keeps it, by the same line.
    """

    def __init__(self) -> None:
        self.texts: dict[int, str] = {}
        self.roles: dict[int, str] = {}

    def add_blocks(self, role: Role, blocks: Iterable[Block]) -> None:
        """Keep whole paragraphs."""
        for block in blocks:
            self._add(block.first, role.value, block.text)

    def add_provisions(self, provisions: Iterable[Provision]) -> None:
        """Keep the numbers, headings and paragraphs of provisions."""
        roles = {kind: kind.value for kind in Kind}  # a provision's role is named like its kind
        for kind, of_kind in groupby(provisions, attrgetter("kind")):
            role = roles[kind]
            for provision in of_kind:
                line, kept = provision.line, provision.printed
                if provision.heading:
                    kept = f"{kept} {provision.heading}" if kept else provision.heading
                for text, marker, first in provision.paragraphs:
                    words = f"{marker} {text}" if marker else text
                    if first == line:
                        kept = f"{kept} {words}"
                        continue
                    self._add(line, role, kept)
                    line, kept = first, words
                self._add(line, role, kept)

    def _add(self, line: int, role: str, text: str) -> None:
        if line not in self.texts:
            self.texts[line], self.roles[line] = text, role
            return
        self.texts[line] += f" {text}"
        if self.roles[line] != role:
            raise LedgerError(f"line {line} belongs to {self.roles[line]} and {role}")


def draw_up(lines: Sequence[str], unwrapped: Unwrapped, holdings: Holdings) -> Ledger:
    """Account for every line and every character.

    Args:
        lines: The document's lines.
        unwrapped: Its paragraphs and banners.
        holdings: Everything that is kept of them.

    Raises:
        LedgerError: A line has no role or two roles, or characters differ.
    """
    texts, roles = holdings.texts, holdings.roles
    accounted = Counter(roles.values())
    accounted[Role.BANNER.value] = len(unwrapped.banners)
    set_anew: list[tuple[str, str]] = []
    for text, first, last, _, _ in unwrapped.blocks:
        kept = texts.get(first)
        if kept is None:
            raise LedgerError(f"line {first} belongs to nothing: {text[:40]!r}")
        if last > first or kept != lines[first - 1]:
            printed = "".join(lines[first - 1 : last])
            _compare(printed, kept, first)
            set_anew.append((printed, kept))
            accounted[roles[first]] += last - first
    if len(texts) > len(unwrapped.blocks):
        nowhere = texts.keys() - {block.first for block in unwrapped.blocks}
        raise LedgerError(
            f"text was kept from line {min(nowhere)}, which the document does not have"
        )
    return _balance(lines, unwrapped, holdings, accounted, set_anew)


def _balance(
    lines: Sequence[str],
    unwrapped: Unwrapped,
    holdings: Holdings,
    accounted: Mapping[str, int],
    set_anew: Iterable[tuple[str, str]],
) -> Ledger:
    """Count the whole document again, regardless of paragraphs.

    Args:
        lines: The document's lines.
        unwrapped: Its paragraphs and banners.
        holdings: Everything that is kept of them.
        accounted: How many lines each role has.
        set_anew: The paragraphs kept with other spaces: as printed, and as kept.
    """
    blank = lines.count("") + sum(map(str.isspace, lines))
    out = blank + sum(accounted.values())
    characters = _count("".join(lines))
    if out == len(lines):  # then all other lines are kept unchanged
        kept = characters + sum(_count(text) - _count(printed) for printed, text in set_anew)
    else:
        banners = [lines[number - 1] for number in unwrapped.banners]
        kept = _count("".join([*holdings.texts.values(), *banners]))
    if out != len(lines) or characters != kept:
        raise LedgerError(
            f"{len(lines)} lines in, {out} out; {characters} characters in, {kept} out"
        )
    return Ledger(
        lines=len(lines),
        blank=blank,
        accounted=tuple((role, accounted[role.value]) for role in Role if accounted[role.value]),
        unaccounted=(),
        characters=characters,
        characters_kept=kept,
        hyphens=unwrapped.hyphens,
    )


def _count(text: str) -> int:
    """Return the number of characters of a text that are not spaces."""
    return len(text) - text.count(" ")


def _compare(document: str, kept: str, line: int) -> None:
    """Check that a paragraph as kept has the same characters as its lines, apart from spaces."""
    document, kept = without_blanks(document), without_blanks(kept)
    if document == kept:
        return
    pairs = zip(document, kept, strict=False)
    place = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(document), len(kept)))
    raise LedgerError(
        f"line {line}: {document[place : place + 40]!r} became {kept[place : place + 40]!r}"
    )
