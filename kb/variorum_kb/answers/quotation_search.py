"""Which editions some quoted provisions can come from, word for word."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from variorum_kb.answers.quotation_likeness import (
    HeldState,
    Nearest,
    is_named,
    likeness_to,
    likest_of,
)
from variorum_kb.answers.quotation_matching import (
    Folded,
    Quoted,
    Wanted,
    fold_body,
    holds,
    says,
    want,
)
from variorum_kb.rows import State
from variorum_kb.store.reader import Reader
from variorum_kb.text.folding import fold_words
from variorum_kb.thresholds import QUOTED_LIKE

_STATES = (
    "SELECT p.id, p.kind, p.number, p.address, p.heading, p.parent, p.meant, p.reading, r.body, "
    "s.first, s.last FROM provision p JOIN reading r ON r.id = p.reading "
    "JOIN span s ON s.provision = p.id WHERE {column} IN ({marks}) ORDER BY p.id, s.first"
)
# Fewer words than these are found in too many provisions to say which one they are from.
FEWEST_WORDS = 4
# How many texts may have the rare words of a passage.
_MOST = 2000
# No provision is as long; of longer passages, comparing parts takes minutes.
_LONGEST = 8_000
# SQLite takes so many values in one question.
_AT_ONCE = 900
# After so many passages without numbers, of which hardly one may stand anywhere, none is looked for.
_PATIENCE = 500
_PARTING = "\n\x00\n"


class FoundQuotation(NamedTuple):
    """The places of a quoted provision.

    Attributes:
        quoted: The quoted provision.
        states: The ids of the states that say it, in order.
        editions: The editions that hold any of them, as bits by their places.
    """

    quoted: Quoted
    states: tuple[int, ...]
    editions: int


class Identifier:
    """Finds quoted provisions among all states of a base."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._held: dict[int, HeldState] = {}
        self._folded: dict[int, Folded] = {}
        self._editions: dict[int, list[HeldState]] = {}
        self._places: dict[int, dict[int, int]] = {}
        self._placed: dict[str, list[int]] = {}
        # How many passages without numbers were looked for, and the words of how many stand together.
        self._looked = self._met = 0

    def begin(self) -> None:
        """Look for the passages of another document."""
        self._looked = self._met = 0

    def find(self, quoted: Sequence[Quoted]) -> list[FoundQuotation]:
        """Return the states that have each of some provisions word for word.

        Examples count if any provision has one: a document that gives examples gives all.
        """
        with_examples = any(passage.examples for passage in quoted)
        numbers = sorted({passage.number for passage in quoted if passage.number})
        by_number: dict[str, list[HeldState]] = {}
        for held in self._states("p.number", numbers):
            by_number.setdefault(held.state.number, []).append(held)
        quotations: list[FoundQuotation] = []
        for passage in quoted:
            wanted = want(passage)
            among = by_number.get(passage.number, []) if passage.number else self._among(wanted)
            states = [
                held
                for held in among
                if says(held.state, held.words, wanted, with_examples=with_examples)
            ]
            if not states and passage.is_loose:
                states = [held for held in among if holds(held.words, wanted)]
            editions = 0
            for held in states:
                editions |= held.editions
            quotations.append(
                FoundQuotation(passage, tuple([held.number for held in states]), editions)
            )
        return quotations

    def holding(self, texts: Sequence[str]) -> list[FoundQuotation]:
        """Return the states that have each of some texts word for word, alone or among other words.

        Texts of fewer than `FEWEST_WORDS` words are found nowhere.
        """
        quotations: list[FoundQuotation] = []
        for text in texts:
            wanted = want(Quoted("", "", text, is_loose=True))
            among = self._among(wanted)
            states = [held for held in among if holds(held.words, wanted)]
            editions = 0
            for held in states:
                editions |= held.editions
            quotations.append(
                FoundQuotation(wanted.quoted, tuple([held.number for held in states]), editions)
            )
        return quotations

    def has_letters(self, letters: str) -> bool:
        """Return whether any edition contains some letters, in any case."""
        return letters.casefold() in self._library[0]

    def nearest(self, quoted: Quoted, edition: int) -> Nearest | None:
        """Return the provision of an edition most like a quoted one; None if none is like it.

        That with its number, or headword, comes first, if it is like it at all.
        """
        wanted = want(quoted)
        if edition not in self._editions:
            self._editions[edition] = [held for held in self._in(edition) if held.words.text]
        here = self._editions[edition]
        named = [held for held in here if is_named(held, wanted)]
        return likest_of(wanted, named) or likest_of(wanted, here)

    def is_like_entry(self, quoted: Quoted) -> bool:
        """Return whether a glossary entry with the headword of a passage resembles it."""
        wanted = want(quoted)
        entries = self._states("p.id", self.headwords.get(wanted.heading, []))
        return any(likeness_to(wanted, held.words) >= QUOTED_LIKE for held in entries)

    def nearest_anywhere(self, quoted: Quoted) -> list[Nearest]:
        """Return the provisions of all editions that are most like a quoted one, the best first."""
        wanted = want(quoted)
        if len(wanted.words.whole) > _LONGEST:
            return []
        numbered = self._states("p.number", [quoted.number]) if quoted.number else []
        readings = self._with_most(wanted.rare)
        among = {near.number: near for near in (*numbered, *self._states("p.reading", readings))}
        likely = [
            Nearest(held.number, ratio)
            for held in among.values()
            if (ratio := likeness_to(wanted, held.words)) >= QUOTED_LIKE
        ]
        return sorted(likely, key=lambda near: (-near.likeness, near.state))

    def state(self, number: int) -> State:
        """Return a state that was found."""
        return self._held[number].state

    def words(self, number: int) -> str:
        """Return the words of a state that was found, folded, and of its examples."""
        return self._held[number].words.whole

    def wholes(self, number: int) -> tuple[str, ...]:
        """Return the paragraphs and examples of a state that was found, folded, and all of them."""
        words = self._held[number].words
        return (words.whole, words.text, *words.paragraphs, *words.examples)

    def heading(self, number: int) -> str:
        """Return the heading of any state."""
        if number not in self._held:
            self._states("p.id", [number])
        return self._held[number].state.heading

    def editions(self, number: int) -> int:
        """Return the editions that hold a state which was found, as bits by their places."""
        return self._held[number].editions

    def order(self, edition: int) -> Mapping[int, int]:
        """Return the place of each state in an edition, from 0."""
        if edition not in self._places:
            states = self._reader.states_of(edition)
            self._places[edition] = {state: place for place, state in enumerate(states)}
        return self._places[edition]

    @cached_property
    def count(self) -> int:
        """Return how many editions there are."""
        [(count,)] = self._reader.query("SELECT count(*) FROM edition")
        return int(count)

    @cached_property
    def headwords(self) -> Mapping[str, list[int]]:
        """Return the states that are entries of the glossary, by their headwords, folded."""
        return self._by_heading("kind = 'glossary'")

    def is_heading(self, text: str) -> bool:
        """Return whether a text is the heading of a chapter, a section or a rule."""
        return fold_words(text) in self._headings

    @cached_property
    def _headings(self) -> Mapping[str, list[int]]:
        return self._by_heading("kind <> 'glossary' AND heading <> ''")

    def _by_heading(self, which: str) -> Mapping[str, list[int]]:
        by_heading: dict[str, list[int]] = {}
        question = f"SELECT id, heading FROM provision WHERE {which} ORDER BY id"  # noqa: S608
        for state, heading in self._reader.query(question):
            by_heading.setdefault(fold_words(heading), []).append(state)
        return by_heading

    @cached_property
    def _bodies(self) -> list[tuple[int, str]]:
        rows = self._reader.query("SELECT id, body FROM reading ORDER BY id")
        return [(number, body.casefold()) for number, body in rows]

    @cached_property
    def _library(self) -> tuple[str, list[int]]:
        """Return all texts as one, and where each begins: finding is quick in one long string."""
        starts: list[int] = []
        length = 0
        for _, body in self._bodies:
            starts.append(length)
            length += len(body) + len(_PARTING)
        return _PARTING.join([body for _, body in self._bodies]), starts

    def _among(self, wanted: Wanted) -> list[HeldState]:
        """Return the states that a passage without a number may come from."""
        if wanted.heading:
            return self._states("p.id", self.headwords.get(wanted.heading, []))
        if len(wanted.words.whole.split()) < FEWEST_WORDS:
            return []
        if self._looked >= _PATIENCE and self._met * 100 < self._looked:
            return []  # a book of something else, which would take minutes
        readings = self._with(wanted.rare)
        self._looked += 1
        self._met += bool(readings)
        reading_states = self._states("p.reading", readings) if len(readings) < _MOST else []
        headed = self._headings.get(wanted.words.whole, []) if wanted.quoted.is_loose else []
        both = {held.number: held for held in (*reading_states, *self._states("p.id", headed))}
        return [both[number] for number in sorted(both)]

    def _with(self, words: Sequence[str]) -> list[int]:
        """Return the texts that hold all of some words, the rarest of which comes first."""
        places = min(map(self._holding, words), key=len, default=())
        bodies = self._bodies
        return [
            bodies[place][0] for place in places if all(word in bodies[place][1] for word in words)
        ]

    def _with_most(self, words: Sequence[str]) -> list[int]:
        """Return the texts that hold at least half of some words, those that hold most first."""
        counts = Counter([place for word in words for place in self._holding(word)])
        least = (len(words) + 1) // 2
        some = sorted([(-count, place) for place, count in counts.items() if count >= least])
        return [self._bodies[place][0] for _, place in some[:_MOST]]

    def _holding(self, word: str) -> Sequence[int]:
        """Return the places of the texts that hold some letters."""
        if word in self._placed:
            return self._placed[word]
        library, starts = self._library
        holding = self._placed[word] = list[int]()
        place = library.find(word)
        while place >= 0:
            which = bisect_right(starts, place) - 1
            holding.append(which)
            place = library.find(word, starts[which] + len(self._bodies[which][1]))
        return holding

    def _in(self, edition: int) -> list[HeldState]:
        bit = 1 << edition
        states = list(self._reader.states_of(edition))
        return [held for held in self._states("p.id", states) if held.editions & bit]

    def _states(self, column: str, values: Sequence[object]) -> list[HeldState]:
        """Return the states that have one of some values in a column, by their ids."""
        spans: dict[int, int] = {}
        rows: dict[int, tuple[State, int]] = {}
        for start in range(0, len(values), _AT_ONCE):
            some = values[start : start + _AT_ONCE]
            question = _STATES.format(column=column, marks=",".join("?" * len(some)))
            for number, *fields, reading, body, first, last in self._reader.query(question, some):
                kind, printed, address, heading, parent, meant = fields
                spans[number] = spans.get(number, 0) | ((1 << (last - first + 1)) - 1) << first
                state = State(kind, printed, address, heading, body, parent, meant, "")
                rows[number] = (state, reading)
        for number, (state, reading) in rows.items():
            if number not in self._held:
                words = self._words(reading, state.body)
                self._held[number] = HeldState(number, state, words, spans[number])
        return [self._held[number] for number in sorted(rows)]

    def _words(self, reading: int, body: str) -> Folded:
        if reading not in self._folded:
            self._folded[reading] = fold_body(body)
        return self._folded[reading]


def places_of(editions: int) -> Iterator[int]:
    """Yield the places of editions that are given as bits, in order.

    >>> list(places_of(0b1101))
    [0, 2, 3]
    """
    place = 0
    while editions:
        if editions & 1:
            yield place
        editions >>= 1
        place += 1


def count_by_edition(quotations: Iterable[FoundQuotation], editions: int) -> Mapping[int, int]:
    """Return how many of some provisions each edition has, most first.

    Args:
        quotations: The places of each.
        editions: How many editions there are.
    """
    counts = [0] * editions
    for quotation in quotations:
        for place in places_of(quotation.editions):
            counts[place] += 1
    order = sorted(range(editions), key=lambda place: (-counts[place], place))
    return {place: counts[place] for place in order if counts[place]}
