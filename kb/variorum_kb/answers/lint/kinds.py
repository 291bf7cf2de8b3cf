"""The kinds of findings of lint: what each is called, and how a finding is put into words."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from variorum_kb.forms.lint import LintFindingJson, LintKind
from variorum_kb.thresholds import LINT_CERTAIN

# More numbers than these in a row are a range.
_RANGE = 2


@dataclass(frozen=True, slots=True)
class FindingKind:
    """A kind of findings in the words of the terminal and of the website.

    Attributes:
        heading: What stands above its findings.
        one: A single finding, where findings are counted.
        many: Several findings, or none.
        column: What stands above its counts in a table of editions.
        describe: Returns what is wrong, in a line.
    """

    heading: str
    one: str
    many: str
    column: str
    describe: Callable[[LintFindingJson], str]


def kind_of(one: LintFindingJson) -> LintKind:
    """Return the kind of a finding, to group by."""
    return one["kind"]


def said_of(one: LintFindingJson) -> str:
    """Return what is wrong, in a line."""
    return KINDS[one["kind"]].describe(one)


def _numbers(missing: Sequence[str]) -> str:
    if len(missing) > _RANGE:
        return f"{missing[0]}-{missing[-1]} are"
    return " and ".join(missing) + (" is" if len(missing) == 1 else " are")


def _cites(one: LintFindingJson) -> str:
    title = f" “{one['title']}”" if one["title"] else ""
    return f"cites {one['printed']}{title}"


def _dangling(one: LintFindingJson) -> str:
    words = f"{_cites(one)}, which no rule has"
    if one["targets"]:
        words += f", except {', '.join(one['targets'])}"
    return f"{words}; {_outcome(one)}" if one["since"] else words


def _outcome(one: LintFindingJson) -> str:
    """Say what became of what a citation led to."""
    if one["means"] is None:
        return f"what had this number before {one['since']} has no number of its own now"
    is_sure = one["confidence"] is not None and one["confidence"] >= LINT_CERTAIN
    return f"{'means' if is_sure else 'probably means'} {one['means']}, wrong since {one['since']}"


def _title(one: LintFindingJson) -> str:
    there = f"the title there is “{one['heading']}”" if one["heading"] else "there is no title"
    return f"{there}; “{one['title']}” is {one['titled']}" if one["titled"] else there


def _stale(one: LintFindingJson) -> str:
    return f"{_cites(one)}; {_outcome(one)}"


def _titled(one: LintFindingJson) -> str:
    return f"{_cites(one)}; {_title(one)}"


def _gap(one: LintFindingJson) -> str:
    return f"{one['evidence']}; {_numbers(one['missing'])} left out"


def _double(one: LintFindingJson) -> str:
    means = f"; one means {one['means']}" if one["means"] else ""
    return f"printed twice: {' and '.join(one['targets'])}{means}"


def _verdict(one: LintFindingJson) -> str:
    return (
        f"{one['evidence']}, which cannot be applied: the words that were read are not printed here"
    )


def _misprint(one: LintFindingJson) -> str:
    means = f", for “{one['means']}”" if one["means"] else ""
    printed = f": “{one['printed']}”" if one["printed"] else ""
    return f"{one['misprint']}{printed}{means}"


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
            "Verdicts of readers that cannot be applied to this edition",
            "verdict that cannot be applied",
            "verdicts that cannot be applied",
            "verdicts",
            _verdict,
        ),
    }
)
