"""Reads an edition: all steps from bytes to provisions."""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec.structs import asdict

from variorum.model import Condition, Edition, Irregular, Kind, Role, sha256_of
from variorum.reading.decoding import decode, in_document, split_lines
from variorum.reading.doubts import doubts_of, find_lost
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
from variorum.records.answer import json_text
from variorum.records.edition import Irregularity, LedgerCounts, LocatedIrregularity
from variorum.rows import EditionRow


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
    accounted, blank, characters = draw_up(
        lines, blocks, banners, parts.others, (*drafts, *entries)
    )
    condition = Condition.LOSSY if losses else Condition.REPAIRED if repairs else Condition.SOUND
    located = [("", it) for it in odd]
    located += [(of.address, it) for of in (*drafts, *entries) for it in of.irregularities]
    ledger = LedgerCounts(
        effective=parts.dates[0][0].isoformat(),
        lines=len(lines),
        blank=blank,
        accounted=accounted,
        unaccounted=[],  # nor is a character lost: reading would have refused the document
        characters=characters,
        characters_kept=characters,
        hyphens=[it for it in glue if not glue[it]],
        condition=condition.value,
        reason=decoding.reason,
        notes=[*repairs, *losses],
        irregularities=[
            LocatedIrregularity(**asdict(it), address=address) for address, it in located
        ],
    )
    kinds = Counter(draft.kind for draft in drafts)
    paragraphs = [it for of in (*drafts, *entries) for it in of.paragraphs]
    row = EditionRow(
        ledger.effective,
        sha256_of(data),
        layout,
        decoding.encoding,
        *ends,
        sections=kinds[Kind.SECTION],
        rules=kinds[Kind.RULE] + kinds[Kind.SUBRULE],
        examples=sum(bool(it.marker) for it in paragraphs),
        glossary=len(entries),
        irregularities=len(located),
        condition=condition.value,
        doubts="\n".join(doubts_of(parts.dates[0][0], sha256_of(data), condition, drafts, odd)),
        introduction=json_text(parts.texts(Role.INTRODUCTION), is_compact=True),
        index_lines=json_text(parts.texts(Role.INDEX), is_compact=True),
        credits=json_text(parts.texts(Role.CREDITS), is_compact=True),
        ledger=json_text(ledger, is_compact=True),
    )
    return Edition(row, ledger, tuple(drafts), tuple(entries))


def _odd_dates(parts: Parts) -> Iterable[Irregularity]:
    first = str(parts.dates[0][0])
    for stated, block in parts.dates[1:]:
        if str(stated) != first:
            evidence = f"line {block.first}; the first date stated is taken"
            yield Irregularity(Irregular.DATES_DIFFER, str(stated), first, evidence, None)
