"""Finds the provisions that a number or headword ever meant, as runs of editions."""

from variorum.record import Record
from variorum.store.reader import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


_RUNS = (
    "SELECT l.provision, s.first, s.last FROM lookup l JOIN span s ON s.provision = l.provision "
    "WHERE l.word = ? ORDER BY s.first, s.last, l.provision"
)


class Run(Record):
    """The editions through which a number or headword meant a provision.

    Attributes:
        state: The id of the provision's state.
        first: The place of the first edition.
        last: The place of the last edition.
    """

    __slots__ = ()
    state: int
    first: int
    last: int


def runs_of(reader: Reader, word: str) -> list[Run]:
    """Return the runs of a number or headword in print, by first edition.

    For "=" and a number, return the misprinted provisions that should have the number.
    """
    return [Run(*row) for row in reader.query(_RUNS, (word,))]


def latest_first(reader: Reader, word: str) -> list[Run]:
    """Return the runs of a number or headword in print, the latest first."""
    return sorted(runs_of(reader, word), key=lambda run: (-run.last, -run.first, run.state))


def joined(runs: "Iterable[tuple[int, int]]") -> list[tuple[int, int]]:
    """Join runs, sorted by first edition, that overlap or follow each other.

    >>> joined([(0, 2), (1, 4), (5, 6), (9, 9)])
    [(0, 6), (9, 9)]
    """
    spans: list[tuple[int, int]] = []
    for first, last in runs:
        if spans and first <= spans[-1][1] + 1:
            spans[-1] = spans[-1][0], max(spans[-1][1], last)
        else:
            spans.append((first, last))
    return spans
