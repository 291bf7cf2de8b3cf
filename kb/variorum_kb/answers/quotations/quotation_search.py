"""Finds the editions that quoted provisions can come from, word for word."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import NamedTuple

from variorum_kb.answers.quotations.quotation_likeness import (
    HeldState,
    Nearest,
    likeness_to,
    likest_of,
    name_of_quoted,
    name_of_state,
)
from variorum_kb.answers.quotations.quotation_matching import (
    Folded,
    Quoted,
    Wanted,
    fold_body,
    holds,
    says,
    want,
)
from variorum_kb.answers.quotations.quotation_texts import MOST_TEXTS, HeldTexts
from variorum_kb.rows import State
from variorum_kb.store.reader import Reader
from variorum_kb.text.folding import fold_words
from variorum_kb.thresholds.quotations import QUOTED_LIKE

_STATES = (
    "SELECT {column}, p.id, p.kind, p.number, p.address, p.heading, p.parent, p.meant, p.reading, r.body, "
    "s.first, s.last FROM provision p JOIN reading r ON r.id = p.reading "
    "JOIN span s ON s.provision = p.id WHERE {column} IN ({}) ORDER BY p.id, s.first"
)
# Fewer words than these occur in too many provisions.
FEWEST_WORDS = 4
# No provision has so many characters. Comparing parts of longer passages takes minutes.
_LONGEST = 8_000
# A document with more unnumbered texts than this is sampled first. If fewer than one in a hundred
# of the sample are in an edition, the others are not looked for. Otherwise a book about something
# else would take minutes.
SAMPLED, _ONE_IN = 500, 100
# After this many comparisons with states, no further text is looked for. An edition with all its
# text in one line needs fewer than a quarter of them.
_MOST_COMPARISONS = 2_000_000
# Measuring a likeness takes as long as this many comparisons.
_LIKENESS = 2


class FoundQuotation(NamedTuple):
    """The states and editions that have a quoted provision.

    Attributes:
        quoted: The quoted provision.
        states: The ids of the states with its words, in order.
        editions: The editions that have any of these states, as bits by their places.
    """

    quoted: Quoted
    states: tuple[int, ...]
    editions: int


class Identifier:
    """Finds quoted provisions among the states of a base.

    Attributes:
        compared: How many states were compared with the passages of the document.
        is_left_out: Whether almost no text of the document's sample is in an edition.
        left_out: The texts that were not looked for, because of the sample or of too many
            comparisons.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.texts = HeldTexts(reader)
        self._held: dict[int, HeldState] = {}
        self._by_value: dict[str, dict[object, list[HeldState]]] = {}
        self._folded: dict[int, Folded] = {}
        self._editions: dict[int, list[HeldState]] = {}
        self._named: dict[int, dict[str, list[HeldState]]] = {}
        self._places: dict[int, dict[int, int]] = {}
        self.begin()

    def begin(self) -> None:
        """Prepare for another document."""
        self._known: dict[tuple[str, Quoted], FoundQuotation] = {}
        self._near: dict[Quoted, list[Nearest]] = {}
        self.compared = 0
        self.is_left_out = False
        self.left_out: set[str] = set()

    def find(self, quoted: Sequence[Quoted]) -> list[FoundQuotation]:
        """Return the states that have each of some provisions word for word.

        If any provision has an example, examples are compared too, because a document that has one
        example has all.
        """
        with_examples = any(passage.examples for passage in quoted)
        self._by("p.number", {passage.number for passage in quoted if passage.number})
        how = "with examples" if with_examples else "without examples"
        return self._find_all(quoted, how, partial(self._saying, with_examples=with_examples))

    def holding(self, texts: Iterable[str]) -> list[FoundQuotation]:
        """Return the states that have each of some texts word for word, alone or among other words.

        Texts of fewer than `FEWEST_WORDS` words are never found.
        """
        quoted = [Quoted("", "", text, is_loose=True) for text in texts]
        return self._find_all(quoted, "part", self._holding)

    def _find_all(
        self, quoted: Sequence[Quoted], how: str, states_of: Callable[[Quoted], list[HeldState]]
    ) -> list[FoundQuotation]:
        loose = [passage for passage in quoted if not (passage.number or passage.heading)]
        unknown = [passage for passage in dict.fromkeys(loose) if (how, passage) not in self._known]
        if len(unknown) > SAMPLED and not self.is_left_out:
            every = len(unknown) / SAMPLED
            sample = [unknown[int(place * every)] for place in range(SAMPLED)]
            count = sum(bool(self._find(passage, how, states_of).states) for passage in sample)
            self.is_left_out = count * _ONE_IN < SAMPLED
        return [self._find(passage, how, states_of) for passage in quoted]

    def _find(
        self, quoted: Quoted, how: str, states_of: Callable[[Quoted], list[HeldState]]
    ) -> FoundQuotation:
        if (how, quoted) not in self._known:
            states = states_of(quoted)
            editions = 0
            for held in states:
                editions |= held.editions
            numbers = tuple([held.number for held in states])
            self._known[how, quoted] = FoundQuotation(quoted, numbers, editions)
        return self._known[how, quoted]

    def _saying(self, quoted: Quoted, *, with_examples: bool) -> list[HeldState]:
        if self.is_left_out and not (quoted.number or quoted.heading):
            self.left_out.add(quoted.words)
            return []
        wanted = want(quoted)
        number = quoted.number
        among = self._by("p.number", [number])[number] if number else self._among(wanted)
        self.compared += len(among)
        states = [
            held
            for held in among
            if says(held.state, held.words, wanted, with_examples=with_examples)
        ]
        if not states and quoted.is_loose:
            states = [held for held in among if holds(held.words, wanted)]
        return states

    def _holding(self, quoted: Quoted) -> list[HeldState]:
        wanted = want(quoted)
        among = self._among(wanted)
        self.compared += len(among)
        return [held for held in among if holds(held.words, wanted)]

    def nearest(self, quoted: Quoted, edition: int) -> Nearest | None:
        """Return the provision of an edition most like a quotation; None if none is like it.

        A provision with the same number or headword goes first if it is similar at all.
        """
        wanted = want(quoted)
        if edition not in self._editions:
            self._editions[edition] = [held for held in self._in(edition) if held.words.text]
            named = self._named[edition] = {}
            for held in self._editions[edition]:
                named.setdefault(name_of_state(held), []).append(held)
        name = name_of_quoted(wanted)
        near = likest_of(wanted, self._named[edition].get(name, [])) if name else None
        if near is not None:
            return near
        if self.compared > _MOST_COMPARISONS:
            self.left_out.add(quoted.words)
            return None
        self.compared += _LIKENESS * len(self._editions[edition])
        return likest_of(wanted, self._editions[edition])

    def is_like_entry(self, quoted: Quoted) -> bool:
        """Return whether a glossary entry with the headword of a passage resembles it."""
        wanted = want(quoted)
        entries = self._states("p.id", self.headwords.get(wanted.heading, []))
        return any(likeness_to(wanted, held.words) >= QUOTED_LIKE for held in entries)

    def nearest_anywhere(self, quoted: Quoted) -> list[Nearest]:
        """Return the provisions of all editions most like a quotation, the best first."""
        if quoted not in self._near:
            self._near[quoted] = self._nearest_anywhere(quoted)
        return self._near[quoted]

    def _nearest_anywhere(self, quoted: Quoted) -> list[Nearest]:
        wanted = want(quoted)
        if len(wanted.words.whole) > _LONGEST:
            return []
        numbered = self._states("p.number", [quoted.number]) if quoted.number else []
        readings = self.texts.with_most(wanted.rare)
        among = {near.number: near for near in (*numbered, *self._states("p.reading", readings))}
        likely = [
            Nearest(held.number, ratio)
            for held in among.values()
            if (ratio := likeness_to(wanted, held.words)) >= QUOTED_LIKE
        ]
        return sorted(likely, key=lambda near: (-near.likeness, near.state))

    def state(self, number: int) -> State:
        """Return a found state."""
        return self._held[number].state

    def words(self, number: int) -> str:
        """Return the words of a found state and of its examples, folded."""
        return self._held[number].words.whole

    def wholes(self, number: int) -> tuple[str, ...]:
        """Return the parts of a found state, folded: all, the text, each paragraph and example."""
        words = self._held[number].words
        return (words.whole, words.text, *words.paragraphs, *words.examples)

    def heading(self, number: int) -> str:
        """Return the heading of any state."""
        if number not in self._held:
            self._states("p.id", [number])
        return self._held[number].state.heading

    def editions(self, number: int) -> int:
        """Return the editions that have a found state, as bits by their places."""
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
        """Return the states of glossary entries, by their folded headwords."""
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

    def _among(self, wanted: Wanted) -> list[HeldState]:
        """Return the states that a passage without a number may come from."""
        if wanted.heading:
            return self._states("p.id", self.headwords.get(wanted.heading, []))
        if len(wanted.words.whole.split()) < FEWEST_WORDS:
            return []
        if self.compared > _MOST_COMPARISONS:
            self.left_out.add(wanted.quoted.words)
            return []
        readings = self.texts.with_all(wanted.rare)
        reading_states = self._states("p.reading", readings) if len(readings) < MOST_TEXTS else []
        headed = self._headings.get(wanted.words.whole, []) if wanted.quoted.is_loose else []
        both = {held.number: held for held in (*reading_states, *self._states("p.id", headed))}
        return [both[number] for number in sorted(both)]

    def _in(self, edition: int) -> list[HeldState]:
        bit = 1 << edition
        states = list(self._reader.states_of(edition))
        return [held for held in self._states("p.id", states) if held.editions & bit]

    def _states(self, column: str, values: Sequence[object]) -> list[HeldState]:
        """Return the states with one of some values in a column, in the order of their ids."""
        by_value = self._by(column, values)
        states = {held.number: held for value in values for held in by_value[value]}
        return [states[number] for number in sorted(states)]

    def _by(self, column: str, values: Iterable[object]) -> Mapping[object, list[HeldState]]:
        """Return the states with some values in a column, by value, in the order of their ids."""
        known = self._by_value.setdefault(column, {})
        unknown = [value for value in values if value not in known]
        known |= {value: [] for value in unknown}
        for value, held in self._ask(column, unknown):
            known[value].append(held)
        return known

    def _ask(self, column: str, values: Sequence[object]) -> Iterator[tuple[object, HeldState]]:
        spans: dict[int, int] = {}
        rows: dict[int, tuple[object, State, int]] = {}
        question = _STATES.format("{}", column=column)
        for value, number, *fields, reading, body, first, last in self._reader.query_each(
            question, values
        ):
            kind, printed, address, heading, parent, meant = fields
            spans[number] = spans.get(number, 0) | ((1 << (last - first + 1)) - 1) << first
            state = State(kind, printed, address, heading, body, parent, meant, "")
            rows[number] = (value, state, reading)
        for number, (value, state, reading) in rows.items():
            if number not in self._held:
                words = self._words(reading, state.body)
                self._held[number] = HeldState(number, state, words, spans[number])
            yield value, self._held[number]

    def _words(self, reading: int, body: str) -> Folded:
        if reading not in self._folded:
            self._folded[reading] = fold_body(body)
        return self._folded[reading]


def places_of(editions: int) -> Iterator[int]:
    """Yield the places of editions given as bits, in order.

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
        quotations: The found quotations.
        editions: How many editions there are.
    """
    counts = [0] * editions
    for quotation in quotations:
        for place in places_of(quotation.editions):
            counts[place] += 1
    order = sorted(range(editions), key=lambda place: (-counts[place], place))
    return {place: counts[place] for place in order if counts[place]}
