"""Dates citations by the date of their record in a table or in JSON."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import PurePath
from typing import NamedTuple

from variorum.audit.citations.separators import line_end
from variorum.audit.citations.table_cells import SEPARATORS, rows_of

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


class _Record(NamedTuple):
    start: int
    end: int
    day: str


@lru_cache(maxsize=1)
def record_days(text: str, name: str) -> Callable[[int], str] | None:
    """Return a function that gives the day of the record around an offset of a text.

    The function returns "" for an offset outside all dated records. Return None if the text has no
    dated record.

    Args:
        text: The whole text.
        name: The name of its file.
    """
    suffix = PurePath(name).suffix.casefold()
    records = list(_dated_lines(text))
    if suffix in SEPARATORS:
        records += _dated_rows(text, SEPARATORS[suffix])
    elif suffix in _JSON:
        records += _dated_objects(text)
    if not records:
        return None
    records.sort()
    starts = [record.start for record in records]

    def day(offset: int) -> str:
        # The innermost record is the last that begins before the offset.
        for record in reversed(records[: bisect_right(starts, offset)]):
            if offset < record.end:
                return record.day
        return ""

    return day


def _dated_lines(text: str) -> Iterator[_Record]:
    if _ANY_DAY.search(text) is None:
        return
    for match in _LINE.finditer(text):
        yield _Record(match.start(), line_end(text, match.end()), _day(match["day"]))


def _dated_rows(text: str, separator: str) -> Iterator[_Record]:
    """Yield the rows of a table that has a column of dates."""
    column = -1
    for cells in rows_of(text, separator):
        if column < 0:
            named = [
                place
                for place, (start, end) in cells.items()
                if _HEADING.fullmatch(text[start:end])
            ]
            if not named:
                return
            column = named[0]
        elif column in cells and (day := _day(text[slice(*cells[column])])):
            places = [*cells.values()]
            (start, _), (_, end) = places[0], places[-1]
            yield _Record(start, end, day)


def _dated_objects(text: str) -> Iterator[_Record]:
    """Yield the objects of JSON that have a date."""
    days = [(match.start(), _day(match["day"])) for match in _KEY.finditer(text)]
    if not days:
        return
    opened: list[tuple[int, str]] = []
    place = 0
    for token in _TOKEN.finditer(text):
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
    """Return the first date in a text: a day, or the last day of a month or year.

    Return "" if there is none.
    """
    match = _DAY.search(text)
    if match is None:
        return ""
    year, month, day = match.groups()
    return f"{year}-{month or '12'}-{day or '28'}"
