"""Convert an edition into rows."""

from collections.abc import Iterator

from msgspec import structs

from variorum.model import Edition, Irregularity, Kind, Provision
from variorum.records.answer import json_text
from variorum.records.edition import Irregularity as IrregularityRecord
from variorum.records.edition import LedgerCounts, LocatedIrregularity
from variorum.rows import EditionRow, State, join_body

# The levels of provisions, the highest first.
_LEVELS = (Kind.CHAPTER, Kind.SECTION, Kind.RULE, Kind.SUBRULE)


def rows_of(edition: Edition) -> tuple[EditionRow, list[State]]:
    """Return an edition as a row, and its states in printed order."""
    counts, ends = edition.counts(), edition.line_ends
    row = EditionRow(
        effective=edition.effective.isoformat(),
        sha256=edition.sha256,
        layout=edition.layout,
        encoding=edition.decoding.encoding,
        crlf=ends.crlf,
        cr=ends.cr,
        lf=ends.lf,
        sections=counts["sections"],
        rules=counts["rules"],
        examples=counts["examples"],
        glossary=counts["glossary"],
        irregularities=counts["irregularities"],
        condition=edition.condition.value,
        introduction=compact(edition.introduction),
        index_lines=compact(edition.index),
        credits=compact(edition.credits),
        ledger=compact(_ledger(edition)),
    )
    return row, [*_states(edition)]


def compact(value: object) -> str:
    """Return a value as JSON without blanks."""
    return json_text(value, is_compact=True)


def _states(edition: Edition) -> Iterator[State]:
    """Yield states; the parent of each is the last provision of a higher kind.

    So the parent of a misprinted subrule is the rule above it on the page, not the one it names.
    """
    above: list[tuple[int, str]] = []
    for provision in edition.provisions:
        level = _LEVELS.index(provision.kind)
        while above and above[-1][0] >= level:
            above.pop()
        yield _state(provision, above[-1][1] if above else "")
        above.append((level, provision.address))
    for entry in edition.glossary:
        yield _state(entry, "")


def _state(provision: Provision, parent: str) -> State:
    meant = "" if provision.meant is None else str(provision.meant)
    odd = [_record(irregularity) for irregularity in provision.irregularities]
    return State(
        provision.kind.value,
        provision.number,
        provision.address,
        provision.heading,
        join_body([(marker, text) for text, marker, _ in provision.paragraphs]),
        parent,
        "" if meant == provision.number else meant,
        compact(odd) if odd else "",
    )


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
            LocatedIrregularity(**structs.asdict(_record(irregularity)), address=address)
            for address, irregularity in odd
        ],
    )


def _record(irregularity: Irregularity) -> IrregularityRecord:
    return IrregularityRecord(
        kind=irregularity.kind.value,
        printed=irregularity.printed,
        meant=irregularity.meant,
        evidence=irregularity.evidence,
        start=irregularity.start if irregularity.start >= 0 else None,
    )
