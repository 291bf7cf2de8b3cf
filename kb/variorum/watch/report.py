"""Reports changes to watched rules, and to rules cited by watched files, since the last report."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from variorum.answers.cited_heirs import CURRENT, RENUMBERED
from variorum.answers.diff import CITATION, NONE, TYPOGRAPHIC, diff_of, subject_changes
from variorum.answers.questions import NUMBER, RANGE, parse_questions
from variorum.audit.many_files import audit_tree
from variorum.audit.settings import Settings
from variorum.errors import NotFoundError
from variorum.records.watch import Watched, WatchedFiles, WatchedRule, WatchReport
from variorum.watch.watch_list import FILES, RULE

if TYPE_CHECKING:
    from variorum.answers.editions import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.records.lineage import Change

# Changes to numbers or typography alone are not reported.
_SILENT = {NONE, CITATION, TYPOGRAPHIC}


def report_on(
    base: "KnowledgeBase", watched: Sequence[Watched], stop: "EditionEntry"
) -> "tuple[WatchReport, dict[str, str | None]]":
    """Return the changes to everything watched, and the current names of the rules.

    Args:
        base: The open base.
        watched: Rules and files, each compared from the edition last reported.
        stop: The edition with which to compare.

    Returns:
        The report, and the names of rules in that edition by former name; None for removed rules.
    """
    names: dict[str, str | None] = {}
    reports = [_rule(base, item, stop, names) for item in watched if item.kind == RULE]
    rules = [report for report in reports if report is not None]
    trees = [_files(base, item, stop) for item in watched if item.kind == FILES]
    files = [tree for tree in trees if tree is not None]
    return WatchReport(stop.label, rules, files), names


def watched_by(base: "KnowledgeBase", words: str) -> list[Watched]:
    """Return the file or folder that the words name, else rules of the latest edition.

    Raises:
        NotFoundError: The words name neither a path nor a rule.
    """
    label = base.edition("latest").label
    (question, *more) = parse_questions(words)
    if Path(words).exists() and (question.question[0] not in {NUMBER, RANGE} or "/" in words):
        return [Watched(FILES, str(Path(words).resolve()), label)]
    if question.edition or more:
        raise NotFoundError(f"{words}: name one number, range, term or path at a time")
    subjects = base.find_anywhere(question, label)
    return [Watched(RULE, subject.name, label) for subject in subjects]


def report_since(base: "KnowledgeBase", watched: Sequence[Watched], since: str) -> "WatchReport":
    """Return the changes to everything watched from an edition to the latest edition.

    Raises:
        NoEditionError: The designator names no edition.
    """
    start, stop = base.edition(since), base.edition("latest")
    former = [_as_of(base, item, start.label) for item in watched]
    report, _ = report_on(base, [item for item in former if item is not None], stop)
    return report


def _as_of(base: "KnowledgeBase", item: Watched, label: str) -> Watched | None:
    """Return an item as if an older edition was reported last; None if that edition lacks it."""
    if item.kind == FILES:
        return Watched(FILES, item.name, label)
    heir = base.subject(item.name, item.edition).destination(base.edition(label)).heir
    if heir is None:
        return None
    return Watched(RULE, base.at(heir, base.edition(label).place).name, label)


def _rule(
    base: "KnowledgeBase", item: Watched, stop: "EditionEntry", names: dict[str, str | None]
) -> "WatchedRule | None":
    """Return the changes to a rule and its subrules; None if only numbers changed."""
    try:
        subject = base.subject(item.name, item.edition)
    except NotFoundError:
        return None
    heir = subject.destination(stop).heir
    now = None if heir is None else base.at(heir, stop.place)
    names[item.name] = None if now is None else now.name
    if item.edition == stop.label:
        return None
    editions = subject.edition, stop
    difference = subject_changes(base, item.name, editions, item.edition)
    changes: list[Change] = [
        change for change in diff_of(difference).changes if _is_reported(change)
    ]
    if not changes:
        return None
    name = None if now is None else now.name
    return WatchedRule(item.name, name, item.edition, subject.gist, changes)


def _is_reported(change: "Change") -> bool:
    return change.class_ not in _SILENT or change.old is None or change.new is None


def _files(base: "KnowledgeBase", item: Watched, stop: "EditionEntry") -> "WatchedFiles | None":
    """Return the citations of files whose meaning changed; None if only numbers changed."""
    if item.edition == stop.label:
        return None
    settings = Settings(as_of=item.edition, to=stop.label, folder=Path(item.name))
    reports = audit_tree(base, settings, [Path(item.name)], jobs=1, with_current=True)
    judged = [each.finding for report in reports for each in report.findings]
    changed = _Reworded(base, base.edition(item.edition), stop)
    renumbered = sum(finding.status == RENUMBERED for finding in judged)
    findings = [
        finding
        for finding in judged
        if finding.status not in {CURRENT, RENUMBERED, "never existed", "says something else"}
        or changed.is_reworded(finding.number)
    ]
    if not findings:
        return None
    return WatchedFiles(
        path=item.name, since=item.edition, findings=findings, renumbered=renumbered
    )


class _Reworded:
    """Decides which rules of an edition were reworded since, by their numbers."""

    def __init__(self, base: "KnowledgeBase", start: "EditionEntry", stop: "EditionEntry") -> None:
        self._base, self._start, self._stop = base, start, stop
        self._known: dict[str, bool] = {}

    def is_reworded(self, number: str) -> bool:
        """Return whether a rule, without its subrules, was reworded."""
        if number not in self._known:
            self._known[number] = any(self._reports(number))
        return self._known[number]

    def _reports(self, number: str) -> Iterator[bool]:
        try:
            editions = self._start, self._stop
            difference = subject_changes(self._base, number, editions, self._start, is_alone=True)
        except NotFoundError:
            return
        for change in diff_of(difference).changes:
            yield _is_reported(change)
