"""Editions by their days; a set of editions is a number whose bit n is the edition at place n."""

from collections.abc import Iterator, Sequence
from datetime import date

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


def places_of(editions: int) -> Iterator[int]:
    """Yield the place of each edition."""
    while editions:
        lowest = editions & -editions
        yield lowest.bit_length() - 1
        editions ^= lowest


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
