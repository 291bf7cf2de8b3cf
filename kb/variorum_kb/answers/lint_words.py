"""What is said of a finding of lint, on a terminal and on a page."""

from collections.abc import Sequence

from variorum_kb.forms.lint import LintFindingJson

# What stands above the findings of a kind.
HEADINGS = {
    "dangling": "Citations that lead nowhere",
    "title": "Titles that are not those of what is cited",
    "stale": "Citations that did not follow what they cited",
    "gap": "Numbers left out",
    "double": "Numbers printed twice",
    "misprint": "Misprints",
}
# Steps less certain than this are said to be so.
_SURE = 0.99
# More numbers than these in a row are a range.
_RANGE = 2


def said_of(one: LintFindingJson) -> str:
    """Say what is wrong, in a line."""
    match one["kind"]:
        case "dangling":
            return _dangling(one)
        case "stale":
            return f"{_cites(one)}; {_fate(one)}"
        case "title":
            return f"{_cites(one)}; {_title(one)}"
        case "gap":
            return f"{one['evidence']}; {_numbers(one['missing'])} left out"
        case "double":
            means = f"; one means {one['means']}" if one["means"] else ""
            return f"printed twice: {' and '.join(one['targets'])}{means}"
        case _:
            means = f", for “{one['means']}”" if one["means"] else ""
            printed = f": “{one['printed']}”" if one["printed"] else ""
            return f"{one['misprint']}{printed}{means}"


def _numbers(missing: Sequence[str]) -> str:
    if len(missing) > _RANGE:
        return f"{missing[0]}-{missing[-1]} are"
    return " and ".join(missing) + (" is" if len(missing) == 1 else " are")


def _cites(one: LintFindingJson) -> str:
    title = f" “{one['title']}”" if one["title"] else ""
    return f"cites {one['printed']}{title}"


def _dangling(one: LintFindingJson) -> str:
    words = f"{_cites(one)}, which is nobody's number"
    if one["targets"]:
        words += f", but for {', '.join(one['targets'])}"
    return f"{words}; {_fate(one)}" if one["since"] else words


def _fate(one: LintFindingJson) -> str:
    """Say what became of what a citation led to."""
    if one["means"] is None:
        return f"what bore it before {one['since']} has no number of its own now"
    is_sure = one["confidence"] is not None and one["confidence"] >= _SURE
    return f"{'means' if is_sure else 'probably means'} {one['means']}, wrong since {one['since']}"


def _title(one: LintFindingJson) -> str:
    there = f"the title there is “{one['heading']}”" if one["heading"] else "there is no title"
    return f"{there}; “{one['title']}” is {one['titled']}" if one["titled"] else there
