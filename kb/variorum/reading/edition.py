"""Reads an edition: all steps from bytes to provisions."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from variorum.model import (
    Condition,
    Decoding,
    Edition,
    Irregular,
    Irregularity,
    LineEnds,
    Role,
    sha256_of,
)
from variorum.reading.decoding import decode, in_document, split_lines
from variorum.reading.doubts import find_lost
from variorum.reading.glossary import parse_glossary
from variorum.reading.ledger import draw_up, kept_of
from variorum.reading.numbering import judge_numbers
from variorum.reading.originals import take_original
from variorum.reading.paragraphs import (
    Block,
    find_banners,
    find_blocks,
    find_wraps,
    has_marked_wraps,
    layout_of,
)
from variorum.reading.parts import Parts, part
from variorum.reading.rules import compare_contents, parse_rules


def read_edition(data: bytes, file: str) -> Edition:
    """Read a complete edition from the bytes of a document; equal bytes give an equal edition.

    Raises:
        EncodingError: The bytes are no text and no original.
        OriginalError: An original is damaged or locked, or holds far more than any edition.
        LayoutError: The text is not an edition, or its layout is unknown.
        TruncatedError: Parts of the edition are missing.
        ParseError: A line does not have the form its place promises.
    """
    with in_document(file):
        return _read(data)


def _read(data: bytes) -> Edition:
    page = _page_of(data)
    blocks = find_blocks(page.lines, page.glue, page.banners)
    parts = part(blocks)
    drafts = parse_rules(parts.rules)
    judge_numbers(drafts)
    odd = [*_odd_dates(parts), *compare_contents(drafts, parts.contents)]
    entries = parse_glossary(parts.glossary)
    losses = find_lost([*drafts, *entries], "\n".join(page.lines))
    provisions = tuple(draft.finished() for draft in drafts)
    glossary = tuple(entry.finished() for entry in entries)
    others = (
        *parts.furniture,
        *((Role.INTRODUCTION, block) for block in parts.introduction),
        *((Role.INDEX, block) for block in parts.index),
        *((Role.CREDITS, block) for block in parts.credits),
    )
    kept = [(role, block.first, block.text) for role, block in others]
    hyphens = [number for number, between in page.glue.items() if not between]
    repaired = Condition.REPAIRED if page.repairs else Condition.SOUND
    return Edition(
        effective=parts.dates[0][0],
        sha256=sha256_of(data),
        layout=page.layout,
        decoding=page.decoding,
        line_ends=page.ends,
        condition=Condition.LOSSY if losses else repaired,
        notes=(*page.repairs, *losses),
        introduction=_texts(parts.introduction),
        provisions=provisions,
        glossary=glossary,
        index=_texts(parts.index),
        credits=_texts(parts.credits),
        irregularities=tuple(odd),
        ledger=draw_up(
            page.lines, blocks, page.banners, hyphens, kept + kept_of((*provisions, *glossary))
        ),
    )


class _Page(NamedTuple):
    """The lines of a document, whatever its format, and which of them go on in the next."""

    lines: Sequence[str]
    layout: str
    decoding: Decoding
    ends: LineEnds
    repairs: tuple[str, ...]
    glue: dict[int, str]
    banners: Sequence[int]


def _page_of(data: bytes) -> _Page:
    original = take_original(data)
    if original is not None:
        # An original has paragraphs, or lines at their places on pages; nothing ends them.
        decoding, nothing = original.decoding, LineEnds(0, 0, 0)
        lines = split_lines("\n".join(original.lines)).texts
        layout = layout_of(lines, decoding.encoding)
        repeated = range(len(lines) - original.repeated + 1, len(lines) + 1)
        return _Page(lines, layout, decoding, nothing, decoding.repairs, original.glue, repeated)
    text, decoding = decode(data)
    lines, ends, repairs = split_lines(text)
    layout = layout_of(lines)
    repairs = (*decoding.repairs, *repairs)
    if layout == "indented":
        repairs = (*repairs, "rules and subrules are set in by blanks; dropped")
    if layout == "wrapped" and not has_marked_wraps(lines):
        repairs = (*repairs, "no line ends with a blank; wrapped lines joined by their lengths")
    banners = find_banners(lines) if layout == "banners" else []
    return _Page(lines, layout, decoding, ends, repairs, find_wraps(lines, layout), banners)


def _texts(blocks: Iterable[Block]) -> tuple[str, ...]:
    return tuple(block.text for block in blocks)


def _odd_dates(parts: Parts) -> Iterable[Irregularity]:
    first = str(parts.dates[0][0])
    for stated, block in parts.dates[1:]:
        if str(stated) != first:
            evidence = f"line {block.first}; the first date stated is taken"
            yield Irregularity(Irregular.DATES_DIFFER, str(stated), first, evidence)
