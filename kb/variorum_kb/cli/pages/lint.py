"""Set what is wrong in an edition, grouped by kind."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from variorum_kb.answers.lint.kinds import KINDS, kind_of, said_of
from variorum_kb.cli.pages.diff import bold
from variorum_kb.cli.pages.provisions import WIDEST, wrap
from variorum_kb.forms.lint import LintFindingJson, LintJson, LintKind

# So many misprints of a kind are named; the others are counted.
_NAMED = 12


def set_lint(
    found: LintJson, kinds: Sequence[LintKind], edition: str, *, width: int, is_coloured: bool
) -> str:
    """Set the answer of `cr lint`.

    Args:
        found: In the form of `cr lint --json`.
        kinds: Those asked for.
        edition: The line that names the edition.
        width: Of the terminal, in columns; 0 sets a finding a line.
        is_coloured: Headings and numbers stand out.
    """
    width = min(width, WIDEST)
    heading = f"Lint of the edition of {found['edition']}"
    lines = [bold(heading, is_coloured=is_coloured)]
    lines += _wrapped(_counts(found, kinds), "  ", 0, width)
    for kind, findings in groupby(found["findings"], key=kind_of):
        lines += ["", bold(KINDS[kind].heading, is_coloured=is_coloured)]
        several = list(findings)
        said = _misprints(several) if kind == "misprint" else map(_said, several)
        for name, words in said:
            first, *rest = _wrapped(f"{name}  {words}", "  ", 4, width)
            if first.startswith(f"  {name}"):  # no long headword that is wrapped itself
                first = f"  {bold(name, is_coloured=is_coloured)}{first[2 + len(name) :]}"
            lines += [first, *rest]
    return "\n".join([*lines, "", f"  {edition}", ""])


def set_table(found: Iterable[LintJson], kinds: Sequence[LintKind]) -> str:
    """Set the answer of `cr lint --all`: a row for each edition, and their sums."""
    rows = [[one["edition"], *(one["counts"][kind] for kind in kinds)] for one in found]
    sums = [sum(int(cell) for cell in column) for column in list(zip(*rows, strict=True))[1:]]
    head = ["edition", *(KINDS[kind].column for kind in kinds)]
    table: list[Sequence[object]] = [head, *rows, ["all", *(sums or [0] * len(kinds))]]
    return "".join(f"{_row(cells)}\n" for cells in table)


def _row(cells: Sequence[object]) -> str:
    first, *rest = cells
    return f"{first!s:<12}" + "".join(f"{cell!s:>11}" for cell in rest)


def _counts(found: LintJson, kinds: Sequence[LintKind]) -> str:
    counts: list[tuple[int, LintKind]] = [(found["counts"][kind], kind) for kind in kinds]
    if not any(count for count, _ in counts):
        return "nothing found"
    return ", ".join(
        f"{count or 'no'} {KINDS[kind].one if count == 1 else KINDS[kind].many}"
        for count, kind in counts
        if count or kind != "verdict"  # is about this base, not about the edition
    )


def _wrapped(words: str, margin: str, hanging: int, width: int) -> list[str]:
    lines = wrap(words, width - len(margin), hanging) if width else [words]
    return [margin + lines[0], *(margin + " " * hanging + line for line in lines[1:])]


def _said(one: LintFindingJson) -> tuple[str, str]:
    """Say what is wrong, in a line: where, and what."""
    return one["address"] or "(document)", said_of(one)


def _misprints(findings: Sequence[LintFindingJson]) -> Iterator[tuple[str, str]]:
    """Yield the kinds of misprints in the order of their first, with the places of some."""
    kinds: dict[str, list[str]] = {}
    for one in findings:
        is_number = "number" in one["misprint"] and bool(one["means"])
        where = f"{one['printed']} for {one['means']}" if is_number else one["address"]
        kinds.setdefault(one["misprint"], []).append(where)
    for kind, places in kinds.items():
        # Several in one place are named once.
        named = list(dict.fromkeys(place for place in places if place))
        more = [f"and {len(named) - _NAMED} more"] if len(named) > _NAMED else []
        said = ", ".join([*named[:_NAMED], *more])
        yield kind, f"{len(places)}{': ' if said else ''}{said}"
