"""Previews what a draft of an edition would change, and which citations it would break."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from variorum.answers.diff import Changes, diff_of, find_changes
from variorum.answers.lint import lint_editions
from variorum.audit.run import audit_tree
from variorum.audit.settings import Settings
from variorum.build.preview import Preview
from variorum.records.audit import DraftChanges

if TYPE_CHECKING:
    from variorum.records.audit import Finding
    from variorum.records.lint import LintFinding

_BROKEN = {"dangling", "title", "stale"}


class DraftReport(NamedTuple):
    """The changes that a draft would make.

    Attributes:
        changes: The changes from the preceding edition.
        broken: Citations in the draft that are newly wrong.
        findings: Citations in files that the draft would make wrong.
        citations: The number of citations in the files.
    """

    changes: Changes
    broken: "Sequence[LintFinding]"
    findings: "Sequence[Finding]"
    citations: int

    def record(self) -> DraftChanges:
        """Return the report in the form of docs/json.md."""
        return DraftChanges(
            edition=self.changes.to_edition,
            before=self.changes.from_edition,
            diff=diff_of(self.changes),
            broken=list(self.broken),
            findings=list(self.findings),
            citations=self.citations,
        )


def draft_report(both: Preview, tree: Sequence[Path]) -> DraftReport:
    """Return the changes that a draft would make.

    Args:
        both: The draft and the preceding edition.
        tree: The files and folders to check for citations.
    """
    changes = find_changes(both.base, both.before, both.draft)
    return DraftReport(changes, _broken(both), *_stale(both, tree))


def _broken(both: Preview) -> "list[LintFinding]":
    """Return the wrong citations of a draft, without findings that the preceding edition has."""
    before, after = lint_editions(both.base, [both.before, both.draft])
    known = {(finding.kind, finding.printed, finding.title) for finding in before.findings}
    return [
        finding
        for finding in after.findings
        if finding.kind in _BROKEN and (finding.kind, finding.printed, finding.title) not in known
    ]


def _stale(both: Preview, tree: Sequence[Path]) -> "tuple[list[Finding], int]":
    """Return the citations of files that the draft makes wrong, and the number of all citations."""
    settings = Settings(as_of=both.before.label, to=both.draft.label, folder=Path.cwd())
    reports = list(audit_tree(both.base, settings, tree, jobs=1)) if tree else []
    stale = [citation.finding for report in reports for citation in report.findings]
    missing = {finding.cited for finding in stale if finding.status == "never existed"}
    right = [finding for finding in stale if finding.cited not in missing]
    return right, sum(report.counts.total() for report in reports)
