"""Editions and ledgers as JSON, in the form that docs/json.md promises.

The functions return plain values, ready for `json.dumps`, in the order of the forms.
"""

from variorum.facts.editions import is_known
from variorum.forms.edition import (
    EditionJson,
    EntryJson,
    ExportJson,
    IrregularityJson,
    LedgerJson,
    OddityJson,
    ProvisionJson,
)
from variorum.model import Edition, Irregularity, Provision
from variorum.reading.doubts import doubts_of


def edition_json(edition: Edition, issue: int) -> EditionJson:
    """Return what an edition is and how much it holds.

    Args:
        edition: The edition as read.
        issue: The number of the issue among those of its date, from 1.
    """
    counts = edition.counts()
    ends = edition.line_ends
    return {
        "effective": edition.effective.isoformat(),
        "issue": issue,
        "condition": edition.condition.value,
        "attested": "facts" if is_known(edition.effective, edition.sha256) else None,
        "doubts": doubts_of(edition),
        "sha256": edition.sha256,
        "encoding": edition.decoding.encoding,
        "line_ends": {"crlf": ends.crlf, "cr": ends.cr, "lf": ends.lf},
        "layout": edition.layout,
        "sections": counts["sections"],
        "rules": counts["rules"],
        "examples": counts["examples"],
        "glossary": counts["glossary"],
        "irregularities": counts["irregularities"],
    }


def export_json(edition: Edition, issue: int) -> ExportJson:
    """Return a whole edition in printed order.

    Args:
        edition: The edition as read.
        issue: The number of the issue among those of its date, from 1.
    """
    return {
        "edition": edition_json(edition, issue),
        "provisions": [_provision(provision) for provision in edition.provisions],
        "glossary": [_entry(entry) for entry in edition.glossary],
        "introduction": list(edition.introduction),
        "index": list(edition.index),
        "credits": list(edition.credits),
    }


def ledger_json(edition: Edition) -> LedgerJson:
    """Return the account of every line, and all irregularities of the document."""
    ledger = edition.ledger
    oddities = [_oddity("", irregularity) for irregularity in edition.irregularities]
    for provision in (*edition.provisions, *edition.glossary):
        oddities += [
            _oddity(provision.address, irregularity) for irregularity in provision.irregularities
        ]
    return {
        "effective": edition.effective.isoformat(),
        "lines": ledger.lines,
        "blank": ledger.blank,
        "accounted": {role.value: number for role, number in ledger.accounted},
        "unaccounted": list(ledger.unaccounted),
        "characters": ledger.characters,
        "characters_kept": ledger.characters_kept,
        "hyphens": list(ledger.hyphens),
        "condition": edition.condition.value,
        "reason": edition.decoding.reason,
        "notes": list(edition.notes),
        "irregularities": oddities,
    }


def _provision(provision: Provision) -> ProvisionJson:
    return {
        "number": provision.number,
        "address": provision.address,
        "kind": provision.kind.value,
        "heading": provision.heading,
        "text": provision.text,
        "examples": list(provision.examples),
        "irregularities": [
            irregularity_json(irregularity) for irregularity in provision.irregularities
        ],
    }


def _entry(entry: Provision) -> EntryJson:
    return {"term": entry.heading, "text": entry.text, "examples": list(entry.examples)}


def irregularity_json(irregularity: Irregularity) -> IrregularityJson:
    """Return an irregularity."""
    return {
        "kind": irregularity.kind.value,
        "printed": irregularity.printed,
        "meant": irregularity.meant,
        "evidence": irregularity.evidence,
        "start": irregularity.start if irregularity.start >= 0 else None,
    }


def _oddity(address: str, irregularity: Irregularity) -> OddityJson:
    return {**irregularity_json(irregularity), "address": address}
