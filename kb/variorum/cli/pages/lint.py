"""Format the known errors of an edition, grouped by kind."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from variorum.answers.lint import KINDS, said_of
from variorum.cli.pages.provisions import indented
from variorum.records.lint import LintFinding, LintKind, LintReport
from variorum.terminal import bold

# How many misprints of a kind are named; the others are counted.
_NAMED = 12


def set_lint(answer: LintReport, kinds: Sequence[LintKind], edition: str, *, width: int) -> str:
    """Format the answer of `cr lint`.

    Args:
        answer: In the form of `cr lint --json`.
        kinds: The kinds asked for.
        edition: The line that names the edition.
        width: Columns of the terminal; 0 puts each finding on one line.
    """
    heading = f"Known errors in {answer.edition}"
    lines = [bold(heading)]
    lines += indented(_counts(answer, kinds), width, 2)
    for kind, findings in groupby(answer.findings, key=attrgetter("kind")):
        lines += ["", bold(KINDS[kind].heading)]
        several = list(findings)
        listed = _misprints(several) if kind == "misprint" else map(_finding_words, several)
        for name, words in listed:
            first, *rest = indented(f"{name}  {words}", width, 2, 4)
            if first.startswith(f"  {name}"):  # not a long headword, which is wrapped
                first = f"  {bold(name)}{first[2 + len(name) :]}"
            lines += [first, *rest]
    return "\n".join([*lines, "", f"  {edition}", ""])


def set_table(answers: Iterable[LintReport], kinds: Sequence[LintKind]) -> str:
    """Format the answer of `cr lint --all`: a row for each edition, and totals."""
    rows = [[answer.edition, *(answer.counts[kind] for kind in kinds)] for answer in answers]
    sums = [sum(int(cell) for cell in column) for column in list(zip(*rows, strict=True))[1:]]
    head = ["edition", *(KINDS[kind].column for kind in kinds)]
    table: list[Sequence[object]] = [head, *rows, ["all", *(sums or [0] * len(kinds))]]
    return "".join(f"{_row(cells)}\n" for cells in table)


def _row(cells: Sequence[object]) -> str:
    first, *rest = cells
    return f"{first!s:<12}" + "".join(f"{cell!s:>11}" for cell in rest)


def _counts(answer: LintReport, kinds: Sequence[LintKind]) -> str:
    counts: list[tuple[int, LintKind]] = [(answer.counts[kind], kind) for kind in kinds]
    if not any(count for count, _ in counts):
        return "nothing found"
    return ", ".join(
        f"{count or 'no'} {KINDS[kind].singular if count == 1 else KINDS[kind].plural}"
        for count, kind in counts
        if count or kind != "verdict"  # verdicts concern this base, not the edition
    )


def _finding_words(finding: LintFinding) -> tuple[str, str]:
    """Return the place of an error, and the error."""
    return finding.address or "(document)", said_of(finding)


def _misprints(findings: Sequence[LintFinding]) -> Iterator[tuple[str, str]]:
    """Yield the kinds of misprints in order of their first place, with some places of each."""
    kinds: dict[str, list[str]] = {}
    for finding in findings:
        is_number = "number" in finding.misprint and bool(finding.means)
        where = f"{finding.printed} for {finding.means}" if is_number else finding.address
        kinds.setdefault(finding.misprint, []).append(where)
    for kind, places in kinds.items():
        # A place with several misprints is named once.
        named = list(dict.fromkeys(place for place in places if place))
        more = [f"and {len(named) - _NAMED} more"] if len(named) > _NAMED else []
        listed = ", ".join([*named[:_NAMED], *more])
        times = "once" if len(places) == 1 else f"{len(places):,} times"
        yield kind, f"{times}{': ' if listed else ''}{listed}"
