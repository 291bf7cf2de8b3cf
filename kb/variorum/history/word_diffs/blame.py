"""Dates each word of a reading to the edition that first printed it, even if the word moved."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from variorum.history.word_diffs.diff import common_ends, runs
from variorum.history.word_diffs.word_runs import (
    CITED,
    Worded,
    WordRun,
    common_runs,
    in_order,
    probes,
    weight,
    widened,
    worded,
)

# Words of a reading that are worth so much elsewhere have moved, and keep their date: each word counts 1,
# a common one a quarter, a whole sentence half as much again. By hand, after some 90 moves were read.
# Within one rule; from the provision that was split, copied or merged; from an earlier wording, or a
# rule of the section that no longer has them; from any other rule that no longer has them.
MOVED_WITHIN, MOVED_FROM_ANCESTOR, MOVED_NEARBY, MOVED_FAR = 2.0, 1.25, 4.5, 6.0
# The words of a whole sentence weigh this many times as much as other words.
_WHOLE = 1.5
# Common words are a coincidence if at least this many times as many new words surround them.
_LONELY = 5
# Signs for words that no run may contain.
_NOT_IN_ONE, _NOT_IN_OTHER = "\0", "\1"
# The state of a word: undated, dated by its place, or dated by a run.
_OPEN, _WEAK, _FIRM = range(3)
_BEGIN = WordRun(0, 0, 0)


class WordSource(NamedTuple):
    """A reading that words came from.

    Attributes:
        text: The reading.
        ages: Returns the edition that added each of its tokens, see `text.words.tokens_of`.
        least: The least weight of a run from this reading, see `word_runs.weight`.
    """

    text: str
    ages: Callable[[], Sequence[int]]
    least: float

    @property
    def worded(self) -> Worded:
        """Return the reading, encoded as words."""
        return worded(self.text)


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
        left, here = source.worded.signs, self._text.signs
        common = _runs_and_ends(left, here)
        kept = in_order(common, left)
        for run in kept:
            left = self._claim(source, run, left)
        for run in common:
            words = here[run.newer : run.newer + run.length]
            if run not in kept and weight(words) >= MOVED_WITHIN:
                for part in widened(left, self._free(), run):
                    left = self._claim(source, part, left)
        self._fill(source, left, [_BEGIN, *kept, WordRun(len(left), len(here), 0)])

    def _fill(self, source: WordSource, left: str, kept: Sequence[WordRun]) -> None:
        """Take the dates of single words that keep their place between runs."""
        free = self._free()
        for before, after in pairwise(kept):
            start, begin = before.older + before.length, before.newer + before.length
            for run in _in_place(left[start : after.older], free[begin : after.newer]):
                here = WordRun(start + run.older, begin + run.newer, run.length)
                self._claim(source, here, left, _WEAK)

    def take(self, source: WordSource, kept: Sequence[str] = ()) -> None:
        """Take the dates of runs of words that came from another provision.

        Args:
            source: A reading of that provision.
            kept: Its readings in the newer edition. Runs that they keep did not move.
        """
        signs = source.worded.signs
        for run in sorted(common_runs(signs, self._free())):
            words = signs[run.older : run.older + run.length]
            states = self._state[run.newer : run.newer + run.length]
            is_taken = states.count(_OPEN) * 2 < run.length
            if is_taken or weight(words) * self._emphasis(source.worded, run) < source.least:
                continue
            if not any(words in worded(text).signs for text in kept):
                for part in widened(signs, self._free(), run):
                    self._claim(source, part, signs)

    def _emphasis(self, past: Worded, run: WordRun) -> float:
        """Return the factor for a run: more if it is a whole sentence in both texts.

        A sentence with a citation does not count: "See rule 608" is in many rules.
        """
        start, begin, length = run.older, run.newer, run.length
        is_whole = past.is_sentence(start, length) and self._text.is_sentence(begin, length)
        return _WHOLE if is_whole and CITED not in past.signs[start : start + length] else 1.0

    def _claim(self, source: WordSource, run: WordRun, left: str, state: int = _FIRM) -> str:
        """Give a run the dates of its source; return the source's words without the run."""
        first, first_here, length = run.older, run.newer, run.length
        if not length:
            return left
        self._state[first_here : first_here + length] = bytes([state]) * length
        ages, past = source.ages(), source.worded
        keys, owners = self._text.keys, self._text.owners
        start, stop = past.owners[first], past.owners[first + length - 1] + 1
        begin, end = owners[first_here], owners[first_here + length - 1] + 1
        if keys[begin:end] == past.keys[start:stop]:
            self._since[begin:end] = ages[start:stop]
        else:
            for here, there in zip(
                owners[first_here : first_here + length],
                past.owners[first : first + length],
                strict=True,
            ):
                if keys[here] == past.keys[there] or not keys[here][0].isdigit():
                    self._since[here] = ages[there]
                self._claim_signs(past.keys, ages, there + 1, here + 1, 1)
        self._claim_signs(past.keys, ages, start - 1, begin - 1, -1)
        self._claim_signs(past.keys, ages, stop, end, 1)
        return f"{left[:first]}{_NOT_IN_ONE * length}{left[first + length :]}"

    def _claim_signs(
        self, past: Sequence[str], ages: Sequence[int], there: int, here: int, step: int
    ) -> None:
        """Give equal signs beside a word the dates of its source."""
        keys = self._text.keys
        while 0 <= here < len(keys) and 0 <= there < len(past):
            if keys[here] != past[there] or any(map(str.isalnum, keys[here])):
                return
            self._since[here] = ages[there]
            here, there = here + step, there + step

    def _free(self) -> str:
        """Return the words, with a sign that matches nothing for each word of a run."""
        signs = self._text.signs
        if _FIRM not in self._state:
            return signs
        return "".join(
            [
                _NOT_IN_OTHER if state == _FIRM else sign
                for sign, state in zip(signs, self._state, strict=True)
            ]
        )

    def sought(self) -> list[str]:
        """Return rare words outside all runs so far, to search for the provision they came from."""
        runs_left = self._free().split(_NOT_IN_OTHER)
        return [words for run in runs_left if weight(run) >= MOVED_NEARBY for words in probes(run)]


def _runs_and_ends(older: str, newer: str) -> list[WordRun]:
    """Return the runs that two texts share, without runs of a few common words.

    A shared beginning or end is a run even if its words are common.
    """
    begin, end = common_ends(older, newer)
    stop, halt = len(older) - end, len(newer) - end
    between = common_runs(older[begin:stop], newer[begin:halt])
    inner = [WordRun(run.older + begin, run.newer + begin, run.length) for run in between]
    telling = [run for run in inner if weight(older[run.older : run.older + run.length]) >= 1]
    ends = [WordRun(0, 0, begin), WordRun(stop, halt, end)]
    return [run for run in (*ends, *telling) if run.length]


def _in_place(older: str, newer: str) -> Iterator[WordRun]:
    """Yield the words between two runs that keep their place, without isolated common words."""
    token_runs = runs(older, newer)
    for place, run in enumerate(token_runs):
        if run.is_same:
            begin, end = run.newer
            around = 0
            if 0 < place < len(token_runs) - 1:
                around = token_runs[place + 1].newer[1] - token_runs[place - 1].newer[0]
            if around < _LONELY * (end - begin) or weight(newer[begin:end]) >= 1:
                yield WordRun(run.older[0], begin, end - begin)
