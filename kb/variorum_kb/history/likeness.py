"""Compare texts by their words, weighted by their rarity in two editions."""

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rapidfuzz.distance import Indel, LCSseq

from variorum_kb.history.sides import Item, Side
from variorum_kb.text.words import SLOT

# Marks where words were removed, so that the words on both sides do not become neighbours.
BREAK = "\ue001"

# A slot is weak evidence: any rule may cite another.
_SLOT_BITS = 0.5
# Runs of at least this many words, or this many bits, are not coincidences.
_RUN_WORDS = 3
_RUN_BITS = 12.0
# Words in more provisions than this are not used to find candidates.
_TOO_COMMON = 150


@dataclass(frozen=True, slots=True)
class WeighedWords:
    """A text to compare.

    Attributes:
        signs: Its words, one character each; see `canonical.WordCodes`.
        heading: The words of its heading.
        bag: How often each word occurs, in the order of the text.
        weight: The weight of all words, in bits.
    """

    signs: str
    heading: str
    bag: Mapping[str, int]
    weight: float


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two texts are.

    Attributes:
        words: From 0 to 1: partly the weight of the shared words, partly their order.
        shared: The weight of shared runs of words, in bits.
        common: The weight of shared words, in any order, in bits.
    """

    words: float
    shared: float
    common: float


Run = tuple[int, int, int]


class Scale:
    """Weighs the words of two editions: the rarer a word, the more it weighs."""

    def __init__(self, old: Side, new: Side) -> None:
        self.spread = old.spread + new.spread
        total = len(old.items) + len(new.items)
        weights = {sign: math.log2(total / count) for sign, count in self.spread.items()}
        # Read millions of times; a default value makes that faster than `get`.
        self._bits = defaultdict[str, float](float, weights)
        self._bits[SLOT] = _SLOT_BITS
        self._bits[BREAK] = 0.0

    def words(self, item: Item) -> WeighedWords:
        """Return a provision's own words."""
        return WeighedWords(item.words, item.canon.heading, item.bag, self._weight(item.bag))

    def other_words(self, signs: str, heading: str) -> WeighedWords:
        """Return words that are not exactly those of a provision."""
        bag = Counter(signs)
        return WeighedWords(signs, heading, bag, self._weight(bag))

    def _weight(self, bag: Mapping[str, int]) -> float:
        bits = self._bits
        return sum([bits[sign] * count for sign, count in bag.items()])

    def says(self, item: Item, least: float) -> bool:
        """Return whether the words of a provision weigh at least so many bits."""
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
        """Return how alike two texts are."""
        if first.signs == second.signs:
            return Likeness(1.0, first.weight, first.weight)
        small, big = (
            (first.bag, second.bag) if len(first.bag) < len(second.bag) else (second.bag, first.bag)
        )
        common = self._common(small, big)
        total = first.weight + second.weight
        weighed = 2 * common / total if total else 0.0
        ordered = Indel.normalized_similarity(first.signs, second.signs)
        runs = self.runs(first.signs, second.signs) if common > 0 else []
        shared = sum([self.bits(first.signs[a : a + length]) for a, _, length in runs])
        return Likeness(0.6 * weighed + 0.4 * ordered, shared, common)

    def common(self, first: Mapping[str, int], second: Mapping[str, int]) -> float:
        """Return the weight of the words that two texts share, in any order, in bits."""
        small, big = (first, second) if len(first) < len(second) else (second, first)
        return self._common(small, big)

    def _common(self, small: Mapping[str, int], big: Mapping[str, int]) -> float:
        bits = self._bits
        common = 0.0
        for sign, count in small.items():
            if sign in big:
                common += bits[sign] * min(count, big[sign])
        return common

    def runs(self, first: str, second: str) -> list[Run]:
        """Return the runs of words that two texts share in the same order.

        Each is its place in the first text, its place in the second, and its length.
        """
        shared_runs: list[Run] = []
        for step in LCSseq.opcodes(first, second):
            if step.tag != "equal":
                continue
            length = step.src_end - step.src_start
            is_long = length >= _RUN_WORDS
            if is_long or self.bits(first[step.src_start : step.src_end]) >= _RUN_BITS:
                shared_runs.append((step.src_start, step.dest_start, length))
        return shared_runs

    def covered(self, first: str, second: str) -> float:
        """Return the weight of the runs of a text that another shares, in bits."""
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
    """Return words with some runs, each a place and a length, replaced with breaks."""
    parts: list[str] = []
    done = 0
    for start, length in sorted(runs):
        parts += [signs[done:start], BREAK]
        done = start + length
    parts.append(signs[done:])
    return "".join(parts)


class RareWordIndex:
    """Finds the provisions that share the rarest words with a text."""

    def __init__(self, scale: Scale, items: Iterable[Item], texts: Iterable[WeighedWords]) -> None:
        """Build the index.

        Args:
            scale: The scale of the two editions.
            items: The provisions to search.
            texts: The texts that will be sought.
        """
        self._scale = scale
        self._where: dict[str, list[int]] = defaultdict(list)
        wanted = {sign for text in texts for sign in text.bag if scale.spread[sign] <= _TOO_COMMON}
        for item in items:
            for sign in item.bag.keys() & wanted:
                self._where[sign].append(item.place)

    def shared(self, text: WeighedWords) -> dict[int, float]:
        """Return the weight of the rare words that each provision shares with a text, if any."""
        bits_shared: dict[int, float] = defaultdict(float)
        for sign in text.bag:
            rarity = self._scale.rarity(sign)
            for place in self._where.get(sign, ()):
                bits_shared[place] += rarity
        return bits_shared

    def nearest(self, text: WeighedWords, most: int, theirs: WeighedSide) -> list[int]:
        """Return the places of the most similar provisions, the most similar first.

        Args:
            text: The text sought.
            most: The greatest number of places.
            theirs: The words of the provisions; longer texts share more by chance.
        """
        return likest(self.shared(text), text, most, theirs)


def likest(
    shared: Mapping[int, float], text: WeighedWords, most: int, theirs: WeighedSide
) -> list[int]:
    """Return the places that share the most with a text in relation to their weight, best first."""
    damp = text.weight + 8.0
    return heapq.nsmallest(
        most, shared, key=lambda place: (-shared[place] / (damp + theirs[place].weight), place)
    )


def fullest(shared: Mapping[int, float], most: int) -> list[int]:
    """Return the places that share the most with a text, whatever their weight."""
    return heapq.nsmallest(most, shared, key=lambda place: (-shared[place], place))
