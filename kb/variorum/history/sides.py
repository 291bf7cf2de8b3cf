"""The two editions of an alignment: provisions with relatives and citations, and how alike they are.

Words are weighed by their rarity in the two editions.
"""

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import NamedTuple

from rapidfuzz.distance import Indel, LCSseq

from variorum.history.canonical import Canon, Folder
from variorum.rows import State, named
from variorum.text import SLOT, key_of_meant, keys_of

NOWHERE = -1
# A slot is weak evidence: any rule may cite another.
_SLOT_BITS = 0.5
# Runs of at least this many words, or this many bits, are not coincidences.
_RUN_WORDS, _RUN_BITS = 3, 12.0
# Words in more provisions than this do not lead to candidates.
_TOO_COMMON = 150
# Marks removed words, so that the words on both sides do not become neighbours.
_BREAK = "\ue001"
# A lower likeness is evidence against two texts being one provision.
_UNLIKE = 0.4


@dataclass(slots=True, eq=False)
class Item:
    """A provision. Places, -1 for none, are those of provisions of its edition in printed order.

    `words` are all words of the canonical text, one character each; `heading` is its own, or that over it;
    `rank` is that among its siblings. `cites` has both ends of the citation in each slot; -1 if an end is unknown or ambiguous.
    """

    place: int
    state: State
    canon: Canon
    words: str
    name: str
    is_entry: bool
    heading: str
    parent: int = NOWHERE
    rank: int = 0
    previous: int = NOWHERE
    following: int = NOWHERE
    children: list[int] = field(default_factory=list[int])
    cites: Sequence[tuple[int, int]] = ()

    @property
    def key(self) -> tuple[str, str]:
        """Return its words, with its kind if it is an entry or a chapter."""
        return self.state.kind if self.state.kind in {"glossary", "chapter"} else "", self.words


class Side:
    """All provisions of an edition, in printed order, and the place of each by its name.

    `alike` has the places of those that are the same sort of provision and have the same words.
    """

    def __init__(self, states: Sequence[State], folder: Folder) -> None:
        self.folder = folder
        self.with_below = cache(lambda place: Counter(self._words_below(place)))
        self.items: list[Item] = []
        self.by_name: dict[str, int] = {}
        self.alike = defaultdict[tuple[str, str], list[int]](list)
        siblings: dict[tuple[bool, str], list[Item]] = defaultdict(list)
        numbered: dict[str, list[int]] = defaultdict(list)
        for place, state in enumerate(states):
            canon, is_entry = folder.canon(state), state.kind == "glossary"
            name = named("" if is_entry else state.address, state.address)
            heading = state.heading.casefold()
            item = Item(place, state, canon, canon.whole, name, is_entry, heading)
            row = siblings[is_entry, state.parent]
            item.rank = len(row)
            if row:
                item.previous, row[-1].following = row[-1].place, place
            row.append(item)
            item.parent = self.by_name.get(state.parent, NOWHERE)
            if item.parent != NOWHERE:
                above = self.items[item.parent]
                above.children.append(place)
                item.heading = heading or above.heading
            for key in () if is_entry else keys_of(state):
                numbered[key].append(place)
            self.by_name[name] = place
            self.alike[item.key].append(place)
            self.items.append(item)

        def place_of(number: str) -> int:
            places = numbered.get(number) or numbered.get(key_of_meant(number), [])
            return places[0] if len(places) == 1 else NOWHERE

        for item in self.items:
            item.cites = [
                (place_of(it.first), NOWHERE if it.first == it.last else place_of(it.last))
                for it in item.canon.citations
            ]

    def _words_below(self, place: int) -> str:
        """Return the words of a provision and of all below it."""
        item = self.items[place]
        return item.words + "".join(map(self._words_below, item.children))

    def place_of(self, item: Item) -> int:
        """Return the place of the provision that has a provision's name, or -1."""
        return self.by_name.get(item.name, NOWHERE)


class Likeness(NamedTuple):
    """The likeness of two provisions.

    `points` are those for words and headings; `words`, from 0 to 1, weighs the common words and their
    order; `shared` and `common` are the bits of shared runs and of common words in any order.
    """

    points: float
    words: float
    shared: float
    common: float


class Scale:
    """Weighs words in bits: those that are rare in two editions weigh more."""

    def __init__(self, old: Side, new: Side) -> None:
        self._folder, items = old.folder, [*old.items, *new.items]
        self.spread = Counter(chain.from_iterable([item.canon.bag for item in items]))
        bits = {sign: math.log2(len(items) / count) for sign, count in self.spread.items()}
        self.bits_of = defaultdict[str, float](float, bits | {SLOT: _SLOT_BITS})
        self.bits, self.likeness = cache(self._bits), cache(self._likeness)

    def _bits(self, signs: str) -> float:
        return sum(map(self.bits_of.__getitem__, signs))

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

    def sentences(self, item: Item, other: Item) -> tuple[float, float]:
        """Return how well an item's first sentence, and the best, is like one of another's, from 0 to 1."""
        read = self._folder.sentences
        ours, theirs = ([Counter(it) for it in read(side.state.body)] for side in (item, other))
        best = [max([self.shared(it, its) for its in theirs]) for it in (ours if theirs else ())]
        return (best[0], max(best)) if best else (0.0, 0.0)

    def shared(self, first: Mapping[str, int], second: Mapping[str, int]) -> float:
        """Return the share of the words that two texts have, weighed, from 0 to 1."""
        total = sum([self.bits_of[sign] * n for bag in (first, second) for sign, n in bag.items()])
        return 2.0 * self.common(first, second) / total if total else 0.0

    def _likeness(self, old: Item, new: Item) -> Likeness:
        weights = self.bits(old.words), self.bits(new.words)
        words, shared, common = 1.0, *weights
        if old.words != new.words:
            common = self.common(old.canon.bag, new.canon.bag)
            weighed = 2 * common / sum(weights) if sum(weights) else 0.0
            words = 0.6 * weighed + 0.4 * Indel.normalized_similarity(old.words, new.words)
            shared = self.covered(old.words, new.words) if common > 0 else 0.0
        smaller = min(weights)
        in_runs = min(1.0, shared / smaller) if smaller else 0.0
        points = 6.0 * words + 4.0 * (1.0 - math.exp(-common / 40.0)) + 1.5 * in_runs
        if words < _UNLIKE:
            points -= 3.5 * min(1.0, smaller / 40.0) * (1.0 - in_runs) * (1.0 - words / _UNLIKE)
        before, after = old.canon.heading, new.canon.heading
        if before and after:
            alike = 1.0 if before == after else self.shared(Counter(before), Counter(after))
            # An entry with the same headword is the same entry, even if it was rewritten.
            of_entries = 6.0 if alike == 1.0 else 3.3 * alike - 0.8
            points += of_entries if old.is_entry and new.is_entry else 1.5 * alike
        elif before or after:
            points -= 0.7
        if old.is_entry != new.is_entry:
            points -= 2.5
        elif "chapter" in (old.state.kind, new.state.kind):
            points += 1.5 if old.state.kind == new.state.kind else -5.0
        elif old.state.kind != new.state.kind:
            points -= 0.7
        return Likeness(points, words, shared, common)


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
