"""The known errors of editions: citations, numbering, misprints; how they are told."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from variorum.records.lint import LintFinding, LintKind, LintReport

if TYPE_CHECKING:
    from variorum.answers.editions import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase

# The values of fields that say nothing, which are not stored.
SAYS_NOTHING: Mapping[str, Any] = msgspec.to_builtins(LintFinding("misprint", "", ""))
# More numbers than these in a row are a range.
_RANGE = 2


class FindingKind(NamedTuple):
    """The labels of a kind of findings: above them, in a count, and in a table of editions."""

    heading: str
    singular: str
    plural: str
    column: str
    describe: Callable[[LintFinding], str]


def lint_editions(
    base: "KnowledgeBase", on: "Iterable[str | EditionEntry]" = ("current",)
) -> list[LintReport]:
    """Return the known errors of editions, oldest first."""
    from variorum.answers.unapplied import unapplied_verdicts  # noqa: PLC0415 - it reads all verdicts

    wanted = {base.edition(designator).place for designator in on}
    unapplied = unapplied_verdicts(base, wanted)
    reports: list[LintReport] = []
    for place in sorted(wanted):
        findings = [_found(body, base.labels) for body in base.reader.findings(place)]
        for verdict in [each.verdict for each in unapplied if each.edition == place]:
            days = f"between {verdict.old_edition} and {verdict.new_edition}"
            evidence, name = f"read as {verdict.verdict} {days}", verdict.asked.name
            findings.append(LintFinding("verdict", name, name, evidence=evidence))
        count = Counter(finding.kind for finding in findings)
        counts = {kind: count[kind] for kind in KINDS}
        doubts = list(base.editions[place].doubts)
        reports.append(LintReport(base.labels[place], doubts, counts, findings))
    return reports


def _found(stored: str, labels: tuple[str, ...]) -> LintFinding:
    """Return a finding from its stored form, which has the place of an edition as `since`."""
    known: dict[str, Any] = {**SAYS_NOTHING, **json.loads(stored)}
    if known["since"] is not None:
        known["since"] = labels[int(known["since"])]
    return msgspec.convert(known, LintFinding)


def said_of(finding: LintFinding) -> str:
    """Describe a finding in one line."""
    return KINDS[finding.kind].describe(finding)


def _cites(finding: LintFinding) -> str:
    return f"cites {finding.printed}" + (f" “{finding.title}”" if finding.title else "")


def _outcome(finding: LintFinding) -> str:
    """Describe the outcome of a citation's former target."""
    if finding.means is None:
        return f"what had this number before {finding.since} has no number of its own now"
    return f"means {finding.means}, wrong since {finding.since}"


def _dangling(finding: LintFinding) -> str:
    words = f"{_cites(finding)}, which no rule has"
    if finding.targets:
        words += f", except {', '.join(finding.targets)}"
    return f"{words}; {_outcome(finding)}" if finding.since else words


def _titled(finding: LintFinding) -> str:
    there = f"the title there is “{finding.heading}”"
    if finding.titled:
        there += f"; “{finding.title}” is {finding.titled}"
    return f"{_cites(finding)}; {there}"


def _gap(finding: LintFinding) -> str:
    missing, verb = finding.missing, "is" if len(finding.missing) == 1 else "are"
    named = f"{missing[0]}-{missing[-1]}" if len(missing) > _RANGE else " and ".join(missing)
    return f"{finding.evidence}; {named} {verb} left out"


def _double(finding: LintFinding) -> str:
    means = f"; one means {finding.means}" if finding.means else ""
    return f"printed twice: {' and '.join(finding.targets)}{means}"


def _misprint(finding: LintFinding) -> str:
    means = f", for “{finding.means}”" if finding.means else ""
    printed = f": “{finding.printed}”" if finding.printed else ""
    return f"{finding.misprint}{printed}{means}"


# Every kind, in the order in which findings are listed and counted.
KINDS: Mapping[LintKind, FindingKind] = MappingProxyType(
    {
        "dangling": FindingKind(
            "Citations that lead nowhere",
            *("dangling citation", "dangling citations", "dangling"),
            _dangling,
        ),
        "title": FindingKind(
            "Citations with the title of another rule",
            *("wrong title", "wrong titles", "title"),
            _titled,
        ),
        "stale": FindingKind(
            "Citations that were not updated",
            *("stale citation", "stale citations", "stale"),
            lambda finding: f"{_cites(finding)}; {_outcome(finding)}",
        ),
        "gap": FindingKind("Numbers left out", "gap", "gaps", "gaps", _gap),
        "double": FindingKind(
            "Numbers printed twice", "duplicate", "duplicates", "duplicates", _double
        ),
        "misprint": FindingKind("Misprints", "misprint", "misprints", "misprints", _misprint),
        "verdict": FindingKind(
            "Decisions about doubtful changes that cannot be applied to this edition",
            *("verdict that cannot be applied", "verdicts that cannot be applied", "verdicts"),
            lambda finding: (
                f"{finding.evidence}; cannot be applied: this edition has other words than those "
                "that people read"
            ),
        ),
    }
)
