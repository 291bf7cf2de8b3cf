"""Finds the effective date of an edition, as its own text states it."""

import re
from datetime import date
from typing import TYPE_CHECKING

from variorum.errors import LayoutError, ParseError
from variorum.text.months import MONTHS

if TYPE_CHECKING:  # `unwrap` imports `layouts`, which imports this module
    from collections.abc import Sequence

    from variorum.reading.unwrap import Block

# 2021-06-18 ends with "June18, 2021", and from 2023-11-17 on some have no period at the end.
_STATED = r"\bthese rules are (?:current|effective) as of\b"
EFFECTIVE = re.compile(_STATED, re.IGNORECASE)
_DATE = re.compile(
    rf"{_STATED}\s+"
    r"(?P<month>[A-Za-z]+) ?(?P<day>\d{1,2}),? (?P<year>\d{4})",
    re.IGNORECASE | re.ASCII,
)
_HEAD_DATE = re.compile(r"\b(?P<month>\d\d)/(?P<day>\d\d)/(?P<year>\d\d)$", re.ASCII)
_CENTURY_TURN = 93  # the game was first published in 1993


def find_effective_dates(
    head: "Sequence[Block]", tail: "Sequence[Block]", file: str
) -> "tuple[tuple[date, Block], ...]":
    """Return every effective date that a document states, with its paragraph.

    Args:
        head: The paragraphs before its contents; the edition of 1999 has only "04/23/99" there.
        tail: The paragraphs from the credits on.
        file: The document's name, for errors.

    Raises:
        LayoutError: It states none.
        ParseError: It states something that is not a date.
    """
    dates: list[tuple[date, Block]] = []
    for block in (*head, *tail):
        match = _DATE.search(block.text)
        if match is not None:
            dates.append((_date_of(match, block, file), block))
    for block in head[:3]:
        match = _HEAD_DATE.search(block.text)
        if match is not None:
            year = int(match["year"])
            year += 1900 if year >= _CENTURY_TURN else 2000
            dates.append((_valid(year, int(match["month"]), int(match["day"]), block, file), block))
    if not dates:
        raise LayoutError("no sentence states the date from which the rules are effective", file)
    return tuple(dates)


def _date_of(match: re.Match[str], block: "Block", file: str) -> date:
    month = match["month"].lower()
    if month not in MONTHS:
        raise ParseError(f"{match['month']!r} is not a month", file, block.first)
    return _valid(int(match["year"]), MONTHS.index(month) + 1, int(match["day"]), block, file)


def _valid(year: int, month: int, day: int, block: "Block", file: str) -> date:
    try:
        return date(year, month, day)
    except ValueError as error:
        raise ParseError(f"no such date: {error}", file, block.first) from None
