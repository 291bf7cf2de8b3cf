"""Since when each word of a reading stands there: it keeps its date where it moves."""

from itertools import pairwise

from variorum_kb.history.diff import runs
from variorum_kb.history.moves import (
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
from variorum_kb.record import Record
from variorum_kb.thresholds import MOVED_NEARBY, MOVED_WITHIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


# A whole sentence says so many times more than its words do elsewhere.
_WHOLE = 1.5
# Common words in the middle of so many times more that are new stand there by chance.
_LONELY = 5
# Stand for words that no run may hold.
_NOT_IN_ONE, _NOT_IN_OTHER = "\0", "\1"
# What is known of a word: nothing, that it stands in its place, that it stands in a run.
_OPEN, _WEAK, _FIRM = 0, 1, 2
_BEGIN = WordRun(0, 0, 0)


class WordSource(Record):
    """A reading that words came from.

    Attributes:
        text: The reading.
        ages: Returns since which edition each of its tokens stands there, see `diff.tokens_of`.
        least: What a run must say to have come from it, see `moves.weight`.
    """

    __slots__ = ()
    text: str
    ages: "Callable[[], Sequence[int]]"
    least: float

    @property
    def worded(self) -> Worded:
        """Return the reading in words."""
        return worded(self.text)


class WordDates:
    """Finds since when each word of a reading stands there, from one source after the other."""

    def __init__(self, text: str, edition: int) -> None:
        """Begin with words that are all new.

        Args:
            text: The reading.
            edition: The one in which it came to be.
        """
        self._text = worded(text)
        self._edition = edition
        self._since = [edition] * len(self._text.keys)
        self._state = bytearray(len(self._text.signs))

    def since(self) -> list[int]:
        """Return since which edition each token stands there."""
        for owner, state in zip(self._text.owners, self._state, strict=True):
            if state == _OPEN:  # maybe a part of a token of which the rest is older
                self._since[owner] = self._edition
        return self._since

    def follow(self, source: WordSource) -> None:
        """Take over what stands in the provision's own past, in its place or elsewhere."""
        left, other = source.worded.signs, self._text.signs
        found = _runs_and_ends(left, other)
        kept = in_order(found, left)
        for run in kept:
            left = self._claim(source, run, left)
        for run in found:
            words = other[run.other : run.other + run.length]
            if run not in kept and weight(words) >= MOVED_WITHIN:
                for part in widened(left, self._free(), run):
                    left = self._claim(source, part, left)
        self._fill(source, left, [_BEGIN, *kept, WordRun(len(left), len(other), 0)])

    def _fill(self, source: WordSource, left: str, kept: "Sequence[WordRun]") -> None:
        """Take over single words that stand in their place between runs."""
        free = self._free()
        for before, after in pairwise(kept):
            start, begin = before.one + before.length, before.other + before.length
            for run in _in_place(left[start : after.one], free[begin : after.other]):
                here = WordRun(start + run.one, begin + run.other, run.length)
                self._claim(source, here, left, _WEAK)

    def take(self, source: WordSource, kept: "Sequence[str]" = ()) -> None:
        """Take over runs of words that came from elsewhere.

        Args:
            source: Where from.
            kept: The readings in which that lives on: what these say did not move.
        """
        signs = source.worded.signs
        for run in sorted(common_runs(signs, self._free())):
            words = signs[run.one : run.one + run.length]
            states = self._state[run.other : run.other + run.length]
            is_taken = states.count(_OPEN) * 2 < run.length
            if is_taken or weight(words) * self._emphasis(source.worded, run) < source.least:
                continue
            if not any(words in worded(text).signs for text in kept):
                for part in widened(signs, self._free(), run):
                    self._claim(source, part, signs)

    def _emphasis(self, past: Worded, run: WordRun) -> float:
        """Return how many times more a run says that is a whole sentence in both texts.

        A sentence that cites is none: "See rule 608" stands in many rules.
        """
        one, other, length = run.one, run.other, run.length
        is_whole = past.is_sentence(one, length) and self._text.is_sentence(other, length)
        return _WHOLE if is_whole and CITED not in past.signs[one : one + length] else 1.0

    def _claim(self, source: WordSource, run: WordRun, left: str, state: int = _FIRM) -> str:
        """Let a run have the dates of its source; return the source's words without it."""
        one, other, length = run.one, run.other, run.length
        if not length:
            return left
        self._state[other : other + length] = bytes([state]) * length
        ages, past = source.ages(), source.worded
        keys, owners = self._text.keys, self._text.owners
        start, stop = past.owners[one], past.owners[one + length - 1] + 1
        begin, end = owners[other], owners[other + length - 1] + 1
        if keys[begin:end] == past.keys[start:stop]:
            self._since[begin:end] = ages[start:stop]
        else:
            for here, there in zip(
                owners[other : other + length], past.owners[one : one + length], strict=True
            ):
                if keys[here] == past.keys[there] or not keys[here][0].isdigit():
                    self._since[here] = ages[there]
                self._claim_signs(past.keys, ages, there + 1, here + 1, 1)
        self._claim_signs(past.keys, ages, start - 1, begin - 1, -1)
        self._claim_signs(past.keys, ages, stop, end, 1)
        return f"{left[:one]}{_NOT_IN_ONE * length}{left[one + length :]}"

    def _claim_signs(
        self, past: "Sequence[str]", ages: "Sequence[int]", there: int, here: int, step: int
    ) -> None:
        """Let the same signs beside a word have the dates of its source."""
        keys = self._text.keys
        while 0 <= here < len(keys) and 0 <= there < len(past):
            if keys[here] != past[there] or any(map(str.isalnum, keys[here])):
                return
            self._since[here] = ages[there]
            here, there = here + step, there + step

    def _free(self) -> str:
        """Return the words that no run has so far, the others as what matches nothing."""
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
        """Return some of the words that no run has so far: what said them may hold these."""
        runs_left = self._free().split(_NOT_IN_OTHER)
        return [words for run in runs_left if weight(run) >= MOVED_NEARBY for words in probes(run)]


def _runs_and_ends(one: str, other: str) -> list[WordRun]:
    """Return runs that stand in two texts and hold more than a few common words.

    The same beginning and the same end are runs, whatever they hold.
    """
    begin, end = 0, 0
    shorter = min(len(one), len(other))
    while begin < shorter and one[begin] == other[begin]:
        begin += 1
    while end < shorter - begin and one[-1 - end] == other[-1 - end]:
        end += 1
    stop, halt = len(one) - end, len(other) - end
    between = common_runs(one[begin:stop], other[begin:halt])
    found = [WordRun(run.one + begin, run.other + begin, run.length) for run in between]
    told = [run for run in found if weight(one[run.one : run.one + run.length]) >= 1]
    ends = [WordRun(0, 0, begin), WordRun(stop, halt, end)]
    return [run for run in (*ends, *told) if run.length]


def _in_place(one: str, other: str) -> "Iterator[WordRun]":
    """Yield the words between two runs that stand in their place, but for lonely common ones."""
    found = runs(one, other)
    for place, run in enumerate(found):
        if run.is_same:
            begin, end = run.other
            is_inside = 0 < place < len(found) - 1
            around = found[place + 1].other[1] - found[place - 1].other[0] if is_inside else 0
            if around < _LONELY * (end - begin) or weight(other[begin:end]) >= 1:
                yield WordRun(run.one[0], begin, end - begin)
