"""What an open base holds, as rows: states, links, runs of numbers, headings, citations, each read once."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from variorum.answers.editions import EditionEntry, day_note, entry_of, find_edition, no_edition
from variorum.errors import NoEditionError
from variorum.files import Closing
from variorum.history.lineages import Lineages, Link, LinkTable
from variorum.rows import CHANGE_CLASSES, State, StepEvidence, text_of
from variorum.rule_numbers import order_of
from variorum.store.reader import EACH, Reader
from variorum.text import bearing

if TYPE_CHECKING:
    from variorum.history.canonical import Folder

_CLASS = " ".join([f"WHEN {number} THEN '{name}'" for number, name in enumerate(CHANGE_CLASSES)])
_LINKS = (
    f"SELECT edition, source, old, new, rank, kinds, CASE class {_CLASS} END, confidence, evidence "  # noqa: S608 - our own
    "FROM link WHERE {} ORDER BY edition, source, old, rank, new"
)
_ONWARD = (
    f"old IN (WITH RECURSIVE onward(state) AS ({EACH} UNION "  # noqa: S608 - our own
    "SELECT new FROM link JOIN onward ON old = state WHERE new IS NOT NULL) SELECT state FROM onward)"
)
_RUNS = (
    "SELECT l.provision, s.first, s.last FROM lookup l JOIN span s ON s.provision = l.provision "
    "WHERE l.word = ? ORDER BY s.first, s.last, l.provision"
)
_BELOW = (
    "SELECT p.id FROM provision p JOIN span s ON s.provision = p.id "
    "WHERE p.parent = ? AND s.first <= ? AND s.last >= ?"
)
_GIST_WORDS = 7


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
    """The links of a base; those of a state are read on first use, or with many others, or all in a `table`."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._to: dict[int | None, list[Link]] = {}
        self._from: dict[int | None, list[Link]] = {}
        self.table: LinkTable | None = None

    def leading_to(self, state: int) -> Sequence[Link]:
        """Return the links whose new state has an id."""
        if self.table is not None:
            return self.table.leading_to(state)
        if state not in self._to:
            self._fill(self._to, [state])
        return self._to[state]

    def leading_from(self, state: int) -> Sequence[Link]:
        """Return the links whose old state has an id."""
        if self.table is not None:
            return self.table.leading_from(state)
        if state not in self._from:
            self._fill(self._from, [state])
        return self._from[state]

    def read(self, states: Iterable[int]) -> None:
        """Read the links to and from many states at once."""
        wanted = list(states)
        self._fill(self._to, wanted)
        self._fill(self._from, wanted)

    def read_onward(self, states: Iterable[int]) -> None:
        """Read the links from some states, from the states after them, and so on, at once."""
        self._fill(self._from, states, _ONWARD)

    def load(self) -> LinkTable:
        """Read all links; later questions use this table."""
        if self.table is None:
            self.table = LinkTable(self._query("edition >= ?", 0))
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
        wanted = (
            "SELECT id, readings, verdict FROM evidence WHERE readings != '' AND id BETWEEN ? AND ?"
        )
        ids = [link.evidence for link in links]
        rows = self._reader.query(wanted, (min(ids), max(ids))) if ids else []
        return {evidence: (readings, reason) for evidence, readings, reason in rows}

    def _fill(
        self, known: dict[int | None, list[Link]], states: Iterable[int], onward: str = ""
    ) -> None:
        missing = [state for state in states if self.table is None and state not in known]
        links: dict[int | None, list[Link]] = {state: [] for state in missing}
        is_to = known is self._to
        where = onward or f"{'new' if is_to else 'old'} IN ({EACH})"
        for link in self._query(where, json.dumps(missing)) if missing else ():
            links.setdefault(link.new if is_to else link.old, []).append(link)
            if onward:
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


class Headings:
    """The headings of provisions."""

    def __init__(self, base: "Stored") -> None:
        self._base = base

    def gist(self, state: State, edition: int) -> str:
        """Return a provision in a few words: its heading, or the nearest heading and its start."""
        if state.kind == "glossary" or (state.heading and state.kind != "subrule"):
            return state.heading
        heading = next(iter(self.over(state, edition)), "")
        words = text_of(state.body).split()
        begin = " ".join(words[:_GIST_WORDS]) + ("…" if len(words) > _GIST_WORDS else "")
        return f"{heading}: {begin}" if heading and begin else heading or begin

    def over(self, state: State, edition: int) -> list[str]:
        """Return the headings at and above a provision, nearest first, without its chapter's."""
        above = [row for row in self._base.above(state, edition) if row.kind != "chapter"]
        return [row.heading for row in (state, *above) if row.heading]


