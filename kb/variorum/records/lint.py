"""The form of `cr lint --json`, as docs/json.md promises it."""

from typing import Annotated, Literal, TypedDict, get_args

from msgspec import Meta

from variorum.records.values import Chance, CitationPart, Count, Label, Words

LintKind = Literal["dangling", "title", "stale", "gap", "double", "misprint", "verdict"]


class OutcomeJson(TypedDict, total=False):
    """What became of the rule that a citation used to name, and its number today."""

    means: Words | None
    gone: bool
    since: Label | None
    confidence: Chance | None


class PlaceJson(TypedDict, total=False):
    """The place of a citation, and its targets."""

    part: CitationPart | None
    start: Count | None
    end: Count | None
    title: str
    targets: list[Words]
    heading: str


class DetailsJson(PlaceJson, OutcomeJson, total=False):
    """The optional fields of a finding."""

    titled: Words | None
    missing: list[Words]
    misprint: str
    evidence: str


class LintFindingJson(TypedDict):
    """A known error in an edition."""

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


# All kinds, even if only some were asked for.
LintCounts = Annotated[
    dict[LintKind, Count], Meta(extra_json_schema={"required": [*get_args(LintKind)]})
]


class LintJson(TypedDict):
    """The known errors of an edition."""

    edition: Label
    doubts: list[Words]
    counts: LintCounts
    findings: list[LintFindingJson]
