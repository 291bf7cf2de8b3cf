"""The kinds of lint's findings, with their labels."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from variorum.records.lint import LintFinding, LintKind
from variorum.thresholds.sure import LINT_CERTAIN

# More numbers than these in a row are a range.
_RANGE = 2


@dataclass(frozen=True, slots=True)
class FindingKind:
    """The labels of a kind of findings on the terminal and the website.

    Attributes:
        heading: The heading above findings of this kind.
        singular: The noun for a single finding in a count.
        plural: The noun for any other number of findings.
        column: The heading of the counts in a table of editions.
        describe: Describes a finding in one line.
    """

    heading: str
    singular: str
    plural: str
    column: str
    describe: Callable[[LintFinding], str]


def kind_of(finding: LintFinding) -> LintKind:
    """Return the kind of a finding."""
    return finding.kind


def said_of(finding: LintFinding) -> str:
    """Describe a finding in one line."""
    return KINDS[finding.kind].describe(finding)


def _numbers(missing: Sequence[str]) -> str:
    if len(missing) > _RANGE:
        return f"{missing[0]}-{missing[-1]} are"
    return " and ".join(missing) + (" is" if len(missing) == 1 else " are")


def _cites(finding: LintFinding) -> str:
    title = f" “{finding.title}”" if finding.title else ""
    return f"cites {finding.printed}{title}"


def _dangling(finding: LintFinding) -> str:
    words = f"{_cites(finding)}, which no rule has"
    if finding.targets:
        words += f", except {', '.join(finding.targets)}"
    return f"{words}; {_outcome(finding)}" if finding.since else words


def _outcome(finding: LintFinding) -> str:
    """Describe the outcome of a citation's former target."""
    if finding.means is None:
        return f"what had this number before {finding.since} has no number of its own now"
    is_sure = finding.confidence is not None and finding.confidence >= LINT_CERTAIN
    return (
        f"{'means' if is_sure else 'probably means'} {finding.means}, wrong since {finding.since}"
    )


def _title(finding: LintFinding) -> str:
    there = f"the title there is “{finding.heading}”" if finding.heading else "there is no title"
    return f"{there}; “{finding.title}” is {finding.titled}" if finding.titled else there


def _stale(finding: LintFinding) -> str:
    return f"{_cites(finding)}; {_outcome(finding)}"


def _titled(finding: LintFinding) -> str:
    return f"{_cites(finding)}; {_title(finding)}"


def _gap(finding: LintFinding) -> str:
    return f"{finding.evidence}; {_numbers(finding.missing)} left out"


def _double(finding: LintFinding) -> str:
    means = f"; one means {finding.means}" if finding.means else ""
    return f"printed twice: {' and '.join(finding.targets)}{means}"


def _verdict(finding: LintFinding) -> str:
    return f"{finding.evidence}; cannot be applied: this edition has other words than those that people read"


def _misprint(finding: LintFinding) -> str:
    means = f", for “{finding.means}”" if finding.means else ""
    printed = f": “{finding.printed}”" if finding.printed else ""
    return f"{finding.misprint}{printed}{means}"


# Every kind, in the order in which findings are listed and counted.
KINDS: Mapping[LintKind, FindingKind] = MappingProxyType(
    {
        "dangling": FindingKind(
            "Citations that lead nowhere",
            "dangling citation",
            "dangling citations",
            "dangling",
            _dangling,
        ),
        "title": FindingKind(
            "Citations with the title of another rule",
            "wrong title",
            "wrong titles",
            "title",
            _titled,
        ),
        "stale": FindingKind(
            "Citations that were not updated",
            "stale citation",
            "stale citations",
            "stale",
            _stale,
        ),
        "gap": FindingKind("Numbers left out", "gap", "gaps", "gaps", _gap),
        "double": FindingKind(
            "Numbers printed twice", "duplicate", "duplicates", "duplicates", _double
        ),
        "misprint": FindingKind("Misprints", "misprint", "misprints", "misprints", _misprint),
        "verdict": FindingKind(
            "Decisions about doubtful changes that cannot be applied to this edition",
            "verdict that cannot be applied",
            "verdicts that cannot be applied",
            "verdicts",
            _verdict,
        ),
    }
)
