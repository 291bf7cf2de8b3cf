"""Finds the heir of each provision of one edition in the next; docs/lineage.md explains the method."""

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from rapidfuzz.distance import Indel, LCSseq

from variorum.history.sides import NOWHERE, Item, RareWords, Scale, Side
from variorum.text import SLOT

PRICE = 5.0
"""Points. A provision and its heir are matched if what they share is worth more than this."""

_ROUNDS = 4
_MOST_CANDIDATES = 8
# A text of at least this many bits is an anchor if each edition has it exactly once; one of fewer bits
# than the second is hardly more than a heading.
_ANCHOR_BITS, _BARE_BITS = 12.0, 20.0
# All provisions with the same words are compared, up to about this many on each side.
_MOST_TWINS = 60
# Children of a matched parent are candidates if their ranks differ by no more.
_NEAR_RANKS = 3
# Candidates within this many points of the price are kept as runners-up.
_CLOSE = 2.5
# A lower likeness is evidence against two texts being one provision.
_UNLIKE = 0.4
# Citations of reworded texts correspond inside a run of at least this many equal words.
_AROUND_CITATION = 3

# How many citations of a provision became citations of others.
Votes = Mapping[int, Mapping[int, int]]


class Likeness(NamedTuple):
    """The likeness of two texts.

    `points` are those for words and headings; `words`, from 0 to 1, weighs the common words and their
    order; `shared` and `common` are the bits of shared runs and of common words in any order.
    """

    points: float
    words: float
    shared: float
    common: float


class Score(NamedTuple):
    """The points for a candidate heir of a provision, and what they rest on.

    `children` is the share of children that came along; `votes` count the citations that became
    citations of the candidate, `against` those that became citations of others.
    """

    points: float
    likeness: Likeness
    is_family: bool
    neighbours: int
    children: float
    votes: int
    against: int


