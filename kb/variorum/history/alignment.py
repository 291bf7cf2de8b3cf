"""Finds the heir of each provision of one edition in the next; docs/lineage.md explains the method."""

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

from variorum.history.likeness import Likeness, RareWords, Scale
from variorum.history.sides import NOWHERE, Item, Side, places_of_words
from variorum.text import SLOT

PRICE = 5.0
"""Points. A provision and its heir are matched if what they share is worth more than this."""
BARE_BITS = 20.0
"""A text of fewer bits than this is hardly more than a heading."""

_ROUNDS = 4
_MOST_CANDIDATES = 8
# A text of at least this many bits is an anchor if each edition has it exactly once.
_ANCHOR_BITS = 12.0
# All provisions with the same words are compared, up to about this many on each side.
_MOST_TWINS = 60
_NEAR_RANKS = 3
# Candidates within this many points of the price are kept as runners-up.
_CLOSE = 2.5
# A lower likeness is evidence against two texts being one provision.
_UNLIKE = 0.4
# Citations of reworded texts correspond inside a run of at least this many equal words.
_AROUND_CITATION = 3


class Score(NamedTuple):
    """The points for a candidate heir of a provision, and what they rest on.

    Attributes:
        text: Points for words and headings.
        total: All points.
        neighbours: How many neighbours are matched.
        children: The share of the children that are matched.
        votes: How many citations of the old provision became citations of the candidate.
        against: How many became citations of other provisions.
    """

    text: float
    total: float
    likeness: Likeness
    parent: bool
    neighbours: int
    children: float
    votes: int
    against: int


