"""Finds sweeps: wording replaced throughout the rules.

A word diff contains as few words as possible. If "state-based effects" became "state-based
actions", it contains "effects", which the rules still use often. So a phrase counts only if most
places lost it. If they did not, the phrase is tried with the words around it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from variorum.history.word_diffs.changes import runs_between
from variorum.history.word_diffs.diff import TokenRun
from variorum.record import Record
from variorum.text.words import SLOT
from variorum.thresholds.sweeps import SWEPT, SWEPT_IN

_LONGEST = 6
# How many words before and after a phrase are added to it, in the order of trial.
_AROUND = ((0, 0), (1, 0), (2, 0), (0, 1))

Phrase = tuple[str, str]


class Place(Record):
    """A place where words were replaced. Words are encoded.

    Attributes:
        provision: The index of its provision.
        old: The older text.
        new: The newer text.
        run: The replaced words and their replacement.
    """

    __slots__ = ()
    provision: int
    old: str
    new: str
    run: TokenRun

    def phrase(self, before: int, behind: int) -> Phrase | None:
        """Return the replaced words and their replacement, each with some words around it.

        Return None if a text has too few words there, or if a phrase is too long or has a slot.
        """
        phrases: list[str] = []
        for text, (start, stop) in ((self.old, self.run.older), (self.new, self.run.newer)):
            if start < before or stop + behind > len(text):
                return None
            phrases.append(text[start - before : stop + behind])
        old, new = phrases
        is_plain = SLOT not in old + new and max(len(old), len(new)) <= _LONGEST
        return (old, new) if is_plain else None


class Remaining:
    """Counts how often an edition still has a phrase."""

    def __init__(
        self, changed: Iterable[str], unchanged: Iterable[str], decode: Callable[[str], list[str]]
    ) -> None:
        """Prepare to search an edition.

        Args:
            changed: The words of reworded provisions, encoded.
            unchanged: All other texts, as printed.
            decode: Returns the words that signs stand for.
        """
        self._changed = "\n".join(changed)
        self._unchanged, self._decode = unchanged, decode
        self._printed: str | None = None

    def is_rare(self, phrase: str, most: float) -> bool:
        """Return whether the edition has a phrase at most `most` times."""
        count = self._changed.count(phrase)
        if count > most:
            return False
        if self._printed is None:
            self._printed = "\n".join(self._unchanged).lower()
        first, *others = map(re.escape, self._decode(phrase))
        # A pattern is found far faster if it begins with plain words, not with a condition.
        words = r"[\W_]+".join((rf"{first}(?<!\w{first})", *others))
        matches = re.finditer(rf"{words}(?!\w)", self._printed)
        return all(count + number <= most for number, _ in enumerate(matches, start=1))


def replaced_throughout(
    pairs: Iterable[tuple[str, str]], remaining: Remaining
) -> list[tuple[str, str, int]]:
    """Return phrases, their replacements and the number of provisions, the most frequent first.

    Args:
        pairs: The words of reworded provisions before and after, encoded.
        remaining: The counts of the newer edition.
    """
    open_ = [place for number, pair in enumerate(pairs) for place in _places(number, *pair)]
    counts: dict[Phrase, int] = {}
    for before, behind in _AROUND:
        phrases = [place.phrase(before, behind) for place in open_]
        swept = _swept(phrases, remaining)
        held: dict[Phrase, set[int]] = {}
        for place, phrase in zip(open_, phrases, strict=True):
            if phrase is not None and phrase in swept:
                held.setdefault(phrase, set()).add(place.provision)
        counts |= {phrase: len(provisions) for phrase, provisions in held.items()}
        open_ = [
            unswept for unswept, phrase in zip(open_, phrases, strict=True) if phrase not in swept
        ]
    order = sorted(counts.items(), key=lambda counted: (-counted[1], counted[0]))
    return [(old, new, count) for (old, new), count in order if count >= SWEPT_IN]


def _swept(phrases: Iterable[Phrase | None], remaining: Remaining) -> set[Phrase]:
    """Return the phrases that were replaced often, and in most of their places."""
    times = Counter(phrase for phrase in phrases if phrase is not None)
    went: Counter[str] = Counter()
    for (old, _), count in times.items():
        went[old] += count
    often = [phrase for phrase, count in times.items() if count >= SWEPT_IN]
    rare = {
        old: remaining.is_rare(old, went[old] * (1 / SWEPT - 1))
        for old in dict.fromkeys(old for old, _ in often)
    }
    return {phrase for phrase in often if rare[phrase[0]]}


def _places(provision: int, old: str, new: str) -> Iterator[Place]:
    for run in _joined(runs_between(old, new)):
        if run.older[0] < run.older[1]:
            yield Place(provision, old, new, run)


def _joined(runs: Sequence[TokenRun]) -> Iterator[TokenRun]:
    """Yield the replacements; two with one kept word between them are joined."""
    open_: TokenRun | None = None
    for run in runs:
        if run.is_same and run.older[1] - run.older[0] == 1:
            continue
        if run.is_same:
            if open_ is not None:
                yield open_
            open_ = None
        elif open_ is None:
            open_ = run
        else:
            open_ = TokenRun(
                run.is_same, (open_.older[0], run.older[1]), (open_.newer[0], run.newer[1])
            )
    if open_ is not None:
        yield open_
