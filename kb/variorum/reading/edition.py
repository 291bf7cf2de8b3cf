"""Reads an edition: all steps from bytes to provisions."""

from collections.abc import Iterable, Sequence

from variorum.model import Condition, Edition, Irregular, Role, sha256_of
from variorum.reading.decoding import decode, in_document, split_lines
from variorum.reading.doubts import find_lost
from variorum.reading.glossary import parse_glossary
from variorum.reading.ledger import draw_up
from variorum.reading.numbering import judge_numbers
from variorum.reading.originals import take_original
from variorum.reading.paragraphs import (
    find_banners,
    find_blocks,
    find_wraps,
    has_marked_wraps,
    layout_of,
)
from variorum.reading.parts import Parts, part
from variorum.reading.rules import compare_contents, parse_rules
from variorum.records.edition import Irregularity, LineEnds


def read_edition(data: bytes, file: str) -> Edition:
    """Read a complete edition from the bytes of a document; equal bytes give an equal edition.

    Raises:
        FormatError: The bytes are no text and no original, or one that is damaged or locked.
        LayoutError: The text is not an edition, or its layout is unknown.
        ParseError: Parts are missing, or a line does not have the form its place promises.
    """
    with in_document(file):
        return _read(data)


def _read(data: bytes) -> Edition:
    original = take_original(data)
    text, decoding = (original or decode(data))[:2]
    lines, ends, repairs = split_lines(text)
    layout = layout_of(lines, decoding.encoding if original else "")
    repairs = (*decoding.repairs, *repairs)
    if original:
        # An original has paragraphs, or lines at their places on pages; nothing ends them.
        ends, glue = (0, 0, 0), original.glue
        banners: Sequence[int] = range(len(lines) - original.repeated + 1, len(lines) + 1)
    else:
        glue, banners = find_wraps(lines, layout), find_banners(lines, layout)
        if layout == "indented":
            repairs = (*repairs, "rules and subrules are set in by blanks; dropped")
        if layout == "wrapped" and not has_marked_wraps(lines):
            repairs = (*repairs, "no line ends with a blank; wrapped lines joined by their lengths")
    blocks = find_blocks(lines, glue, banners)
    parts = part(blocks)
    drafts = parse_rules(parts.rules)
    judge_numbers(drafts)
    odd = [*_odd_dates(parts), *compare_contents(drafts, parts.contents)]
    entries = parse_glossary(parts.glossary)
    losses = find_lost([*drafts, *entries], "\n".join(lines))
    provisions = tuple(draft.finished() for draft in drafts)
    glossary = tuple(entry.finished() for entry in entries)
    ledger = draw_up(lines, blocks, banners, parts.others, (*provisions, *glossary))
    repaired = Condition.REPAIRED if repairs else Condition.SOUND
    return Edition(
        effective=parts.dates[0][0],
        sha256=sha256_of(data),
        layout=layout,
        decoding=decoding,
        line_ends=LineEnds(*ends),
        condition=Condition.LOSSY if losses else repaired,
        notes=(*repairs, *losses),
        introduction=parts.texts(Role.INTRODUCTION),
        provisions=provisions,
        glossary=glossary,
        index=parts.texts(Role.INDEX),
        credits=parts.texts(Role.CREDITS),
        irregularities=tuple(odd),
        ledger=ledger._replace(hyphens=tuple([it for it in glue if not glue[it]])),
    )


def _odd_dates(parts: Parts) -> Iterable[Irregularity]:
    first = str(parts.dates[0][0])
    for stated, block in parts.dates[1:]:
        if str(stated) != first:
            evidence = f"line {block.first}; the first date stated is taken"
            yield Irregularity(Irregular.DATES_DIFFER, str(stated), first, evidence, None)
