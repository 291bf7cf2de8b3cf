"""Returns the known errors of editions: citations, numbering, misprints."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from variorum.answers.lint.finding import as_found
from variorum.answers.lint.kinds import KINDS
from variorum.answers.unapplied import unapplied_verdicts
from variorum.facts import Verdict
from variorum.records.lint import LintFinding, LintReport

if TYPE_CHECKING:
    from variorum.answers.editions import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase


def lint_editions(
    base: "KnowledgeBase", on: Iterable["str | EditionEntry"] = ("current",)
) -> list[LintReport]:
    """Return the known errors of editions, oldest first.

    Raises:
        NoEditionError: A designator names no edition.
    """
    wanted = {base.edition(designator).place for designator in on}
    unapplied: dict[int, list[LintFinding]] = defaultdict(list)
    for each in unapplied_verdicts(base, wanted):
        unapplied[each.edition].append(_unapplied(each.verdict))
    return [_lint(base, place, unapplied[place]) for place in sorted(wanted)]


def _lint(base: "KnowledgeBase", place: int, unapplied: Iterable[LintFinding]) -> LintReport:
    stored = base.reader.findings(place)
    findings = [*(as_found(finding, base.labels) for finding in stored), *unapplied]
    count = Counter(finding.kind for finding in findings)
    return LintReport(
        edition=base.labels[place],
        doubts=list(base.editions[place].doubts),
        counts={kind: count[kind] for kind in KINDS},
        findings=findings,
    )


def _unapplied(verdict: Verdict) -> LintFinding:
    days = f"between {verdict.old_edition} and {verdict.new_edition}"
    evidence = f"read as {verdict.verdict} {days}"
    return LintFinding("verdict", verdict.asked.name, verdict.asked.name, evidence=evidence)
