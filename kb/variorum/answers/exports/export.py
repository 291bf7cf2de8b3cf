"""A whole edition as JSON, and the ledger of its document."""

from typing import TYPE_CHECKING

from variorum.answers.lookup import unpacked
from variorum.rows import examples_of, text_of

if TYPE_CHECKING:
    from variorum.answers.edition_entry import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.forms.edition import ExportJson, LedgerJson, ProvisionJson
    from variorum.rows import Row


def export_edition(base: "KnowledgeBase", on: "str | EditionEntry" = "current") -> "ExportJson":
    """Return a whole edition in the export format of docs/json.md.

    Raises:
        NoEditionError: The designator names no edition.
    """
    edition = base.edition(on)
    states = base.reader.states_in(edition.place)
    columns = base.reader.long_columns(edition.place)
    return {
        "edition": edition.as_json(),
        "provisions": [_provision(state) for state in states if state.kind != "glossary"],
        "glossary": [
            {
                "term": state.heading,
                "text": text_of(state.body),
                "examples": examples_of(state.body),
            }
            for state in states
            if state.kind == "glossary"
        ],
        "introduction": unpacked(columns["introduction"]),
        "index": unpacked(columns["index_lines"]),
        "credits": unpacked(columns["credits"]),
    }


def ledger_of(base: "KnowledgeBase", on: "str | EditionEntry" = "current") -> "LedgerJson":
    """Return the ledger of an edition's document.

    Raises:
        NoEditionError: The designator names no edition.
    """
    ledger: LedgerJson = unpacked(base.reader.long_columns(base.edition(on).place)["ledger"])
    return ledger


def _provision(state: "Row") -> "ProvisionJson":
    return {
        "number": state.number,
        "address": state.address,
        "kind": state.kind,
        "heading": state.heading,
        "text": text_of(state.body),
        "examples": examples_of(state.body),
        "irregularities": unpacked(state.irregularities) if state.irregularities else [],
    }
