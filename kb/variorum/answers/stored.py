"""The rows of an open base: states, links, runs of numbers and citations, each read once."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple, Self

from variorum.history.lineages import Link, LinkTable
from variorum.rows import CHANGE_CLASSES, State, StepEvidence
from variorum.rule_numbers import order_of
from variorum.store.reader import EACH, Reader

_CLASS = " ".join([f"WHEN {number} THEN '{name}'" for number, name in enumerate(CHANGE_CLASSES)])
_LINKS = (
    f"SELECT edition, source, old, new, rank, kinds, CASE class {_CLASS} ELSE '' END, confidence, evidence "  # noqa: S608 - our own
    "FROM link WHERE source < edition AND ({}) ORDER BY edition, source, old, rank, new"
)
_LATER = (
    "WITH RECURSIVE later(state) AS ({} UNION "
    "SELECT new FROM link JOIN later ON old = state WHERE new IS NOT NULL) SELECT state FROM later"
)
_EVIDENCE = "SELECT id, readings, verdict, reasons FROM evidence WHERE id IN ({})"
_CITED = (
    "SELECT c.provision, c.place, part, start, stop, title, word FROM citation c "
    "JOIN cited w ON w.provision = c.provision AND w.place = c.place {} ORDER BY c.provision, c.place, rank"
)


class States(dict[int, State]):
    """The states of a base by their ids; one that is asked for is read."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self._reader = reader

    def __missing__(self, number: int) -> State:
        return self.of([number])[number]

    def of(self, numbers: Iterable[int]) -> dict[int, State]:
        """Return states by their ids, read at once."""
        wanted = dict.fromkeys(numbers)
        if missing := [number for number in wanted if number not in self]:
            self.update(self._reader.states_by_id(missing))
        return {number: self[number] for number in wanted}

    def load(self) -> Self:
        """Read all states."""
        self.update(self._reader.states_by_id())
        return self


class StoredLinks(LinkTable):
    """The links of a base; those of a state are read on first use, with many others, or with all."""

    def __init__(self, reader: Reader) -> None:
        super().__init__([])
        self._reader, self.is_whole = reader, False

    def leading_to(self, state: int) -> Sequence[Link]:
        """Return the links whose new state has an id."""
        self.read([state] if not self.is_whole and state not in self._from else ())
        return super().leading_to(state)

    def leading_from(self, state: int) -> Sequence[Link]:
        """Return the links whose old state has an id."""
        self.read([state] if not self.is_whole and state not in self._from else ())
        return super().leading_from(state)

    def read(self, states: Iterable[int], *, with_later: bool = False) -> None:
        """Read the links to and from many states at once, or also those of all that come after them."""
        ids = [] if self.is_whole else [state for state in states if state not in self._from]
        if ids and with_later:
            ids = [state for (state,) in self._reader.query_each(_LATER, ids)]
        if ids:
            each = json.dumps(ids)
            some = self.where(f"new IN ({EACH}) OR old IN ({EACH})", each, each)
            self._to |= {state: [*some.leading_to(state)] for state in ids}
            self._from |= {state: [*some.leading_from(state)] for state in ids}

    def load(self) -> LinkTable:
        """Read all links."""
        if not self.is_whole:  # at once, since other threads may be reading
            vars(self).update(vars(self.where("edition >= ?", 0)), is_whole=True)
        return self

    def where(self, condition: str, *values: object) -> LinkTable:
        """Return the links that meet a condition of SQL."""
        rows = self._reader.query(_LINKS.format(condition), values)
        return LinkTable(map(Link._make, rows))

    def evidence(self, links: Iterable[Link]) -> dict[int, StepEvidence]:
        """Return the evidence for links, by its ids."""
        rows = self._reader.query_each(_EVIDENCE, {link.evidence for link in links})
        return {
            id_: StepEvidence(readings, verdict, tuple(reasons.splitlines()))
            for id_, readings, verdict, reasons in rows
        }


class Run(NamedTuple):
    """The editions, from the first to the last, through which a number or headword meant a state."""

    state: int
    first: int
    last: int


class PrintedCitation(NamedTuple):
    """A printed citation, by its place among those of its state, from 0.

    The part is "text" (with its examples) or "heading", the title that printed after it or "". `numbers`
    are all that it may name; the ends of a range come first and last.
    """

    place: int
    part: str
    start: int
    stop: int
    title: str
    numbers: tuple[str, ...]


def citations_of(
    reader: Reader, states: Sequence[int] | None = None
) -> dict[int, tuple[PrintedCitation, ...]]:
    """Return the citations of some states, by default of all, by the states' ids; no empty ones."""
    where = "" if states is None else f"WHERE c.provision IN ({EACH})"
    values = [] if states is None else [json.dumps(list(states))]
    cited: dict[int, tuple[PrintedCitation, ...]] = defaultdict(tuple)
    for key, rows in groupby(reader.query(_CITED.format(where), values), lambda row: row[:-1]):
        state, place, part, start, stop, title = key
        numbers = tuple([word for *_, word in rows])
        cited[state] += (PrintedCitation(place, part, start, stop, title, numbers),)
    return dict(cited)


def in_order(state: State) -> tuple[tuple[int, int, int, str], str]:
    """Return the sort key of a sibling: 702.9 < 702.10; a misprint is sorted by the number that it means."""
    return order_of(state.meant or state.number), state.address


def joined(runs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
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
