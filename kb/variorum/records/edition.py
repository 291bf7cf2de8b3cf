"""An edition, its provisions, its ledger and its known errors."""

from typing import Annotated, Literal, get_args

from msgspec import Meta, field

from variorum.records.answer import *

# Why an edition is trusted: the table of facts, independent sources that agree, or a person.
Attested = Annotated[str, one_of("facts, agreement, person")]
LintKind = Literal["dangling", "title", "stale", "gap", "double", "misprint"]
# All kinds, even if only some were asked for.
LintCounts = Annotated[
    dict[LintKind, Count], Meta(extra_json_schema={"required": [*get_args(LintKind)]})
]


class EditionSummary(Answer):
    effective: Day
    issue: Place
    condition: Condition
    attested: Attested | None
    doubts: list[Words]
    sha256: Sha256
    encoding: Words
    line_ends: dict[Words, Count]
    layout: Words
    sections: Count
    rules: Count
    examples: Count
    glossary: Count
    irregularities: Count


class Edition(EditionSummary):
    """An edition of a base; `until` is its last day in force, null for the newest one."""

    label: Label
    until: Day | None
    previous: Label | None
    next: Label | None
    set_code: str
    set_name: str
    file: str


class Irregularity(Answer):
    """A misprint; `start` is null if it is not in the text."""

    kind: Words
    printed: str
    meant: str
    evidence: str
    start: Count | None


class LocatedIrregularity(Irregularity):
    """An irregularity and where it is: an address, a headword, or "" for the whole document."""

    address: str


class ExportedProvision(Answer):
    number: Words
    address: Words
    kind: Annotated[str, one_of("chapter, section, rule, subrule")]
    heading: str
    text: str
    examples: list[str]
    irregularities: list[Irregularity]


class ExportedEntry(Answer):
    term: Words
    text: str
    examples: list[str]


class Export(Answer):
    edition: EditionSummary
    provisions: list[ExportedProvision]
    glossary: list[ExportedEntry]
    introduction: list[Words]
    index: list[Words]
    credits: list[Words]


class LedgerCounts(Answer):
    """Counts of a document's lines, by what they belong to."""

    effective: Day
    lines: Count
    blank: Count
    accounted: dict[Words, Count]
    unaccounted: list[Place]
    characters: Count
    characters_kept: Count
    hyphens: list[Place]
    condition: Condition
    reason: Words
    notes: list[Words]
    irregularities: list[LocatedIrregularity]


class LintFinding(Answer, omit_defaults=False):
    """A known error; `means`, `gone`, `since` and `confidence` tell what became of the rule once cited."""

    kind: LintKind
    address: str
    printed: str
    part: CitationPart | None = None
    start: Count | None = None
    end: Count | None = None
    title: str = ""
    targets: list[Words] = field(default_factory=list)
    heading: str = ""
    titled: Words | None = None
    missing: list[Words] = field(default_factory=list)
    misprint: str = ""
    evidence: str = ""
    means: Words | None = None
    gone: bool = False
    since: Label | None = None
    confidence: Chance | None = None


class LintReport(Answer):
    edition: Label
    doubts: list[Words]
    counts: LintCounts
    findings: list[LintFinding]
