"""Wording that was replaced in many provisions at once, and what of it a reader recognises."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from variorum.history.word_diffs import CAME, GONE, SAME, SWEPT_IN, Piece
from variorum.text import fold
from variorum.words import SILENT

# The most words of a phrase; which share of its places must have lost it; how many words before and after a
# replacement are added to it, in the order of trial. By hand.
_LONGEST, _SWEPT = 6, 0.6
_AROUND = ((0, 0), (1, 0), (2, 0), (0, 1))
_WORD = re.compile(r"[{\w][\w'/{}-]*")
_MOST_SHOWN, _SHORTEST_WORD = 5, 3

# A phrase, its replacement, and the number of provisions.
Swept = tuple[str, str, int]


class _Place(NamedTuple):
    """A replacement: the words lost and got, those before and after, and which provision has it."""

    provision: int
    before: list[str]
    old: list[str]
    new: list[str]
    after: list[str]

    def phrase(self, before: int, after: int) -> tuple[str, str] | None:
        """Return the words lost and got with some words around them, if there are so many."""
        is_short = max(len(self.old), len(self.new)) + before + after <= _LONGEST
        if not is_short or len(self.before) < before or len(self.after) < after:
            return None
        begin, end = self.before[len(self.before) - before :], self.after[:after]
        return " ".join([*begin, *self.old, *end]), " ".join([*begin, *self.new, *end])


def replaced_throughout(diffs: Sequence[Sequence[Piece]], newer: Callable[[], str]) -> list[Swept]:
    """Return phrases, their replacements and the number of provisions, the most frequent first.

    `diffs` are the word diffs of provisions, `newer` returns the text of the newer edition. A word diff has
    as few words as possible: of "state-based effects", only "effects", which the rules still use. So a
    phrase counts only if most places lost it; if they did not, it is tried with the words around it.
    """
    left = [
        _Place(nth, *place) for nth, diff in enumerate(diffs) for place in _replaced(tuple(diff))
    ]
    provisions: dict[tuple[str, str], set[int]] = defaultdict(set)
    for around in _AROUND:
        phrases = [place.phrase(*around) for place in left]
        times, lost = Counter(filter(None, phrases)), Counter[str]()
        for (old, _), count in times.items():
            lost[old] += count
        often = [phrase for phrase, count in times.items() if count >= SWEPT_IN]
        text = _folded(newer()) if often else ""
        swept = {it for it in often if text.count(f" {it[0]} ") <= lost[it[0]] * (1 / _SWEPT - 1)}
        for place, phrase in zip(left, phrases, strict=True):
            if phrase in swept:
                provisions[phrase].add(place.provision)
        left = [it for it, phrase in zip(left, phrases, strict=True) if phrase not in swept]
    counts = [(-len(some), phrase) for phrase, some in provisions.items() if len(some) >= SWEPT_IN]
    return [(old, new, -count) for count, (old, new) in sorted(counts)]


def _replacements(pieces: Sequence[Piece]) -> Iterator[tuple[list[str], ...]]:
    """Yield the words before a replacement, those lost and got, and the word after it; no numbers.

    Two replacements with one kept word between them are one.
    """
    runs: list[tuple[bool, list[str], list[str]]] = [(True, [], [])]  # kept or not: old, new words
    for sign, text in pieces:
        words, (is_same, old, new) = _words(text), runs[-1]
        if sign == SAME:
            runs.append((True, words, words))
            continue
        if is_same and len(runs) > 2 and len(old) <= 1:  # noqa: PLR2004 - a replacement is before it
            _, kept, _ = runs.pop()
            _, old, new = runs.pop()
            old, new = old + kept, new + kept
        elif not is_same:
            runs.pop()
        else:
            old, new = list[str](), list[str]()
        runs.append((False, old + words * (sign == GONE), new + words * (sign == CAME)))
    runs.append((True, [], []))
    for before, (is_same, old, new), after in zip(runs, runs[1:], runs[2:], strict=False):
        if not is_same and old and not any(word[0].isdigit() for word in old):
            yield before[2][-2:], old, new, after[2][:1]


# Comparisons with the same edition share most diffs.
_replaced = lru_cache(4096)(lambda pieces: [*_replacements(pieces)])
_folded = lru_cache(1)(lambda text: f" {' '.join(_words(text))} ")


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text))


def recognisable(swept: Sequence[Swept]) -> list[Swept]:
    """Return the phrases replaced throughout that a reader recognises, at most five.

    Words around a replacement are left out, and what remains is counted together.

    >>> recognisable([("permanent enters the battlefield", "permanent enters", 9), ("en us", "en", 8)])
    [('enters the battlefield', 'enters', 9)]
    """
    counts: Counter[tuple[str, str]] = Counter()
    for before, after, count in swept:
        old, new = before.split(), after.split()
        while len(old) > 1 and len(new) > 1 and old[:2] == new[:2]:
            old, new = old[1:], new[1:]
        is_plain = "/" not in before  # no part of a web address
        if is_plain and all(len(word) >= _SHORTEST_WORD or word in SILENT for word in old):
            counts[" ".join(old), " ".join(new)] += count
    chosen: list[Swept] = []
    said: list[set[str]] = []
    for (before, after), count in counts.most_common():
        words = {word.rstrip("s") for word in before.split()}
        content = words - SILENT or words
        if len(chosen) < _MOST_SHOWN and not any(it <= content or content <= it for it in said):
            chosen.append((before, after, count))
            said.append(content)
    return chosen
