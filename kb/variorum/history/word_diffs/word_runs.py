"""Finds runs of words that two texts share, in place or moved."""

import heapq
import re
from collections import defaultdict
from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

from variorum.history.canonical import WordCodes
from variorum.history.word_diffs.diff import keys_of
from variorum.text import SLOT, words_of
from variorum.words import IN_MOST_RULES

# A run has at least this many words.
_LEAST_RUN = 3
# At most this many places of the same words in a text are considered.
_MOST_PLACES = 32
# The weight of a word that most rules have, which may match by chance.
_COMMON_WORD = 0.25
# At most this many words may have changed between two parts of a moved run.
_WIDEST_GAP = 4
# For each text, how many words may be between two parts; pairs with the fewest words come first.
_GAPS = sorted(product(range(_WIDEST_GAP + 1), repeat=2), key=sum)[1:]
# Moved runs are looked up by three consecutive words: of every six such groups, the weightiest.
_PROBE = 3
_STRIDE = 6
# Signs that end a sentence, and signs that may be around a sentence.
_ENDS = frozenset(".!?:")
_AROUND = frozenset("\"'()[]")
_NUMBER = re.compile(r"[1-9]\d\d(?:[.\-\N{EN DASH}]\w+)*")


class Worded(NamedTuple):
    """A text encoded as words, to find runs in.

    Attributes:
        keys: Its tokens, see `diff.keys_of`.
        signs: Its words, one character each; all citations have the same character.
        owners: For each word, the place of the token that contains it.
    """

    keys: tuple[str, ...]
    signs: str
    owners: tuple[int, ...]

    def is_sentence(self, start: int, length: int) -> bool:
        """Return whether some words are one or more whole sentences."""
        before, after = self.owners[start] - 1, self.owners[start + length - 1] + 1
        while before >= 0 and self.keys[before] in _AROUND:
            before -= 1
        while after < len(self.keys) and self.keys[after] in _AROUND:
            after += 1
        begins = before < 0 or self.keys[before] in _ENDS
        return begins and (after == len(self.keys) or self.keys[after] in _ENDS)


class WordRun(NamedTuple):
    """A run of words that two texts share.

    Attributes:
        older: Its start in the older text.
        newer: Its start in the newer text.
        length: The number of words.
    """

    older: int
    newer: int
    length: int


# Stands for a citation in the signs of a text.
CITED = SLOT
_codes = WordCodes()
_weights: dict[str, float] = {CITED: _COMMON_WORD}


@cache
def _signs_of(key: str) -> str:
    """Return the words of a token, one character each."""
    if _NUMBER.fullmatch(key):
        return CITED
    words = [key.lower()] if key.isalpha() and key.isascii() else words_of(key)
    signs = _codes.encode(words)
    for word, sign in zip(words, signs, strict=True):
        _weights[sign] = _COMMON_WORD if word in IN_MOST_RULES or sign == CITED else 1.0
    return signs


@lru_cache(maxsize=4096)
def worded(text: str) -> Worded:
    """Return a text encoded as words."""
    keys = keys_of(text)
    parts = [_signs_of(key) for key in keys]
    owners = [place for place, part in enumerate(parts) for _ in part]
    return Worded(keys, "".join(parts), tuple(owners))


def probes(signs: str) -> list[str]:
    """Return rare words of a run, to search for texts that may have it."""
    probed: list[str] = []
    for start in range(0, len(signs) - _PROBE + 1, _STRIDE):
        # At the end, shorter groups weigh less than the last whole one.
        groups = [signs[place : place + _PROBE] for place in range(start, start + _STRIDE)]
        best = max(groups, key=weight)
        if CITED not in best and weight(best) > 1:
            probed.append(" ".join(_codes.decode(best)))
    return probed


def weight(signs: str) -> float:
    """Return the weight of some words, counted in uncommon words."""
    known = _weights
    return sum([known.get(sign, 0.0) for sign in signs])