class Stored(Closing):
    """The editions and rows of an open base.

    A place is that of an edition; a word is a folded number or headword. "current" is the edition in force
    today, or without a day the latest.
    """

    def __init__(self, reader: Reader, today: date | None = None) -> None:
        self.reader, self.today = reader, today
        self.states, self.links, self.headings = States(reader), StoredLinks(reader), Headings(self)
        self._named: dict[str, EditionEntry] = {}
        self._runs: dict[str, list[Run]] = {}

    @cached_property
    def editions(self) -> tuple[EditionEntry, ...]:
        """Return all editions, oldest first."""
        rows = enumerate(self.reader.editions(is_short=True))
        return tuple([entry_of({"id": place, **row._asdict()}) for place, row in rows])

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Return the labels of all editions, oldest first."""
        return tuple([edition.label for edition in self.editions])

    @cached_property
    def folded(self) -> "Folder":
        """Return the canonical texts of the states that were compared."""
        from variorum.history.canonical import Folder  # noqa: PLC0415 - it finds citations, as few answers do

        return Folder()

    @cached_property
    def lineages(self) -> Lineages:
        """Return the lineages of all provisions."""
        return Lineages(self.links, len(self.editions) - 1)

    def edition(self, designator: str | EditionEntry = "current") -> EditionEntry:
        """Return the edition that a designator names; an error says why it names none, or several."""
        if isinstance(designator, EditionEntry):
            return designator
        if designator not in self._named:
            entry = find_edition(self.editions, designator, self.today)
            if entry is None:
                raise no_edition(self.editions, designator, self.today)
            self._named[designator] = entry
        return self._named[designator]

    @cached_property
    def current(self) -> EditionEntry | None:
        """Return the edition in force; None if none is in force yet."""
        try:
            return self.edition("current")
        except NoEditionError:
            return None

    def day_notes(self) -> list[str]:
        """Return notes on the days named so far that are not an edition's date."""
        notes = [day_note(designator, entry) for designator, entry in self._named.items()]
        return [*filter(None, dict.fromkeys(notes))]

    def runs(self, word: str) -> list[Run]:
        """Return the runs of a word in print, by first edition.

        For "=" and a number, return the misprinted provisions that should have the number.
        """
        if word not in self._runs:
            self._runs[word] = [Run(*row) for row in self.reader.query(_RUNS, (word,))]
        return self._runs[word]

    def latest_first(self, word: str) -> list[Run]:
        """Return the runs of a word in print, the latest first."""
        return sorted(self.runs(word), key=lambda run: (-run.last, -run.first, run.state))

    def named(self, word: str, place: int) -> list[State]:
        """Return the states that a word names in an edition, numbers first."""
        runs = [run.state for run in self.runs(word) if run.first <= place <= run.last]
        states = self.states.of(runs).values()
        return sorted(states, key=lambda state: (state.kind == "glossary", state.address))

    def bearers(self, number: str, place: int) -> list[State]:
        """Return the provisions that have a number in print; if none, those that should have it."""
        return bearing(lambda word: self.named(word, place), number)

    def at_address(self, address: str, place: int) -> State | None:
        """Return the state that has an address in an edition."""
        states = self.named(address.partition("#")[0], place)
        return next((state for state in states if state.address == address), None)

    def below(self, address: str, place: int) -> list[State]:
        """Return the states directly below a provision, in the order of their numbers."""
        rows = self.reader.query(_BELOW, (address, place, place))
        return sorted(self.states.of(id_ for (id_,) in rows).values(), key=in_order)

    def above(self, state: State, place: int) -> list[State]:
        """Return the provisions above another, the nearest first."""
        path: list[State] = []
        while state.parent and (parent := self.at_address(state.parent, place)) is not None:
            path.append(parent)
            state = parent
        return path

    def held(self, place: int) -> list[State]:
        """Return the states of an edition in printed order."""
        return list(self.states.of(self.reader.states_of(place)).values())

    def citations(self, state: int) -> tuple[PrintedCitation, ...]:
        """Return the citations of a state as they are printed."""
        return citations_of(self.reader, [state]).get(state, ())


def citations_of(
    reader: Reader, states: Sequence[int] | None = None
) -> dict[int, tuple[PrintedCitation, ...]]:
    """Return the citations of some states, by default of all, by the states' ids; no empty ones."""

    def rows(columns: str, order: str) -> list[tuple[Any, ...]]:
        where = "" if states is None else "WHERE provision IN ({})"
        wanted = f"SELECT {columns} {where} ORDER BY {order}"
        return reader.query(wanted) if states is None else reader.query_each(wanted, states)

    numbers: dict[tuple[int, int], list[str]] = defaultdict(list)
    for state, place, number in rows("provision, place, word FROM cited", "provision, place, rank"):
        numbers[state, place].append(number)
    cited: dict[int, list[PrintedCitation]] = defaultdict(list)
    columns = "provision, place, part, start, stop, title FROM citation"
    for state, place, *printed in rows(columns, "provision, place"):
        cited[state].append(PrintedCitation._make([place, *printed, tuple(numbers[state, place])]))
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
