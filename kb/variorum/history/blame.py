"""Dates each word of a reading to the edition that first printed it, even if the word moved."""

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from variorum.history.canonical import code_of
from variorum.history.word_diffs import Run, gap, kept_runs
from variorum.text import SLOT, plain_signs
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
_WORDS = re.compile(r"[^\s—]+—*\s*|[\s—]+")
_SIGNS = re.compile(r"^[^\w{+]+|[^\w}]+$|-|_|\(tm\)")
_NUMBER = re.compile(r"[1-9]\d\d(?:[.\N{EN DASH}]\w+)*")
# Stand for words that no further run may contain, in the older text and in the newer.
_USED, _USED_HERE = "\0", "\1"

_codes, _weights = {SLOT: SLOT}, dict[str, float]()


@lru_cache(maxsize=4096)
def words_in(text: str) -> tuple[str, ...]:
    """Return the words of a text, each with the signs and spaces around it."""
    return tuple(_WORDS.findall(text))


@cache
def _key_of(word: str) -> str:
    return _SIGNS.sub("", plain_signs(word.strip()).lower())


@cache
def _code_of(word: str) -> str:
    """Return the character of a word, the same for all citations."""
    key = SLOT if _NUMBER.fullmatch(_key_of(word)) else _key_of(word)
    code, is_common = code_of(key, _codes), key == SLOT or key in IN_MOST_RULES
    _weights[code] = (_COMMON_WORD if is_common else 1.0) if key else 0.0
    return code


@lru_cache(maxsize=4096)
def _codes_of(text: str) -> str:
    return "".join(map(_code_of, words_in(text)))


def _weight(codes: str) -> float:
    return sum([_weights.get(code, 0.0) for code in codes])


def common_runs(older: str, newer: str) -> Iterator[Run]:
    """Yield the runs of words that two texts share, without overlaps, the longest first."""
    texts = SequenceMatcher(None, older, newer, autojunk=False)
    while (run := Run(*texts.find_longest_match())).size >= _LEAST_RUN:
        yield run
        older = older[: run.a] + _USED * run.size + older[run.a + run.size :]
        newer = newer[: run.b] + _USED_HERE * run.size + newer[run.b + run.size :]
        texts.set_seqs(older, newer)


class WordSource(NamedTuple):
    """A reading, what returns the edition that added each of its words, and the least weight of a run."""

    text: str
    ages: Callable[[], Sequence[int]]
    least: float


class WordDates:
    """Dates the words of a reading by one source after another; at first, all are of its edition."""

    def __init__(self, text: str, edition: int) -> None:
        self._words, self._codes = words_in(text), _codes_of(text)
        self._edition, self.since = edition, [edition] * len(self._words)
        # The words, with a sign that matches nothing for each word that was followed or taken.
        self._free = self._codes

    def follow(self, source: WordSource) -> None:
        """Take the dates of words from an earlier reading of the provision, moved or in place."""
        if words_in(source.text) != self._words:
            self.take(source._replace(least=MOVED_WITHIN))
        kept = kept_runs(_codes_of(source.text), self._codes)
        for nth, run in enumerate(kept):
            new = sum([gap(*pair) for pair in pairwise(kept[max(nth - 1, 0) : nth + 2])])
            if new < _LONELY * run.size or _weight(self._codes[run.b : run.b + run.size]) >= 1:
                self._claim(source, run)

    def take(self, source: WordSource, kept: Sequence[str] = ()) -> None:
        """Take the dates of runs of words that came from another provision, and are not `kept` there."""
        left = [*map(_codes_of, kept)]
        for run in common_runs(_codes_of(source.text), self._free):
            codes = self._codes[run.b : run.b + run.size]
            since = self.since[run.b : run.b + run.size]
            is_new = since.count(self._edition) * 2 >= run.size
            if is_new and _weight(codes) >= source.least and not any(codes in it for it in left):
                self._claim(source, run)

    def _claim(self, source: WordSource, run: Run) -> None:
        """Give the free words of a run their dates; a citation of another number is new."""
        past, ages, end = words_in(source.text), source.ages(), run.b + run.size
        for here, there in zip(range(run.b, end), range(run.a, run.a + run.size), strict=True):
            is_same = _key_of(self._words[here]) == _key_of(past[there])
            if self._free[here] != _USED_HERE and (is_same or self._codes[here] != SLOT):
                self.since[here] = ages[there]
        if run.size >= _LEAST_RUN:  # another source may have a longer run with fewer words
            self._free = self._free[: run.b] + _USED_HERE * run.size + self._free[end:]

    def sought(self) -> Iterator[str]:
        """Yield rare words outside all runs so far, to search for the provision they came from."""
        for run in re.finditer(f"[^{_USED_HERE}]+", self._free):
            stop = run.end() - _LEAST_RUN + 1 if _weight(run[0]) >= MOVED_NEARBY else 0
            groups = [slice(at, at + _LEAST_RUN) for at in range(run.start(), stop)]
            for at in range(0, len(groups), _STRIDE):
                for group in sorted(
                    groups[at : at + _STRIDE], key=lambda it: -_weight(self._codes[it])
                ):
                    words = " ".join(map(_key_of, self._words[group]))
                    printed = plain_signs("".join(self._words[group])).lower()
                    if _weight(self._codes[group]) > 1 and words in printed:
                        yield words
                        break
