"""Proves that reading has lost no line and no character of a document."""

from collections import Counter
from collections.abc import Iterable, Sequence

from variorum.model import Ledger, Provision, Role
from variorum.reading.paragraphs import Block


class LedgerError(AssertionError):
    """Reading has lost or changed something; this is a bug of ours."""


def draw_up(
    lines: Sequence[str],
    blocks: Sequence[Block],
    banners: Sequence[int],
    others: Iterable[tuple[Role, Block, bool]],
    provisions: Iterable[Provision],
) -> Ledger:
    """Account for every line and character, by what is kept of them; hyphens are not looked for."""
    kept = [(role, block.first, block.text) for role, block, _ in others]
    for it in provisions:
        role = Role(it.kind.value)  # a provision's role is named like its kind
        kept.append((role, it.line, f"{it.printed} {it.heading}"))
        kept += [(role, line, f"{marker} {text}") for text, marker, line in it.paragraphs]
    signs = [line.replace(" ", "") for line in lines]
    words: dict[int, str] = {}
    roles: dict[int, Role] = {}
    for role, line, text in kept:
        words[line] = words.get(line, "") + text.replace(" ", "")
        if roles.setdefault(line, role) is not role:
            raise LedgerError(f"line {line} belongs to {roles[line].value} and {role.value}")
    accounted = Counter({Role.BANNER: len(banners)})
    texts = [signs[number - 1] for number in banners]
    for block in blocks:
        printed = "".join(signs[block.first - 1 : block.last])
        texts.append(words.pop(block.first, ""))
        if printed != texts[-1]:
            raise LedgerError(f"line {block.first}: {printed[:80]!r} became {texts[-1][:80]!r}")
        accounted[roles[block.first]] += block.last - block.first + 1
    blank = sum(not line.strip() for line in lines)
    out, characters = blank + accounted.total(), (len("".join(signs)), len("".join(texts)))
    if words or out != len(lines) or characters[0] != characters[1]:
        raise LedgerError(f"{len(lines)} lines in, {out} out; characters in and out: {characters}")
    by_role = tuple((role, accounted[role]) for role in Role if accounted[role])
    return Ledger(len(lines), blank, by_role, characters[0])
