"""Editions and ledgers as the records that docs/json.md describes."""

from msgspec import structs

from variorum.facts import is_known
from variorum.model import Edition, Irregularity
from variorum.reading.doubts import doubts_of
from variorum.records.edition import (
    EditionSummary,
    Export,
    ExportedEntry,
    ExportedProvision,
    LedgerCounts,
    LineEnds,
    LocatedIrregularity,
)
from variorum.records.edition import Irregularity as IrregularityRecord


def export_json(edition: Edition, issue: int) -> Export:
    """Return a whole edition in printed order; `issue` counts those of its date, from 1."""
    ends = edition.line_ends
    summary = EditionSummary(
        effective=edition.effective.isoformat(),
        issue=issue,
        condition=edition.condition.value,
        attested="facts" if is_known(edition.effective, edition.sha256) else None,
        doubts=doubts_of(edition),
        sha256=edition.sha256,
        encoding=edition.decoding.encoding,
        line_ends=LineEnds(ends.crlf, ends.cr, ends.lf),
        layout=edition.layout,
        **edition.counts(),
    )
    return Export(
        edition=summary,
        provisions=[
            ExportedProvision(
                number=provision.number,
                address=provision.address,
                kind=provision.kind.value,
                heading=provision.heading,
                text=provision.text,
                examples=list(provision.examples),
                irregularities=[irregularity_json(odd) for odd in provision.irregularities],
            )
            for provision in edition.provisions
        ],
        glossary=[
            ExportedEntry(term=entry.heading, text=entry.text, examples=list(entry.examples))
            for entry in edition.glossary
        ],
        introduction=list(edition.introduction),
        index=list(edition.index),
        credits=list(edition.credits),
    )


def ledger_json(edition: Edition) -> LedgerCounts:
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
            LocatedIrregularity(**structs.asdict(irregularity_json(irregularity)), address=address)
            for address, irregularity in odd
        ],
    )


def irregularity_json(irregularity: Irregularity) -> IrregularityRecord:
    """Return an irregularity."""
    return IrregularityRecord(
        kind=irregularity.kind.value,
        printed=irregularity.printed,
        meant=irregularity.meant,
        evidence=irregularity.evidence,
        start=irregularity.start if irregularity.start >= 0 else None,
    )
