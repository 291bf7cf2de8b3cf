"""Matches the provisions of an edition with those of the next; docs/lineage.md explains the method."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cache

from rapidfuzz.distance import LCSseq

from variorum.history.sides import NOWHERE, Item, RareWords, Scale, Side
from variorum.text import SLOT

PRICE = 5.0
"""Points. A provision and its heir are matched if what they share is worth more than this."""

_ROUNDS = 3
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
# Citations of reworded texts correspond inside a run of at least this many equal words.
_AROUND_CITATION = 3

# How many citations of a provision became citations of others.
Votes = Mapping[int, Mapping[int, int]]


class Alignment:
    """The heirs between two editions, by places.

    `anchors` are heirs with the same words, which each edition has once. `points` has those of the near
    candidates of all old provisions without an anchor.
    """

    def __init__(self, old: Side, new: Side) -> None:
        self.old, self.new, self.scale = old, new, Scale(old, new)
        self.anchors, twins = self._find_anchors()
        asked = [item for item in old.items if item.place not in self.anchors]
        free = {item.place for item in new.items} - {*self.anchors.values()}
        self.rare = RareWords(self.scale, asked, new.items)
        candidates = {
            item.place: {
                *self.rare.likest(item, _MOST_CANDIDATES, free),
                *twins.get(item.place, ()),
                new.by_name.get(item.name, NOWHERE),
            }
            for item in asked
        }
        self.heirs, fixed = dict(self.anchors), self._count_votes(self.anchors, {})
        for _ in range(_ROUNDS):
            before = self.heirs
            moved = dict(before.items() - self.anchors.items())
            self.votes = self._count_votes(moved, fixed)
            self.points: dict[int, dict[int, float]] = {}
            for item in asked:
                news = candidates[item.place]
                news.update(self._row(item), self.votes.get(item.place, ()))
                points = {
                    place: self._score(item, new.items[place]) for place in sorted(free & news)
                }
                close = {place: it for place, it in points.items() if it > PRICE - _CLOSE}
                self.points[item.place] = close
            self.heirs = self.anchors | dict(self._best_first())
            if self.heirs == before:
                break

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

    def _best_first(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs worth more than the price, most points first, each provision once."""
        ranked = sorted(
            (-round(points, 6), old, new)
            for old, row in self.points.items()
            for new, points in row.items()
            if points > PRICE
        )
        olds, news = set[int](), set[int]()
        for _, old, new in ranked:
            if old not in olds and new not in news:
                olds.add(old)
                news.add(new)
                yield old, new

    def _count_votes(self, heirs: Mapping[int, int], more: Votes) -> Votes:
        """Return how the citations in some provisions became citations in their heirs."""
        votes = defaultdict[int, Counter[int]](
            Counter, {it: Counter(its) for it, its in more.items()}
        )
        for old, new in heirs.items():
            before, after = self.old.items[old], self.new.items[new]
            if before.cites and after.cites:
                for cited, cited_after in _kept_citations(before, after):
                    votes[cited][cited_after] += 1
        return dict(votes)

    def margins(self) -> dict[int, float]:
        """Return how many points each heir but the anchors is ahead of the best other match of the two.

        Another match costs what its own ends are ahead of their next best.
        """
        margins, lost = dict[int, float](), {NOWHERE: 0.0}
        rivals = defaultdict[int, list[tuple[float, int]]](list)
        owners = {new: old for old, new in self.heirs.items()}
        for old, row in self.points.items():
            new = self.heirs.get(old, NOWHERE)
            others = [points for place, points in row.items() if place != new]
            lost[old] = max(0.0, row[new] - max([PRICE, *others])) if new in row else 0.0
            for place, points in row.items():
                rivals[place].append((points, old))
        for old, row in self.points.items():
            if (new := self.heirs.get(old, NOWHERE)) != NOWHERE:
                others = [it - lost[owners.get(at, NOWHERE)] for at, it in row.items() if at != new]
                others += [points - lost[it] for points, it in rivals[new] if it != old]
                margins[old] = row[new] - max([PRICE, *others])
        return margins

    def sentences(self, item: Item, other: Item) -> tuple[float, float]:
        """Return how well the first sentence of a provision, and the best, is like one of another's."""
        sentences = self.old.folder.sentences
        return self.scale.best_sentence(sentences(item.state), sentences(other.state))

    def relatives(self, old: Item, new: Item) -> tuple[bool, int, float]:
        """Return whether the parent and how many neighbours came along, and the share of children."""
        heirs = self.heirs
        is_family = NOWHERE not in (old.parent, new.parent) and heirs.get(old.parent) == new.parent
        neighbours = sum(
            before != NOWHERE and heirs.get(before) == after
            for before, after in ((old.previous, new.previous), (old.following, new.following))
        )
        came = [self.new.items[heirs[it]].parent for it in old.children if it in heirs]
        inside = came.count(new.place)
        return is_family, neighbours, inside / max(len(old.children), len(new.children), 1)

    def _score(self, old: Item, new: Item) -> float:
        heirs, scale = self.heirs, self.scale
        points = scale.likeness(old, new).points
        points += 0.5 if old.state.address == new.state.address else 0.0
        is_family, neighbours, children = self.relatives(old, new)
        if is_family:
            points += 2.4 if _tail(old.state.address) == _tail(new.state.address) else 2.0
        elif new.parent != NOWHERE and old.parent in heirs:
            points -= 0.6
        if not (old.is_entry or new.is_entry):
            points += 0.8 * neighbours + 0.3 * (old.previous == new.previous == NOWHERE)
            points += 0.3 * (old.following == new.following == NOWHERE)
        bits = min(scale.bits(old.words), scale.bits(new.words))
        points += (6.5 if bits < _BARE_BITS else 3.0) * children
        cited = self.votes.get(old.place, {})
        votes, total = cited.get(new.place, 0), sum(cited.values())
        if votes:
            points += min(3.0, 1.2 * math.log2(1 + votes)) * votes / total
        elif total:
            points -= min(1.5, 0.5 * math.log2(1 + total))
        if old.cites and new.cites:
            targets = {place for ends in new.cites for place in ends}
            known = [heirs[it] in targets for ends in old.cites for it in ends if it in heirs]
            points += 2.0 * sum(known) / len(known) - 0.5 if known else 0.0
        return points


@cache
def _tail(address: str) -> str:
    """Return the last part of a number: of 702.9b "b", of 702.9 "9", of 702 "702"."""
    last = address.partition("#")[0].rpartition(".")[2]
    return last.lstrip("0123456789") or last


def _kept_citations(before: Item, after: Item) -> Iterator[tuple[int, int]]:
    """Yield the targets of a provision's citations before and after, if both are known."""
    pairs = [*zip(before.cites, after.cites, strict=False)]
    if before.words != after.words:
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
