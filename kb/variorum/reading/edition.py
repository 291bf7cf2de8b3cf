"""Reads an edition: all steps from bytes to provisions; and proves that no line and no character is lost."""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec.structs import asdict

from variorum.facts import is_known
from variorum.model import Provision, sha256_of
from variorum.reading.decoding import decode, split_lines
from variorum.reading.doubts import find_lost
from variorum.reading.glossary import parse_glossary, spaced
from variorum.reading.numbering import judge_numbers
from variorum.reading.originals import take_original
from variorum.reading.paragraphs import ORIGINALS, Block, find_blocks, find_wraps, layout_of
from variorum.reading.parts import part
from variorum.reading.rules import compare_contents, parse_rules
from variorum.records.answer import Condition, json_text
from variorum.records.edition import Irregularity, LedgerCounts, LocatedIrregularity
from variorum.rows import BY_FACTS, ONE_SOURCE, EditionRow

# Irregularities that show that something may be missing.
_MISSING = {
    "numbers skipped": "numbers skipped before {}",
    "only in contents": "missing, but in the contents: {}",
}


def read_edition(data: bytes) -> tuple[EditionRow, tuple[Provision, ...]]:
    """Read a complete edition from the bytes of a document: its row without what facts say, its provisions.

    FormatError: the bytes are no text and no original, or one that is damaged or locked; the text is not an
    edition, or its layout is unknown. DocumentError: parts are missing, or a line does not have the form its
    place promises.
    """
    decoded = take_original(data) or decode(data)
    glue, encoding = decoded.glue, decoded.encoding
    lines, ends, mended = split_lines(decoded.text, is_paged=encoding == "pdf")
    layout, joined = layout_of(lines), list[str]()
    banners: Sequence[int] = range(len(lines) - decoded.repeated + 1, len(lines) + 1)
    if encoding != "pdf":  # its lines have their places on pages
        glue, banners, joined = find_wraps(lines, layout)
    if encoding in ORIGINALS:  # nothing ends its paragraphs
        layout, ends = encoding, (0, 0, 0)
    repairs = [*decoded.repairs, *mended, *joined]
    blocks = find_blocks(lines, glue, banners)
    parts = part(blocks)
    drafts = parse_rules(parts.rules)
    judge_numbers(drafts)
    day, why = parts.dates[0][0], "line {}; the first date stated is taken"
    odd = [
        Irregularity("dates differ", str(stated), str(day), why.format(block.first), None)
        for stated, block in parts.dates[1:]
        if stated != day
    ]
    odd += compare_contents(drafts, parts.contents)
    if parts.glossary != (glossary := spaced(parts.glossary)):
        repairs.append("no blank lines in the glossary; its entries told by the form of headwords")
    entries = parse_glossary(glossary)
    provisions = (*drafts, *entries)
    losses = find_lost(provisions, "\n".join(lines))
    accounted, blank, characters = draw_up(lines, blocks, banners, parts.others, provisions)
    condition: Condition = "lossy" if losses else "repaired" if repairs else "sound"
    located = [("", it) for it in odd]
    located += [(of.address, it) for of in provisions for it in of.irregularities]
    doubts = [ONE_SOURCE, *["lossy"] * (condition == "lossy")]
    doubts += [_MISSING[it.kind].format(it.printed) for _, it in located if it.kind in _MISSING]
    sha256 = sha256_of(data)
    is_attested = is_known(day.isoformat(), sha256)
    ledger = LedgerCounts(
        effective=day.isoformat(),
        lines=len(lines),
        blank=blank,
        accounted=accounted,
        unaccounted=[],  # nor is a character lost: reading would have refused the document
        characters=characters,
        characters_kept=characters,
        hyphens=[it for it in glue if not glue[it]],
        condition=condition,
        reason=decoded.reason,
        notes=[*repairs, *losses],
        irregularities=[LocatedIrregularity(**asdict(it), address=at) for at, it in located],
    )
    kinds = Counter(draft.kind for draft in drafts)
    row = EditionRow(
        *(-1, ledger.effective, sha256, layout, encoding, *ends),
        sections=kinds["section"],
        rules=kinds["rule"] + kinds["subrule"],
        examples=sum(bool(it.marker) for of in provisions for it in of.paragraphs),
        glossary=len(entries),
        irregularities=len(located),
        condition=condition,
        attested=BY_FACTS if is_attested else "",
        doubts="" if is_attested else "\n".join(doubts),
        introduction=json_text(parts.texts("introduction"), is_compact=True),
        index_lines=json_text(parts.texts("index"), is_compact=True),
        credits=json_text(parts.texts("credits"), is_compact=True),
        ledger=json_text(ledger, is_compact=True),
    )
    return row, provisions


# The proof ---------------------------------------------------------------------------------------


def draw_up(
    lines: Sequence[str],
    blocks: Sequence[Block],
    banners: Sequence[int],
    others: Iterable[tuple[str, Block, bool]],
    provisions: Iterable[Provision],
) -> tuple[dict[str, int], int, int]:
    """Account for every line and character; return the lines by what they belong to, blank lines, characters.

    AssertionError: reading has lost or changed something; this is a bug of ours.
    """
    kept = [(role, block.first, block.text) for role, block, _ in others]
    for it in provisions:
        kept.append((it.kind, it.line, f"{it.printed} {it.heading}".strip()))
        kept += [(it.kind, line, f"{sign} {text}".strip()) for text, sign, line in it.paragraphs]
    words, roles = dict[int, str](), dict[int, str]()
    for role, line, text in kept:
        words[line] = f"{words[line]} {text}" if line in words else text
        if roles.setdefault(line, role) != role:
            raise AssertionError(f"line {line} belongs to {roles[line]} and {role}")
    accounted = Counter[str]()
    texts = [lines[number - 1] for number in banners]
    for block in blocks:
        printed, text = " ".join(lines[block.first - 1 : block.last]), words.pop(block.first, "")
        if printed != text and printed.replace(" ", "") != text.replace(" ", ""):
            raise AssertionError(f"line {block.first}: {printed[:80]!r} became {text[:80]!r}")
        accounted[roles[block.first]] += block.last - block.first + 1
        texts.append(text)
    accounted["banner"] = len(banners)
    out = sum(not line.strip() for line in lines) + accounted.total()
    characters = tuple(sum(len(it) - it.count(" ") for it in some) for some in (lines, texts))
    if words or out != len(lines) or characters[0] != characters[1]:
        raise AssertionError(
            f"{len(lines)} lines in, {out} out; characters in and out: {characters}"
        )
    return dict(+accounted), len(lines) - accounted.total(), characters[0]
