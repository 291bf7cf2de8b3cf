"""Dates each word of a reading to the edition that first printed it, even if the word moved."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from variorum.history.canonical import WordCodes
from variorum.history.word_diffs import Run, gap, kept_runs, keys_of, shared
from variorum.text import SLOT
from variorum.words import IN_MOST_RULES

# Words of a reading that are worth so much elsewhere have moved, and keep their date: each word counts 1,
# a common one a quarter. By hand, after some 90 moves were read. Within one rule; from the
# provision that was split, copied or merged; from an earlier wording, or a rule of the section that no
# longer has them; from any other rule that no longer has them.
MOVED_WITHIN, MOVED_FROM_ANCESTOR, MOVED_NEARBY, MOVED_FAR = 2.0, 1.25, 4.5, 6.0
_COMMON_WORD = 0.25
# A run, and a group of words by which moved runs are looked up, has this many; of six groups, the weightiest.
_LEAST_RUN, _STRIDE = 3, 6
# Common words in place are a coincidence among so many times as many new ones.
_LONELY = 5
_WORD = re.compile(r"[^\W_]|[{+-]")
_NUMBER = re.compile(r"[1-9]\d\d(?:[.\-\N{EN DASH}]\w+)*")
# Stand for words that no further run may contain, in the older text and in the newer.
_USED, _USED_HERE = "\0", "\1"
_FREE = re.compile(f"[^{_USED}{_USED_HERE}]+")

_codes = WordCodes()
_weights: dict[str, float] = {SLOT: _COMMON_WORD}


@cache
def _sign_of(key: str) -> str:
    """Return the character of a token's word, see `keys_of`, the same for all citations; "" of no word."""
    word = SLOT if _NUMBER.fullmatch(key) else key.lower()
    sign = _codes[word] if _WORD.match(key) else ""
    _weights.setdefault(sign, _COMMON_WORD if word in IN_MOST_RULES else 1.0)
    return sign


class _Words(NamedTuple):
    """A text: the keys of its tokens; its words, a character each, and the place of each among the tokens."""

    keys: Sequence[str]
    signs: str
    places: Sequence[int]


@lru_cache(maxsize=4096)
def _words_of(text: str) -> _Words:
    keys = keys_of(text)
    signs = [*map(_sign_of, keys)]
    return _Words(keys, "".join(signs), [place for place, sign in enumerate(signs) if sign])


def _weight(signs: str) -> float:
    return sum([_weights.get(sign, 0.0) for sign in signs])


def common_runs(older: str, newer: str) -> Iterator[Run]:
    """Yield the runs of words that two texts share, without overlaps, the longest first."""
    older, run = older + _USED, Run(0, 0, 1)  # no run goes beyond the sign
    while run.size:
        run, size = Run(0, 0, 0), _LEAST_RUN
        for at in [at for part in _FREE.finditer(older) for at in range(*part.span())]:
            while (there := newer.find(older[at : at + size])) >= 0:
                size += shared(older[at + size :], newer[there + size :]) + 1
                run = Run(at, there, size - 1)
        if run.size:
            yield run
        words = older[run.a : run.a + run.size]
        older = older.replace(words, _USED * run.size, 1)
        newer = newer.replace(words, _USED_HERE * run.size, 1)


class WordSource(NamedTuple):
    """A reading, what returns the edition that added each of its tokens, and the least weight of a run."""

    text: str
    ages: Callable[[], Sequence[int]]
    least: float


class WordDates:
    """Dates the words of a reading by one source after another; at first, all are of its edition."""

    def __init__(self, text: str, edition: int) -> None:
        self._keys, self._signs, self._places = _words_of(text)
        self._edition, self.since = edition, [edition] * len(self._keys)
        # The words, with a sign that matches nothing for each word that was followed or taken.
        self._free = self._signs

    def follow(self, source: WordSource) -> None:
        """Take the dates of words from an earlier reading of the provision, moved or in place."""
        if keys_of(source.text) != self._keys:
            self.take(source._replace(least=MOVED_WITHIN))
        kept = kept_runs(_words_of(source.text).signs, self._signs)
        for nth, run in enumerate(kept):
            new = sum([gap(*pair) for pair in pairwise(kept[max(nth - 1, 0) : nth + 2])])
            words = self._signs[run.b : run.b + run.size]
            if words and (new < _LONELY * run.size or _weight(words) >= 1):
                self._claim(source, run)

    def take(self, source: WordSource, kept: Sequence[str] = ()) -> None:
        """Take the dates of runs of words that came from another provision, and are not `kept` there."""
        past, left = _words_of(source.text).signs, [_words_of(text).signs for text in kept]
        for run in common_runs(past, self._free):
            words = past[run.a : run.a + run.size]
            since = [self.since[at] for at in self._places[run.b : run.b + run.size]]
            is_new = since.count(self._edition) * 2 >= run.size
            if is_new and _weight(words) >= source.least and not any(words in it for it in left):
                self._claim(source, run)

    def _claim(self, source: WordSource, run: Run) -> None:
        """Give the free words of a run, and the signs beside them, their dates."""
        (past, _, places), ages = _words_of(source.text), source.ages()
        for part in _FREE.finditer(self._free, run.b, run.b + run.size):
            for word in range(*part.span()):
                here, there = self._places[word], places[word - run.b + run.a]
                if self._keys[here] == past[there] or _sign_of(past[there]) != SLOT:
                    self.since[here] = ages[there]
                for onward in (-1, 1):
                    at, beyond = here + onward, there + onward
                    while 0 <= at < len(self._keys) and 0 <= beyond < len(past):
                        if self._keys[at] != past[beyond] or _sign_of(past[beyond]):
                            break
                        self.since[at] = ages[beyond]
                        at, beyond = at + onward, beyond + onward
        if run.size >= _LEAST_RUN:  # another source may have a longer run with fewer words
            before, after = self._free[: run.b], self._free[run.b + run.size :]
            self._free = before + _USED_HERE * run.size + after

    def sought(self) -> Iterator[str]:
        """Yield rare words outside all runs so far, to search for the provision they came from."""
        for run in _FREE.finditer(self._free):
            stop = run.end() - _LEAST_RUN + 1 if _weight(run[0]) >= MOVED_NEARBY else 0
            for begin in range(run.start(), stop, _STRIDE):
                group = range(begin, min(begin + _STRIDE, stop))
                weights = [-_weight(self._signs[place : place + _LEAST_RUN]) for place in group]
                for weight, place in sorted(zip(weights, group, strict=True)):
                    start, *_, end = self._places[place : place + _LEAST_RUN]
                    words = self._keys[start : end + 1]
                    if weight < -1 and all(key[:1].isalpha() for key in words):
                        yield " ".join(words).lower()
                        break
