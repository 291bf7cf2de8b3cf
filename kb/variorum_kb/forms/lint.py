"""The form of `cr lint --json`, as docs/json.md promises it."""

from typing import Annotated, Literal, TypedDict, get_args

from variorum_kb.forms.values import Chance, CitationPart, Constraint, Count, Label, Words

LintKind = Literal["dangling", "title", "stale", "gap", "double", "misprint", "verdict"]


class OutcomeJson(TypedDict, total=False):
    """What became of what a citation led to, and what is meant."""

    means: Words | None
    gone: bool
    since: Label | None
    confidence: Chance | None


class PlaceJson(TypedDict, total=False):
    """Where a citation stands, and what it leads to."""

    part: CitationPart | None
    start: Count | None
    end: Count | None
    title: str
    targets: list[Words]
    heading: str


class DetailsJson(PlaceJson, OutcomeJson, total=False):
    """What else may be known of a finding."""

    titled: Words | None
    missing: list[Words]
    misprint: str
    evidence: str


class LintFindingJson(TypedDict):
    """Something wrong in an edition."""

    kind: LintKind
    address: str
    printed: str
    part: CitationPart | None
    start: Count | None
    end: Count | None
    title: str
    targets: list[Words]
    heading: str
    titled: Words | None
    means: Words | None
    gone: bool
    since: Label | None
    confidence: Chance | None
    missing: list[Words]
    misprint: str
    evidence: str


# All kinds, whichever were asked for.
LintCounts = Annotated[dict[LintKind, Count], Constraint("required", get_args(LintKind))]


class LintJson(TypedDict):
    """What is wrong in an edition."""

    edition: Label
    doubts: list[Words]
    counts: LintCounts
    findings: list[LintFindingJson]
