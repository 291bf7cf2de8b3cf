"""Prove that a reading has lost no line and no character of its document."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from variorum_kb.model import Kind, Ledger, Provision, Role
from variorum_kb.reading.unwrap import Block, Unwrapped


class LedgerError(AssertionError):
    """A reading has lost or changed something: a promise of our own is broken."""


def without_blanks(text: str) -> str:
    """Return the characters of a text that are no blanks."""
    return "".join(text.split())


class Claim(NamedTuple):
    """A piece of a document that the edition or its furniture keeps.

    Attributes:
        line: The number of the first line of its paragraph.
        role: What keeps it.
        text: What is kept; the pieces of a paragraph follow each other as printed.
    """

    line: int
    role: Role
    text: str


_ROLES = {kind.value: Role(kind.value) for kind in Kind}


def claims_of(provisions: Iterable[Provision]) -> list[Claim]:
    """Return all that provisions keep of their lines, in printed order."""
    claims: list[Claim] = []
    for provision in provisions:
        line, role = provision.line, _ROLES[provision.kind.value]
        if provision.printed:
            claims.append(Claim(line, role, provision.printed))
        if provision.heading:
            claims.append(Claim(line, role, provision.heading))
        for paragraph in provision.paragraphs:
            if paragraph.marker:
                claims.append(Claim(paragraph.line, role, paragraph.marker))
            claims.append(Claim(paragraph.line, role, paragraph.text))
    return claims


def draw_up(lines: Sequence[str], unwrapped: Unwrapped, claims: Iterable[Claim]) -> Ledger:
    """Account for every line and every character.

    Args:
        lines: The document's lines.
        unwrapped: Its paragraphs and banners.
        claims: All that is kept, in any order of paragraphs.

    Raises:
        LedgerError: A line belongs to nothing or to two things, or characters differ.
    """
    held: dict[int, list[str]] = {}
    roles: dict[int, Role] = {}
    for line, role, text in claims:
        if line not in held:
            held[line], roles[line] = [text], role
        else:
            held[line].append(text)
            if roles[line] is not role:
                raise LedgerError(f"line {line} belongs to {roles[line].value} and {role.value}")
    accounted = dict.fromkeys((role.value for role in Role), 0)
    accounted[Role.BANNER.value] = len(unwrapped.banners)
    characters = sum(len(without_blanks(lines[number - 1])) for number in unwrapped.banners)
    for block in unwrapped.blocks:
        if block.first not in held:
            raise LedgerError(f"line {block.first} belongs to nothing: {block.text[:40]!r}")
        characters += _compare(lines, block, held.pop(block.first))
        accounted[roles[block.first].value] += block.last - block.first + 1
    if held:
        raise LedgerError(f"something is kept of line {min(held)} that is not there")
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