def common_runs(older: str, newer: str) -> list[WordRun]:
    """Return the runs of words that two texts share, without overlaps.

    The longest runs are taken first; among equals, the run that moved least.
    """
    least = _LEAST_RUN
    places: dict[str, list[int]] = defaultdict(list)
    for start in range(len(older) - least + 1):
        places[older[start : start + least]].append(start)
    waiting: list[tuple[int, int, int, int]] = []
    for begin in range(len(newer)):
        for start in places.get(newer[begin : begin + least], ())[:_MOST_PLACES]:
            if not (start and begin and older[start - 1] == newer[begin - 1]):
                length = _length(older, newer, start, begin)
                waiting.append((-length, abs(start - begin), begin, start))
    heapq.heapify(waiting)
    return _disjoint(waiting, bytearray(len(older)), bytearray(len(newer)))


def _length(older: str, newer: str, start: int, begin: int) -> int:
    length, most = 0, min(len(older) - start, len(newer) - begin)
    while length < most and older[start + length] == newer[begin + length]:
        length += 1
    return length


def _disjoint(
    waiting: list[tuple[int, int, int, int]], taken: bytearray, taken_there: bytearray
) -> list[WordRun]:
    """Return disjoint runs, the longest first; a run that overlaps a longer run is cut."""
    disjoint: list[WordRun] = []
    while waiting:
        size, moved, begin, start = heapq.heappop(waiting)
        length = -size
        if not any(taken[start : start + length]) and not any(taken_there[begin : begin + length]):
            disjoint.append(WordRun(start, begin, length))
            taken[start : start + length] = taken_there[begin : begin + length] = b"\1" * length
            continue
        free = -1
        for step in range(length + 1):
            is_free = step < length and not taken[start + step] and not taken_there[begin + step]
            if is_free and free < 0:
                free = step
            elif not is_free and free >= 0:
                if step - free >= _LEAST_RUN:
                    heapq.heappush(waiting, (free - step, moved, begin + free, start + free))
                free = -1
    return disjoint


def in_order(candidates: list[WordRun], older: str) -> list[WordRun]:
    """Return the heaviest choice of runs that have the same order in both texts.

    Args:
        candidates: The runs to choose from.
        older: The older text.
    """
    candidates = sorted(candidates, key=lambda run: run.older)
    best: list[tuple[float, int]] = []  # weight up to a run, run before
    for place, run in enumerate(candidates):
        before = [(best[k][0], -k) for k in range(place) if candidates[k].newer < run.newer]
        total, last = max(before, default=(0.0, 1))
        best.append((total + weight(older[run.older : run.older + run.length]), -last))
    chosen: list[WordRun] = []
    place = max(range(len(candidates)), key=lambda k: best[k][0], default=-1)
    while place >= 0:
        chosen.append(candidates[place])
        place = best[place][1]
    return chosen[::-1]


def widened(older: str, newer: str, run: WordRun) -> list[WordRun]:
    """Return a moved run with nearby runs, which only a few words separate."""
    forward = [run]
    while (after := _next(older, newer, forward[-1])) is not None:
        forward.append(after)
    reverse_one, reverse_other = older[::-1], newer[::-1]
    back = [_turned(run, older, newer)]
    while (after := _next(reverse_one, reverse_other, back[-1])) is not None:
        back.append(after)
    return [_turned(one_back, older, newer) for one_back in back[:0:-1]] + forward


def _turned(run: WordRun, older: str, newer: str) -> WordRun:
    return WordRun(
        len(older) - run.older - run.length, len(newer) - run.newer - run.length, run.length
    )


def _next(older: str, newer: str, run: WordRun) -> WordRun | None:
    """Return the run after a part of a moved run that is nearest to it; None if none is near.

    A run of one word is enough if only one word was added or removed before it.
    """
    start, begin = run.older + run.length, run.newer + run.length
    for older_gap, newer_gap in _GAPS:
        least = 1 if older_gap + newer_gap == 1 else 2
        here, there = start + older_gap, begin + newer_gap
        words = older[here : here + least]
        if len(words) == least and words == newer[there : there + least]:
            return WordRun(here, there, _length(older, newer, here, there))
    return None
