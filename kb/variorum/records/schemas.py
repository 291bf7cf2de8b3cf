"""The JSON Schema of each answer, made from its record."""

from typing import Any, Literal

import msgspec

from variorum.records import edition, lineage, upkeep
from variorum.records.audit import Audit
from variorum.records.document import DocumentOrigin, Passage, Witness
from variorum.records.lineage import Heading, Provision, References
from variorum.records.search import CardTotals, CardWithRules, Passages, Resolution, SearchResult

# Every answer: what prints it, and its type; with several types, it is one of them.
FORMATS: dict[str, tuple[Any, ...]] = {
    "accept": ("cr kb accept", upkeep.AcceptedDocument, list[upkeep.TrustDecision]),
    "archive": ("cr kb documents", dict[Literal["documents"], list[upkeep.KeptDocument]]),
    "ask": ("cr search, of a question that tells a story", Passages),
    "audit": ("cr audit", Audit),
    "blame": ("cr history --words", lineage.DatedProvision),
    "card": ("cr card", CardWithRules),
    "cards": ("cr kb cards", CardTotals),
    "crosswalk": ("cr crosswalk", list[lineage.CrosswalkRow]),
    "diff": ("cr diff, cr changes, cr since", lineage.Diff),
    "doctor": ("cr doctor", upkeep.Examination),
    "edition": ("cr read FILE, cr export EDITION", edition.Export),
    "editions": ("cr editions", list[edition.Edition]),
    "failure": ("any command that fails", dict[Literal["error"], upkeep.Failure]),
    "glossary": ("cr glossary", list[Provision]),
    "history": ("cr history", lineage.History),
    "identify": ("cr identify FILE, cr read FILE", DocumentOrigin),
    "ledger": ("cr read --ledger", edition.LedgerCounts, list[edition.LedgerCounts]),
    "lint": ("cr lint", edition.LintReport, list[edition.LintReport]),
    "number": ("data/rule/SECTION.json of the website", dict[str, list[lineage.NumberedBearer]]),
    "number_line": ("a line of cr export --crosswalk --jsonl", lineage.NumberedBearer),
    "number_table": ("cr export --crosswalk", lineage.NumberTable),
    "refs": ("cr refs", References),
    "resolve": ("cr identify WORDS", Resolution),
    "search": ("cr search", SearchResult),
    "show": ("cr show", list[Provision]),
    "sync": ("cr sync", upkeep.SyncResult),
    "toc": ("cr toc", list[Heading]),
    "where": ("cr where", list[lineage.Destination]),
    "why": ("cr history --evidence", list[lineage.Step]),
    "witnesses": ("cr history --witnesses", list[Witness], list[Passage]),
}


def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of an answer by its name; KeyError: `cr kb schema` lists no such name."""
    source, *types = FORMATS[name]
    ways, definitions = msgspec.json.schema_components(types)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name,
        "description": f"The JSON of {source}; docs/json.md explains it.",
        **(ways[0] if len(ways) == 1 else {"anyOf": list(ways)}),
        "$defs": definitions,
    }
