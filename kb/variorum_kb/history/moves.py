"""Runs of words that stand in two texts, in place or moved."""

import heapq
import re
from collections import defaultdict
from functools import cache, lru_cache

from variorum_kb.history.diff import keys_of
from variorum_kb.record import Record
from variorum_kb.text.stop_words import IN_MOST_RULES
from variorum_kb.text.words import SLOT, words_of

# Fewer words are no run: single ones are everywhere.
_LEAST_RUN = 3
# Words that stand so often in one text are looked at no more often.
_MOST_PLACES = 32
# What a word says: one that most rules hold hardly tells a run from an accident.
_COMMON_WORD = 0.25
# So many words may have been replaced, put in or left out between two parts of a moved run.
_WIDEST_GAP = 4
# A moved run is looked for by three words in a row, of each six the three that say most.
_PROBE = 3
_STRIDE = 6
# What stands between sentences, and what else may stand there.
_ENDS = frozenset(".!?:")
_AROUND = frozenset("\"'()[]")
_NUMBER = re.compile(r"[1-9]\d\d(?:[.\-\N{EN DASH}]\w+)*")


class Worded(Record):
    """A text in words, as runs are sought in it.

    Attributes:
        keys: Its tokens, see `diff.keys_of`.
        signs: Its words, a character each; a citation is the same whatever it cites.
        owners: The places of the tokens that the words stand in.
    """

    __slots__ = ()
    keys: tuple[str, ...]
    signs: str
    owners: tuple[int, ...]

    def is_sentence(self, start: int, length: int) -> bool:
        """Say whether some words are a whole sentence, or more of them."""
        before, after = self.owners[start] - 1, self.owners[start + length - 1] + 1
        while before >= 0 and self.keys[before] in _AROUND:
            before -= 1
        while after < len(self.keys) and self.keys[after] in _AROUND:
            after += 1
        begins = before < 0 or self.keys[before] in _ENDS
        return begins and (after == len(self.keys) or self.keys[after] in _ENDS)


class WordRun(Record):
    """Words that stand in two texts.

    Attributes:
        one: Where they begin in the older text.
        other: Where they begin in the newer one.
        length: How many they are.
    """

    __slots__ = ()
    one: int
    other: int
    length: int


_FIRST = 0x10000
# Stands for a citation in the signs of a text.
CITED = chr(_FIRST)
_signs: dict[str, str] = {SLOT: CITED}
_words: list[str] = [SLOT]
_weights: dict[str, float] = {CITED: _COMMON_WORD}


@cache
def _signs_of(key: str) -> str:
    """Return the words of a token, a character each."""
    if key.isalpha() and key.isascii():
        return _sign_of(key.lower())
    if not any(map(str.isalnum, key)):
        return ""
    if _NUMBER.fullmatch(key):
        return CITED
    return "".join([_sign_of(word) for word in words_of(key)])


def _sign_of(word: str) -> str:
    sign = _signs.get(word)
    if sign is None:
        sign = _signs[word] = chr(_FIRST + len(_words))
        _words.append(word)
        _weights[sign] = _COMMON_WORD if word in IN_MOST_RULES else 1.0
    return sign


@lru_cache(maxsize=4096)
def worded(text: str) -> Worded:
    """Return a text in words."""
    keys = keys_of(text)
    parts = [_signs_of(key) for key in keys]
    owners = [place for place, part in enumerate(parts) for _ in part]
    return Worded(keys, "".join(parts), tuple(owners))


def probes(signs: str) -> list[str]:
    """Return some words of a run, of each few those that say most, by which to look for it."""
    found: list[str] = []
    for start in range(0, len(signs) - _PROBE + 1, _STRIDE):
        stop = min(start + _STRIDE, len(signs) - _PROBE + 1)
        best = max([signs[place : place + _PROBE] for place in range(start, stop)], key=weight)
        if CITED not in best and weight(best) > 1:
            found.append(" ".join([_words[ord(sign) - _FIRST] for sign in best]))
    return found


def weight(signs: str) -> float:
    """Return how much words say: so many uncommon words would."""
    known = _weights
    return sum([known.get(sign, 0.0) for sign in signs])


