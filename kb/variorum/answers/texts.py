"""All texts of a base, each once, for search."""

from array import array
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from hashlib import blake2b
from typing import NamedTuple

from variorum.answers.stored import joined, runs_of
from variorum.rows import GONE, MERGED, NEW, UNCERTAIN, State, examples_of, text_of
from variorum.rule_numbers import is_below
from variorum.store.reader import Reader
from variorum.text import plain_signs

_STATES = "SELECT id, kind, number, address, heading, parent, reading FROM provision WHERE "
_CITED = (
    "SELECT w.word, count(DISTINCT w.provision) FROM cited w "
    "JOIN span s ON s.provision = w.provision WHERE s.first <= ? AND s.last >= ? GROUP BY w.word"
)
_FIRST = "SELECT provision, min(first) FROM span WHERE provision >= ? GROUP BY provision"
# For each provision with children, its runs that end with a given edition or later.
_ABOVE = (
    "SELECT provision, first, last FROM span WHERE last >= ? AND provision IN (SELECT id FROM "
    "provision WHERE kind != 'glossary' AND address IN (SELECT parent FROM provision))"
)
_MAIN = (
    "SELECT old, new FROM link WHERE edition >= ? AND old IS NOT NULL AND new IS NOT NULL "
    "AND rank = 0 AND NOT kinds & ? ORDER BY edition, new"
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


class KnownTexts(NamedTuple):
    """The distinct texts of a base's first editions, found when the base had only these.

    Attributes:
        editions: How many editions these are.
        keys: The key of each state's text by the state's id.
        digests: A digest of what distinguishes each text from others, in the order of the keys.
        lines: The lineage of each state by the state's id.
    """

    editions: int
    keys: "array[int]"
    digests: "array[int]"
    lines: "array[int]"


NO_TEXTS = KnownTexts(0, array("I"), array("Q"), array("I"))


class Texts:
    """The texts of an open base."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def outlines_in(self, edition: int) -> list[Outline]:
        """Return the provisions of an edition in printed order, with the ids of their states as keys."""
        numbers = self._reader.states_of(edition)
        states = self._states(numbers)
        held = [states[number] for number in numbers]
        by_address = {state.address: state for state in held if state.kind != "glossary"}
        cited = dict(self._reader.query(_CITED, (edition, edition)))
        return [
            _outline(state, _above(state, by_address), cited.get(state.printed, 0))
            for state in held
        ]

    def distinct(
        self, known: KnownTexts = NO_TEXTS
    ) -> "tuple[list[Outline], array[int], array[int]]":
        """Return every distinct text that is not known; then keys and digests as in `KnownTexts`.

        States share a text if their words and nearest heading are equal, apart from quotes and
        dashes. Their numbers may differ. Each heading without words is its own text.
        """
        keys, digests = known.keys[:], known.digests[:]
        first = len(keys)
        texts = [number for number, key in enumerate(keys) if number == key]
        by_digest = dict(zip(digests, texts, strict=True))
        outlines: list[Outline] = []
        rows = self._reader.query(f"{_STATES} id >= ? ORDER BY id", [first])
        states = list(map(_State._make, rows))
        bodies = self.readings([state.reading for state in states])
        plain = cache(plain_signs)  # many texts have the same headings above them
        for state, above in self._with_headings(states, first) if states else ():
            kind = "glossary" if state.kind == "glossary" else ""
            body = bodies[state.reading]
            if not body:
                kind = str(state.number)  # an edition may print a heading twice
            parts = kind, plain(state.heading), plain(above.partition("\n")[0]), plain(body)
            digest = blake2b("\0".join(parts).encode(), digest_size=8).digest()
            number = int.from_bytes(digest, "little")
            key = by_digest.setdefault(number, state.number)
            if key == state.number:
                outlines.append(_outline(state, above))
                digests.append(number)
            keys.append(key)
        return outlines, keys, digests

    @cached_property
    def with_keys(self) -> "tuple[list[Outline], array[int]]":
        """Return the distinct texts, and the key of each state's text by the state's id."""
        return self.distinct()[:2]

    @cached_property
    def lines(self) -> "array[int]":
        """Return the lineage of each state by the state's id: the id of its first ancestor."""
        return self.lines_after(NO_TEXTS)

    def lines_after(self, known: KnownTexts) -> "array[int]":
        """Return the lineage of each state, given those of the first editions.

        Only main heirs continue a lineage. Parts, copies and merged provisions begin their own.
        """
        ((count,),) = self._reader.query("SELECT count(*) FROM provision")
        ancestors = known.lines[:]
        ancestors.extend(range(len(ancestors), count))
        values = [known.editions, MERGED | UNCERTAIN | GONE | NEW]
        for old, new in self._reader.query(_MAIN, values):
            if ancestors[new] == new:
                ancestors[new] = ancestors[old]
        return ancestors

    def readings(self, numbers: Sequence[int]) -> dict[int, str]:
        """Return the words of some readings by their ids."""
        wanted = "SELECT id, body FROM reading WHERE id IN ({})"
        return dict(self._reader.query_each(wanted, dict.fromkeys(numbers)))

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
        """Return the runs of editions that have at least one of some states, first to last."""
        marks = ", ".join("?" * len(states))
        rows = self._reader.query(
            f"SELECT first, last FROM span WHERE provision IN ({marks}) ORDER BY first, last",  # noqa: S608
            states,
        )
        return joined((first, last) for first, last in rows)

    def rows(self, states: Sequence[int]) -> dict[int, State]:
        """Return states by their ids."""
        return self._reader.states_by_id(states)

    def spans(self) -> list[tuple[int, int, int]]:
        """Return the runs of editions that have each state: its id, the first and the last place."""
        rows = self._reader.query("SELECT provision, first, last FROM span")
        return [(state, first, last) for state, first, last in rows]

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

    def _states(self, numbers: Sequence[int]) -> dict[int, _State]:
        rows = map(_State._make, self._reader.query_each(f"{_STATES} id IN ({{}})", numbers))
        return {row.number: row for row in rows}

    def _with_headings(
        self, states: Sequence[_State], first_id: int
    ) -> Iterable[tuple[_State, str]]:
        """Yield the last states of the base, each with the headings it first stood under.

        Args:
            states: They, in the order of their ids.
            first_id: The id of the first.
        """
        brings: dict[int, list[int]] = {}
        for number, first in self._reader.query(_FIRST, [first_id]):
            brings.setdefault(first, []).append(number)
        begin = min(brings, default=0)
        runs = self._reader.query(_ABOVE, [begin])
        headings = self._states(sorted({number for number, *_ in runs if number < first_id}))
        comes: dict[int, list[_State]] = {}
        goes: dict[int, list[_State]] = {}
        for number, first, last in runs:
            new: int = number - first_id
            state = states[new] if new >= 0 else headings[number]
            comes.setdefault(max(first, begin), []).append(state)
            goes.setdefault(last + 1, []).append(state)
        above = [""] * len(states)
        by_address: dict[str, _State] = {}
        for edition in range(begin, max(brings, default=-1) + 1):
            for state in goes.get(edition, ()):
                del by_address[state.address]
            by_address |= {state.address: state for state in comes.get(edition, ())}
            for number in brings.get(edition, ()):
                place = number - first_id
                above[place] = _above(states[place], by_address)
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
