"""States, links, headings and runs of numbers of an open base, each read once, when asked for."""

import json
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from variorum.history.lineages import Link, LinkTable
from variorum.rows import CHANGE_CLASSES, State, text_of
from variorum.store.reader import EACH, Reader
from variorum.stored_rows import StepEvidence, evidence_of

_CLASS = " ".join([f"WHEN {number} THEN '{name}'" for number, name in enumerate(CHANGE_CLASSES)])
# The columns of a `Link`.
_LINKS = (
    f"SELECT edition, source, old, new, rank, kinds, CASE class {_CLASS} END, confidence, evidence "  # noqa: S608 - our own
    "FROM link WHERE {} ORDER BY edition, source, old, rank, new"
)
# The links from given states and from the states after them.
_ONWARD = (
    f"old IN (WITH RECURSIVE onward(state) AS ({EACH} UNION "  # noqa: S608 - our own
    "SELECT new FROM link JOIN onward ON old = state WHERE new IS NOT NULL) SELECT state FROM onward)"
)
_EVIDENCE = "SELECT readings, verdict, reasons FROM evidence WHERE id = ?"
_READ = "SELECT id, readings, verdict FROM evidence WHERE readings != '' AND id BETWEEN ? AND ?"
_HEADED = (
    "SELECT p.address, p.heading, s.first, s.last FROM provision p "
    "JOIN span s ON s.provision = p.id "
    "WHERE p.kind IN ('section', 'rule') AND p.heading <> '' ORDER BY p.address, s.first, p.id"
)
_RUNS = (
    "SELECT l.provision, s.first, s.last FROM lookup l JOIN span s ON s.provision = l.provision "
    "WHERE l.word = ? ORDER BY s.first, s.last, l.provision"
)
_GIST_WORDS = 7


class StoredStates:
    """The states of a base by their ids."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._known: dict[int, State] = {}
        self._is_loaded = False

    def __getitem__(self, number: int) -> State:
        """Return the state with an id."""
        return self._known.get(number) or self.of([number])[number]

    def of(self, numbers: Iterable[int]) -> dict[int, State]:
        """Return states by their ids, read at once."""
        wanted = list(numbers)
        missing = [number for number in dict.fromkeys(wanted) if number not in self._known]
        if missing:
            self._known.update(self._reader.states_by_id(missing))
        return {number: self._known[number] for number in wanted}

    def load(self) -> dict[int, State]:
        """Return all states by their ids."""
        if not self._is_loaded:
            self._known, self._is_loaded = self._reader.all_states(), True
        return self._known


class StoredLinks:
    """The links of a base."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._to: dict[int, Sequence[Link]] = {}
        self._from: dict[int, Sequence[Link]] = {}
        self._all: LinkTable | None = None

    def leading_to(self, state: int) -> Sequence[Link]:
        """Return the links whose new state has an id."""
        if self._all is not None:
            return self._all.leading_to(state)
        if state not in self._to:
            self._to[state] = self._query("new = ?", state)
        return self._to[state]

    def leading_from(self, state: int) -> Sequence[Link]:
        """Return the links whose old state has an id."""
        if self._all is not None:
            return self._all.leading_from(state)
        if state not in self._from:
            self._from[state] = self._query("old = ?", state)
        return self._from[state]

    def read(self, states: Iterable[int]) -> None:
        """Read the links to and from many states at once."""
        wanted = list(states) if self._all is None else []
        for column, known in (("new", self._to), ("old", self._from)):
            missing = [state for state in wanted if state not in known]
            by_state: dict[int, list[Link]] = {state: [] for state in missing}
            where = f"{column} IN ({EACH})"
            for link in self._query(where, json.dumps(missing)) if missing else ():
                end = link.new if column == "new" else link.old
                if end is not None:
                    by_state[end].append(link)
            known.update(by_state)

    def read_onward(self, states: Iterable[int]) -> None:
        """Read the links from some states, from the states after them, and so on, at once."""
        missing = [state for state in states if self._all is None and state not in self._from]
        by_state: dict[int, list[Link]] = {state: [] for state in missing}
        for link in self._query(_ONWARD, json.dumps(missing)) if missing else ():
            if link.old is not None:
                by_state.setdefault(link.old, []).append(link)
            if link.new is not None:
                by_state.setdefault(link.new, [])
        self._from.update(by_state)

    def load(self) -> LinkTable:
        """Read all links; later questions use this table."""
        if self._all is None:
            self._all = LinkTable(self._query("edition >= ?", 0))
        return self._all

    def between(self, first: int, last: int) -> LinkTable:
        """Return the links that lead into editions after `first`, up to `last`."""
        if self._all is not None:
            return self._all
        return LinkTable(self._query("edition > ? AND edition <= ?", first, last))

    def evidence(self, link: Link) -> StepEvidence:
        """Return the evidence for a link."""
        (cells,) = self._reader.query(_EVIDENCE, (link.evidence,))
        return evidence_of(*cells)

    def readings_of(self, links: Iterable[Link]) -> dict[int, tuple[str, str]]:
        """Return verdicts by evidence: how many readers agreed, and why.

        Args:
            links: The links. Links without a verdict are left out.
        """
        ids = sorted({link.evidence for link in links})
        rows = self._reader.query(_READ, (ids[0], ids[-1])) if ids else []
        return {evidence: (readings, reason) for evidence, readings, reason in rows}

    def _query(self, condition: str, *values: object) -> list[Link]:
        return [Link._make(row) for row in self._reader.query(_LINKS.format(condition), values)]


class StoredHeadings:
    """The headings of sections and rules in all editions."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def gist(self, state: State, edition: int) -> str:
        """Return a provision in a few words: its heading, or the nearest heading and its start."""
        if state.kind == "glossary" or (state.heading and state.kind != "subrule"):
            return state.heading
        heading = next(iter(self.over(state, edition)), "")
        words = text_of(state.body).split()
        begin = " ".join(words[:_GIST_WORDS]) + ("…" if len(words) > _GIST_WORDS else "")
        return f"{heading}: {begin}" if heading and begin else heading or begin

    def over(self, state: State, edition: int) -> list[str]:
        """Return the headings at and above a provision, nearest first, without its chapter's.

        Args:
            state: The provision.
            edition: The place of an edition that has it.
        """
        section = state.parent.partition("#")[0].partition(".")[0]
        headings = [
            heading
            for address in dict.fromkeys((state.parent, section))
            for first, last, heading in self._headed.get(address, ())
            if first <= edition <= last
        ]
        return [heading for heading in (state.heading, *headings) if heading]

    def keywords(self, section: str) -> list[str]:
        """Return the headings that rules of a section ever had, mostly keywords."""
        rules = [
            each for address, each in self._headed.items() if address.startswith(f"{section}.")
        ]
        return sorted({heading for each in rules for _, _, heading in each})

    @cached_property
    def _headed(self) -> dict[str, list[tuple[int, int, str]]]:
        """Return the headings of sections and rules, and their editions, by addresses."""
        headed: dict[str, list[tuple[int, int, str]]] = {}
        for address, heading, first, last in self._reader.query(_HEADED):
            headed.setdefault(address, []).append((first, last, heading))
        return headed


class Run(NamedTuple):
    """The editions, from the first to the last, through which a number or headword meant a state."""

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
