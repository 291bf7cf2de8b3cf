"""Editions and ledgers as the records that docs/json.md describes."""

from msgspec import structs

from variorum.facts.editions import is_known
from variorum.model import Edition, Irregularity, Provision
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


def edition_json(edition: Edition, issue: int) -> EditionSummary:
    """Return what an edition is and how much it holds.

    Args:
        edition: The edition as read.
        issue: The number of the issue among those of its date, from 1.
    """
    counts = edition.counts()
    ends = edition.line_ends
    return EditionSummary(
        effective=edition.effective.isoformat(),
        issue=issue,
        condition=edition.condition.value,
        attested="facts" if is_known(edition.effective, edition.sha256) else None,
        doubts=doubts_of(edition),
        sha256=edition.sha256,
        encoding=edition.decoding.encoding,
        line_ends=LineEnds(ends.crlf, ends.cr, ends.lf),
        layout=edition.layout,
        sections=counts["sections"],
        rules=counts["rules"],
        examples=counts["examples"],
        glossary=counts["glossary"],
        irregularities=counts["irregularities"],
    )


def export_json(edition: Edition, issue: int) -> Export:
    """Return a whole edition in printed order.

    Args:
        edition: The edition as read.
        issue: The number of the issue among those of its date, from 1.
    """
    return Export(
        edition=edition_json(edition, issue),
        provisions=[_provision(provision) for provision in edition.provisions],
        glossary=[_entry(entry) for entry in edition.glossary],
        introduction=list(edition.introduction),
        index=list(edition.index),
        credits=list(edition.credits),
    )


def ledger_json(edition: Edition) -> LedgerCounts:
    """Return the account of every line, and all irregularities of the document."""
    ledger = edition.ledger
    oddities = [_oddity("", irregularity) for irregularity in edition.irregularities]
    for provision in (*edition.provisions, *edition.glossary):
        oddities += [
            _oddity(provision.address, irregularity) for irregularity in provision.irregularities
        ]
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
        irregularities=oddities,
    )


def _provision(provision: Provision) -> ExportedProvision:
    return ExportedProvision(
        number=provision.number,
        address=provision.address,
        kind=provision.kind.value,
        heading=provision.heading,
        text=provision.text,
        examples=list(provision.examples),
        irregularities=[
            irregularity_json(irregularity) for irregularity in provision.irregularities
        ],
    )


def _entry(entry: Provision) -> ExportedEntry:
    return ExportedEntry(term=entry.heading, text=entry.text, examples=list(entry.examples))


def irregularity_json(irregularity: Irregularity) -> IrregularityRecord:
    """Return an irregularity."""
    return IrregularityRecord(
        kind=irregularity.kind.value,
        printed=irregularity.printed,
        meant=irregularity.meant,
        evidence=irregularity.evidence,
        start=irregularity.start if irregularity.start >= 0 else None,
    )


def _oddity(address: str, irregularity: Irregularity) -> LocatedIrregularity:
    return LocatedIrregularity(**structs.asdict(irregularity_json(irregularity)), address=address)
