"""Compares texts by their words, weighed in bits: words that are rare in two editions weigh more."""

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rapidfuzz.distance import Indel, LCSseq

from variorum.history.sides import Item, Side, places_of_words
from variorum.text import SLOT

# A slot is weak evidence: any rule may cite another.
_SLOT_BITS = 0.5
# Runs of at least this many words, or this many bits, are not coincidences.
_RUN_WORDS, _RUN_BITS = 3, 12.0
# Words in more provisions than this do not lead to candidates.
_TOO_COMMON = 150
# Marks removed words, so that the words on both sides do not become neighbours.
_BREAK = "\ue001"


class Likeness(NamedTuple):
    """The likeness of two texts.

    Attributes:
        words: From 0 to 1: a mean of the weight of the common words and of their order.
        shared: The bits of the runs of words that both have in the same order.
        common: The bits of the words that both have, in any order.
    """

    words: float
    shared: float
    common: float


class Scale:
    """Weighs the words of two editions."""

    def __init__(self, old: Side, new: Side) -> None:
        self.spread = Counter({sign: len(places) for sign, places in old.where.items()})
        self.spread.update({sign: len(places) for sign, places in new.where.items()})
        total = len(old.items) + len(new.items)
        weights = {sign: math.log2(total / count) for sign, count in self.spread.items()}
        self.bits_of: dict[str, float] = defaultdict(float, weights)
        self.bits_of[SLOT] = _SLOT_BITS
        self._weights: dict[str, float] = {}

    def bits(self, signs: str) -> float:
        """Return the weight of some words."""
        known = self._weights.get(signs)
        if known is None:
            known = self._weights[signs] = sum(map(self.bits_of.__getitem__, signs))
        return known

    def compare(self, old: Item, new: Item) -> Likeness:
        """Return the likeness of two provisions."""
        weights = self.bits(old.words), self.bits(new.words)
        if old.words == new.words:
            return Likeness(1.0, *weights)
        common = self.common(old.bag, new.bag)
        weighed = 2 * common / sum(weights) if sum(weights) else 0.0
        ordered = Indel.normalized_similarity(old.words, new.words)
        shared = self.covered(old.words, new.words) if common > 0 else 0.0
        return Likeness(0.6 * weighed + 0.4 * ordered, shared, common)

    def heading_likeness(self, before: str, after: str) -> float:
        """Return the likeness of two headings, from 0 to 1."""
        if before == after:
            return 1.0
        common = self.bits("".join([sign for sign in before if sign in after]))
        total = self.bits(before) + self.bits(after)
        return min(1.0, 2 * common / total) if total else 0.0

    def common(self, first: Mapping[str, int], second: Mapping[str, int]) -> float:
        """Return the weight of the words that two texts have in common."""
        small, big = (first, second) if len(first) < len(second) else (second, first)
        bits = self.bits_of
        return sum([bits[sign] * min(small[sign], big[sign]) for sign in small if sign in big])

    def runs(self, first: str, second: str) -> list[tuple[int, int]]:
        """Return the runs that a text shares with another in the same order: start and length."""
        return [
            (run.a, run.size)
            for run in LCSseq.editops(first, second).as_matching_blocks()
            if run.size >= _RUN_WORDS or self.bits(first[run.a : run.a + run.size]) >= _RUN_BITS
        ]

    def covered(self, first: str, second: str) -> float:
        """Return the weight of the runs that a text shares with another."""
        return sum([self.bits(first[a : a + length]) for a, length in self.runs(first, second)])

    def unsaid(self, first: str, second: str) -> str:
        """Return a text with breaks instead of the runs that it shares with another."""
        parts: list[str] = []
        copied = 0
        for start, length in self.runs(first, second):
            parts += [first[copied:start], _BREAK]
            copied = start + length
        return "".join([*parts, first[copied:]])


class RareWords:
    """Finds the provisions that share the rarest words with another."""

    def __init__(self, scale: Scale, items: Sequence[Item], free: Iterable[Item]) -> None:
        self._scale, self._items = scale, items
        self._where = places_of_words((item.place, item.bag) for item in free)

    def likest(self, item: Item, most: int) -> list[int]:
        """Return the places that share most with a provision, relative to the weight of both."""
        scale, shared = self._scale, defaultdict[int, float](float)
        for sign in item.bag:
            if scale.spread[sign] <= _TOO_COMMON:
                for place in self._where.get(sign, ()):
                    shared[place] += scale.bits_of[sign]
        damp = scale.bits(item.words) + 8.0
        ranked = [
            (-bits / (damp + scale.bits(self._items[place].words)), place)
            for place, bits in shared.items()
        ]
        return [place for _, place in heapq.nsmallest(most, ranked)]
