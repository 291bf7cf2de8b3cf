"""The JSON of `cr audit`, as docs/json.md describes it."""

from typing import TypedDict


class MeaningJson(TypedDict):
    """What a number meant for a time."""

    first: str
    last: str
    was: str
    heirs: list[str]


class FindingJson(TypedDict):
    """A citation that does not say what it said, in the form of `cr audit --json`."""

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
    meanings: list[MeaningJson]
    sure: bool
    pinned: bool
    rewrite: str | None


class SummaryJson(TypedDict):
    """The counts of an audit."""

    files: int
    citations: int
    statuses: dict[str, int]
    sure: int
    fixed: int
    known: int
    to: str


class AuditJson(TypedDict):
    """The whole of `cr audit --json`."""

    findings: list[FindingJson]
    notices: list[str]
    summary: SummaryJson