class Alignment:
    """The heirs between two editions, by places.

    `anchors` are heirs with the same words, which each edition has once. `scores` has the near candidates
    of all old provisions without an anchor.
    """

    def __init__(self, old: Side, new: Side) -> None:
        self.old, self.new, self.scale = old, new, Scale(old, new)
        self.anchors, twins = self._find_anchors()
        self._likeness: dict[tuple[int, int], Likeness] = {}
        self.asked = [item for item in old.items if item.place not in self.anchors]
        taken = set(self.anchors.values())
        free = {item.place for item in new.items if item.place not in taken}
        self.rare = RareWords(self.scale, self.asked, new.items)
        candidates = {
            item.place: {
                *self.rare.likest(item, _MOST_CANDIDATES, free),
                *twins.get(item.place, ()),
                new.by_name.get(item.name, NOWHERE),
            }
            for item in self.asked
        }
        self.heirs, before = dict(self.anchors), dict[int, int]()
        fixed = self._count_votes(self.anchors, {})
        for _ in range(_ROUNDS):
            moved = dict(self.heirs.items() - self.anchors.items())
            self.votes = self._count_votes(moved, fixed)
            for item in self.asked:
                candidates[item.place].update(self._row(item), self.votes.get(item.place, ()))
            self.scores = {old: self._near(old, free & news) for old, news in candidates.items()}
            self.heirs = self.anchors | dict(self._best_first())
            if self.heirs == before:
                break
            before = self.heirs

    def _find_anchors(self) -> tuple[dict[int, int], dict[int, list[int]]]:
        """Return the heirs of words that each edition has once, and the twins of repeated words."""
        alike: dict[tuple[bool, bool, str, str], tuple[list[int], list[int]]]
        alike = defaultdict(lambda: ([], []))
        for nth, side in enumerate((self.old, self.new)):
            for item in side.items:
                key = item.is_entry, item.state.kind == "chapter", item.canon.heading, item.words
                alike[key][nth].append(item.place)
        anchors, twins = dict[int, int](), dict[int, list[int]]()
        for (*_, words), (olds, news) in alike.items():
            if len(olds) == len(news) == 1 and self.scale.bits(words) >= _ANCHOR_BITS:
                anchors[olds[0]] = news[0]
            elif len(olds) * len(news) <= _MOST_TWINS * _MOST_TWINS:
                twins |= dict.fromkeys(olds, news)
        return anchors, twins

    def _row(self, item: Item) -> list[int]:
        """Return the children of the heir of a provision's parent that have about its rank."""
        parent, items = self.heirs.get(item.parent, NOWHERE), self.new.items
        row = () if parent == NOWHERE else items[parent].children
        return [new for new in row if abs(items[new].rank - item.rank) <= _NEAR_RANKS]

    def _near(self, old: int, news: Collection[int]) -> dict[int, Score]:
        scores = {new: self.score(old, new) for new in sorted(news)}
        return {new: score for new, score in scores.items() if score.points > PRICE - _CLOSE}

    def _best_first(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs worth more than the price, most points first, each provision once."""
        ranked = sorted(
            (-round(score.points, 6), old, new)
            for old, scores in self.scores.items()
            for new, score in scores.items()
            if score.points > PRICE
        )
        olds, news = set[int](), set[int]()
        for _, old, new in ranked:
            if old not in olds and new not in news:
                olds.add(old)
                news.add(new)
                yield old, new

    def _count_votes(self, heirs: Mapping[int, int], more: Votes) -> Votes:
        """Return how the citations in some provisions became citations in their heirs."""
        votes = {cited: dict(after) for cited, after in more.items()}
        for old, new in heirs.items():
            before, after = self.old.items[old], self.new.items[new]
            if before.cites and after.cites:
                for cited, cited_after in _kept_citations(before, after):
                    counts = votes.setdefault(cited, {})
                    counts[cited_after] = counts.get(cited_after, 0) + 1
        return votes

    # Points --------------------------------------------------------------------------------------

    def score(self, old: int, new: int) -> Score:
        """Return the score of a new provision as the heir of an old one."""
        here, there, heirs = self.old.items[old], self.new.items[new], self.heirs
        likeness = self.likeness(old, new)
        points = likeness.points + (0.5 if here.state.address == there.state.address else 0.0)
        is_family, neighbours = False, 0
        if NOWHERE not in (here.parent, there.parent) and here.parent in heirs:
            is_family = heirs[here.parent] == there.parent
            is_same_tail = _tail(here.state.address) == _tail(there.state.address)
            points += (2.4 if is_same_tail else 2.0) if is_family else -0.6
        if not (here.is_entry or there.is_entry):
            sides = (here.previous, there.previous), (here.following, there.following)
            for before, after in sides:
                if before == after == NOWHERE:
                    points += 0.3
                elif before != NOWHERE and heirs.get(before) == after:
                    neighbours += 1
                    points += 0.8
        inside = sum(
            [self.new.items[heirs[it]].parent == new for it in here.children if it in heirs]
        )
        children = inside / max(len(here.children), len(there.children)) if inside else 0.0
        bits = min(self.scale.bits(here.words), self.scale.bits(there.words))
        points += (6.5 if bits < _BARE_BITS else 3.0) * children
        cited = self.votes.get(old, {})
        votes, total = cited.get(new, 0), sum(cited.values())
        if votes:
            points += min(3.0, 1.2 * math.log2(1 + votes)) * votes / total
        elif total:
            points -= min(1.5, 0.5 * math.log2(1 + total))
        if here.cites and there.cites:
            targets = {place for ends in there.cites for place in ends}
            known = [heirs[it] in targets for ends in here.cites for it in ends if it in heirs]
            points += 2.0 * sum(known) / len(known) - 0.5 if known else 0.0
        return Score(points, likeness, is_family, neighbours, children, votes, total - votes)

    def likeness(self, old: int, new: int) -> Likeness:
        """Return the likeness of two provisions."""
        known = self._likeness.get((old, new))
        if known is None:
            known = self._compare(self.old.items[old], self.new.items[new])
            self._likeness[old, new] = known
        return known

    def _compare(self, old: Item, new: Item) -> Likeness:
        scale, weights = self.scale, (self.scale.bits(old.words), self.scale.bits(new.words))
        if old.words == new.words:
            words, (shared, common) = 1.0, weights
        else:
            common = scale.common(old.canon.bag, new.canon.bag)
            weighed = 2 * common / sum(weights) if sum(weights) else 0.0
            words = 0.6 * weighed + 0.4 * Indel.normalized_similarity(old.words, new.words)
            shared = scale.covered(old.words, new.words) if common > 0 else 0.0
        smaller = min(weights)
        in_runs = min(1.0, shared / smaller) if smaller else 0.0
        points = 6.0 * words + 4.0 * (1.0 - math.exp(-common / 40.0)) + 1.5 * in_runs
        if words < _UNLIKE:
            points -= 3.5 * min(1.0, smaller / 40.0) * (1.0 - in_runs) * (1.0 - words / _UNLIKE)
        if old.canon.heading and new.canon.heading:
            alike = self._heading_likeness(old.canon.heading, new.canon.heading)
            if old.is_entry and new.is_entry:
                # An entry with the same headword is the same entry, even if it was rewritten.
                points += 6.0 if alike == 1.0 else 3.3 * alike - 0.8
            else:
                points += 1.5 * alike
        elif old.canon.heading or new.canon.heading:
            points -= 0.7
        if old.is_entry != new.is_entry:
            points -= 2.5
        elif "chapter" in (old.state.kind, new.state.kind):
            points += 1.5 if old.state.kind == new.state.kind else -5.0
        elif old.state.kind != new.state.kind:
            points -= 0.7
        return Likeness(points, words, shared, common)

    def _heading_likeness(self, before: str, after: str) -> float:
        if before == after:
            return 1.0
        common = self.scale.bits("".join([sign for sign in before if sign in after]))
        total = self.scale.bits(before) + self.scale.bits(after)
        return min(1.0, 2 * common / total) if total else 0.0


@cache
def _tail(address: str) -> str:
    """Return the last part of a number: of 702.9b "b", of 702.9 "9", of 702 "702"."""
    last = address.partition("#")[0].rpartition(".")[2]
    return last.lstrip("0123456789") or last


def _kept_citations(before: Item, after: Item) -> Iterator[tuple[int, int]]:
    """Yield the targets of a provision's citations before and after, if both are known."""
    if before.words == after.words:
        pairs = [*zip(before.cites, after.cites, strict=True)]
    else:
        here, there = _slots(before.words), _slots(after.words)
        pairs = [
            (before.cites[here[run.a + step]], after.cites[there[run.b + step]])
            for run in LCSseq.editops(before.words, after.words).as_matching_blocks()
            if run.size >= _AROUND_CITATION
            for step in range(run.size)
            if run.a + step in here
        ]
    for ends, ends_after in pairs:
        for cited, cited_after in zip(ends, ends_after, strict=True):
            if NOWHERE not in (cited, cited_after):
                yield cited, cited_after


def _slots(signs: str) -> dict[int, int]:
    """Return the rank of each slot by its place among the words."""
    places = [place for place, sign in enumerate(signs) if sign == SLOT]
    return {place: rank for rank, place in enumerate(places)}
