"""Set what is wrong in an edition, grouped by kind."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from variorum_kb.answers.lint_forms import FindingJson, LintJson
from variorum_kb.cli.diff_page import bold
from variorum_kb.cli.page import WIDEST, wrap

# What stands above the findings of a kind, and how many there are: of one, and of more or none.
_TITLES = {
    "dangling": ("Citations that lead nowhere", "dangling citation", "dangling citations"),
    "title": ("Titles that are not those of what is cited", "other title", "other titles"),
    "stale": (
        "Citations that did not follow what they cited",
        "stale citation",
        "stale citations",
    ),
    "gap": ("Numbers left out", "gap", "gaps"),
    "double": ("Numbers printed twice", "double", "doubles"),
    "misprint": ("Misprints", "misprint", "misprints"),
}
_COLUMNS = {kind: many.partition(" ")[0] for kind, (_, _, many) in _TITLES.items()} | {
    "title": "title"
}
# Steps less certain than this are said to be so.
_SURE = 0.99
# So many misprints of a kind are named; the others are counted.
_NAMED = 12


def set_lint(
    found: LintJson, kinds: Sequence[str], edition: str, *, width: int, is_coloured: bool
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
    for kind, findings in groupby(found["findings"], key=lambda one: one["kind"]):
        lines += ["", bold(_TITLES[kind][0], is_coloured=is_coloured)]
        several = list(findings)
        said = _misprints(several) if kind == "misprint" else map(_said, several)
        for name, words in said:
            first, *rest = _wrapped(f"{name}  {words}", "  ", 4, width)
            if first.startswith(f"  {name}"):  # no long headword that is wrapped itself
                first = f"  {bold(name, is_coloured=is_coloured)}{first[2 + len(name) :]}"
            lines += [first, *rest]
    return "\n".join([*lines, "", f"  {edition}", ""])


def set_table(found: Iterable[LintJson], kinds: Sequence[str]) -> str:
    """Set the answer of `cr lint --all`: a row for each edition, and their sums."""
    rows = [[one["edition"], *(one["counts"][kind] for kind in kinds)] for one in found]
    sums = [sum(int(cell) for cell in column) for column in list(zip(*rows, strict=True))[1:]]
    head = ["edition", *(_COLUMNS[kind] for kind in kinds)]
    table: list[Sequence[object]] = [head, *rows, ["all", *(sums or [0] * len(kinds))]]
    return "".join(f"{_row(cells)}\n" for cells in table)


def _row(cells: Sequence[object]) -> str:
    first, *rest = cells
    return f"{first!s:<12}" + "".join(f"{cell!s:>11}" for cell in rest)


def _counts(found: LintJson, kinds: Sequence[str]) -> str:
    counts = [(found["counts"][kind], kind) for kind in kinds]
    if not any(count for count, _ in counts):
        return "nothing found"
    return ", ".join(
        f"{count or 'no'} {_TITLES[kind][1 if count == 1 else 2]}" for count, kind in counts
    )


def _wrapped(words: str, margin: str, hanging: int, width: int) -> list[str]:
    lines = wrap(words, width - len(margin), hanging) if width else [words]
    return [margin + lines[0], *(margin + " " * hanging + line for line in lines[1:])]


def _said(one: FindingJson) -> tuple[str, str]:
    """Say what is wrong, in a line: where, and what."""
    match one["kind"]:
        case "dangling":
            words = _dangling(one)
        case "stale":
            words = f"{_cites(one)}; {_fate(one)}"
        case "title":
            words = f"{_cites(one)}; {_title(one)}"
        case "gap":
            words = f"{one['evidence']}; {_numbers(one['missing'])} left out"
        case _:
            means = f"; one means {one['means']}" if one["means"] else ""
            words = f"printed twice: {' and '.join(one['targets'])}{means}"
    return one["address"] or "(document)", words


def _numbers(missing: Sequence[str]) -> str:
    if len(missing) > 2:  # noqa: PLR2004 - more are a range
        return f"{missing[0]}-{missing[-1]} are"
    return " and ".join(missing) + (" is" if len(missing) == 1 else " are")


def _cites(one: FindingJson) -> str:
    title = f" “{one['title']}”" if one["title"] else ""
    return f"cites {one['printed']}{title}"


def _dangling(one: FindingJson) -> str:
    words = f"{_cites(one)}, which is nobody's number"
    if one["targets"]:
        words += f", but for {', '.join(one['targets'])}"
    return f"{words}; {_fate(one)}" if one["since"] else words


def _fate(one: FindingJson) -> str:
    """Say what became of what a citation led to."""
    if one["means"] is None:
        return f"what bore it before {one['since']} has no number of its own now"
    is_sure = one["confidence"] is not None and one["confidence"] >= _SURE
    return f"{'means' if is_sure else 'probably means'} {one['means']}, wrong since {one['since']}"


def _title(one: FindingJson) -> str:
    there = f"the title there is “{one['heading']}”" if one["heading"] else "there is no title"
    return f"{there}; “{one['title']}” is {one['titled']}" if one["titled"] else there


def _misprints(findings: Sequence[FindingJson]) -> Iterator[tuple[str, str]]:
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
