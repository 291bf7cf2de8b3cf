"""Dates the citations of a file: finds the edition that the author of each used."""

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple

from variorum.answers.cited_heirs import Heirs
from variorum.audit.bare_numbers import QuotedRule
from variorum.audit.baseline import RewrittenNumbers
from variorum.audit.files import TextFile, patterns_of
from variorum.audit.findings import LinePlaces
from variorum.audit.git_lines import Histories, line_days
from variorum.audit.grammar import Citation
from variorum.audit.settings import Settings
from variorum.audit.tables import SEPARATORS, line_end, tables_of
from variorum.errors import NoEditionError
from variorum.git import Git
from variorum.text import find_days

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase

# An author may still use an old edition, at most the third before the edition in force.
_LAG = 3
_NAMES = (
    r"(?:date|day|when|time|timestamp|(?:created|asked|answered|published|posted|updated|written)"
    r"(?:[ _-]?(?:at|on|date|time|utc))?|date[ _-]?(?:asked|answered|created|published|posted))"
)
_HEADING = re.compile(rf"\W*{_NAMES}\W*", re.IGNORECASE)
_DAY = re.compile(r"(?<!\d)((?:19|20)\d\d)(?:-?(0[1-9]|1[0-2])(?:-?(0[1-9]|[12]\d|3[01]))?)?(?!\d)")
_KEY = re.compile(
    rf'"{_NAMES}"\s*:\s*"(?P<day>(?:19|20)\d\d-\d\d(?:-\d\d)?)[^"\n]{{0,40}}"', re.IGNORECASE
)
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[{}]')
# "20200601 - 701.6c", "2020-06-01: CR 701.6c".
_LINE = re.compile(
    r"^[^\w\n]{0,8}(?P<day>(?:19|20)\d\d(?P<dash>-?)(?:0[1-9]|1[0-2])(?P=dash)(?:0[1-9]|[12]\d|3[01]))"
    r"(?![\w.-])",
    re.MULTILINE,
)
# A faster test, which rules out most texts.
_ANY_DAY = re.compile(r"(?:19|20)\d\d(?:-\d\d-|\d\d)\d\d")
_JSON = (".json", ".jsonl", ".ndjson")
# A line at the top of a file that says of which day its rules are: "as of 2015-01-23",
# "Comprehensive Rules effective January 23, 2015", "CR version 20150123".
_OF_FILE = re.compile(
    r"\b(?:as[ ]of|effective)\b|\b(?:comp(?:rehensive)?[ ]?rules?|CR|rules)\b[^\n]{0,40}?"
    r"(?:\b(?:current|dated|version|edition|revision|release[ds]?|updated|of|from)\b|[:(])",
    re.IGNORECASE,
)
# A line that cites a rule speaks of that rule, and these are days of the file, not of the rules.
_OF_ELSE = re.compile(
    r"[1-9]\d\d\.\d|\b(?:copyright|created|author|since|license)\b", re.IGNORECASE
)
_HEAD, _HEAD_LINES = 4000, 20


class CitationDay(NamedTuple):
    """The edition of a citation, or the day it was written, "" if unknown.

    It is stated if the text itself says so; then the citation is right as it is.
    """

    day: str
    is_stated: bool = False


class CitationDays:
    """Finds the edition that was used for each citation, or the day it was written."""

    def __init__(
        self,
        base: "KnowledgeBase",
        settings: Settings,
        git: Callable[[], Git],
        rewritten: RewrittenNumbers,
    ) -> None:
        self._base, self._settings, self._git = base, settings, git
        self.histories: Histories = {}
        self._target, self._rewritten = base.edition(settings.to), rewritten
        self._dated = [(patterns_of(dated.paths, "dated"), dated.as_of) for dated in settings.dated]

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
    ) -> list[CitationDay]:
        """Return the day of each citation of a file.

        The date of a record, of a quoted rule or of an earlier `--fix` goes before the line's; that in
        the file's head counts if there is no other.
        """
        days = self._of_lines(path, text_file, citations, lines)
        in_record = record_days(text_file.text, path.name)
        for place, citation in enumerate(citations) if in_record else ():
            if in_record and (day := in_record(citation.first.start)):
                days[place] = CitationDay(day, is_stated=True)
        starts = [citation.start for citation in citations]
        for rule in quoted:
            first = bisect_right(starts, rule.citation.start - 1)
            for place in range(first, bisect_right(starts, rule.end - 1)):
                days[place] = days[place]._replace(day=rule.edition)
        for place, citation in enumerate(citations) if self._rewritten.has(path) else ():
            mark = lines.mark(lines.line_of(citation.first.start))
            if written := self._rewritten.edition(path, mark, citation.first.number):
                days[place] = CitationDay(written)
        return days

    def _of_lines(
        self, path: Path, text_file: TextFile, citations: Sequence[Citation], lines: LinePlaces
    ) -> list[CitationDay]:
        settings, as_of = self._settings, self._settings.as_of
        within = os.path.relpath(path.absolute(), settings.folder.absolute())
        for spec, designator in self._dated:
            if spec.match_file(within):
                as_of = designator
        by_line = None
        if settings.blame:
            data = text_file.encode(text_file.text)
            by_line = line_days(self._git(), self.histories, path, data)
        if by_line is None:
            stated = "" if as_of else day_of_file(text_file.text)
            return [CitationDay(as_of or stated, bool(stated))] * len(citations)
        days = [lines.day(citation, by_line) for citation in citations]
        if not settings.follows:
            days = self._learnt(citations, days)
        # Lines that are not committed were written today.
        return [CitationDay(settings.followed(day) or self._target.label) for day in days]

    def _learnt(self, citations: Sequence[Citation], days: Sequence[str]) -> list[str]:
        """Return the days; where an author still used an earlier edition, that edition instead.

        It has all the numbers that the file's lines of a day cite, and the edition in force does not.
        """
        numbers: dict[str, set[str]] = {}
        for citation, day in zip(citations, days, strict=True):
            if day and self._heirs.runs(citation.first.number):
                numbers.setdefault(day, set()).add(citation.first.number)
        followed = {day: self._followed(day, each) for day, each in numbers.items()}
        return [followed.get(day, day) for day in days]

    def _followed(self, day: str, numbers: set[str]) -> str:
        try:
            edition = self._base.edition(day)
        except NoEditionError:  # git's date precedes the first edition
            return day
        recent = self._base.editions[max(0, edition.place - _LAG) : edition.place + 1]
        for earlier in recent[::-1]:
            if all(self._heirs.bearers(number, earlier) for number in numbers):
                return day if earlier == edition else earlier.label
        return day


