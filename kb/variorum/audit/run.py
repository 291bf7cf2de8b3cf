"""Audits files one by one: finds, dates, judges and rewrites their citations."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from variorum.answers.cited_heirs import CURRENT, DOUBTFUL, GONE_SINCE, NEVER
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.audit.audited_files import is_own_report, read_text_file, why_left_alone
from variorum.audit.changes import ChangesSince
from variorum.audit.citations.find import CitationFinder
from variorum.audit.citations.links import find_links
from variorum.audit.citations.number_lists import Citation
from variorum.audit.citations.table_cells import find_in_tables
from variorum.audit.dating.added_lines import AddedLines
from variorum.audit.dating.dating import CitationDays, relative_to_baseline
from variorum.audit.dating.git_log import Histories
from variorum.audit.dating.record_dates import record_days
from variorum.audit.judging.judge import CitationJudge
from variorum.audit.judging.verdict import CitationVerdict
from variorum.audit.line_places import LinePlaces
from variorum.audit.reporting.baseline import fingerprint
from variorum.audit.reporting.finding import finding_of, rewritten_of
from variorum.audit.reporting.report import MarkedFinding, Report
from variorum.audit.rewriting.allowed_rewrites import certain_rewrite
from variorum.audit.rewriting.earlier_rewrites import RewrittenNumber
from variorum.audit.rewriting.held import held_back
from variorum.audit.rewriting.postponed_rewrites import hold_back, keep_whole
from variorum.audit.rewriting.rewrite import Edit, apply, edits_of
from variorum.audit.settings import Settings
from variorum.audit.text_file import TextFile
from variorum.errors import NotReadableError, TooLargeError
from variorum.git import Git
from variorum.model import RuleNumber
from variorum.records.audit import Finding


class Rewritten(NamedTuple):
    """A file with rewritten citations.

    Attributes:
        text_file: The file before.
        text: Its new text.
        places: The former lines and columns of the rewritten citations.
        waiting: The lines that are not rewritten yet, because another citation in them is in doubt.
        numbers: The numbers that were written, with marks by which a later run recognises them.
    """

    text_file: TextFile
    text: str
    places: frozenset[tuple[int, int]]
    waiting: tuple[int, ...] = ()
    numbers: tuple[RewrittenNumber, ...] = ()


# Returns both ends of a citation's new range, given its verdict and finding; None to keep it.
Chooser = Callable[[CitationVerdict, Finding], tuple[str, str] | None]


def take_main(verdict: CitationVerdict) -> tuple[str, str] | None:
    """Return the main heir if it has a number."""
    if verdict.is_pinned or verdict.status in {CURRENT, DOUBTFUL, GONE_SINCE, NEVER}:
        return None
    heir = next(iter(verdict.heirs), None)
    return heir if heir is not None and can_stand(heir) else None


def can_stand(heir: tuple[str, str]) -> bool:
    """Say whether a citation can name an heir: a rule or section whose number is printed once."""
    return all(RuleNumber.read(end) is not None for end in heir)


class Auditor:
    """Audits files one by one."""

    def __init__(
        self,
        base: KnowledgeBase,
        settings: Settings,
        folder: Path | None = None,
        histories: Histories | None = None,
        judge: CitationJudge | None = None,
    ) -> None:
        """Prepare.

        Args:
            base: The base whose editions are compared.
            settings: How files are audited.
            folder: A folder for git's temporary files. The caller removes it.
            histories: The days of the lines, by the root of each repository.
            judge: The judge of another auditor for the same edition, to save time.

        Raises:
            NoEditionError: A designator of the settings names no edition.
        """
        self._settings = settings
        target = base.edition(settings.to)
        for designator in (settings.as_of, *[dated.as_of for dated in settings.dated]):
            if designator:
                base.edition(designator)
        self._target, since = target.label, settings.changed_since
        self._since = ChangesSince(base, since, settings.to) if since else None
        self._finder = CitationFinder(
            settings.prefixes,
            with_own=settings.own_prefixes,
            bare=settings.bare,
            lettered=settings.own_prefixes,
        )
        self._base, self._judge = base, judge
        self._passed = 0
        self._folder = folder
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
        """Return the findings of a file.

        Args:
            path: The file.
            with_current: Whether to list citations that are still correct.

        Raises:
            NotReadableError: Git cannot date the lines.
        """
        report = Report(path.as_posix(), self._relative(path))
        text_file = self._text_file(path, report)
        if text_file is None:
            return report
        why = why_left_alone(path, text_file.text, self._base)
        if not why or self._settings.all_files:
            self._audit(path, text_file, report, with_current=with_current)
        elif not is_own_report(text_file.text) and self._found(text_file.text, path):
            report.left_alone = f"{path} {why}; left alone"
        return report

    def audit_text(self, text: str, path: Path, *, with_current: bool = False) -> Report:
        """Return the findings of a text, which need not be a file.

        Args:
            text: The whole text.
            path: Its name in findings. The suffix decides whether the text is read as a table.
            with_current: Whether to list citations that are still correct.
        """
        report = Report(path.as_posix(), self._relative(path))
        self._audit(path, TextFile(text), report, with_current=with_current)
        return report

    def _audit(
        self, path: Path, text_file: TextFile, report: Report, *, with_current: bool
    ) -> None:
        """Add the findings of a text to a report."""
        lines = LinePlaces(text_file.text)
        judged = self._judged(text_file, path, lines)
        report.bare = self._passed
        new = edits_of(
            text_file.text,
            [(citation, certain_rewrite(verdict)) for citation, verdict in judged],
        )
        ignored = {*self._settings.ignore, *(() if with_current else (CURRENT,))}
        for (citation, verdict), edits in zip(judged, new, strict=True):
            report.counts[verdict.status] += 1
            report.sure += certain_rewrite(verdict) is not None
            report.late += verdict.is_late
            if not verdict.as_of:
                report.undated[citation.first.number] += 1
            if verdict.status in ignored:
                continue
            rewrite = rewritten_of(text_file.text, citation, edits)
            finding = finding_of(report.file, citation, verdict, lines, rewrite)
            mark = fingerprint(finding, lines.mark(finding.line))
            report.findings.append(MarkedFinding(finding, report.known_as, mark))

    def rewrite(self, path: Path, choose: Chooser) -> Rewritten | None:
        """Return a file with its citations rewritten; None if it is not text.

        Args:
            path: The file.
            choose: Returns the new numbers of a citation.
        """
        text_file = self._text_file(path, Report(""))
        if text_file is None:
            return None
        lines = LinePlaces(text_file.text)
        judged = self._judged(text_file, path, lines)
        wanted = [
            None
            if citation.is_open
            else choose(verdict, finding_of(path.as_posix(), citation, verdict, lines, None))
            for citation, verdict in judged
        ]
        kept = wanted
        if self._settings.blame:
            kept = hold_back(judged, wanted, self._settings.ignore, lambda at: lines.place(at)[0])
        chosen = [(citation, heir) for (citation, _), heir in zip(judged, kept, strict=True)]
        edits = edits_of(text_file.text, chosen)
        places = frozenset(
            [
                lines.place(citation.start)
                for (citation, heir), made in zip(chosen, edits, strict=True)
                if heir is not None and made
            ]
        )
        text = apply(text_file.text, list(chain.from_iterable(edits)))
        waiting = tuple(
            [
                lines.place(citation.first.start)[0]
                for (citation, _), want, heir in zip(judged, wanted, kept, strict=True)
                if want is not None and heir is None
            ]
        )
        numbers = self._written(path, text, chosen, edits, lines)
        return Rewritten(text_file, text, places, waiting, numbers)

    def _written(
        self,
        path: Path,
        text: str,
        chosen: Sequence[tuple[Citation, tuple[str, str] | None]],
        edits: Sequence[Sequence[Edit]],
        lines: LinePlaces,
    ) -> tuple[RewrittenNumber, ...]:
        """Return the written numbers, each with the mark of its line in the new text.

        Rewriting keeps the number of lines, so the old line numbers hold.
        """
        new, file = LinePlaces(text), self._relative(path)
        return tuple(
            [
                RewrittenNumber(
                    file, new.mark(lines.place(citation.first.start)[0]), heir[0], self._target
                )
                for (citation, heir), made in zip(chosen, edits, strict=True)
                if heir is not None and made
            ]
        )

    def _text_file(self, path: Path, report: Report) -> TextFile | None:
        try:
            return read_text_file(path)
        except TooLargeError as error:
            report.left_alone = f"{error}; left alone"
            return None
        except NotReadableError as error:
            report.notice = str(error)
            return None

    def _judged(
        self, text_file: TextFile, path: Path, lines: LinePlaces
    ) -> list[tuple[Citation, CitationVerdict]]:
        text = text_file.text
        if is_own_report(text):
            return []
        citations = self._found(text, path)
        quoted = list(self.judge.bare_numbers.quoted(text)) if self._settings.own_prefixes else []
        citations = _merged(citations, [rule.citation for rule in quoted])
        if self._settings.since:
            added = self._added.of(path, text_file.encode(text))
            citations = [
                citation for citation in citations if lines.place(citation.first.start)[0] in added
            ]
        twins, lone = _with_words(find_links(text), citations, lines)
        citations = _merged(citations, lone)
        if not citations:
            return []
        in_record = record_days(text, path.name)
        days = self._days.of(path, text_file, citations, quoted, lines)
        judged = list(zip(citations, self.judge.judge_all(text, citations, days), strict=True))
        if self._settings.all_files and why_left_alone(path, text, self._base):
            judged = [(citation, _pinned(verdict)) for citation, verdict in judged]
        if in_record is not None:  # a citation in a dated record stays
            judged = [
                (citation, _pinned(verdict) if in_record(citation.first.start) else verdict)
                for citation, verdict in judged
            ]
        judged = keep_whole(judged, quoted)
        if twins:
            verdicts = dict(judged)
            judged += [(link, verdicts[twin]) for link, twin in twins]
            judged.sort(key=_start_of)
        if self._since is not None:
            return [(citation, self._since.of(citation, verdict)) for citation, verdict in judged]
        return held_back(lines, path, judged, with_strings=self._settings.fix_strings)

    def _found(self, text: str, path: Path) -> list[Citation]:
        """Return the citations of a text, and count the bare numbers left out."""
        every = list(self._finder.find(text))
        accepted = self.judge.bare_numbers.accepted(every)
        is_counted = self._settings.own_prefixes and not self._settings.bare
        self._passed = len(every) - len(accepted) if is_counted else self._finder.passed
        return _merged(accepted, find_in_tables(text, path.suffix.casefold()))

    def _relative(self, path: Path) -> str:
        """Return the path of a file relative to the baseline."""
        return relative_to_baseline(path, self._settings)


def _with_words(
    links: Iterable[Citation], citations: Sequence[Citation], lines: LinePlaces
) -> tuple[list[tuple[Citation, Citation]], list[Citation]]:
    """Return links with a citation of the same number in their line, and links without."""
    twins: list[tuple[Citation, Citation]] = []
    lone: list[Citation] = []
    of_line = {
        (lines.place(citation.first.start)[0], citation.first.number): citation
        for citation in citations
        if citation.last is None
    }
    for link in links:
        twin = of_line.get((lines.place(link.start)[0], link.first.number))
        if twin is None or link.edition:
            lone.append(link)
        else:
            twins.append((link, twin))
    return twins, lone


def _start_of(judged: tuple[Citation, CitationVerdict]) -> int:
    return judged[0].start


def _pinned(verdict: CitationVerdict) -> CitationVerdict:
    return verdict._replace(is_sure=False, is_pinned=True)


def _merged(first: list[Citation], second: Iterable[Citation]) -> list[Citation]:
    """Return two lists of citations in order, without any of the second that overlap the first."""
    taken = {
        part.start
        for citation in first
        for part in (citation.first, citation.last)
        if part is not None
    }
    return sorted(
        [*first, *[citation for citation in second if citation.first.start not in taken]],
        key=_by_start,
    )


def _by_start(citation: Citation) -> int:
    return citation.start
