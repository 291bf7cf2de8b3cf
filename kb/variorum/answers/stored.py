"""The rows of an open base: states, links, runs of numbers and citations, each read once."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from variorum.history.lineages import Link, LinkTable
from variorum.rows import CHANGE_CLASSES, State, StepEvidence
from variorum.rule_numbers import order_of
from variorum.store.reader import EACH, Reader

_CLASS = " ".join([f"WHEN {number} THEN '{name}'" for number, name in enumerate(CHANGE_CLASSES)])
_LINKS = (
    f"SELECT edition, source, old, new, rank, kinds, CASE class {_CLASS} END, confidence, evidence "  # noqa: S608 - our own
    "FROM link WHERE {} ORDER BY edition, source, old, rank, new"
)
_ONWARD = (
    f"old IN (WITH RECURSIVE onward(state) AS ({EACH} UNION "  # noqa: S608 - our own
    "SELECT new FROM link JOIN onward ON old = state WHERE new IS NOT NULL) SELECT state FROM onward)"
)
_CITED = (
    "SELECT c.provision, c.place, part, start, stop, title, word FROM citation c "
    "JOIN cited w ON w.provision = c.provision AND w.place = c.place {} ORDER BY c.provision, c.place, rank"
)


class States(dict[int, State]):
    """The states of a base by their ids; one that is asked for is read."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self._reader, self._is_whole = reader, False

    def __missing__(self, number: int) -> State:
        return self.setdefault(number, self._reader.states_by_id([number])[number])

    def of(self, numbers: Iterable[int]) -> dict[int, State]:
        """Return states by their ids, read at once."""
        wanted = dict.fromkeys(numbers)
        if missing := [number for number in wanted if number not in self]:
            self.update(self._reader.states_by_id(missing))
        return {number: self[number] for number in wanted}

    def load(self) -> dict[int, State]:
        """Return all states, in the order of their ids."""
        if not self._is_whole:
            everything = self._reader.all_states()
            self.update({id_: state._replace(id=id_) for id_, state in everything.items()})
            self._is_whole = True
        return dict(sorted(self.items()))


class StoredLinks:
    """The links of a base; those of a state are read on first use, or with many others."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._known: dict[str, dict[int | None, list[Link]]] = {"new": {}, "old": {}}
        self.table: LinkTable | None = None

    def leading_to(self, state: int) -> Sequence[Link]:
        """Return the links whose new state has an id."""
        return self.table.leading_to(state) if self.table else self._of("new", state)

    def leading_from(self, state: int) -> Sequence[Link]:
        """Return the links whose old state has an id."""
        return self.table.leading_from(state) if self.table else self._of("old", state)

    def _of(self, end: str, state: int) -> list[Link]:
        if state not in self._known[end]:
            self._fill(end, [state])
        return self._known[end][state]

    def read(self, states: Iterable[int]) -> None:
        """Read the links to and from many states at once."""
        wanted = set() if self.table else set(states)
        new: dict[int | None, list[Link]] = {state: [] for state in wanted}
        old: dict[int | None, list[Link]] = {state: [] for state in wanted}
        ids = json.dumps(list(wanted))
        for link in self._query(f"new IN ({EACH}) OR old IN ({EACH})", ids, ids):
            if link.new in wanted:
                new[link.new].append(link)
            if link.old in wanted:
                old[link.old].append(link)
        self._known["new"] |= new
        self._known["old"] |= old

    def read_onward(self, states: Iterable[int]) -> None:
        """Read the links from some states, from the states after them, and so on, at once."""
        self._fill("old", states, is_onward=True)

    def load(self) -> LinkTable:
        """Read all links; later questions use this table."""
        self.table = self.table or LinkTable(self._query("edition >= ?", 0))
        return self.table

    def between(self, first: int, last: int) -> LinkTable:
        """Return the links that lead into editions after `first`, up to `last`."""
        return self.table or LinkTable(self._query("edition > ? AND edition <= ?", first, last))

    def evidence(self, link: Link) -> StepEvidence:
        """Return the evidence for a link."""
        wanted = "SELECT readings, verdict, reasons FROM evidence WHERE id = ?"
        ((readings, verdict, reasons),) = self._reader.query(wanted, (link.evidence,))
        return StepEvidence(readings, verdict, tuple(reasons.splitlines()))

    def readings_of(self, links: Iterable[Link]) -> dict[int, tuple[str, str]]:
        """Return how many readers decided links, and why, by the evidence; only of those decided."""
        wanted = "SELECT id, readings, verdict FROM evidence WHERE readings != '' AND id IN ({})"
        rows = self._reader.query_each(wanted, {link.evidence for link in links})
        return {evidence: (readings, reason) for evidence, readings, reason in rows}

    def _fill(self, end: str, states: Iterable[int], *, is_onward: bool = False) -> None:
        known = self._known[end]
        missing = [state for state in states if not self.table and state not in known]
        if not missing:
            return
        links: dict[int | None, list[Link]] = {state: [] for state in missing}
        for link in self._query(
            _ONWARD if is_onward else f"{end} IN ({EACH})", json.dumps(missing)
        ):
            links.setdefault(link.new if end == "new" else link.old, []).append(link)
            if is_onward:
                links.setdefault(link.new, [])
        known.update(links)

    def _query(self, condition: str, *values: object) -> list[Link]:
        return [Link._make(row) for row in self._reader.query(_LINKS.format(condition), values)]


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
    cited: dict[int, list[PrintedCitation]] = defaultdict(list)
    for key, rows in groupby(reader.query(_CITED.format(where), values), lambda row: row[:-1]):
        state, place, part, start, stop, title = key
        numbers = tuple([word for *_, word in rows])
        cited[state].append(PrintedCitation(place, part, start, stop, title, numbers))
    return {state: tuple(citations) for state, citations in cited.items()}


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