def day_of_file(text: str) -> str:
    r"""Return the day of the rules that the head of a file names; "" if it names none.

    >>> day_of_file("# Notes\n// Comprehensive Rules effective January 23, 2015")
    '2015-01-23'
    >>> day_of_file("// written as of 2015-01-23"), day_of_file("// CR 704.5k as of 2015-01-23")
    ('2015-01-23', '')
    """
    for line in text[:_HEAD].splitlines()[:_HEAD_LINES]:
        match = None if _OF_ELSE.search(line) else _OF_FILE.search(line)
        days = find_days(line[match.end() :]) if match else []
        if days:
            return days[0].isoformat()
    return ""


# Records -------------------------------------------------------------------------------------------


class _Record(NamedTuple):
    start: int
    end: int
    day: str


@lru_cache(maxsize=1)
def record_days(text: str, name: str) -> Callable[[int], str] | None:
    """Return a function that gives the day of the record around an offset of a text, "" outside.

    Return None if the text has no dated record. Records are rows of a table, objects of JSON, and
    lines that begin with a day.
    """
    suffix = PurePath(name).suffix.casefold()
    records = [
        _Record(line.start(), line_end(text, line.end()), _day(line["day"]))
        for line in (_LINE.finditer(text) if _ANY_DAY.search(text) else ())
    ]
    if suffix in SEPARATORS:
        records += _dated_rows(text, suffix)
    elif suffix in _JSON:
        records += _dated_objects(text)
    if not records:
        return None
    records.sort()
    starts = [record.start for record in records]
    # Records lie within one another; the innermost is the last that begins before an offset.
    around: list[int] = []
    for place, record in enumerate(records):
        outer = place - 1
        while outer >= 0 and records[outer].end <= record.start:
            outer = around[outer]
        around.append(outer)

    def day(offset: int) -> str:
        place = bisect_right(starts, offset) - 1
        while place >= 0 and records[place].end <= offset:
            place = around[place]
        return records[place].day if place >= 0 else ""

    return day


def _dated_rows(text: str, suffix: str) -> Iterator[_Record]:
    """Yield the rows of a table that has a column of dates."""
    (table,) = tables_of(text, suffix)
    headings = next(table, {})
    dated = [n for n, (start, end) in headings.items() if _HEADING.fullmatch(text[start:end])]
    for row in table if dated else ():
        if dated[0] in row and (day := _day(text[slice(*row[dated[0]])])):
            yield _Record(min(row.values())[0], max(row.values())[1], day)


def _dated_objects(text: str) -> Iterator[_Record]:
    """Yield the objects of JSON that have a date."""
    days = [(match.start(), _day(match["day"])) for match in _KEY.finditer(text)]
    opened: list[tuple[int, str]] = []
    place = 0
    for token in _TOKEN.finditer(text) if days else ():
        if token[0] == "{":
            opened.append((token.start(), ""))
        elif token[0] == "}" and opened:
            start, day = opened.pop()
            if day:
                yield _Record(start, token.end(), day)
        elif opened and place < len(days) and token.start() >= days[place][0]:
            opened[-1] = (opened[-1][0], opened[-1][1] or days[place][1])
            place += 1


def _day(text: str) -> str:
    """Return the first date in a text, or the last day of its month or year; "" if there is none."""
    match = _DAY.search(text)
    if match is None:
        return ""
    year, month, day = match.groups()
    return f"{year}-{month or '12'}-{day or '28'}"


# The best edition ----------------------------------------------------------------------------------


def best_fit(base: "KnowledgeBase", cited: Mapping[str, int]) -> tuple[str, str, int]:
    """Return the ends of the latest run of editions that have most of the numbers cited, and how many.

    Each number is cited so many times.
    """
    heirs, known = Heirs(base), [0] * len(base.editions)
    for number, times in cited.items():
        runs = heirs.runs(number)
        for place in {place for run in runs for place in range(run.first, run.last + 1)}:
            known[place] += times
    best = max(known)
    last = len(known) - 1 - known[::-1].index(best)
    first = last
    while first and known[first - 1] == best:
        first -= 1
    return base.editions[first].label, base.editions[last].label, best
