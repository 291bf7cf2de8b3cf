"""Audits files: finds, dates, judges and rewrites their citations; many in several processes."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.audit.bare_numbers import accepted
from variorum.audit.baseline import RewrittenNumber, absolute, relative_to_baseline
from variorum.audit.changes import ChangesSince
from variorum.audit.dates import CitationDays
from variorum.audit.files import TextFile, is_own_report, read_text_file, why_left_alone
from variorum.audit.find import CitationFinder, find_in_tables, find_links, merged
from variorum.audit.findings import MarkedFinding, Report, Rewritten, finding_of, mark_of
from variorum.audit.git import EVERY_LINE, Git
from variorum.audit.judge import CitationJudge
from variorum.audit.rewrite import (
    Edit,
    Judged,
    apply,
    edits_of,
    pinned_in_place,
    wholes_of,
    without_halves,
)
from variorum.audit.settings import Settings
from variorum.errors import FileError, TooLargeError
from variorum.records.audit import CURRENT
from variorum.workers import stay_quiet

# For fewer files, starting a second process takes longer than it saves.
_WORTH_A_POOL = 200
_FILES_AT_ONCE = 8
# A file with more citations is named and skipped: nobody wrote it, and it would take over 100 MB.
_MOST_CITATIONS = 10_000


class Auditor:
    """Audits files one by one, and rewrites citations that are certain, if the settings say so.

    `judge` is that of another auditor for the same edition, to save time.
    """

    def __init__(
        self, base: KnowledgeBase, settings: Settings, *, judge: CitationJudge | None = None
    ) -> None:
        self.base, self.settings, self.git = base, settings, Git()
        base.edition(settings.as_of or settings.to)
        self._target = base.edition(settings.to)
        self.judge = judge or CitationJudge(base, self._target)
        since = settings.changed_since
        self._since = ChangesSince(base, since, settings.to) if since else None
        self._finder = CitationFinder(settings.prefixes, bare=settings.bare)
        self.days = CitationDays(base, settings)

    def audit(self, path: Path) -> Report:
        """Return the findings of a file, and citations that are still correct if asked for."""
        report = Report(path.as_posix(), relative_to_baseline(path, self.settings))
        file = None
        try:
            file = read_text_file(path)
        except TooLargeError as error:
            report.left_alone = f"{error}; left alone"
        except FileError as error:
            report.notice = str(error)
        if file is None or is_own_report(file.text):
            return report
        text, suffix = file.text, path.suffix.casefold()
        why = why_left_alone(path, text, self.base)
        if not why or self.settings.all_files:
            self._audit(path, file, report)
        elif any(chain(self._finder.find(text), find_in_tables(text, suffix), find_links(text))):
            report.left_alone = f"{path} {why}; left alone"
        return report

    def audit_text(self, text: str, path: Path) -> Report:
        """Return the findings of a text, which need not be a file; the path is its name."""
        report = Report(path.as_posix(), relative_to_baseline(path, self.settings))
        self._audit(path, TextFile(text), report)
        return report

    def _audit(self, path: Path, file: TextFile, report: Report) -> None:
        text, numbers = file.text, self.judge.numbers
        judged = self._judged(path, file, report)
        edits = edits_of(text, [(citation, verdict.certain) for citation, verdict in judged])
        ignored = {*self.settings.ignore, *(() if self.settings.all else (CURRENT,))}
        for (citation, verdict), made in zip(judged, edits, strict=True):
            report.counts[verdict.status] += 1
            report.sure += verdict.certain is not None
            if verdict.status in ignored:
                continue
            start, rewrite = citation.start, None
            if made:
                moved = [Edit(edit.start - start, edit.end - start, edit.new) for edit in made]
                rewrite = apply(text[start : citation.end], moved)
            finding = finding_of(report.file, (citation, verdict), file, numbers, rewrite)
            report.findings.append(MarkedFinding(finding, file.line(finding.line)))
        if self.settings.fix and report.sure:
            report.rewritten = self._rewritten(path, file, judged, edits)

    def _rewritten(
        self,
        path: Path,
        file: TextFile,
        judged: Sequence[Judged],
        edits: Sequence[Sequence[Edit]],
    ) -> Rewritten:
        text = apply(file.text, chain.from_iterable(edits))
        written = [
            (citation, verdict.heir)
            for (citation, verdict), made in zip(judged, edits, strict=True)
            if verdict.certain and made
        ]
        # Rewriting keeps the number of lines, so the old line numbers hold.
        new, name, edition = TextFile(text), absolute(path), self._target.label
        placed = [(new.line(file.line_of(it.first.start)), number) for it, number in written]
        numbers = [RewrittenNumber(name, mark_of(line), number, edition) for line, number in placed]
        return Rewritten(file.encode(file.text), file.encode(text), numbers)

    def _judged(self, path: Path, file: TextFile, report: Report) -> list[Judged]:
        text, settings, suffix = file.text, self.settings, path.suffix.casefold()
        data = file.encode(text) if settings.since or settings.blame else b""
        added = self.git.lines_added(path, data, settings.since) if settings.since else EVERY_LINE
        if not added:
            return []
        every = list(islice(self._finder.find(text), _MOST_CITATIONS))
        if len(every) == _MOST_CITATIONS:
            report.left_alone = f"{path} has too many numbers; left alone"
            return []
        kept = accepted(every, self.judge.numbers)
        report.bare = len(every) - len(kept)
        quoted = list(self.judge.quotations.find(text))
        citations = merged(kept, find_in_tables(text, suffix))
        citations = merged(citations, [rule.citation for rule in quoted])
        # A link beside a citation of the same number is judged as that is.
        links = list(find_links(text))
        of_line = {
            (file.line_of(each.first.start), each.first.number): each
            for each in (citations if links else ())
            if each.last is None
        }
        pairs = [(link, (file.line_of(link.start), link.first.number)) for link in links]
        twins = {link: of_line[key] for link, key in pairs if key in of_line}
        citations = merged(citations, [link for link in links if link not in twins])
        citations = [each for each in citations if file.line_of(each.first.start) in added]
        if not citations:
            return []
        by_line = self.git.line_days(path, data) if settings.blame else None
        days = self.days.of(path, file, citations, quoted, by_line)
        verdicts = self.judge.judge_all(text, citations, [day.day for day in days])
        if self._since is not None:
            verdicts = [*map(self._since.of, citations, verdicts)]
            return list(zip(citations, verdicts, strict=True))
        is_kept = settings.all_files and why_left_alone(path, text, self.base) != ""
        judged = [
            (citation, verdict._replace(is_sure=False, is_pinned=True))
            if is_kept or day.is_stated
            else (citation, verdict)
            for citation, verdict, day in zip(citations, verdicts, days, strict=True)
        ]
        if twins:
            known = dict(judged)
            judged += [(link, known[twin]) for link, twin in twins.items() if twin in known]
            judged.sort(key=lambda each: each[0].start)
        if not any(verdict.certain for _, verdict in judged):
            return judged
        judged = pinned_in_place(file, path, judged, with_strings=settings.fix_strings)
        wholes = wholes_of(file, judged, quoted, by_line=settings.blame)
        return without_halves(judged, wholes, settings.ignore)


# Many files --------------------------------------------------------------------------------------


def audit_files(auditor: Auditor, files: Iterator[Path], jobs: int = 0) -> Iterator[Report]:
    """Yield the reports on files, in their order; 0 jobs mean one on each core."""
    first = list(islice(files, _WORTH_A_POOL))
    jobs = jobs or os.cpu_count() or 1
    with TemporaryDirectory(prefix="variorum-") as folder:
        auditor.git.folder = folder
        if jobs == 1 or len(first) < _WORTH_A_POOL:
            for path in chain(first, files):
                yield auditor.audit(path)
            return
        known = auditor.base.folder, auditor.base.today, auditor.settings, folder
        pool = ProcessPoolExecutor(jobs, initializer=_begin, initargs=known)
        try:
            yield from pool.map(_audit_one, [*first, *files], chunksize=_FILES_AT_ONCE)
        finally:
            pool.shutdown(cancel_futures=True)


_of_process: list[Auditor] = []


def _begin(base: Path, today: date | None, settings: Settings, folder: str) -> None:
    stay_quiet()
    auditor = Auditor(KnowledgeBase.open(base, today=today), settings)
    auditor.git.folder = folder
    _of_process[:] = [auditor]


def _audit_one(path: Path) -> Report:
    return _of_process[0].audit(path)
