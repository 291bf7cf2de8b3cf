"""A whole edition as JSON, and the ledger of its document."""

from typing import TYPE_CHECKING, Any

from variorum.answers.editions import summary_of
from variorum.answers.lookup import irregularities_of, ledger_in, unpacked
from variorum.records.edition import Export, ExportedEntry, ExportedProvision, LedgerCounts
from variorum.rows import examples_of, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from variorum.answers.editions import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.rows import State


def export_edition(base: "KnowledgeBase", on: "str | EditionEntry" = "current") -> "Export":
    """Return a whole edition in the export format of docs/json.md.

    Raises:
        NoEditionError: The designator names no edition.
    """
    edition = base.edition(on)
    row = {**edition.row, **base.reader.long_columns(edition.place)}
    return exported(row, base.reader.states_in(edition.place))


def exported(row: "Mapping[str, Any]", states: "Sequence[State]") -> "Export":
    """Return an edition in the export format, given all columns of its row by their names."""
    return Export(
        edition=summary_of(row),
        provisions=[_provision(state) for state in states if state.kind != "glossary"],
        glossary=[
            ExportedEntry(state.heading, text_of(state.body), examples_of(state.body))
            for state in states
            if state.kind == "glossary"
        ],
        introduction=unpacked(row["introduction"]),
        index=unpacked(row["index_lines"]),
        credits=unpacked(row["credits"]),
    )


def ledger_of(base: "KnowledgeBase", on: "str | EditionEntry" = "current") -> "LedgerCounts":
    """Return the ledger of an edition's document.

    Raises:
        NoEditionError: The designator names no edition.
    """
    return ledger_in(base.reader, base.edition(on).place)


def _provision(state: "State") -> "ExportedProvision":
    return ExportedProvision(
        number=state.number,
        address=state.address,
        kind=state.kind,
        heading=state.heading,
        text=text_of(state.body),
        examples=examples_of(state.body),
        irregularities=irregularities_of(state),
    )