def common_runs(one: str, other: str) -> list[WordRun]:
    """Return runs of words that stand in both texts, each word in one run at most.

    The longest are taken first, of equals the one that moved least.
    """
    least = _LEAST_RUN
    places: dict[str, list[int]] = defaultdict(list)
    for start in range(len(one) - least + 1):
        places[one[start : start + least]].append(start)
    waiting: list[tuple[int, int, int, int]] = []
    for begin in range(len(other) - least + 1):
        for start in places.get(other[begin : begin + least], ())[:_MOST_PLACES]:
            if not (start and begin and one[start - 1] == other[begin - 1]):
                length = _length(one, other, start, begin)
                waiting.append((-length, abs(start - begin), begin, start))
    heapq.heapify(waiting)
    return _disjoint(waiting, bytearray(len(one)), bytearray(len(other)))


def _length(one: str, other: str, start: int, begin: int) -> int:
    length, most = 0, min(len(one) - start, len(other) - begin)
    while length < most and one[start + length] == other[begin + length]:
        length += 1
    return length


def _disjoint(
    waiting: list[tuple[int, int, int, int]], one: bytearray, other: bytearray
) -> list[WordRun]:
    """Return runs, the longest first; of one that others took part of, what is left."""
    found: list[WordRun] = []
    while waiting:
        size, moved, begin, start = heapq.heappop(waiting)
        length = -size
        if not any(one[start : start + length]) and not any(other[begin : begin + length]):
            found.append(WordRun(start, begin, length))
            one[start : start + length] = other[begin : begin + length] = b"\1" * length
            continue
        free = -1
        for step in range(length + 1):
            is_free = step < length and not one[start + step] and not other[begin + step]
            if is_free and free < 0:
                free = step
            elif not is_free and free >= 0:
                if step - free >= _LEAST_RUN:
                    heapq.heappush(waiting, (free - step, moved, begin + free, start + free))
                free = -1
    return found


def in_order(found: list[WordRun], one: str) -> list[WordRun]:
    """Return the runs that stand in the same order in both texts, of all choices the weightiest.

    Args:
        found: Runs.
        one: The older text.
    """
    found = sorted(found, key=lambda run: run.one)
    best: list[tuple[float, int]] = []  # the weight of a choice that ends here, the run before
    for place, run in enumerate(found):
        before = [(best[k][0], -k) for k in range(place) if found[k].other < run.other]
        total, last = max(before, default=(0.0, 1))
        best.append((total + weight(one[run.one : run.one + run.length]), -last))
    chosen: list[WordRun] = []
    place = max(range(len(found)), key=lambda k: best[k][0], default=-1)
    while place >= 0:
        chosen.append(found[place])
        place = best[place][1]
    return chosen[::-1]


def widened(one: str, other: str, run: WordRun) -> list[WordRun]:
    """Return a moved run with those around it from which only a few words part it."""
    found = [run]
    while (after := _next(one, other, found[-1])) is not None:
        found.append(after)
    reverse_one, reverse_other = one[::-1], other[::-1]
    back = [_turned(run, one, other)]
    while (after := _next(reverse_one, reverse_other, back[-1])) is not None:
        back.append(after)
    return [_turned(one_back, one, other) for one_back in back[:0:-1]] + found


def _turned(run: WordRun, one: str, other: str) -> WordRun:
    return WordRun(len(one) - run.one - run.length, len(other) - run.other - run.length, run.length)


def _next(one: str, other: str, run: WordRun) -> WordRun | None:
    """Return the next words of a moved run behind some, with the fewest words between.

    A single word counts where only one was left out or put in.
    """
    start, begin = run.one + run.length, run.other + run.length
    for gaps in range(1, 2 * _WIDEST_GAP + 1):
        least = 1 if gaps == 1 else 2
        for gap in range(max(0, gaps - _WIDEST_GAP), min(gaps, _WIDEST_GAP) + 1):
            here, there = start + gap, begin + gaps - gap
            words = one[here : here + least]
            if len(words) == least and words == other[there : there + least]:
                return WordRun(here, there, _length(one, other, here, there))
    return None
