"""Dates each word of a reading to the edition that first printed it, even if the word moved."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from variorum.history.canonical import WordCodes
from variorum.history.word_diffs import keys_of, runs
from variorum.text import SLOT
from variorum.words import IN_MOST_RULES

# Words of a reading that are worth so much elsewhere have moved, and keep their date: each word counts 1,
# a common one a quarter, a sign nothing. By hand, after some 90 moves were read. Within one rule; from the
# provision that was split, copied or merged; from an earlier wording, or a rule of the section that no
# longer has them; from any other rule that no longer has them.
MOVED_WITHIN, MOVED_FROM_ANCESTOR, MOVED_NEARBY, MOVED_FAR = 2.0, 1.25, 4.5, 6.0
_COMMON_WORD = 0.25
# A run has at least this many words and signs, and moved runs are looked up by so many words; of every
# six such groups, the weightiest.
_LEAST_RUN, _STRIDE = 3, 6
# Common words in place are a coincidence if at least this many times as many new words surround them.
_LONELY = 5
# At most this many places of the same words in a text are considered.
_MOST_PLACES = 32
_NUMBER = re.compile(r"[1-9]\d\d(?:[.\-\N{EN DASH}]\w+)*")
# Stand for words that no further run may contain, in the older text and in the newer.
_USED, _USED_HERE = "\0", "\1"

_codes = WordCodes()
_weights: dict[str, float] = {SLOT: _COMMON_WORD}


@lru_cache(maxsize=4096)
def _signs_of(text: str) -> str:
    """Return the tokens of a text, see `keys_of`, a character each; all citations have the same."""
    words = [SLOT if _NUMBER.fullmatch(key) else key.lower() for key in keys_of(text)]
    signs = _codes.encode(words)
    for word, sign in zip(words, signs, strict=True):
        worth = _COMMON_WORD if word in IN_MOST_RULES else 1.0
        _weights.setdefault(sign, worth if word[:1].isalnum() or word[:1] in "{+-" else 0.0)
    return signs


def _weights_of(signs: str) -> list[float]:
    """Return the weight of each word, an uncommon one 1, without the signs between them."""
    return [weight for sign in signs if (weight := _weights.get(sign))]


class WordRun(NamedTuple):
    """A run of tokens that two texts share: its start in the older and in the newer, and its length."""

    older: int
    newer: int
    length: int


def common_runs(older: str, newer: str) -> Iterator[WordRun]:
    """Yield the runs that two texts share, without overlaps, the longest first.

    Among equals, the run that moved least is first.
    """
    while True:
        places: dict[str, list[int]] = defaultdict(list)
        for start in range(len(older) - _LEAST_RUN + 1):
            places[older[start : start + _LEAST_RUN]].append(start)
        found = [
            (-_length(older, newer, start, begin), abs(start - begin), begin, start)
            for begin in range(len(newer))
            for start in places.get(newer[begin : begin + _LEAST_RUN], ())[:_MOST_PLACES]
            if not (start and begin and older[start - 1] == newer[begin - 1])
        ]
        if not found:
            return
        size, _, begin, start = min(found)
        yield WordRun(start, begin, -size)
        older = _without(older, start, -size, _USED)
        newer = _without(newer, begin, -size, _USED_HERE)


def _without(signs: str, start: int, length: int, sign: str) -> str:
    return f"{signs[:start]}{sign * length}{signs[start + length :]}"


def _length(older: str, newer: str, start: int, begin: int) -> int:
    length, most = 0, min(len(older) - start, len(newer) - begin)
    while length < most and older[start + length] == newer[begin + length]:
        length += 1
    return length


class WordSource(NamedTuple):
    """A reading that words came from.

    `ages` returns the edition that added each of its tokens; a run from it has at least the weight `least`.
    """

    text: str
    ages: Callable[[], Sequence[int]]
    least: float


class WordDates:
    """Dates the words of a reading by one source after another."""

    def __init__(self, text: str, edition: int) -> None:
        """Date all words of a reading to the edition that first printed it."""
        self._keys, self._signs, self._edition = keys_of(text), _signs_of(text), edition
        self.since = [edition] * len(self._keys)
        # The words, with a sign that matches nothing for each word that was followed or taken.
        self._free = self._signs

    def follow(self, source: WordSource) -> None:
        """Take the dates of words from an earlier reading of the provision, in place or moved.

        Of the words between two longer runs, isolated common ones are a coincidence.
        """
        past, here = _signs_of(source.text), self._signs
        kept, moved = [WordRun(0, 0, 0)], list[WordRun]()
        for run in common_runs(past, here):
            weights = _weights_of(past[run.older : run.older + run.length])
            worth = sum(weights) if len(weights) >= _LEAST_RUN else 0.0
            is_in_order = all((run < other) == (run.newer < other.newer) for other in kept)
            if worth >= (1.0 if is_in_order else MOVED_WITHIN):
                (kept if is_in_order else moved).append(run)
        for run in (*kept, *moved):
            self._claim(source, run)
        for before, after in pairwise([*sorted(kept), WordRun(len(past), len(here), 0)]):
            start, begin = before.older + before.length, before.newer + before.length
            compared = runs(past[start : after.older], self._free[begin : after.newer])
            for nth, (is_same, older, newer) in enumerate(compared):
                place = WordRun(start + older[0], begin + newer[0], newer[1] - newer[0])
                weights = _weights_of(here[place.newer :][: place.length])
                beside = compared[max(nth - 1, 0) : nth + 2]
                new = sum([it.newer[1] - it.newer[0] for it in beside if not it.is_same])
                if is_same and (sum(weights) >= 1.0 or new < _LONELY * len(weights)):
                    self._claim(source, place, is_weak=True)

    def take(self, source: WordSource, kept: Sequence[str] = ()) -> None:
        """Take the dates of runs of words that came from another provision.

        Runs that its readings in the newer edition keep did not move.
        """
        past = _signs_of(source.text)
        for run in common_runs(past, self._free):
            words = past[run.older : run.older + run.length]
            weights = _weights_of(words)
            undated = self.since[run.newer : run.newer + run.length].count(self._edition)
            is_new = undated * 2 >= run.length and len(weights) >= _LEAST_RUN
            if (
                is_new
                and sum(weights) >= source.least
                and not any(words in _signs_of(text) for text in kept)
            ):
                self._claim(source, run)

    def _claim(self, source: WordSource, run: WordRun, *, is_weak: bool = False) -> None:
        """Give a run the dates of its source; if it is weak, another source may still have it."""
        past, ages = keys_of(source.text), source.ages()
        if not is_weak:
            self._free = _without(self._free, run.newer, run.length, _USED_HERE)
        for step in range(run.length):
            there, here = run.older + step, run.newer + step
            if self._signs[here] != SLOT or self._keys[here] == past[there]:
                self.since[here] = ages[there]

    def sought(self) -> Iterator[str]:
        """Yield rare words outside all runs so far, to search for the provision they came from."""
        place = 0
        for run in self._free.split(_USED_HERE):
            last = place + len(run) - _LEAST_RUN + 1
            for start in range(
                place, last if sum(_weights_of(run)) >= MOVED_NEARBY else place, _STRIDE
            ):
                groups = [
                    slice(at, at + _LEAST_RUN) for at in range(start, min(start + _STRIDE, last))
                ]
                groups = [it for it in groups if all(key[:1].isalpha() for key in self._keys[it])]
                best = max(
                    groups, key=lambda it: sum(_weights_of(self._signs[it])), default=slice(0)
                )
                if sum(_weights_of(self._signs[best])) > 1:
                    yield " ".join(self._keys[best]).lower()
            place += len(run) + 1
