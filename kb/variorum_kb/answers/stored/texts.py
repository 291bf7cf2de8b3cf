"""All texts of a base, each once, for search."""

from array import array
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from variorum_kb.answers.stored.number_runs import joined, runs_of
from variorum_kb.rows import GONE, MERGED, NEW, UNCERTAIN, State, examples_of, text_of
from variorum_kb.rule_numbers import is_below
from variorum_kb.store.reader import Reader
from variorum_kb.text.folding import plain_signs

_OUTLINE = "SELECT id, kind, number, address, heading, parent, reading FROM provision ORDER BY id"
_CITED = (
    "SELECT w.word, count(DISTINCT w.provision) FROM cited w "
    "JOIN span s ON s.provision = w.provision WHERE s.first <= ? AND s.last >= ? GROUP BY w.word"
)
_FIRST = "SELECT provision, min(first) FROM span GROUP BY provision"
# The runs of editions that have each provision with children.
_ABOVE = (
    "SELECT provision, first, last FROM span WHERE provision IN (SELECT id FROM provision "
    "WHERE kind != 'glossary' AND address IN (SELECT parent FROM provision))"
)
_MAIN = (
    "SELECT old, new FROM link WHERE old IS NOT NULL AND new IS NOT NULL AND rank = 0 "
    "AND NOT kinds & ? ORDER BY edition, new"
)


class Outline(NamedTuple):
    """A text without its words.

    Attributes:
        key: The id of the first state with these words under these headings.
        kind: A value of model.Kind.
        number: The number that this state prints; "" for a glossary entry.
        heading: The heading, or the headword of a glossary entry.
        above: The headings above it, the nearest first, joined by line feeds.
        reading: The id of its words.
        cited: How many provisions of the edition cite it; 0 without an edition.
    """

    key: int
    kind: str
    number: str
    heading: str
    above: str
    reading: int
    cited: int = 0


class Body(NamedTuple):
    """The words of a text.

    Attributes:
        kind: A value of model.Kind.
        heading: The heading, or the headword of a glossary entry.
        text: The paragraphs, joined by line feeds.
        examples: The examples, joined by line feeds.
    """

    kind: str
    heading: str
    text: str
    examples: str


class _State(NamedTuple):
    """A row of the table `provision`, with the id of its words."""

    number: int
    kind: str
    printed: str
    address: str
    heading: str
    parent: str
    reading: int


class _Words(NamedTuple):
    """The properties by which readings are compared, by their ids.

    Attributes:
        same: The first reading with the same words, for each reading.
        bodies: The words of each.
        empty: The id of the reading without words; None if there is none.
    """

    same: dict[int, int]
    bodies: dict[int, str]
    empty: int | None


