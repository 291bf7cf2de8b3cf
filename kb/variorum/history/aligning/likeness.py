"""Compares texts by their words, weighted by the words' rarity in two editions."""

import math
from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from operator import mul
from typing import NamedTuple

from rapidfuzz.distance import Indel, LCSseq

from variorum.history.aligning.sides import Item, Side
from variorum.text import SLOT

# A text of fewer bits than this is hardly more than a heading.
BARE_BITS = 20.0
# Marks removed words, so that the words on both sides do not become neighbours.
BREAK = "\ue001"

# A slot is weak evidence: any rule may cite another.
_SLOT_BITS = 0.5
# Runs of at least this many words, or this many bits, are not coincidences.
_RUN_WORDS = 3
_RUN_BITS = 12.0
# Words in more provisions than this are not used to find candidates.
_TOO_COMMON = 150
# Sums of the same weights in different orders differ by less than this.
_ROUNDING = 1e-9


class WeighedWords(NamedTuple):
    """A text to compare.

    Attributes:
        signs: Its words, one character each; see `canonical.WordCodes`.
        heading: The words of its heading.
        bag: The number of occurrences of each word, in the order of the text.
        weight: The weight of all words, in bits.
    """

    signs: str
    heading: str
    bag: Mapping[str, int]
    weight: float


class Likeness(NamedTuple):
    """The likeness of two texts.

    Attributes:
        words: From 0 to 1: a mean of the weight of the shared words and of their order.
        shared: The weight of shared runs of words, in bits.
        common: The weight of shared words, in any order, in bits.
    """

    words: float
    shared: float
    common: float


Run = tuple[int, int, int]


class Scale:
    """Weighs the words of two editions: rare words weigh more."""

    def __init__(self, old: Side, new: Side) -> None:
        spread = {sign: len(places) for sign, places in old.where.items()}
        for sign, places in new.where.items():
            spread[sign] = spread.get(sign, 0) + len(places)
        self.spread = spread
        total = len(old.items) + len(new.items)
        weights = {sign: math.log2(total / count) for sign, count in spread.items()}
        # A default value is faster than `get` in millions of look-ups.
        self._bits = defaultdict[str, float](float, weights)
        self._bits[SLOT] = _SLOT_BITS

    def words(self, item: Item) -> WeighedWords:
        """Return a provision's own words."""
        return WeighedWords(item.words, item.canon.heading, item.bag, self._weight(item.bag))

    def other_words(self, signs: str, heading: str) -> WeighedWords:
        """Return words that are not exactly a provision's."""
        bag = Counter(signs)
        return WeighedWords(signs, heading, bag, self._weight(bag))

    def _weight(self, bag: Mapping[str, int]) -> float:
        weight: float = sum(map(mul, map(self._bits.__getitem__, bag), bag.values()))
        return weight

    def says(self, item: Item, least: float) -> bool:
        """Return whether the words of a provision weigh at least this many bits."""
        bits = self._bits
        total = 0.0
        for sign, count in item.bag.items():
            total += bits[sign] * count
            if total >= least:
                return True
        return False

    def bits(self, signs: str) -> float:
        """Return the weight of some words, in bits."""
        return sum(map(self._bits.__getitem__, signs))

    def rarity(self, sign: str) -> float:
        """Return the weight of a word, in bits."""
        return self._bits[sign]

    def compare(self, first: WeighedWords, second: WeighedWords) -> Likeness:
        """Return the likeness of two texts."""
        if first.signs == second.signs:
            return Likeness(1.0, first.weight, first.weight)
        common = self.common(first.bag, second.bag)
        total = first.weight + second.weight
        weighed = 2 * common / total if total else 0.0
        ordered = Indel.normalized_similarity(first.signs, second.signs)
        runs = self.runs(first.signs, second.signs) if common > 0 else []
        shared = sum([self.bits(first.signs[a : a + length]) for a, _, length in runs])
        return Likeness(0.6 * weighed + 0.4 * ordered, shared, common)

    def common(self, first: Mapping[str, int], second: Mapping[str, int]) -> float:
        """Return the weight of the words that two texts share, in any order, in bits."""
        small, big = (first, second) if len(first) < len(second) else (second, first)
        bits = self._bits
        common = 0.0
        for sign in filter(big.__contains__, small):
            count = small[sign]
            common += bits[sign] if count == 1 else bits[sign] * min(count, big[sign])
        return common

    def runs(self, first: str, second: str) -> list[Run]:
        """Return the runs of words that two texts share in the same order.

        A run is its place in the first text, its place in the second, and its length.
        """
        shared_runs: list[Run] = []
        for run in LCSseq.editops(first, second).as_matching_blocks():
            length = run.size
            if length >= _RUN_WORDS or self.bits(first[run.a : run.a + length]) >= _RUN_BITS:
                shared_runs.append((run.a, run.b, length))
        return shared_runs

    def covered(self, first: str, second: str) -> float:
        """Return the weight of the runs that a text shares with another text, in bits."""
        return sum([self.bits(first[a : a + length]) for a, _, length in self.runs(first, second)])


class WeighedSide:
    """The words of the provisions of a side, by place, weighed on first use."""

    def __init__(self, scale: Scale, side: Side) -> None:
        self._scale, self._items = scale, side.items
        self._known: dict[int, WeighedWords] = {}

    def __getitem__(self, place: int) -> WeighedWords:
        """Return the words of a provision."""
        known = self._known.get(place)
        if known is None:
            known = self._known[place] = self._scale.words(self._items[place])
        return known


def without(signs: str, runs: Iterable[tuple[int, int]]) -> str:
    """Return words with breaks instead of some runs, each a place and a length."""
    parts: list[str] = []
    copied = 0
    for start, length in sorted(runs):
        parts += [signs[copied:start], BREAK]
        copied = start + length
    parts.append(signs[copied:])
    return "".join(parts)


# Pairs: the weight of the rare words that a provision shares with a text, negated; and the place of
# the provision.
Ranked = Sequence[tuple[float, int]]


class RareWordIndex:
    """Finds the provisions that share the rarest words with a text."""

    def __init__(self, scale: Scale, where: Mapping[str, Sequence[int]]) -> None:
        """Build the index.

        Args:
            scale: The scale of the two editions.
            where: The places of the provisions that have each word.
        """
        self._scale, self._where = scale, where

    def ranked(self, text: WeighedWords) -> Ranked:
        """Return the places that share rare words with a text, most weight first."""
        scale, where = self._scale, self._where
        bits_shared: dict[int, float] = defaultdict(float)
        for sign in text.bag:
            if sign in where and scale.spread[sign] <= _TOO_COMMON:
                rarity = scale.rarity(sign)
                for place in where[sign]:
                    bits_shared[place] += rarity
        return sorted([(-bits, place) for place, bits in bits_shared.items()])


def likest(ranked: Ranked, text: WeighedWords, most: int, theirs: WeighedSide) -> list[int]:
    """Return the places that share the most with a text relative to their weight, best first."""
    damp = text.weight + 8.0
    best: list[tuple[float, int]] = []
    for bits, place in ranked:
        # A provision weighs at least as much as it shares, so all following places share less.
        if len(best) == most and bits / (damp - bits) > best[-1][0] + _ROUNDING:
            break
        insort(best, (bits / (damp + theirs[place].weight), place))
        del best[most:]
    return [place for _, place in best]
