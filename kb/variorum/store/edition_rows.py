"""Convert an edition into rows."""

from collections.abc import Iterable, Iterator

from msgspec import structs

from variorum.model import Edition, Irregularity, Kind, Provision
from variorum.records.answer import json_text
from variorum.records.edition import Irregularity as IrregularityRecord
from variorum.records.edition import LedgerCounts, LocatedIrregularity
from variorum.rows import State, join_body
from variorum.stored_rows import EditionRow

# The levels of provisions, the highest first.
_LEVELS = (Kind.CHAPTER, Kind.SECTION, Kind.RULE, Kind.SUBRULE)


def rows_of(edition: Edition) -> tuple[EditionRow, list[State]]:
    """Return an edition as a row, and its states in printed order.

    Its issue, its set, what attests it and its doubts are still 0 and "": they rest on facts, on
    decisions and on the other editions.
    """
    counts, ends = edition.counts(), edition.line_ends
    texts = edition.introduction, edition.index, edition.credits, _ledger(edition)
    amounts = ("sections", "rules", "examples", "glossary", "irregularities")
    columns = EditionRow._make(
        [
            *(edition.effective.isoformat(), 0, edition.sha256, "", ""),
            *(edition.layout, edition.decoding.encoding, ends.crlf, ends.cr, ends.lf),
            *(counts[name] for name in amounts),
            *(edition.condition.value, "", "", *map(compact, texts)),
        ]
    )
    entries = [_state(entry, "") for entry in edition.glossary]
    return columns, [*_numbered(edition.provisions), *entries]


def compact(value: object) -> str:
    """Return a value as JSON without blanks."""
    return json_text(value, is_compact=True)


def _numbered(provisions: Iterable[Provision]) -> Iterator[State]:
    """Yield states; the parent of each is the last provision of a higher kind.

    So the parent of a misprinted subrule is the rule above it on the page, not the one it names.
    """
    above: list[tuple[int, str]] = []
    for provision in provisions:
        level = _LEVELS.index(provision.kind)
        while above and above[-1][0] >= level:
            above.pop()
        yield _state(provision, above[-1][1] if above else "")
        above.append((level, provision.address))


def _state(provision: Provision, parent: str) -> State:
    body = join_body([(marker, text) for text, marker, _ in provision.paragraphs])
    meant = "" if provision.meant is None else str(provision.meant)
    odd = [_irregularity(irregularity) for irregularity in provision.irregularities]
    named = provision.kind.value, provision.number, provision.address, provision.heading
    meant = "" if meant == provision.number else meant
    return State(*named, body, parent, meant, compact(odd) if odd else "")


def _ledger(edition: Edition) -> LedgerCounts:
    """Return the account of every line, and all irregularities of the document."""
    ledger = edition.ledger
    odd = [("", irregularity) for irregularity in edition.irregularities]
    for provision in (*edition.provisions, *edition.glossary):
        odd += [(provision.address, irregularity) for irregularity in provision.irregularities]
    return LedgerCounts(
        effective=edition.effective.isoformat(),
        lines=ledger.lines,
        blank=ledger.blank,
        accounted={role.value: number for role, number in ledger.accounted},
        unaccounted=list(ledger.unaccounted),
        characters=ledger.characters,
        characters_kept=ledger.characters_kept,
        hyphens=list(ledger.hyphens),
        condition=edition.condition.value,
        reason=edition.decoding.reason,
        notes=list(edition.notes),
        irregularities=[
            LocatedIrregularity(**structs.asdict(_irregularity(irregularity)), address=address)
            for address, irregularity in odd
        ],
    )


def _irregularity(irregularity: Irregularity) -> IrregularityRecord:
    return IrregularityRecord(
        kind=irregularity.kind.value,
        printed=irregularity.printed,
        meant=irregularity.meant,
        evidence=irregularity.evidence,
        start=irregularity.start if irregularity.start >= 0 else None,
    )
