"""Reads days as people write them on pages that quote rules."""

import re
from datetime import date

from variorum.text.months import MONTHS

_MONTH = r"(?P<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?"
_FORMS = tuple(
    re.compile(form, re.ASCII | re.IGNORECASE)
    for form in (
        rf"\b{_MONTH} ?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>\d{{4}})\b",
        rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)? {_MONTH},? (?P<year>\d{{4}})\b",
        r"(?<!\d)(?P<year>(?:19|20)\d\d)[-/.](?P<m>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)",
        r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<m>[01]\d)(?P<day>[0-3]\d)(?!\d)",
    )
)
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{2}|\d{4})(?!\d)", re.ASCII)
_FIRST_YEAR, _LAST_YEAR = 1993, 2092  # the game is of 1993


def find_day(text: str) -> date | None:
    """Return the first day named in a text; None if there is none.

    >>> find_day("Revision as of 19:09, 21 November 2018 by somebody")
    datetime.date(2018, 11, 21)
    >>> find_day("June 7, 2024—Modern Horizons 3")
    datetime.date(2024, 6, 7)
    >>> find_day("[D'Angelo 02/03/98]"), find_day("May 2012")
    (datetime.date(1998, 2, 3), None)
    """
    return next(iter(find_days(text)), None)


def find_days(text: str) -> list[date]:
    """Return all days named in a text, in its order.

    >>> [str(day) for day in find_days("Written on 3 May 2016, revised June 1, 2025")]
    ['2016-05-03', '2025-06-01']
    """
    matches = [(match.start(), match) for form in _FORMS for match in form.finditer(text)]
    days = [_day(match) for _, match in sorted(matches, key=lambda placed: placed[0])]
    slashed = _SLASHED.search(text)
    if slashed and not any(days):
        days = [_slashed(*map(int, slashed.groups()))]
    return [day for day in days if day]


def _day(match: re.Match[str]) -> date | None:
    groups = match.groupdict()
    month = int(groups["m"]) if groups.get("m") else _month(groups["month"])
    return _valid(int(groups["year"]), month, int(groups["day"]))


def _slashed(first: int, second: int, third: int) -> date | None:
    """Read 02/03/98 and 98/02/03; None for an ambiguous day such as 05/06/07."""
    orders = ((third, first, second), (first, second, third))
    days = {_valid(_whole(year), month, day) for year, month, day in orders} - {None}
    return days.pop() if len(days) == 1 else None


def _whole(year: int) -> int:
    if year > 99:  # noqa: PLR2004
        return year
    return year + (1900 if year >= _FIRST_YEAR % 100 else 2000)


def _month(name: str) -> int:
    start = name.casefold()[:3]
    return next(n for n, month in enumerate(MONTHS, start=1) if month.startswith(start))


def _valid(year: int, month: int, day: int) -> date | None:
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None
