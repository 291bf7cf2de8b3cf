"""Dates the citations of a file: finds the edition that the author of each used."""

import os
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

from variorum.answers.cited_heirs import Heirs
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.audit.audited_files import patterns_of
from variorum.audit.citations.bare_numbers import QuotedRule
from variorum.audit.citations.number_lists import Citation
from variorum.audit.dating.git_blame import line_dates
from variorum.audit.dating.git_log import Histories
from variorum.audit.dating.record_dates import record_days
from variorum.audit.line_places import LinePlaces
from variorum.audit.reporting.baseline import load_baseline
from variorum.audit.rewriting.earlier_rewrites import RewrittenNumbers
from variorum.audit.settings import Settings
from variorum.audit.text_file import TextFile
from variorum.errors import NoEditionError
from variorum.git import Git, repository_around

# An author may still use an old edition, at most the third before the edition in force.
_LAG = 3


def relative_to_baseline(path: Path, settings: Settings) -> str:
    """Return the path of a file relative to the baseline."""
    folder = settings.baseline.parent if settings.baseline else settings.folder
    return os.path.relpath(path.absolute(), folder.absolute()).replace(os.sep, "/")


class CitationDays:
    """Finds the edition that was used for each citation, or the day it was written."""

    def __init__(
        self,
        base: KnowledgeBase,
        settings: Settings,
        git: Callable[[], Git],
        histories: Histories,
    ) -> None:
        """Prepare.

        Args:
            base: The base with the editions.
            settings: How files are audited.
            git: Returns the runner of git.
            histories: The days of the lines, by the root of each repository.
        """
        self._base = base
        self._settings = settings
        self._git = git
        self._histories = histories
        self._target = base.edition(settings.to)
        self._dated = [(patterns_of(dated.paths, "dated"), dated.as_of) for dated in settings.dated]
        baseline = settings.baseline
        is_there = baseline is not None and baseline.is_file() and baseline.stat().st_size > 0
        self._rewritten = (
            load_baseline(baseline).rewritten if baseline and is_there else RewrittenNumbers()
        )

    @cached_property
    def _heirs(self) -> Heirs:
        return Heirs(self._base, self._target)

    def of(
        self,
        path: Path,
        text_file: TextFile,
        citations: Sequence[Citation],
        quoted: Sequence[QuotedRule],
        lines: LinePlaces,
    ) -> list[str]:
        """Return the edition or the day of each citation of a file; "" if unknown.

        The date of a record, of a quoted rule or of an earlier `--fix` goes before the line's.

        Args:
            path: The file.
            text_file: Its content.
            citations: The citations.
            quoted: The quoted rules.
            lines: The lines of the file.
        """
        days = self._of_lines(path, text_file, citations, lines)
        in_record = record_days(text_file.text, path.name)
        if in_record is not None:
            days = [
                in_record(citation.first.start) or day
                for citation, day in zip(citations, days, strict=True)
            ]
        for rule in quoted:
            for place, citation in enumerate(citations):
                if rule.citation.start <= citation.start < rule.end:
                    days[place] = rule.edition
        file = relative_to_baseline(path, self._settings)
        if self._rewritten.has(file):
            for place, citation in enumerate(citations):
                mark = lines.mark(lines.place(citation.first.start)[0])
                written = self._rewritten.edition(file, mark, citation.first.number)
                days[place] = written or days[place]
        return days

    def _of_lines(
        self, path: Path, text_file: TextFile, citations: Sequence[Citation], lines: LinePlaces
    ) -> list[str]:
        as_of = self._settings.as_of
        within = os.path.relpath(path.absolute(), self._settings.folder.absolute())
        for spec, designator in self._dated:
            if spec.match_file(within):
                as_of = designator
        by_line = None
        if self._settings.blame:
            data = text_file.encode(text_file.text)
            by_line = self._from_history(path, data) or line_dates(self._git(), path, data)
        if by_line is None:
            return [as_of] * len(citations)
        days = [lines.day(citation, by_line) for citation in citations]
        if not self._settings.follows:
            days = self._learnt(citations, days)
        # Lines that are not committed were written today.
        return [self._settings.followed(day) or self._target.label for day in days]

    def _from_history(self, path: Path, data: bytes) -> list[str] | None:
        around = repository_around(path.resolve()) if self._histories else None
        if around is None or around[0] not in self._histories:
            return None
        root, repository = around
        name = path.resolve().relative_to(root).as_posix()
        return self._histories[root].days(self._git(), repository, name, data)

    def _learnt(self, citations: Sequence[Citation], days: Sequence[str]) -> list[str]:
        """Return the days; where an author still used an earlier edition, that edition instead.

        The file's lines of a day cite some numbers. An earlier edition replaces the day if it has
        all of these numbers and the edition in force lacks at least one.
        """
        numbers: dict[str, set[str]] = {}
        for citation, day in zip(citations, days, strict=True):
            numbers.setdefault(day, set()).add(citation.first.number)
        followed = {day: self._followed(day, each) for day, each in numbers.items() if day}
        return [followed.get(day, day) for day in days]

    def _followed(self, day: str, numbers: set[str]) -> str:
        """Return the latest edition that has all numbers written on a day.

        Return the day if this is the edition in force, or if no recent edition has all numbers.
        """
        try:
            edition = self._base.edition(day)
        except NoEditionError:  # git's date precedes the first edition
            return day
        known = {number for number in numbers if self._heirs.runs(number)}
        has = self._heirs.bearers
        if all(has(number, edition) for number in known):
            return day
        for earlier in self._base.editions[max(0, edition.place - _LAG) : edition.place][::-1]:
            if all(has(number, earlier) for number in known):
                return earlier.label
        return day
