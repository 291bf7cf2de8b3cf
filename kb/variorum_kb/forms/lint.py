"""The form of `cr lint --json`, as docs/json.md promises it."""

from typing import TypedDict


class FateJson(TypedDict, total=False):
    """What became of what a citation led to, and what is meant."""

    means: str | None
    gone: bool
    since: str | None
    confidence: float | None


class PlaceJson(TypedDict, total=False):
    """Where a citation stands, and what it leads to."""

    part: str | None
    start: int | None
    end: int | None
    title: str
    targets: list[str]
    heading: str


class DetailsJson(PlaceJson, FateJson, total=False):
    """What else may be known of a finding."""

    titled: str | None
    missing: list[str]
    misprint: str
    evidence: str


class FindingJson(TypedDict):
    """Something wrong in an edition; see docs/json.md."""

    kind: str
    address: str
    printed: str
    part: str | None
    start: int | None
    end: int | None
    title: str
    targets: list[str]
    heading: str
    titled: str | None
    means: str | None
    gone: bool
    since: str | None
    confidence: float | None
    missing: list[str]
    misprint: str
    evidence: str


class LintJson(TypedDict):
    """What is wrong in an edition; `counts` has all kinds, whichever were asked for."""

    edition: str
    counts: dict[str, int]
    findings: list[FindingJson]
