"""Dates the citations of a file: finds the edition that the author of each used."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from variorum.audit.bare_numbers import QuotedRule
from variorum.audit.baseline import absolute, rewritten_before
from variorum.audit.files import TextFile
from variorum.audit.findings import mark_of
from variorum.audit.grammar import Citation
from variorum.audit.settings import Settings
from variorum.audit.tables import SEPARATORS, line_end, tables_of
from variorum.text import find_days

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase

_NAMES = (
    r"(?:date|day|when|time|timestamp|(?:created|asked|answered|published|posted|updated|written)"
    r"(?:[ _-]?(?:at|on|date|time|utc))?|date[ _-]?(?:asked|answered|created|published|posted))"
)
_HEADING = re.compile(rf"\W*{_NAMES}\W*", re.IGNORECASE)
_DAY = re.compile(r"(?<!\d)((?:19|20)\d\d)(?:-?(0[1-9]|1[0-2])(?:-?(0[1-9]|[12]\d|3[01]))?)?(?!\d)")
# "20200601 - 701.6c", "2020-06-01: CR 701.6c".
_LINE = re.compile(
    r"^[^\w\n]{0,8}(?P<day>(?:19|20)\d\d(?P<dash>-?)(?:0[1-9]|1[0-2])(?P=dash)(?:0[1-9]|[12]\d|3[01]))"
    r"(?![\w.-])",
    re.MULTILINE,
)
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

    def __init__(self, base: "KnowledgeBase", settings: Settings) -> None:
        self._as_of, self._target = settings.as_of, base.edition(settings.to)
        self._rewritten = rewritten_before(settings)

    def of(
        self,
        path: Path,
        file: TextFile,
        citations: Sequence[Citation],
        quoted: Sequence[QuotedRule],
        by_line: Sequence[str] | None,
    ) -> list[CitationDay]:
        """Return the day of each citation of a file, of which git may know the day of each line.

        The date of a record, of a quoted rule or of an earlier `--fix` goes before the line's; that in
        the file's head counts if there is no other.
        """
        if by_line is None:
            stated = "" if self._as_of else day_of_file(file.text)
            days = [CitationDay(self._as_of or stated, bool(stated))] * len(citations)
        else:
            # Git takes what has no line feed for one line.
            lines = [min(file.line_of(it.first.start), len(by_line)) for it in citations]
            # Lines that are not committed were written today.
            days = [CitationDay(by_line[line - 1] or self._target.label) for line in lines]
        records = _records(file.text, path.suffix.casefold())
        for place, citation in enumerate(citations) if records else ():
            start = citation.first.start
            before = bisect_right(records, start, key=lambda record: record.start) - 1
            if before >= 0 and start < records[before].end:
                days[place] = CitationDay(records[before].day, is_stated=True)
        for rule in quoted:
            for place in rule.places_in(citations):
                days[place] = days[place]._replace(day=rule.edition)
        written = self._rewritten.get(absolute(path), {}) if self._rewritten else {}
        for place, citation in enumerate(citations) if written else ():
            mark = mark_of(file.line(file.line_of(citation.first.start)))
            if edition := written.get((mark, citation.first.number)):
                days[place] = CitationDay(edition)
        return days


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


def _records(text: str, suffix: str) -> list[_Record]:
    """Return the dated records of a text in order: rows of a table, and lines that begin with a day."""
    records = [
        _Record(line.start(), line_end(text, line.end()), _day(line["day"]))
        for line in _LINE.finditer(text)
    ]
    if suffix in SEPARATORS:
        records += _dated_rows(text, suffix)
    return sorted(records)


def _dated_rows(text: str, suffix: str) -> Iterator[_Record]:
    (table,) = tables_of(text, suffix)
    headings = next(table, {})
    dated = [n for n, (start, end) in headings.items() if _HEADING.fullmatch(text[start:end])]
    for row in table if dated else ():
        if dated[0] in row and (day := _day(text[slice(*row[dated[0]])])):
            yield _Record(min(row.values())[0], max(row.values())[1], day)


def _day(text: str) -> str:
    """Return the first date in a text, or the last day of its month or year; "" if there is none."""
    match = _DAY.search(text)
    if match is None:
        return ""
    year, month, day = match.groups()
    return f"{year}-{month or '12'}-{day or '28'}"
