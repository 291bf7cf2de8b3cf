"""Proves that reading has lost no line and no character of a document."""

from collections import Counter
from collections.abc import Iterable, Sequence

from variorum.model import Kind, Provision, Role
from variorum.reading.paragraphs import Block

_ROLES = {kind: Role(kind) for kind in Kind}  # a provision's role is named like its kind


class LedgerError(AssertionError):
    """Reading has lost or changed something; this is a bug of ours."""


def draw_up(
    lines: Sequence[str],
    blocks: Sequence[Block],
    banners: Sequence[int],
    others: Iterable[tuple[Role, Block, bool]],
    provisions: Iterable[Provision],
) -> tuple[dict[str, int], int, int]:
    """Account for every line and character; return the lines by what they belong to, blank lines, characters."""
    kept = [(role, block.first, block.text) for role, block, _ in others]
    for it in provisions:
        role = _ROLES[it.kind]
        kept.append((role, it.line, f"{it.printed} {it.heading}".strip()))
        kept += [(role, line, f"{sign} {text}".strip()) for text, sign, line in it.paragraphs]
    words, roles = dict[int, str](), dict[int, Role]()
    for role, line, text in kept:
        words[line] = f"{words[line]} {text}" if line in words else text
        if roles.setdefault(line, role) is not role:
            raise LedgerError(f"line {line} belongs to {roles[line]} and {role}")
    accounted = Counter({Role.BANNER: len(banners)})
    texts = [lines[number - 1] for number in banners]
    for block in blocks:
        printed, text = " ".join(lines[block.first - 1 : block.last]), words.pop(block.first, "")
        if printed != text and printed.replace(" ", "") != text.replace(" ", ""):
            raise LedgerError(f"line {block.first}: {printed[:80]!r} became {text[:80]!r}")
        accounted[roles[block.first]] += block.last - block.first + 1
        texts.append(text)
    out = sum(not line.strip() for line in lines) + accounted.total()
    characters = tuple(sum(len(it) - it.count(" ") for it in some) for some in (lines, texts))
    if words or out != len(lines) or characters[0] != characters[1]:
        raise LedgerError(f"{len(lines)} lines in, {out} out; characters in and out: {characters}")
    by_role = {role.value: accounted[role] for role in Role if accounted[role]}
    return by_role, len(lines) - accounted.total(), characters[0]
