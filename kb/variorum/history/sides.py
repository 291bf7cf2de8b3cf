"""The two editions of an alignment: provisions with their relatives and citations, and weighed words."""

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from rapidfuzz.distance import LCSseq

from variorum.history.canonical import Canon, Folder
from variorum.rows import State, named
from variorum.text import SLOT, bearing, keys_of

NOWHERE = -1
# A slot is weak evidence: any rule may cite another.
_SLOT_BITS = 0.5
# Runs of at least this many words, or this many bits, are not coincidences.
_RUN_WORDS, _RUN_BITS = 3, 12.0
# Words in more provisions than this do not lead to candidates.
_TOO_COMMON = 150
# Marks removed words, so that the words on both sides do not become neighbours.
_BREAK = "\ue001"


@dataclass(slots=True, eq=False)
class Item:
    """A provision. Places, -1 for none, are those of provisions of its edition in printed order.

    `words` are all words of the canonical text, one character each; `rank` is that among its siblings.
    `cites` has both ends of the citation in each slot; -1 if an end is unknown or ambiguous.
    """

    place: int
    state: State
    canon: Canon
    words: str
    name: str
    is_entry: bool
    parent: int = NOWHERE
    rank: int = 0
    previous: int = NOWHERE
    following: int = NOWHERE
    children: list[int] = field(default_factory=list[int])
    cites: Sequence[tuple[int, int]] = ()


class Side:
    """All provisions of an edition, in printed order, and the place of each by its name."""

    def __init__(self, states: Sequence[State], folder: Folder) -> None:
        self.folder = folder
        self.items: list[Item] = []
        self.by_name: dict[str, int] = {}
        siblings: dict[tuple[bool, str], list[Item]] = defaultdict(list)
        numbered: dict[str, list[int]] = defaultdict(list)
        for place, state in enumerate(states):
            canon, is_entry = folder.canon(state), state.kind == "glossary"
            name = named("" if is_entry else state.address, state.address)
            item = Item(place, state, canon, canon.whole, name, is_entry)
            row = siblings[is_entry, state.parent]
            item.rank = len(row)
            if row:
                item.previous, row[-1].following = row[-1].place, place
            row.append(item)
            item.parent = self.by_name.get(state.parent, NOWHERE)
            if item.parent != NOWHERE:
                self.items[item.parent].children.append(place)
            for key in () if is_entry else keys_of(state):
                numbered[key].append(place)
            self.by_name[name] = place
            self.items.append(item)

        def place_of(number: str) -> int:
            places = bearing(lambda key: numbered.get(key, []), number)
            return places[0] if len(places) == 1 else NOWHERE

        for item in self.items:
            item.cites = [
                (place_of(it.first), NOWHERE if it.first == it.last else place_of(it.last))
                for it in item.canon.citations
            ]


class Scale:
    """Weighs words in bits: those that are rare in two editions weigh more."""

    def __init__(self, old: Side, new: Side) -> None:
        items = [*old.items, *new.items]
        self.spread = Counter(chain.from_iterable([item.canon.bag for item in items]))
        bits = {sign: math.log2(len(items) / count) for sign, count in self.spread.items()}
        self.bits_of = defaultdict[str, float](float, bits | {SLOT: _SLOT_BITS})
        self._weights: dict[str, float] = {}

    def bits(self, signs: str) -> float:
        """Return the weight of some words."""
        known = self._weights.get(signs)
        if known is None:
            known = self._weights[signs] = sum(map(self.bits_of.__getitem__, signs))
        return known

    def common(self, first: Mapping[str, int], second: Mapping[str, int]) -> float:
        """Return the weight of the words that two texts have, in any order."""
        small, big = sorted((first, second), key=len)
        bits = self.bits_of
        return sum([bits[sign] * min(small[sign], big[sign]) for sign in small if sign in big])

    def runs(self, first: str, second: str) -> list[tuple[int, int]]:
        """Return the runs that a text shares with another in the same order: start and end."""
        return [
            (run.a, run.a + run.size)
            for run in LCSseq.editops(first, second).as_matching_blocks()
            if run.size >= _RUN_WORDS or self.bits(first[run.a : run.a + run.size]) >= _RUN_BITS
        ]

    def covered(self, first: str, second: str) -> float:
        """Return the weight of the runs that a text shares with another."""
        return sum([self.bits(first[start:end]) for start, end in self.runs(first, second)])

    def unsaid(self, first: str, second: str) -> str:
        """Return a text with breaks instead of the runs that it shares with another."""
        ends = [0, *chain.from_iterable(self.runs(first, second)), len(first)]
        return _BREAK.join([first[a:b] for a, b in zip(ends[::2], ends[1::2], strict=True)])


class RareWords:
    """Finds the provisions that share the rarest words with one of those it was made for."""

    def __init__(self, scale: Scale, asking: Iterable[Item], items: Sequence[Item]) -> None:
        self._scale, self._items = scale, items
        wanted = set(chain.from_iterable([item.canon.bag for item in asking]))
        wanted = {sign for sign in wanted if scale.spread[sign] <= _TOO_COMMON}
        self._where: dict[str, list[int]] = defaultdict(list)
        for item in items:
            for sign in wanted & item.canon.bag.keys():
                self._where[sign].append(item.place)

    def likest(self, item: Item, most: int, free: Collection[int] | None = None) -> list[int]:
        """Return the (free) places that share most with a provision, relative to the weight of both."""
        scale, shared = self._scale, defaultdict[int, float](float)
        for sign in item.canon.bag:
            for place in self._where.get(sign, ()):
                shared[place] += scale.bits_of[sign]
        damp = scale.bits(item.words) + 8.0
        ranked = [
            (-bits / (damp + scale.bits(self._items[place].words)), place)
            for place, bits in shared.items()
            if free is None or place in free
        ]
        return [place for _, place in heapq.nsmallest(most, ranked)]