class Texts:
    """The texts of an open base."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def outlines_in(self, edition: int) -> list[Outline]:
        """Return the provisions of an edition in printed order, with the ids of their states as keys."""
        states = self._states
        held = [states[number] for number in self._reader.states_of(edition)]
        by_address = {state.address: state for state in held if state.kind != "glossary"}
        cited = dict(self._reader.query(_CITED, (edition, edition)))
        return [
            _outline(state, _above(state, by_address), cited.get(state.printed, 0))
            for state in held
        ]

    @cached_property
    def distinct(self) -> "tuple[list[Outline], array[int]]":
        """Return the distinct texts, and the key of each state's text by the state's id.

        States share a text if their words and nearest heading are equal, apart from quotes and
        dashes. Their numbers may differ. Each heading without words is its own text.
        """
        same, empty = self._words.same, self._words.empty
        plain = cache(plain_signs)  # many texts have the same headings above them
        keys = array("I", [0]) * len(self._states)
        known: dict[tuple[str, str, int, str], int] = {}
        outlines: list[Outline] = []
        for state, above in self._with_headings():
            nearest = above.partition("\n")[0]
            kind = "glossary" if state.kind == "glossary" else ""
            if state.reading == empty:
                kind = str(state.number)  # an edition may print a heading twice
            words = (kind, plain(state.heading), same[state.reading], plain(nearest))
            key = known.setdefault(words, state.number)
            if key == state.number:
                outlines.append(_outline(state, above))
            keys[state.number] = key
        return outlines, keys

    @cached_property
    def _words(self) -> _Words:
        known: dict[str, int] = {}
        same: dict[int, int] = {}
        bodies: dict[int, str] = {}
        empty: int | None = None
        for number, body in self._reader.query("SELECT id, body FROM reading ORDER BY id"):
            same[number] = known.setdefault(plain_signs(body), number)
            bodies[number] = body
            empty = empty if body else number
        return _Words(same, bodies, empty)

    @cached_property
    def lines(self) -> "array[int]":
        """Return the lineage of each state, by its id: the id of the state's first ancestor.

        Only main heirs continue a lineage. Parts, copies and merged provisions begin their own.
        """
        ancestors = array("I", range(len(self._states)))
        for old, new in self._reader.query(_MAIN, [MERGED | UNCERTAIN | GONE | NEW]):
            if ancestors[new] == new:
                ancestors[new] = ancestors[old]
        return ancestors

    @property
    def readings(self) -> dict[int, str]:
        """Return the words of each reading by its id."""
        return self._words.bodies

    def bodies(self, keys: Sequence[int]) -> dict[int, Body]:
        """Return the words of texts by their keys."""
        states = self._reader.states_by_id(keys)
        return {
            key: Body(
                state.kind, state.heading, text_of(state.body), "\n".join(examples_of(state.body))
            )
            for key, state in states.items()
        }

    def among(self, edition: int | None, within: str, kinds: Sequence[str]) -> set[int]:
        """Return the ids of some states.

        Args:
            edition: The edition; None for all editions.
            within: The number of the states or of a provision above them; "" for any.
            kinds: Values of model.Kind; empty for all kinds.
        """
        held = None if edition is None else set(self._reader.states_of(edition))
        return {
            number
            for number, kind, printed in self._reader.query(
                "SELECT id, kind, number FROM provision"
            )
            if (held is None or number in held)
            and (not kinds or kind in kinds)
            and (not within or is_below(printed, within))
        }

    def stood(self, states: Sequence[int]) -> list[tuple[int, int]]:
        """Return the runs of editions that have any of some states, first to last."""
        marks = ", ".join("?" * len(states))
        rows = self._reader.query(
            f"SELECT first, last FROM span WHERE provision IN ({marks}) ORDER BY first, last",  # noqa: S608
            states,
        )
        return joined((first, last) for first, last in rows)

    def rows(self, states: Sequence[int]) -> dict[int, State]:
        """Return states by their ids."""
        return self._reader.states_by_id(states)

    def held(self, edition: int) -> "array[int]":
        """Return the ids of an edition's states in printed order."""
        return self._reader.states_of(edition)

    def bearers(self, word: str) -> list[int]:
        """Return the ids of the states that ever had a number or headword, latest first."""
        runs = sorted(runs_of(self._reader, word), key=lambda run: (-run.last, run.state))
        return list(dict.fromkeys(run.state for run in runs))

    def numbered(self, prefix: str) -> list[tuple[int, str]]:
        """Return the states whose numbers have a prefix: their ids, and the numbers as printed."""
        rows = self._reader.query(
            "SELECT id, number FROM provision WHERE substr(number, 1, ?) = ? ORDER BY id",
            (len(prefix), prefix),
        )
        return [(row[0], row[1]) for row in rows]

    @cached_property
    def _states(self) -> list[_State]:
        return list(map(_State._make, self._reader.query(_OUTLINE)))

    def _with_headings(self) -> Iterable[tuple[_State, str]]:
        """Yield all states in the order of their ids, each with the headings first above it."""
        states = self._states
        comes: dict[int, list[_State]] = {}
        goes: dict[int, list[_State]] = {}
        for number, first, last in self._reader.query(_ABOVE):
            state = states[int(number)]
            comes.setdefault(first, []).append(state)
            goes.setdefault(last + 1, []).append(state)
        brings: dict[int, list[int]] = {}
        for number, first in self._reader.query(_FIRST):
            brings.setdefault(first, []).append(number)
        above = [""] * len(states)
        by_address: dict[str, _State] = {}
        for edition in range(max(brings, default=-1) + 1):
            for state in goes.get(edition, ()):
                del by_address[state.address]
            by_address |= {state.address: state for state in comes.get(edition, ())}
            for number in brings.get(edition, ()):
                above[number] = _above(states[number], by_address)
        return zip(states, above, strict=True)


def _above(state: _State, by_address: dict[str, _State]) -> str:
    """Return the headings above a state, nearest first."""
    headings: list[str] = []
    while state.parent:
        state = by_address[state.parent]
        if state.heading:
            headings.append(state.heading)
    return "\n".join(headings)


def _outline(state: _State, above: str, cited: int = 0) -> Outline:
    return Outline(
        state.number, state.kind, state.printed, state.heading, above, state.reading, cited
    )
