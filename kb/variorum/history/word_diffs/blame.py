"""Dates each word of a reading to the edition that first printed it, even if the word moved."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise, product
from typing import NamedTuple

from variorum.history.canonical import WordCodes
from variorum.history.word_diffs.diff import common_ends, keys_of, runs
from variorum.text import SLOT, words_of
from variorum.words import IN_MOST_RULES

# Words of a reading that are worth so much elsewhere have moved, and keep their date: each word counts 1,
# a common one a quarter, a whole sentence half as much again. By hand, after some 90 moves were read.
# Within one rule; from the provision that was split, copied or merged; from an earlier wording, or a
# rule of the section that no longer has them; from any other rule that no longer has them.
MOVED_WITHIN, MOVED_FROM_ANCESTOR, MOVED_NEARBY, MOVED_FAR = 2.0, 1.25, 4.5, 6.0
_WHOLE = 1.5
_COMMON_WORD = 0.25
# A run has at least this many words.
_LEAST_RUN = 3
# Common words in place are a coincidence if at least this many times as many new words surround them.
_LONELY = 5
# At most this many places of the same words in a text are considered.
_MOST_PLACES = 32
# For each text, how many words may have changed between two parts of a moved run; fewest first.
_GAPS = sorted(product(range(5), repeat=2), key=sum)[1:]
# Moved runs are looked up by three consecutive words: of every six such groups, the weightiest.
_PROBE, _STRIDE = 3, 6
# Signs that end a sentence, and signs that may be around a sentence.
_ENDS, _AROUND = frozenset(".!?:"), frozenset("\"'()[]")
_NUMBER = re.compile(r"[1-9]\d\d(?:[.\-\N{EN DASH}]\w+)*")
# Signs for words that no further run may contain.
_USED, _USED_HERE = "\0", "\1"
# The state of a word: undated, dated by its place, or dated by a run.
_OPEN, _WEAK, _FIRM = range(3)

_codes = WordCodes()
_weights: dict[str, float] = {SLOT: _COMMON_WORD}


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


@lru_cache(maxsize=4096)
def worded(text: str) -> Worded:
    """Return a text encoded as words."""
    keys = keys_of(text)
    parts = [_signs_of(key) for key in keys]
    owners = [place for place, part in enumerate(parts) for _ in part]
    return Worded(keys, "".join(parts), tuple(owners))


@cache
def _signs_of(key: str) -> str:
    """Return the words of a token, one character each."""
    if _NUMBER.fullmatch(key):
        return SLOT
    words = [key.lower()] if key.isalpha() and key.isascii() else words_of(key)
    signs = _codes.encode(words)
    for word, sign in zip(words, signs, strict=True):
        _weights.setdefault(sign, _COMMON_WORD if word in IN_MOST_RULES else 1.0)
    return signs


def weight(signs: str) -> float:
    """Return the weight of some words, counted in uncommon words."""
    return sum([_weights.get(sign, 0.0) for sign in signs])


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

    def moved(self, older: int, newer: int) -> "WordRun":
        """Return its place if texts of these lengths precede the two."""
        return WordRun(self.older + older, self.newer + newer, self.length)

    def turned(self, older: str, newer: str) -> "WordRun":
        """Return its place if both texts are reversed."""
        start, begin = len(older) - self.older, len(newer) - self.newer
        return WordRun(start - self.length, begin - self.length, self.length)


def common_runs(older: str, newer: str) -> Iterator[WordRun]:
    """Yield the runs that two texts share, without overlaps, the longest first."""
    while (run := _longest_run(older, newer)) is not None:
        yield run
        older = _without(older, run.older, run.length, _USED)
        newer = _without(newer, run.newer, run.length, _USED_HERE)


def _without(signs: str, start: int, length: int, sign: str) -> str:
    return f"{signs[:start]}{sign * length}{signs[start + length :]}"


def _longest_run(older: str, newer: str) -> WordRun | None:
    """Return the longest run that two texts share; among equals, the run that moved least."""
    places: dict[str, list[int]] = defaultdict(list)
    for start in range(len(older) - _LEAST_RUN + 1):
        places[older[start : start + _LEAST_RUN]].append(start)
    found = [
        (-_length(older, newer, start, begin), abs(start - begin), begin, start)
        for begin in range(len(newer))
        for start in places.get(newer[begin : begin + _LEAST_RUN], ())[:_MOST_PLACES]
        if not (start and begin and older[start - 1] == newer[begin - 1])
    ]
    size, _, begin, start = min(found, default=(0, 0, 0, 0))
    return WordRun(start, begin, -size) if size else None


def _length(older: str, newer: str, start: int, begin: int) -> int:
    length, most = 0, min(len(older) - start, len(newer) - begin)
    while length < most and older[start + length] == newer[begin + length]:
        length += 1
    return length


def widened(older: str, newer: str, run: WordRun) -> list[WordRun]:
    """Return a moved run with nearby runs, which only a few words separate."""
    turned = older[::-1], newer[::-1]
    before = list(_onwards(*turned, run.turned(older, newer)))
    return [part.turned(older, newer) for part in before[:0:-1]] + [*_onwards(older, newer, run)]


def _onwards(older: str, newer: str, run: WordRun | None) -> Iterator[WordRun]:
    """Yield a run and the runs after it, each the nearest to the one before.

    A run of one word is enough if only one word was added or removed before it.
    """
    while run is not None:
        yield run
        start, begin = run.older + run.length, run.newer + run.length
        run = None
        for gap, gap_there in _GAPS:
            least = 1 if gap + gap_there == 1 else 2
            here, there = start + gap, begin + gap_there
            words = older[here : here + least]
            if len(words) == least and words == newer[there : there + least]:
                run = WordRun(here, there, _length(older, newer, here, there))
                break


class WordSource(NamedTuple):
    """A reading that words came from.

    Attributes:
        text: The reading.
        ages: Returns the edition that added each of its tokens, see `text.tokens_of`.
        least: The least weight of a run from this reading, see `weight`.
    """

    text: str
    ages: Callable[[], Sequence[int]]
    least: float


class WordDates:
    """Dates the words of a reading by one source after another."""

    def __init__(self, text: str, edition: int) -> None:
        """Date all words to the newest edition.

        Args:
            text: The reading.
            edition: The edition that first printed it.
        """
        self._text = worded(text)
        self._edition = edition
        self._since = [edition] * len(self._text.keys)
        self._state = bytearray(len(self._text.signs))

    def since(self) -> list[int]:
        """Return the edition that first printed each token."""
        for owner, state in zip(self._text.owners, self._state, strict=True):
            if state == _OPEN:  # the rest of its token may be older
                self._since[owner] = self._edition
        return self._since

    def follow(self, source: WordSource) -> None:
        """Take the dates of words from an earlier reading of the provision, in place or moved."""
        past, here = worded(source.text).signs, self._text.signs
        begin, end = common_ends(past, here)
        kept = [WordRun(0, 0, begin), WordRun(len(past) - end, len(here) - end, end)]
        moved: list[WordRun] = []
        between = past[begin : len(past) - end], here[begin : len(here) - end]
        for run in [run.moved(begin, begin) for run in common_runs(*between)]:
            if weight(past[run.older : run.older + run.length]) >= 1:
                is_in_order = all((run < other) == (run.newer < other.newer) for other in kept)
                (kept if is_in_order else moved).append(run)
        left = past
        for run in kept:
            self._claim(source, run)
            left = _without(left, run.older, run.length, _USED)
        for run in moved:
            if weight(here[run.newer : run.newer + run.length]) >= MOVED_WITHIN:
                for part in widened(left, self._free(), run):
                    self._claim(source, part)
                    left = _without(left, part.older, part.length, _USED)
        free = self._free()
        for before, after in pairwise(sorted(kept)):
            start, start_here = before.older + before.length, before.newer + before.length
            for run in _in_place(left[start : after.older], free[start_here : after.newer]):
                self._claim(source, run.moved(start, start_here), _WEAK)

    def take(self, source: WordSource, kept: Sequence[str] = ()) -> None:
        """Take the dates of runs of words that came from another provision.

        Args:
            source: A reading of that provision.
            kept: Its readings in the newer edition. Runs that they keep did not move.
        """
        signs = worded(source.text).signs
        for run in common_runs(signs, self._free()):
            words = signs[run.older : run.older + run.length]
            states = self._state[run.newer : run.newer + run.length]
            is_taken = states.count(_OPEN) * 2 < run.length
            if is_taken or weight(words) * self._emphasis(source, run) < source.least:
                continue
            if not any(words in worded(text).signs for text in kept):
                for part in widened(signs, self._free(), run):
                    self._claim(source, part)

    def _emphasis(self, source: WordSource, run: WordRun) -> float:
        """Return the factor for a run: more if it is a whole sentence in both texts.

        A sentence with a citation does not count: "See rule 608" is in many rules.
        """
        past, (start, begin, length) = worded(source.text), run
        is_whole = past.is_sentence(start, length) and self._text.is_sentence(begin, length)
        return _WHOLE if is_whole and SLOT not in past.signs[start : start + length] else 1.0

    def _claim(self, source: WordSource, run: WordRun, state: int = _FIRM) -> None:
        """Give a run the dates of its source."""
        past, here, ages = worded(source.text), self._text, source.ages()
        self._state[run.newer : run.newer + run.length] = bytes([state]) * run.length
        for step in range(run.length):
            there, place = past.owners[run.older + step], here.owners[run.newer + step]
            if here.keys[place] == past.keys[there] or not here.keys[place][0].isdigit():
                self._since[place] = ages[there]
            if not step:
                self._claim_signs(past.keys, ages, (there - 1, place - 1), -1)
            self._claim_signs(past.keys, ages, (there + 1, place + 1), 1)

    def _claim_signs(
        self, past: Sequence[str], ages: Sequence[int], places: tuple[int, int], step: int
    ) -> None:
        """Give equal signs beside a word the dates of its source."""
        keys, (there, here) = self._text.keys, places
        while 0 <= here < len(keys) and 0 <= there < len(past):
            if keys[here] != past[there] or any(map(str.isalnum, keys[here])):
                return
            self._since[here] = ages[there]
            here, there = here + step, there + step

    def _free(self) -> str:
        """Return the words, with a sign that matches nothing for each word of a run."""
        signs = zip(self._text.signs, self._state, strict=True)
        return "".join([_USED_HERE if state == _FIRM else sign for sign, state in signs])

    def sought(self) -> list[str]:
        """Return rare words outside all runs so far, to search for the provision they came from."""
        runs_left = self._free().split(_USED_HERE)
        return [words for run in runs_left if weight(run) >= MOVED_NEARBY for words in _probes(run)]


def _in_place(older: str, newer: str) -> Iterator[WordRun]:
    """Yield the words between two runs that keep their place, without isolated common words."""
    compared = runs(older, newer)
    for nth, run in enumerate(compared):
        if run.is_same:
            around = 0
            if 0 < nth < len(compared) - 1:
                around = compared[nth + 1].newer[1] - compared[nth - 1].newer[0]
            if around < _LONELY * run.size or weight(newer[slice(*run.newer)]) >= 1:
                yield WordRun(run.older[0], run.newer[0], run.size)


def _probes(signs: str) -> Iterator[str]:
    """Yield rare words of a run, to search for texts that may have it."""
    for start in range(0, len(signs) - _PROBE + 1, _STRIDE):
        # At the end, shorter groups weigh less than the last whole one.
        groups = [signs[place : place + _PROBE] for place in range(start, start + _STRIDE)]
        best = max(groups, key=weight)
        if SLOT not in best and weight(best) > 1:
            yield " ".join(_codes.decode(best))
