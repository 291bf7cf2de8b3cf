"""Audits files: finds, dates, judges and rewrites their citations; many in several processes."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack
from datetime import date
from functools import cached_property
from itertools import chain, islice, starmap
from pathlib import Path
from typing import NamedTuple

from variorum.answers.cited_heirs import CURRENT, DOUBTFUL, GONE_SINCE, NEVER
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.audit.baseline import RewrittenNumber, relative_to_baseline
from variorum.audit.changes import ChangesSince
from variorum.audit.dates import CitationDays, record_days
from variorum.audit.files import (
    TextFile,
    files_below,
    is_own_report,
    read_text_file,
    why_left_alone,
)
from variorum.audit.find import CitationFinder
from variorum.audit.findings import LinePlaces, MarkedFinding, Report, finding_of, fingerprint
from variorum.audit.git_lines import AddedLines, Histories, Progress, read_histories
from variorum.audit.heirs import CitationVerdict
from variorum.audit.judge import CitationJudge
from variorum.audit.numbers import Citation
from variorum.audit.rewrite import (
    Edit,
    Heir,
    Judged,
    apply,
    edits_of,
    halves,
    pinned_in_place,
    waiting,
    wholes_of,
)
from variorum.audit.settings import Settings
from variorum.audit.tables import find_in_tables, find_links
from variorum.errors import NotReadableError, TooLargeError
from variorum.git import Git
from variorum.model import RuleNumber
from variorum.records.audit import Finding
from variorum.workers import interrupts_wait, stay_quiet

# For fewer files, starting a second process takes longer than it saves.
_WORTH_A_POOL = 200
_FILES_AT_ONCE = 40
# A file with more citations is named and skipped: nobody wrote it.
_MOST_CITATIONS = 150_000

# Returns both ends of a citation's new range, given its verdict and finding; None to keep it.
Chooser = Callable[[CitationVerdict, Finding], Heir]


class Rewritten(NamedTuple):
    """A file with rewritten citations.

    It has the lines and columns of the rewritten citations before, the lines that wait because
    another citation in them is in doubt, and the numbers written, for a later run.
    """

    text_file: TextFile
    text: str
    places: frozenset[tuple[int, int]]
    waiting: tuple[int, ...] = ()
    numbers: tuple[RewrittenNumber, ...] = ()


class _Audited(NamedTuple):
    """The judged citations of a text, its lines, and what must be rewritten as a whole."""

    judged: list[Judged]
    lines: LinePlaces
    wholes: list[list[int]]
    bare: int


def take_main(verdict: CitationVerdict) -> Heir:
    """Return the main heir if it has a number."""
    if verdict.is_pinned or verdict.status in {CURRENT, DOUBTFUL, GONE_SINCE, NEVER}:
        return None
    heir = next(iter(verdict.heirs), None)
    return heir if heir is not None and can_stand(heir) else None


def can_stand(heir: tuple[str, str]) -> bool:
    """Say whether a citation can name an heir: a rule or section whose number is printed once."""
    return all(RuleNumber.read(end) is not None for end in heir)


class Auditor:
    """Audits files one by one.

    `folder` is for git's temporary files; the caller removes it. `judge` is that of another auditor
    for the same edition, to save time.
    """

    def __init__(
        self,
        base: KnowledgeBase,
        settings: Settings,
        folder: Path | None = None,
        histories: Histories | None = None,
        judge: CitationJudge | None = None,
    ) -> None:
        self._base, self._settings, self._judge, self._folder = base, settings, judge, folder
        for designator in (settings.as_of, *[dated.as_of for dated in settings.dated]):
            if designator:
                base.edition(designator)
        self._target, since = base.edition(settings.to).label, settings.changed_since
        self._since = ChangesSince(base, since, settings.to) if since else None
        self._finder = CitationFinder(
            settings.prefixes,
            with_own=settings.own_prefixes,
            bare=settings.bare,
            lettered=settings.own_prefixes,
        )
        self._days = CitationDays(base, settings, lambda: self.git, histories or {})

    @cached_property
    def judge(self) -> CitationJudge:
        """Return the judge, for another auditor."""
        return self._judge or CitationJudge(self._base, self._base.edition(self._settings.to))

    @cached_property
    def git(self) -> Git:
        """Return the runner of git."""
        return Git(self._folder)

    @cached_property
    def _added(self) -> AddedLines:
        return AddedLines(self.git, self._settings.since)

    def audit(self, path: Path, *, with_current: bool = False) -> Report:
        """Return the findings of a file, and citations that are still correct if asked for.

        Raises:
            NotReadableError: Git cannot say which lines were added.
        """
        report = Report(path.as_posix(), relative_to_baseline(path, self._settings))
        try:
            text_file = read_text_file(path)
        except TooLargeError as error:
            report.left_alone = f"{error}; left alone"
            return report
        except NotReadableError as error:
            report.notice = str(error)
            return report
        if text_file is None or is_own_report(text_file.text):
            return report
        why = why_left_alone(path, text_file.text, self._base)
        if not why or self._settings.all_files:
            self._audit(path, text_file, report, with_current=with_current)
        elif next(self._found(text_file.text, path), None) is not None:
            report.left_alone = f"{path} {why}; left alone"
        return report

    def audit_text(self, text: str, path: Path, *, with_current: bool = False) -> Report:
        """Return the findings of a text, which need not be a file; the path is its name."""
        report = Report(path.as_posix(), relative_to_baseline(path, self._settings))
        self._audit(path, TextFile(text), report, with_current=with_current)
        return report

    def _audit(
        self, path: Path, text_file: TextFile, report: Report, *, with_current: bool
    ) -> None:
        audited = self._judged(path, text_file)
        if audited is None:
            report.left_alone = f"{path} has too many numbers; left alone"
            return
        judged, lines, _, report.bare = audited
        new = edits_of(
            text_file.text, [(citation, verdict.certain) for citation, verdict in judged]
        )
        ignored = {*self._settings.ignore, *(() if with_current else (CURRENT,))}
        for (citation, verdict), edits in zip(judged, new, strict=True):
            report.counts[verdict.status] += 1
            report.sure += verdict.certain is not None
            report.late += verdict.is_late
            if not verdict.as_of:
                report.undated[citation.first.number] += 1
            if verdict.status in ignored:
                continue
            rewrite = None
            if edits:
                start = citation.start
                moved = [(at - start, end - start, words) for at, end, words in edits]
                rewrite = apply(text_file.text[start : citation.end], list(starmap(Edit, moved)))
            finding = finding_of(report.file, citation, verdict, lines, rewrite)
            mark = fingerprint(finding, lines.mark(finding.line))
            report.findings.append(MarkedFinding(finding, report.known_as, mark))

    def rewrite(self, path: Path, choose: Chooser) -> Rewritten | None:
        """Return a file with its citations rewritten as chosen; None if it cannot be read as text."""
        try:
            text_file = read_text_file(path)
        except NotReadableError:
            return None
        audited = self._judged(path, text_file) if text_file else None
        if audited is None or text_file is None:
            return None
        judged, lines, wholes, _ = audited
        wanted = [
            None
            if citation.is_open
            else choose(verdict, finding_of(path.as_posix(), citation, verdict, lines, None))
            for citation, verdict in judged
        ]
        held = halves(judged, wanted, wholes)
        wanted = [None if place in held else heir for place, heir in enumerate(wanted)]
        late: set[int] = set()
        if self._settings.blame:
            late = waiting(judged, wanted, self._settings.ignore, lines)
        chosen = [
            (citation, None if place in late else wanted[place])
            for place, (citation, _) in enumerate(judged)
        ]
        edits = edits_of(text_file.text, chosen)
        text = apply(text_file.text, list(chain.from_iterable(edits)))
        # Rewriting keeps the number of lines, so the old line numbers hold.
        new, file = LinePlaces(text), relative_to_baseline(path, self._settings)
        written = [
            (citation, heir)
            for (citation, heir), made in zip(chosen, edits, strict=True)
            if heir is not None and made
        ]
        return Rewritten(
            text_file,
            text,
            frozenset([lines.place(citation.start) for citation, _ in written]),
            tuple([lines.line_of(judged[place][0].first.start) for place in sorted(late)]),
            tuple(
                [
                    RewrittenNumber(
                        file, new.mark(lines.line_of(citation.first.start)), heir[0], self._target
                    )
                    for citation, heir in written
                ]
            ),
        )

    def _judged(self, path: Path, text_file: TextFile) -> _Audited | None:
        """Judge the citations of a text; return None if there are too many."""
        text, settings, lines = text_file.text, self._settings, LinePlaces(text_file.text)
        every = list(islice(self._finder.find(text), _MOST_CITATIONS))
        if len(every) == _MOST_CITATIONS:
            return None
        accepted = self.judge.bare_numbers.accepted(every)
        is_counted = settings.own_prefixes and not settings.bare
        bare = len(every) - len(accepted) if is_counted else self._finder.passed
        citations = _merged(accepted, find_in_tables(text, path.suffix.casefold()))
        quoted = list(self.judge.bare_numbers.quoted(text)) if settings.own_prefixes else []
        citations = _merged(citations, [rule.citation for rule in quoted])
        # A link beside a citation of the same number is rewritten with it.
        of_line = {
            (lines.line_of(each.first.start), each.first.number): each
            for each in citations
            if each.last is None
        }
        links = list(find_links(text))
        twins = [of_line.get((lines.line_of(link.start), link.first.number)) for link in links]
        pairs = list(zip(links, twins, strict=True))
        lone = [link for link, twin in pairs if twin is None or link.edition]
        citations = _merged(citations, lone)
        if settings.since:
            added = self._added.of(path, text_file.encode(text))
            citations = [each for each in citations if lines.line_of(each.first.start) in added]
        if not citations:
            return _Audited([], lines, [], bare)
        days = self._days.of(path, text_file, citations, quoted, lines)
        verdicts = self.judge.judge_all(text, citations, days)
        if self._since is not None:
            changed = map(self._since.of, citations, verdicts)
            return _Audited(list(zip(citations, changed, strict=True)), lines, [], bare)
        of_citation = dict(zip(citations, verdicts, strict=True))
        for link, twin in pairs:
            if twin in of_citation and not link.edition:
                of_citation[link] = of_citation[twin]
        judged = sorted(of_citation.items(), key=_start)
        in_record = record_days(text, path.name)
        is_kept = settings.all_files and why_left_alone(path, text, self._base)
        if is_kept or in_record is not None:  # a citation in a dated record stays
            judged = [
                (citation, verdict._replace(is_sure=False, is_pinned=True))
                if is_kept or (in_record and in_record(citation.first.start))
                else (citation, verdict)
                for citation, verdict in judged
            ]
        if not any(verdict.certain for _, verdict in judged):
            return _Audited(judged, lines, wholes_of(lines, judged, quoted), bare)
        judged = pinned_in_place(lines, path, judged, with_strings=settings.fix_strings)
        wholes = wholes_of(lines, judged, quoted)
        held = halves(judged, [verdict.certain for _, verdict in judged], wholes)
        for place in held:
            citation, verdict = judged[place]
            judged[place] = citation, verdict._replace(is_sure=False)
        return _Audited(judged, lines, wholes, bare)

    def _found(self, text: str, path: Path) -> Iterator[Citation]:
        return chain(
            self._finder.find(text),
            find_in_tables(text, path.suffix.casefold()),
            find_links(text),
        )


def _merged(first: list[Citation], second: Iterable[Citation]) -> list[Citation]:
    """Return two lists of citations in order, without any of the second that overlap the first."""
    taken = {
        part.start
        for citation in first
        for part in (citation.first, citation.last)
        if part is not None
    }
    more = [citation for citation in second if citation.first.start not in taken]
    return sorted([*first, *more], key=lambda citation: citation.start) if more else first


def _start(judged: Judged) -> int:
    return judged[0].start


# Many files --------------------------------------------------------------------------------------


def audit_tree(
    base: KnowledgeBase,
    settings: Settings,
    paths: Sequence[Path],
    *,
    jobs: int = 0,
    with_current: bool = False,
) -> Iterator[Report]:
    """Yield the report on each file of a tree, in sorted order; see `audit_files`."""
    files = files_below(paths, settings.exclude, settings.folder)
    return audit_files(base, settings, files, jobs=jobs, with_current=with_current)


def audit_files(  # noqa: PLR0913 - each has a name
    base: KnowledgeBase,
    settings: Settings,
    files: Iterator[Path],
    *,
    jobs: int = 0,
    with_current: bool = False,
    progress: Progress | None = None,
) -> Iterator[Report]:
    """Yield the reports on files, in their order; only a few files are in memory at once.

    So many jobs work at once; 0 means one on each core. Progress is called with the number of
    commits read and the total.

    Raises:
        NoEditionError: A designator of the settings names no edition.
        NotReadableError: Git is not installed, or a clone has only a part of its history.
    """
    auditor = Auditor(base, settings)
    histories: Histories = {}
    if settings.blame:
        every = list(files)
        histories = read_histories(auditor.git, every, progress)
        auditor, files = Auditor(base, settings, None, histories), iter(every)
    first = list(islice(files, _WORTH_A_POOL))
    jobs = jobs or os.cpu_count() or 1
    if jobs < 2 or len(first) < _WORTH_A_POOL:  # noqa: PLR2004 - one is no pool
        for path in chain(first, files):
            yield auditor.audit(path, with_current=with_current)
        return
    for_git = auditor.git.folder if settings.blame or settings.since else None
    with ExitStack() as stack:
        pool = ProcessPoolExecutor(
            jobs,
            initializer=_begin,
            initargs=(base.folder, base.today, settings, with_current, for_git, histories),
        )
        stack.callback(pool.shutdown, cancel_futures=True)
        begun: deque[Future[list[Report]]] = deque()
        all_files = chain(first, files)
        while batch := list(islice(all_files, _FILES_AT_ONCE)):
            with interrupts_wait():
                begun.append(pool.submit(_audit_batch, batch))
            if len(begun) > 4 * jobs:
                yield from begun.popleft().result()
        for future in begun:
            yield from future.result()


# What a process of the pool works with.
_auditor: Auditor
_with_current: bool


def _begin(  # noqa: PLR0913, PLR0917 - a pool passes them so
    folder: Path,
    today: date | None,
    settings: Settings,
    with_current: bool,  # noqa: FBT001 - a pool passes it so
    for_git: Path | None,
    histories: Histories,
) -> None:
    global _auditor, _with_current
    stay_quiet()
    base = KnowledgeBase.open(folder, today=today)
    _auditor, _with_current = Auditor(base, settings, for_git, histories), with_current


def _audit_batch(batch: Sequence[Path]) -> list[Report]:
    return [_auditor.audit(path, with_current=_with_current) for path in batch]
