"""Set what is watched, and what changed in it."""

from collections.abc import Iterator, Sequence

from variorum_kb.audit.message import message_of
from variorum_kb.cli.pages.diff import bold, marked, paragraph
from variorum_kb.cli.pages.steps import REMOVED
from variorum_kb.forms.watch import WatchReportJson
from variorum_kb.watch.watched import Watched


def set_watched(watched: Sequence[Watched]) -> str:
    """Return what is watched, a line each."""
    if not watched:
        return "nothing is watched; cr watch 704.5k src/ begins\n"
    width = max(len(one.name) for one in watched)
    return "".join([f"{one.name:<{width}}  since {one.edition}\n" for one in watched])


def set_report(report: WatchReportJson, *, width: int, is_coloured: bool) -> str:
    """Return what changed in all that is watched; "" where that is nothing but numbers."""
    lines = list(_lines(report, width, is_coloured=is_coloured))
    return "\n".join([*lines, ""]) if lines else ""


def _lines(report: WatchReportJson, width: int, *, is_coloured: bool) -> Iterator[str]:
    if not (report["rules"] or report["files"]):
        return
    yield bold(f"Watched, in the edition of {report['edition']}", is_coloured=is_coloured)
    for one in report["rules"]:
        name = one["name"] if one["now"] in {one["name"], None} else f"{one['name']} → {one['now']}"
        ended = f" ({REMOVED})" if one["now"] is None else ""
        yield f"  {bold(name, is_coloured=is_coloured)}{ended}  {one['gist']}, since {one['since']}"
        for change in one["changes"]:
            names = " → ".join(dict.fromkeys(filter(None, (change["old"], change["new"]))))
            words = f"{names}: {marked(change['words'])}"
            yield from paragraph(words, 4, width, is_coloured=is_coloured)
    for tree in report["files"]:
        yield f"  {bold(tree['path'], is_coloured=is_coloured)}, since {tree['since']}"
        for each in tree["findings"]:
            said = message_of(each) if each["status"] != "current" else "reworded"
            line = f"{each['file']}:{each['line']}: {each['cited']}: {said}"
            yield from paragraph(line, 4, width, is_coloured=False)
