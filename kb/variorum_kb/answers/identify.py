"""Which editions some quoted provisions can come from, word for word."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from rapidfuzz import fuzz, process

from variorum_kb.history.canonical import fold
from variorum_kb.rows import State, examples_of, text_of
from variorum_kb.store.reader import Reader

_STATES = (
    "SELECT p.id, p.kind, p.number, p.address, p.heading, p.parent, p.meant, p.reading, r.body, "
    "s.first, s.last FROM provision p JOIN reading r ON r.id = p.reading "
    "JOIN span s ON s.provision = p.id WHERE {column} IN ({marks}) ORDER BY p.id, s.first"
)
# What stands between words; a text that differs in nothing else is the same.
_BETWEEN = re.compile(r"[^\w{}/+']+|_+|(?<!\w)'|'(?!\w)")
# Fewer words than these are found in too many provisions to say which one they are from.
_FEWEST = 4
# A text less like a passage than this, in hundredths, is another provision's.
_LIKE = 60.0
# By how many of its words a passage is looked for, and how many texts may have them.
_LOOKED_FOR, _MOST = 4, 2000
# SQLite takes so many values in one question.
_AT_ONCE = 900


class Quoted(NamedTuple):
    """A provision as somebody quotes it.

    Attributes:
        number: As printed; "" where none is.
        heading: Of a section, a keyword rule or a glossary entry; "" where none is printed.
        text: Its paragraphs, joined by line feeds, without examples.
        examples: In printed order.
        is_entry: Whether it stands among definitions of the glossary.
        is_cut_before: Whether it begins in the middle.
        is_cut_after: Whether it ends there.
    """

    number: str
    heading: str
    text: str
    examples: tuple[str, ...] = ()
    is_entry: bool = False
    is_cut_before: bool = False
    is_cut_after: bool = False


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A quoted provision, folded."""

    quoted: Quoted
    heading: str
    text: str
    examples: tuple[str, ...]

    @property
    def rare(self) -> list[str]:
        """Return words by which a text that says this is looked for: its longest ones."""
        words = {word for word in self.text.split() if word.isascii() and word.isalpha()}
        return sorted(words, key=lambda word: (-len(word), word))[:_LOOKED_FOR]


class _Folded(NamedTuple):
    """Words, folded, and each paragraph of several."""

    text: str
    paragraphs: tuple[str, ...]
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Held:
    """A state, with the editions that hold it as the bits of a number."""

    number: int
    state: State
    words: _Folded
    editions: int


class Found(NamedTuple):
    """Where a quoted provision stands.

    Attributes:
        quoted: What was looked for.
        states: The ids of the states that say it, in order.
        editions: The editions that hold any of them, as bits by their places.
    """

    quoted: Quoted
    states: tuple[int, ...]
    editions: int


class Nearest(NamedTuple):
    """The provision of an edition that is most like a quoted one.

    Attributes:
        state: Its id.
        likeness: From 0 to 1.
    """

    state: int
    likeness: float