class Alignment:
    """The heirs between two editions, by places.

    Attributes:
        anchors: The heirs that have the same words, if each edition has these words once.
        heirs: The heir of each old provision that has one.
        owners: The old provision of each heir.
        scores: The scores of the near candidates of all old provisions without an anchor.
        votes: How many citations of each old provision became citations of each new one.
    """

    def __init__(self, old: Side, new: Side) -> None:
        self.old, self.new, self.scale = old, new, Scale(old, new)
        self.anchors: dict[int, int] = {}
        self.heirs: dict[int, int] = {}
        self.owners: dict[int, int] = {}
        self.scores: dict[int, dict[int, Score]] = {}
        self.votes: dict[int, dict[int, int]] = {}
        self._text: dict[tuple[int, int], tuple[float, Likeness]] = {}
        twins = self._find_anchors()
        self._match(self.anchors.items())
        self._candidates = self._first_candidates(twins)
        anchor_votes = self._count_votes({}, self.anchors.items())
        before: dict[int, int] = {}
        for _ in range(_ROUNDS):
            self.votes = {cited: dict(after) for cited, after in anchor_votes.items()}
            self._count_votes(self.votes, self.heirs.items() - self.anchors.items())
            self._add_candidates()
            self.scores = {old: self._near(old, news) for old, news in self._candidates.items()}
            self._match([*self.anchors.items(), *self._best_first()])
            if self.heirs == before:
                break
            before = dict(self.heirs)

    def _match(self, pairs: Iterable[tuple[int, int]]) -> None:
        self.heirs = dict(pairs)
        self.owners = {new: old for old, new in self.heirs.items()}

    def _best_first(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs worth more than the price, most points first, each provision once."""
        ranked = sorted(
            (-round(score.total, 6), old, new)
            for old, scores in self.scores.items()
            for new, score in scores.items()
            if score.total > PRICE
        )
        olds, news = set[int](), set[int]()
        for _, old, new in ranked:
            if old not in olds and new not in news:
                olds.add(old)
                news.add(new)
                yield old, new

    # Candidates ----------------------------------------------------------------------------------

    def _find_anchors(self) -> list[tuple[list[int], list[int]]]:
        """Pair provisions whose words each edition has once; return those with repeated words."""
        alike: dict[tuple[bool, bool, str, str], tuple[list[int], list[int]]] = {}
        for nth, side in enumerate((self.old, self.new)):
            for item in side.items:
                key = item.is_entry, item.state.kind == "chapter", item.canon.heading, item.words
                alike.setdefault(key, ([], []))[nth].append(item.place)
        twins: list[tuple[list[int], list[int]]] = []
        for (*_, words), (olds, news) in alike.items():
            if len(olds) == len(news) == 1 and self.scale.bits(words) >= _ANCHOR_BITS:
                self.anchors[olds[0]] = news[0]
            elif olds and news and len(olds) * len(news) <= _MOST_TWINS * _MOST_TWINS:
                twins.append((olds, news))
        return twins

    def _first_candidates(
        self, twins: list[tuple[list[int], list[int]]]
    ) -> dict[int, dict[int, None]]:
        free = [item for item in self.new.items if item.place not in self.owners]
        self._free = {item.place for item in free}
        rare = RareWords(self.scale, self.new.items, free)
        heads = places_of_words((item.place, item.canon.heading) for item in free if item.is_entry)
        candidates: dict[int, dict[int, None]] = {}
        for item in self.old.items:
            if item.place in self.anchors:
                continue
            places = rare.likest(item, _MOST_CANDIDATES)
            same = self.new.by_name.get(item.name)
            if same is not None:
                places.append(same)
            for sign in item.canon.heading if item.is_entry else "":
                if len(heads.get(sign, ())) <= _MOST_CANDIDATES:
                    places += heads.get(sign, ())
            candidates[item.place] = dict.fromkeys(places)
        for olds, news in twins:
            for old in olds:
                candidates[old] |= dict.fromkeys(news)
        return candidates

    def _add_candidates(self) -> None:
        """Add the children of matched parents, and the provisions that citations support."""
        for old, candidates in self._candidates.items():
            row = self._row(self.old.items[old])
            candidates.update(dict.fromkeys([*row, *self.votes.get(old, ())]))

    def _row(self, item: Item) -> list[int]:
        """Return the children of the heir of a provision's parent that have about its rank."""
        parent = self.heirs.get(item.parent, NOWHERE)
        row = () if parent == NOWHERE else self.new.items[parent].children
        return [new for new in row if abs(self.new.items[new].rank - item.rank) <= _NEAR_RANKS]

    # Citations -----------------------------------------------------------------------------------

    def _count_votes(
        self, votes: dict[int, dict[int, int]], heirs: Iterable[tuple[int, int]]
    ) -> dict[int, dict[int, int]]:
        """Add how the citations in some provisions became citations in their heirs."""
        for old, new in heirs:
            before, after = self.old.items[old], self.new.items[new]
            if before.cites and after.cites:
                for cited, cited_after in _kept_citations(before, after):
                    counts = votes.setdefault(cited, {})
                    counts[cited_after] = counts.get(cited_after, 0) + 1
        return votes

    # Points --------------------------------------------------------------------------------------

    def _near(self, old: int, news: Mapping[int, None]) -> dict[int, Score]:
        scores = {new: self.score(old, new) for new in sorted(self._free & news.keys())}
        return {new: score for new, score in scores.items() if score.total > PRICE - _CLOSE}

    def score(self, old: int, new: int) -> Score:
        """Return the score of a new provision as the heir of an old one."""
        text, likeness = self.text(old, new)
        here, there, heirs = self.old.items[old], self.new.items[new], self.heirs
        is_family, neighbours, points = self._place_points(here, there)
        points += text
        came = [heirs[child] for child in here.children if child in heirs]
        inside = sum([self.new.items[child].parent == new for child in came])
        children = inside / max(len(here.children), len(there.children)) if inside else 0.0
        bits = min(self.scale.bits(here.words), self.scale.bits(there.words))
        points += (6.5 if bits < BARE_BITS else 3.0) * children
        cited = self.votes.get(old, {})
        votes, total = cited.get(new, 0), sum(cited.values())
        if votes:
            points += min(3.0, 1.2 * math.log2(1 + votes)) * votes / total
        elif total:
            points -= min(1.5, 0.5 * math.log2(1 + total))
        if here.cites and there.cites:
            targets = {place for ends in there.cites for place in ends}
            known = [
                heirs[place] in targets for ends in here.cites for place in ends if place in heirs
            ]
            points += 2.0 * sum(known) / len(known) - 0.5 if known else 0.0
        return Score(text, points, likeness, is_family, neighbours, children, votes, total - votes)

    def _place_points(self, here: Item, there: Item) -> tuple[bool, int, float]:
        """Return whether the parents are matched, how many neighbours are, and points for both."""
        heirs = self.heirs
        points = 0.5 if here.state.address == there.state.address else 0.0
        is_family = False
        if NOWHERE not in (here.parent, there.parent) and here.parent in heirs:
            is_family = heirs[here.parent] == there.parent
            is_same_tail = _tail(here.state.address) == _tail(there.state.address)
            points += (2.4 if is_same_tail else 2.0) if is_family else -0.6
        neighbours = 0
        if not (here.is_entry or there.is_entry):
            for before, after in (
                (here.previous, there.previous),
                (here.following, there.following),
            ):
                if before == after == NOWHERE:
                    points += 0.3
                elif before != NOWHERE and heirs.get(before) == after:
                    neighbours += 1
                    points += 0.8
        return is_family, neighbours, points

    def text(self, old: int, new: int) -> tuple[float, Likeness]:
        """Return the points for words and headings, and the likeness of the words."""
        known = self._text.get((old, new))
        if known is None:
            known = self._text[old, new] = self._text_points(
                self.old.items[old], self.new.items[new]
            )
        return known

    def _text_points(self, old: Item, new: Item) -> tuple[float, Likeness]:
        likeness = self.scale.compare(old, new)
        points = 6.0 * likeness.words + 4.0 * (1.0 - math.exp(-likeness.common / 40.0))
        smaller = min(self.scale.bits(old.words), self.scale.bits(new.words))
        in_runs = min(1.0, likeness.shared / smaller) if smaller else 0.0
        points += 1.5 * in_runs
        if likeness.words < _UNLIKE:
            says = min(1.0, smaller / 40.0)
            points -= 3.5 * says * (1.0 - in_runs) * (1.0 - likeness.words / _UNLIKE)
        headings = old.canon.heading, new.canon.heading
        if all(headings):
            alike = self.scale.heading_likeness(*headings)
            if old.is_entry and new.is_entry:
                # An entry with the same headword is the same entry, even if it was rewritten.
                points += 6.0 if alike == 1.0 else 3.3 * alike - 0.8
            else:
                points += 1.5 * alike
        elif any(headings):
            points -= 0.7
        kinds = old.state.kind, new.state.kind
        if old.is_entry != new.is_entry:
            points -= 2.5
        elif "chapter" in kinds:
            points += 1.5 if kinds[0] == kinds[1] else -5.0
        elif kinds[0] != kinds[1]:
            points -= 0.7
        return points, likeness


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
