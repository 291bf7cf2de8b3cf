"""Format what is watched, and what changed in it."""

from collections.abc import Iterator, Sequence

from variorum.audit.reporting.message import message_of
from variorum.cli.pages.diff import diff_paragraph, marked, paragraph
from variorum.cli.pages.steps import REMOVED
from variorum.records.watch import Watched, WatchReport
from variorum.terminal import bold


def set_watched(watched: Sequence[Watched]) -> str:
    """Format what is watched, a line each."""
    if not watched:
        return "nothing is watched; begin with cr watch 704.5k src/\n"
    width = max(len(item.name) for item in watched)
    return "".join([f"{item.name:<{width}}  since {item.edition}\n" for item in watched])


def set_report(report: WatchReport, *, width: int) -> str:
    """Format what changed in everything watched; "" if only numbers changed."""
    lines = list(_lines(report, width))
    return "\n".join([*lines, ""]) if lines else ""


def _lines(report: WatchReport, width: int) -> Iterator[str]:
    if not (report.rules or report.files):
        return
    yield bold(f"Watched, in the edition of {report.edition}")
    for rule in report.rules:
        name = rule.name if rule.now in {rule.name, None} else f"{rule.name} → {rule.now}"
        ended = f" ({REMOVED})" if rule.now is None else ""
        yield f"  {bold(name)}{ended}  {rule.gist}, since {rule.since}"
        for change in rule.changes:
            names = " → ".join(dict.fromkeys(filter(None, (change.old, change.new))))
            words = f"{names}: {marked(change.words)}"
            yield from diff_paragraph(words, 4, width)
    for tree in report.files:
        yield f"  {bold(tree.path)}, since {tree.since}"
        for each in tree.findings:
            message = message_of(each) if each.status != "current" else "reworded"
            line = f"{each.file}:{each.line}: {each.cited}: {message}"
            yield from paragraph(line, 4, width)
