"""A whole edition as JSON, and the ledger of its document."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import json

from variorum.answers.editions import EditionEntry, summary_of
from variorum.answers.stored import Stored
from variorum.answers.subject import irregularities_of
from variorum.records.edition import Export, ExportedEntry, ExportedProvision, LedgerCounts
from variorum.rows import State, examples_of, text_of


def export_edition(base: Stored, on: str | EditionEntry = "current") -> Export:
    """Return a whole edition in the export format of docs/json.md."""
    edition = base.edition(on)
    return exported(edition.row, base.held(edition.place))


def exported(row: Mapping[str, Any], states: Sequence[State]) -> Export:
    """Return an edition in the export format, given all columns of its row by their names."""
    return Export(
        edition=summary_of(row),
        provisions=[
            ExportedProvision(
                number=state.number,
                address=state.address,
                kind=state.kind,
                heading=state.heading,
                text=text_of(state.body),
                examples=examples_of(state.body),
                irregularities=irregularities_of(state),
            )
            for state in states
            if state.kind != "glossary"
        ],
        glossary=[
            ExportedEntry(state.heading, text_of(state.body), examples_of(state.body))
            for state in states
            if state.kind == "glossary"
        ],
        introduction=json.decode(row["introduction"]),
        index=json.decode(row["index_lines"]),
        credits=json.decode(row["credits"]),
    )


def ledger_of(base: Stored, on: str | EditionEntry = "current") -> LedgerCounts:
    """Return the ledger of an edition's document."""
    return json.decode(base.edition(on).row["ledger"], type=LedgerCounts)
