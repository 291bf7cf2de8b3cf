"""Proves that reading has lost no line and no character of a document."""

from collections import Counter
from collections.abc import Iterable, Sequence

from variorum.model import Ledger, Provision, Role
from variorum.reading.paragraphs import Block

# What is kept of a paragraph: its role, the number of its first line, and its words.
Kept = tuple[Role, int, str]


class LedgerError(AssertionError):
    """Reading has lost or changed something; this is a bug of ours."""


def kept_of(provisions: Iterable[Provision]) -> list[Kept]:
    """Return what provisions keep of a document."""
    kept: list[Kept] = []
    for provision in provisions:
        role = Role(provision.kind.value)  # a provision's role is named like its kind
        kept.append((role, provision.line, f"{provision.printed} {provision.heading}"))
        kept += [(role, line, f"{marker} {text}") for text, marker, line in provision.paragraphs]
    return kept


def draw_up(
    lines: Sequence[str],
    blocks: Sequence[Block],
    banners: Sequence[int],
    hyphens: Sequence[int],
    kept: Iterable[Kept],
) -> Ledger:
    """Account for every line and every character: lines, paragraphs, and all that is kept of them."""
    words: dict[int, str] = {}
    roles: dict[int, Role] = {}
    for role, line, text in kept:
        words[line] = words.get(line, "") + text
        if roles.setdefault(line, role) is not role:
            raise LedgerError(f"line {line} belongs to {roles[line].value} and {role.value}")
    accounted = Counter({Role.BANNER: len(banners)})
    characters_kept = _count("".join(lines[number - 1] for number in banners))
    for block in blocks:
        printed = "".join(lines[block.first - 1 : block.last]).replace(" ", "")
        text = words.pop(block.first, "").replace(" ", "")
        if printed != text:
            raise LedgerError(f"line {block.first}: {printed[:80]!r} became {text[:80]!r}")
        accounted[roles[block.first]] += block.last - block.first + 1
        characters_kept += len(text)
    blank = sum(not line.strip() for line in lines)
    out = blank + accounted.total()
    characters = _count("".join(lines))
    if words or out != len(lines) or characters != characters_kept:
        raise LedgerError(
            f"{len(lines)} lines in, {out} out; {characters} characters in, {characters_kept} out"
        )
    return Ledger(
        lines=len(lines),
        blank=blank,
        accounted=tuple((role, accounted[role]) for role in Role if accounted[role]),
        unaccounted=(),
        characters=characters,
        characters_kept=characters_kept,
        hyphens=tuple(hyphens),
    )


def _count(text: str) -> int:
    """Return the number of characters that are not spaces."""
    return len(text) - text.count(" ")
