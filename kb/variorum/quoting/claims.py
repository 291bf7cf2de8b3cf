"""Editions by their days, and the days that a page gives for words: "[CompRules 2007/02/01]".

A set of editions is a number: bit n is the edition at place n.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from enum import Enum
from functools import reduce
from operator import or_
from typing import NamedTuple

from variorum.quoting.printed_texts import Printing
from variorum.text.days import find_day

_CLAIM = re.compile(r"[\s.)\"”]{0,20}\[([^\[\]\n]{0,60})\]")
# Other sources ("Mirage, Page 29") the editions can't check.
_OF_RULES = re.compile(r"comp|rule|\bcr\b", re.IGNORECASE)
# A page may state the day on which an edition was published, or one soon after it took effect.
NEAR = 31


class EditionDays:
    """The effective days of all editions, oldest first."""

    def __init__(self, days: Sequence[date]) -> None:
        self.days = days

    def in_force(self, day: date) -> int:
        """Return the place of the edition in force on a day; -1 before the first."""
        return sum(effective <= day for effective in self.days) - 1

    def meant(self, day: date) -> list[int]:
        """Return the places of the editions that a day may mean, the likeliest first."""
        exact = [place for place, effective in enumerate(self.days) if effective == day]
        after = sum(effective < day for effective in self.days)
        around = [place for place in (after, after - 1) if 0 <= place < len(self.days)]
        return exact or [place for place in around if abs(self.days[place] - day).days <= NEAR]


def runs_of(editions: int) -> list[tuple[int, int]]:
    """Return the first and the last place of each run of editions.

    >>> runs_of(0b1101110)
    [(1, 3), (5, 6)]
    """
    runs: list[tuple[int, int]] = []
    for place in places_of(editions):
        if runs and runs[-1][1] == place - 1:
            runs[-1] = (runs[-1][0], place)
        else:
            runs.append((place, place))
    return runs


def places_of(editions: int) -> Iterator[int]:
    """Yield the place of each edition."""
    while editions:
        lowest = editions & -editions
        yield lowest.bit_length() - 1
        editions ^= lowest


def since(editions: int, place: int | None) -> int | None:
    """Return the first edition of the run that holds one; None if none does."""
    if place is None:
        return None
    return next((first for first, last in runs_of(editions) if first <= place <= last), None)


def is_new(editions: int, place: int) -> bool:
    """Return whether an edition is the first of a run."""
    return bool(editions >> place & 1) and not (place and editions >> (place - 1) & 1)


class ClaimVerdict(Enum):
    """What the editions say of a claim; the values are the words we show."""

    BY_WORDS = "confirmed (words)"
    BY_NUMBER = "confirmed (number)"
    CONTRADICTED = "contradicted"
    UNKNOWN = "unknown"


class DayClaim(NamedTuple):
    """A day behind words, as printed, and what the editions say of it.

    Attributes:
        edition: The place of the edition of that day; None if none is meant.
        words_since: From which edition on the words stand; None if unknown.
        number_since: From which edition on they stand under the page's number; None likewise.
    """

    words: str
    day: date
    verdict: ClaimVerdict
    edition: int | None
    words_since: int | None
    number_since: int | None


def claim_behind(
    behind: str,
    printings: Sequence[Printing],
    number: str,
    edition: int | None,
    days: EditionDays,
) -> DayClaim | None:
    """Return the claim behind a text of some printings on a page of an edition; None without one."""
    match = _CLAIM.match(behind)
    day = find_day(match[1]) if match else None
    if match is None or day is None:
        return None
    words = _editions(printings)
    numbered = _editions([p for p in printings if number in ("", p.number)])
    verdict, meant = ClaimVerdict.UNKNOWN, days.meant(day)
    if meant and numbered and _OF_RULES.search(match[1]):
        new = [place for place in meant if is_new(words, place)]
        under = [
            _editions([p for p in printings if p.number == name])
            for name in {printing.number for printing in printings} - {""}
        ]
        moved = [place for place in meant if any(is_new(some, place) for some in under)]
        verdict = ClaimVerdict.BY_NUMBER if moved else ClaimVerdict.CONTRADICTED
        verdict = ClaimVerdict.BY_WORDS if new else verdict
        meant = new or moved or meant
    place = meant[0] if meant else None
    began = since(words, edition), since(numbered, edition)
    return DayClaim(match[1], day, verdict, place, *began)


def _editions(printings: Iterable[Printing]) -> int:
    return reduce(or_, [printing.editions for printing in printings], 0)
