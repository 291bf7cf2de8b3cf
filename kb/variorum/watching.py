"""The library's records of watched rules and of drafts; docs/json.md describes each field."""

from dataclasses import dataclass

from variorum.answer import Answer
from variorum.comparisons import Change, Diff
from variorum.records.audit import Finding
from variorum.records.lint import LintFindingJson
from variorum.records.preview import PreviewJson
from variorum.records.watch import WatchedFilesJson, WatchedJson, WatchedRuleJson, WatchReportJson


@dataclass(frozen=True)
class Watched(Answer[WatchedJson]):
    """A watched rule or path, and the last edition reported for it."""

    kind: str
    name: str
    edition: str


@dataclass(frozen=True)
class WatchedRule(Answer[WatchedRuleJson]):
    """What changed in a watched rule and its subrules."""

    name: str
    now: str | None
    since: str
    gist: str
    changes: list[Change]


@dataclass(frozen=True)
class WatchedFiles(Answer[WatchedFilesJson]):
    """The citations, in watched files, that an edition affects.

    `findings` are the citations of rules that changed. `renumbered` counts the citations of rules
    that only got another number.
    """

    path: str
    since: str
    findings: list[Finding]
    renumbered: int


@dataclass(frozen=True)
class WatchReport(Answer[WatchReportJson]):
    """What an edition changed in the watched rules and files."""

    edition: str
    rules: list[WatchedRule]
    files: list[WatchedFiles]


@dataclass(frozen=True)
class LintFinding(Answer[LintFindingJson]):
    """A known error of an edition."""

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


@dataclass(frozen=True)
class DraftChanges(Answer[PreviewJson]):
    """What a draft would change, and the citations that it would break."""

    edition: str
    before: str
    diff: Diff
    broken: list[LintFinding]
    findings: list[Finding]
    citations: int