class Identifier:
    """Finds quoted provisions among all states of a base."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._held: dict[int, _Held] = {}
        self._folded: dict[int, _Folded] = {}

    def find(self, quoted: Sequence[Quoted]) -> list[Found]:
        """Return where each of some provisions stands, word for word.

        Examples count where any of them has one: a document that gives examples gives all.
        """
        with_examples = any(one.examples for one in quoted)
        numbers = sorted({one.number for one in quoted if one.number})
        by_number: dict[str, list[_Held]] = {}
        for held in self._states("p.number", numbers):
            by_number.setdefault(held.state[1], []).append(held)
        found: list[Found] = []
        for one in quoted:
            wanted = _wanted(one)
            among = by_number.get(one.number, []) if one.number else self._like(wanted)
            states = [held for held in among if _says(held, wanted, with_examples=with_examples)]
            editions = 0
            for held in states:
                editions |= held.editions
            found.append(Found(one, tuple([held.number for held in states]), editions))
        return found

    def nearest(self, quoted: Quoted, edition: int) -> Nearest | None:
        """Return the provision of an edition most like a quoted one; None if none is like it.

        That with its number comes first, if it is like it at all.
        """
        wanted = folded(quoted.text)
        here = [held for held in self._in(edition) if held.words.text]
        numbered = [held for held in here if quoted.number and held.state[1] == quoted.number]
        for among in (numbered, here) if wanted else ():
            best = process.extractOne(
                wanted, [held.words.text for held in among], scorer=fuzz.ratio, score_cutoff=_LIKE
            )
            if best is not None:
                return Nearest(among[best[2]].number, best[1] / 100)
        return None

    def state(self, number: int) -> State:
        """Return a state that was found."""
        return self._held[number].state

    def editions(self, number: int) -> int:
        """Return the editions that hold a state which was found, as bits by their places."""
        return self._held[number].editions

    @cached_property
    def _bodies(self) -> list[tuple[int, str]]:
        rows = self._reader.query("SELECT id, body FROM reading ORDER BY id")
        return [(number, body.casefold()) for number, body in rows]

    def _like(self, wanted: _Wanted) -> list[_Held]:
        """Return the states that hold the rare words of a passage without a number."""
        if len(wanted.text.split()) < _FEWEST:
            return []
        rare = wanted.rare
        readings = [number for number, body in self._bodies if all(word in body for word in rare)]
        return self._states("p.reading", readings) if len(readings) < _MOST else []

    def _in(self, edition: int) -> list[_Held]:
        bit = 1 << edition
        states = list(self._reader.states_of(edition))
        return [held for held in self._states("p.id", states) if held.editions & bit]

    def _states(self, column: str, values: Sequence[object]) -> list[_Held]:
        """Return the states that have one of some values in a column, by their ids."""
        spans: dict[int, int] = {}
        rows: dict[int, tuple[State, int]] = {}
        for start in range(0, len(values), _AT_ONCE):
            some = values[start : start + _AT_ONCE]
            question = _STATES.format(column=column, marks=",".join("?" * len(some)))
            for number, *fields, reading, body, first, last in self._reader.query(question, some):
                kind, printed, address, heading, parent, meant = fields
                spans[number] = spans.get(number, 0) | ((1 << (last - first + 1)) - 1) << first
                state = (kind, printed, address, heading, body, parent, meant, "")
                rows[number] = (state, reading)
        for number, (state, reading) in rows.items():
            if number not in self._held:
                words = self._words(reading, state[4])
                self._held[number] = _Held(number, state, words, spans[number])
        return [self._held[number] for number in sorted(rows)]

    def _words(self, reading: int, body: str) -> _Folded:
        if reading not in self._folded:
            examples = tuple([folded(one) for one in examples_of(body)])
            parts = text_of(body).split("\n")
            paragraphs = tuple(map(folded, parts)) if parts[1:] else ()
            self._folded[reading] = _Folded(folded(" ".join(parts)), paragraphs, examples)
        return self._folded[reading]


def folded(text: str) -> str:
    """Return a text with one spelling of everything but words.

    >>> folded("“Each player’s” turn—ends.")
    "each player's turn ends"
    """
    return " ".join(_BETWEEN.sub(" ", fold(text)).split())


def _wanted(quoted: Quoted) -> _Wanted:
    examples = tuple([folded(one) for one in quoted.examples])
    return _Wanted(quoted, folded(quoted.heading), folded(quoted.text), examples)


def _says(held: _Held, wanted: _Wanted, *, with_examples: bool) -> bool:
    """Say whether a state is what somebody quotes."""
    quoted, text = wanted.quoted, held.words.text
    is_entry = held.state[0] == "glossary"
    if is_entry if quoted.number else is_entry != quoted.is_entry:
        return False
    if wanted.heading and wanted.heading != folded(held.state[3]):
        return False
    is_cut = quoted.is_cut_before or quoted.is_cut_after
    if quoted.is_cut_before and quoted.is_cut_after:
        is_same = wanted.text in text
    elif quoted.is_cut_before:
        is_same = text.endswith(wanted.text)
    elif quoted.is_cut_after:
        is_same = text.startswith(wanted.text)
    else:
        # Where headwords are lost, nothing says which paragraphs belong to one entry.
        is_headless = is_entry and not wanted.heading
        is_same = wanted.text == text or (is_headless and wanted.text in held.words.paragraphs)
    if not is_same or is_cut or not with_examples:
        return is_same
    return wanted.examples == held.words.examples


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


def count_by_edition(found: Iterable[Found], editions: int) -> Mapping[int, int]:
    """Return how many of some provisions each edition holds, those that hold most first.

    Args:
        found: Where each stands.
        editions: How many editions there are.
    """
    counts = [0] * editions
    for one in found:
        for place in places_of(one.editions):
            counts[place] += 1
    order = sorted(range(editions), key=lambda place: (-counts[place], place))
    return {place: counts[place] for place in order if counts[place]}
