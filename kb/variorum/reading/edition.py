"""Reads an edition: all steps from bytes to provisions."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from variorum.model import (
    Condition,
    Decoding,
    Edition,
    Irregular,
    Irregularity,
    LineEnds,
    Provision,
    Role,
    sha256_of,
)
from variorum.reading.contents import compare_contents
from variorum.reading.decode import decode
from variorum.reading.document_parts import Parts, part
from variorum.reading.glossary import parse_glossary
from variorum.reading.layouts import Layout, layout_of, look_at
from variorum.reading.ledger import Holdings, draw_up
from variorum.reading.lines import Lines, split_lines
from variorum.reading.lost_characters import find_lost
from variorum.reading.number_sequence import judge_numbers
from variorum.reading.originals.original_lines import Original, take_original
from variorum.reading.provisions import ProvisionDraft, parse_rules
from variorum.reading.unwrap import Block, Unwrapped, unwrap, unwrap_original
from variorum.record import unchecked
from variorum.system.collecting import without_collecting


@without_collecting()
def read_edition(data: bytes, file: str) -> Edition:
    """Read a complete edition from the bytes of a document.

    Equal bytes give an equal edition.

    Args:
        data: The document.
        file: Its name, for messages.

    Raises:
        EncodingError: The bytes are no text and no original.
        OriginalError: An original is damaged or locked, or holds far more than any edition.
        LayoutError: The text is not an edition, or its layout is unknown.
        TruncatedError: Parts of the edition are missing.
        ParseError: A line does not have the form its place promises.
    """
    document = _text_of_document(data, file)
    text, decoding, lines, unwrapped = (
        document.text,
        document.decoding,
        document.lines,
        document.unwrapped,
    )
    parts = part(unwrapped.blocks, file)
    drafts = parse_rules(parts.rules, file)
    judge_numbers(drafts, file)
    odd = [*_odd_dates(parts), *compare_contents(drafts, parts.contents, file)]
    entries = parse_glossary(parts.glossary, file)
    losses = find_lost([*drafts, *entries], text)
    provisions = tuple([_finish(draft) for draft in drafts])
    glossary = tuple([_finish(entry) for entry in entries])
    repairs = (
        *decoding.repairs,
        *lines.repairs,
        *unwrapped.repairs,
        *_unset_indents(document.layout.name),
    )
    return Edition(
        effective=parts.dates[0][0],
        sha256=sha256_of(data),
        layout=document.layout.name,
        decoding=decoding,
        line_ends=lines.ends,
        condition=_condition(repairs, losses),
        notes=(*repairs, *losses),
        introduction=_texts(parts.introduction),
        provisions=provisions,
        glossary=glossary,
        index=_texts(parts.index),
        credits=_texts(parts.credits),
        irregularities=tuple(odd),
        ledger=draw_up(lines.texts, unwrapped, _holdings(parts, (*provisions, *glossary))),
    )


class _DocumentText(NamedTuple):
    """The lines and paragraphs of a document, whatever its format."""

    text: str
    decoding: Decoding
    lines: Lines
    layout: Layout
    unwrapped: Unwrapped


def _text_of_document(data: bytes, file: str) -> _DocumentText:
    original = take_original(data, file)
    if original is not None:
        return _text_of_original(original, file)
    decoded = decode(data, file)
    lines = split_lines(decoded.text)
    layout = layout_of(look_at(lines.texts), file)
    return _DocumentText(decoded.text, decoded.decoding, lines, layout, unwrap(lines.texts, layout))


def _text_of_original(original: Original, file: str) -> _DocumentText:
    text = "\n".join(original.lines)
    lines = replace(split_lines(text), ends=_NO_LINE_ENDS)
    layout = layout_of(look_at(lines.texts), file, [Layout(name=original.format)])
    unwrapped = unwrap_original(lines.texts, original.glue, original.furniture)
    return _DocumentText(text, original.decoding, lines, layout, unwrapped)


# An original has paragraphs, or lines at their places on pages; nothing ends them.
_NO_LINE_ENDS = LineEnds(0, 0, 0)


def _finish(draft: ProvisionDraft) -> Provision:
    kind, address = draft.kind, draft.address
    cells = (
        kind,
        address.partition("#")[0] if draft.printed else "",
        address,
        draft.printed,
        draft.heading,
        tuple(draft.paragraphs),
        tuple(draft.irregularities),
        draft.meant,
        draft.line,
    )
    return unchecked(Provision, cells)


def _texts(blocks: Iterable[Block]) -> tuple[str, ...]:
    return tuple([block.text for block in blocks])


def _condition(repairs: Sequence[str], losses: Sequence[str]) -> Condition:
    if losses:
        return Condition.LOSSY
    return Condition.REPAIRED if repairs else Condition.SOUND


def _unset_indents(layout: str) -> tuple[str, ...]:
    return ("rules and subrules are set in by blanks; dropped",) if layout == "indented" else ()


def _odd_dates(parts: Parts) -> Iterable[Irregularity]:
    first = parts.dates[0][0]
    for stated, block in parts.dates[1:]:
        if stated != first:
            evidence = f"line {block.first}; the first date stated is taken"
            yield Irregularity(
                Irregular.DATES_DIFFER, stated.isoformat(), first.isoformat(), evidence
            )


def _holdings(parts: Parts, provisions: Iterable[Provision]) -> Holdings:
    holdings = Holdings()
    for role, block in parts.furniture:
        holdings.add_blocks(role, [block])
    holdings.add_blocks(Role.INTRODUCTION, parts.introduction)
    holdings.add_blocks(Role.INDEX, parts.index)
    holdings.add_blocks(Role.CREDITS, parts.credits)
    holdings.add_provisions(provisions)
    return holdings
