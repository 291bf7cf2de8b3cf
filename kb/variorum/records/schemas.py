"""The JSON Schema of each answer, made from its record."""

from typing import Any

import msgspec

from variorum.records.ask import CardTotals, CardWithRules, Passages
from variorum.records.audit import Audit, DraftChanges
from variorum.records.edition import Edition, Export, LedgerCounts
from variorum.records.failure import FailureReport
from variorum.records.identify import DocumentOrigin
from variorum.records.lineage import CrosswalkRow, DatedProvision, Destination, Diff, History, Step
from variorum.records.lint import LintReport
from variorum.records.number import NumberBearers, NumberedBearer, NumberTable
from variorum.records.provision import Heading, Misfit, Provision, ReferenceLine, References
from variorum.records.search import Resolution, SearchResult
from variorum.records.sync import SyncResult
from variorum.records.upkeep import AcceptedDocument, ArchiveContents, Examination, TrustDecision
from variorum.records.witness import Attestation, Witness

# Every answer: what prints it, and its type; with several types, it is one of them.
FORMATS: dict[str, tuple[Any, ...]] = {
    "accept": ("cr kb accept", AcceptedDocument, list[TrustDecision]),
    "archive": ("cr kb documents", ArchiveContents),
    "ask": ("cr ask", Passages),
    "audit": ("cr audit", Audit),
    "blame": ("cr history --words", DatedProvision),
    "card": ("cr card", CardWithRules),
    "cards": ("cr kb cards", CardTotals),
    "crosswalk": ("cr crosswalk", list[CrosswalkRow]),
    "dangling": ("cr refs --dangling", list[Misfit]),
    "diff": ("cr diff, cr changes, cr since", Diff),
    "doctor": ("cr doctor", Examination),
    "documents": ("cr read of several documents", list[Export], list[DocumentOrigin]),
    "edition": ("cr read FILE, cr export EDITION", Export),
    "editions": ("cr editions", list[Edition]),
    "failure": ("any command that fails", FailureReport),
    "glossary": ("cr glossary", list[Provision]),
    "history": ("cr history", History),
    "identify": ("cr identify FILE", DocumentOrigin),
    "ledger": ("cr read --ledger", LedgerCounts),
    "ledgers": ("cr read --ledger of several documents", list[LedgerCounts]),
    "lint": ("cr lint", LintReport, list[LintReport]),
    "number": ("data/rule/SECTION.json of the website", list[NumberBearers]),
    "number_line": ("a line of cr export --crosswalk --jsonl", NumberedBearer),
    "number_table": ("cr export --crosswalk", NumberTable),
    "preview": ("cr diff current FILE", DraftChanges),
    "ref_line": ("a line of cr refs --jsonl", ReferenceLine),
    "refs": ("cr refs", References),
    "resolve": ("cr identify WORDS", Resolution),
    "search": ("cr search", SearchResult),
    "show": ("cr show", list[Provision]),
    "sync": ("cr sync", SyncResult),
    "toc": ("cr toc", list[Heading]),
    "where": ("cr where", list[Destination]),
    "why": ("cr history --evidence", list[Step]),
    "witnesses": ("cr history --witnesses", list[Witness], list[Attestation]),
}


def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of an answer by its name, one that `cr kb schema` lists.

    Raises:
        KeyError: No answer has this name.
    """
    source, *types = FORMATS[name]
    ways, definitions = msgspec.json.schema_components(types)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name,
        "description": f"The JSON of {source}; docs/json.md explains it.",
        **(ways[0] if len(ways) == 1 else {"anyOf": list(ways)}),
        "$defs": definitions,
    }
