"""The library's records of searches and audits; docs/json.md describes each field."""

from dataclasses import dataclass

from variorum.answer import Answer
from variorum.records.audit import AuditFindingJson, AuditJson, AuditSummaryJson, MeaningJson
from variorum.records.search import ExpandedJson, HitJson, ResolveJson, SearchJson, SourceJson


@dataclass(frozen=True)
class Hit(Answer[HitJson]):
    """A provision that answers a query."""

    edition: str
    doubts: list[str]
    number: str | None
    kind: str
    heading: str
    text: str
    snippet: str
    score: float
    now: str | None
    last: str
    path: list[str]
    stood: list[list[str]]


@dataclass(frozen=True)
class Expansion(Answer[ExpandedJson]):
    """Other words that were searched for as well."""

    from_: str
    to: str
    kind: str
    since: str | None
    until: str | None


@dataclass(frozen=True)
class SearchResult(Answer[SearchJson]):
    """The results of a search, best hit first."""

    query: str
    hits: list[Hit]
    suggestions: list[str]
    expanded: list[Expansion]
    missing: list[str]
    total: int


@dataclass(frozen=True)
class Source(Answer[SourceJson]):
    """A provision that quoted words may come from."""

    edition: str
    doubts: list[str]
    number: str | None
    kind: str
    heading: str
    text: str
    snippet: str
    likeness: float
    numbers: list[tuple[str, str, str]]
    now: str | None


@dataclass(frozen=True)
class Resolution(Answer[ResolveJson]):
    """Where quoted words come from."""

    quotation: str
    status: str
    sources: list[Source]
    total: int
    number_fits: bool | None
    edition_fits: bool | None


@dataclass(frozen=True)
class Meaning(Answer[MeaningJson]):
    """The provision that a number meant in some period."""

    first: str
    last: str
    was: str
    heirs: list[str]


@dataclass(frozen=True)
class Finding(Answer[AuditFindingJson]):
    """A citation that an audit reports."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    cited: str
    number: str
    last: str | None
    as_of: str | None
    status: str
    heirs: list[list[str]]
    confidence: float
    since: str | None
    was: str
    now_means: str | None
    why: str
    meanings: list[Meaning]
    sure: bool
    pinned: bool
    rewrite: str | None


@dataclass(frozen=True)
class AuditSummary(Answer[AuditSummaryJson]):
    """The counts of an audit."""

    files: int
    citations: int
    statuses: dict[str, int]
    sure: int
    fixed: int
    known: int
    to: str


@dataclass(frozen=True)
class Audit(Answer[AuditJson]):
    """The stale citations of a text."""

    findings: list[Finding]
    notices: list[str]
    summary: AuditSummary
