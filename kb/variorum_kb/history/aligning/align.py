"""Finds the heir of each provision of one edition in the next, as one optimal assignment.

docs/lineage.md explains the method, its reasons and its limits.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from variorum_kb.history.aligning.assignment import assign
from variorum_kb.history.aligning.likeness import (
    BARE_BITS,
    Likeness,
    RareWordIndex,
    Scale,
    WeighedSide,
    WeighedWords,
    likest,
)
from variorum_kb.history.aligning.replaced_phrases import replaced_phrases
from variorum_kb.history.aligning.sides import NOWHERE, Item, Side, places_of_words
from variorum_kb.history.aligning.text_points import text_points
from variorum_kb.history.kept_citations import citations_kept
from variorum_kb.thresholds import PRICE_OF_NEW_OR_GONE, SWEEP_LIKENESS

_ROUNDS = 6
_MOST_CANDIDATES = 8
# A text of at least this many bits is an anchor if each edition has it exactly once.
_ANCHOR_BITS = 12.0
# All provisions with the same words are compared, up to about this many on each side.
_MOST_TWINS = 60
_NEAR_RANKS = 3
# Candidates within this many points of the price are kept as runners-up.
_CLOSE = 2.5

# For each old provision, how many of its citations became citations of each new provision.
_Votes = dict[int, dict[int, int]]


class Score(NamedTuple):
    """The points for a candidate heir of a provision.

    Attributes:
        text: Points for words and headings.
        context: Points for surrounding provisions and citations.
        likeness: The likeness of the words.
        votes: How many citations of the old provision became citations of the candidate.
        against: How many citations of the old provision became citations of other provisions.
    """

    text: float
    context: float
    likeness: Likeness
    parent: bool
    neighbours: int
    children: float
    votes: float
    against: float

    @property
    def total(self) -> float:
        """Return the sum of all points."""
        return self.text + self.context


class Aligner:
    """Aligns two editions.

    Attributes:
        forward: The heir of each old provision that has one, by places.
        backward: The old provision of each heir, by places.
        anchors: The heirs that were certain from the start.
        scores: The final scores of the candidates of all other old provisions.
        votes: How many citations of each old provision became citations of each new provision.
    """

    def __init__(
        self, old: Side, new: Side, is_witness: Callable[[Item], bool] = lambda _: True
    ) -> None:
        """Prepare two sides.

        Args:
            old: The older edition.
            new: The newer edition, with the same folder.
            is_witness: Returns whether an old provision's citations are evidence.
        """
        self.old, self.new = old, new
        self._is_witness = is_witness
        self.scale = Scale(old, new)
        self.words_new = WeighedSide(self.scale, new)
        self.words_old = WeighedSide(self.scale, old)
        self.swept: dict[int, WeighedWords] = {}
        self._sweeps: list[tuple[str, str]] = []
        self.anchors: dict[int, int] = {}
        self.forward: dict[int, int] = {}
        self.backward: dict[int, int] = {}
        self.scores: dict[int, dict[int, Score]] = {}
        self._candidates: dict[int, dict[int, None]] = {}
        self._likeness: dict[tuple[int, int], tuple[float, Likeness]] = {}
        self.votes: _Votes = {}
        self._anchor_votes: _Votes = {}
        self._run()

    def _run(self) -> None:
        twins = self._find_anchors()
        self._set(self.anchors)
        self._add_votes(self._anchor_votes, self.anchors.items())
        self._find_candidates(twins)
        before: dict[int, int] = {}
        for _ in range(_ROUNDS):
            self.votes = self._count_votes()
            self._add_candidates()
            self.scores = self._score_all()
            self._set(self.anchors | self._solve())
            if self.forward == before:
                break
            before = dict(self.forward)
            self._sweep()

    def _set(self, forward: Mapping[int, int]) -> None:
        self.forward = dict(forward)
        self.backward = {new: old for old, new in self.forward.items()}

    def _solve(self) -> dict[int, int]:
        rows = list(self.scores)
        gains = [
            {new: score.total - PRICE_OF_NEW_OR_GONE for new, score in self.scores[old].items()}
            for old in rows
        ]
        return {rows[row]: column for row, column in assign(gains).items()}

    # Candidates for heirs ------------------------------------------------------------------------

    def _find_anchors(self) -> list[tuple[list[int], list[int]]]:
        """Pair provisions whose words each edition has once; return those with repeated words."""
        twins: list[tuple[list[int], list[int]]] = []
        for key, olds in self.old.alike.items():
            news = self.new.alike.get(key)
            if news is None:
                continue
            is_single = len(olds) == len(news) == 1
            if is_single and self.scale.says(self.old.items[olds[0]], _ANCHOR_BITS):
                self.anchors[olds[0]] = news[0]
            else:
                twins.append((olds, news))
        return twins

    def _find_candidates(self, twins: list[tuple[list[int], list[int]]]) -> None:
        taken = self.backward
        free = [item for item in self.new.items if item.place not in taken]
        finder = RareWordIndex(self.scale, places_of_words(free))
        by_address = {(item.is_entry, item.address): item.place for item in free}
        for item in self.old.items:
            if item.place in self.anchors:
                continue
            words = self.words_old[item.place]
            ranked = finder.ranked(words)
            candidates = dict.fromkeys(likest(ranked, words, _MOST_CANDIDATES, self.words_new))
            same = by_address.get((item.is_entry, item.address))
            if same is not None:
                candidates[same] = None
            self._candidates[item.place] = candidates
        for olds, news in twins:
            if len(olds) * len(news) <= _MOST_TWINS * _MOST_TWINS:
                for old in olds:
                    self._candidates[old] |= dict.fromkeys(news)
        self._free_new = {item.place for item in free}
        self._add_headwords(free)

    def _add_headwords(self, free: list[Item]) -> None:
        """Add as candidates the glossary entries whose headwords share a word."""
        heads: dict[str, list[int]] = defaultdict(list)
        for item in free:
            if item.is_entry:
                for sign in item.canon.heading:
                    heads[sign].append(item.place)
        for old, candidates in self._candidates.items():
            if self.old.items[old].is_entry:
                for sign in self.old.items[old].canon.heading:
                    if len(heads[sign]) <= _MOST_CANDIDATES:
                        candidates.update(dict.fromkeys(heads[sign]))

    def _add_candidates(self) -> None:
        """Add the children of matched parents, and the provisions that citations support."""
        for old, candidates in self._candidates.items():
            item = self.old.items[old]
            parent = self.forward.get(item.parent)
            mates = () if parent is None else self.new.items[parent].children
            near = [
                new for new in mates if abs(self.new.items[new].rank - item.rank) <= _NEAR_RANKS
            ]
            for new in (*near, *self.votes.get(old, ())):
                if new in self._free_new:
                    candidates[new] = None

    # Votes of citations --------------------------------------------------------------------------

    def _count_votes(self) -> _Votes:
        """Return how many citations of an old provision became citations of a new provision."""
        votes = {cited: cited_after.copy() for cited, cited_after in self._anchor_votes.items()}
        self._add_votes(votes, self.forward.items() - self.anchors.items())
        return votes

    def _add_votes(self, votes: _Votes, heirs: Iterable[tuple[int, int]]) -> None:
        """Count the citations in some provisions and their heirs."""
        for old, new in heirs:
            before, after = self.old.items[old], self.new.items[new]
            if before.cites and after.cites and self._is_witness(before):
                for cited, cited_after in citations_kept(before, after):
                    of_cited = votes.setdefault(cited, {})
                    of_cited[cited_after] = of_cited.get(cited_after, 0) + 1

    # Wording replaced throughout -----------------------------------------------------------------

    def _sweep(self) -> None:
        """Find phrases that were replaced in many provisions, and apply them to old texts."""
        sweeps = replaced_phrases(self._reworded(), self.scale)
        order = sorted(sweeps, key=lambda phrase: (-len(phrase), phrase))
        self._sweeps = [(phrase, sweeps[phrase]) for phrase in order]
        for old in self._candidates:
            item = self.old.items[old]
            heading, rest = item.canon.heading, item.canon.text + item.canon.examples
            for phrase in order:
                if phrase in item.words:
                    heading = heading.replace(phrase, sweeps[phrase])
                    rest = rest.replace(phrase, sweeps[phrase])
            known = self.swept.get(old)
            signs = heading + rest
            if signs != (item.words if known is None else known.signs):
                self.swept[old] = self.scale.other_words(signs, heading)
                for new in self._candidates[old]:
                    self._likeness.pop((old, new), None)

    def as_swept(self, signs: str) -> str:
        """Return words of the older edition with sweeps applied."""
        for before, after in self._sweeps:
            signs = signs.replace(before, after)
        return signs

    def _reworded(self) -> Iterator[tuple[str, str]]:
        """Yield the words of each provision and of its heir, if these differ but are alike."""
        for old, new in self.forward.items():
            before, after = self.old.items[old].words, self.new.items[new].words
            if before != after and self._text(old, new)[1].words >= SWEEP_LIKENESS:
                yield before, after

    # Points --------------------------------------------------------------------------------------

    def _score_all(self) -> dict[int, dict[int, Score]]:
        scores_of: dict[int, dict[int, Score]] = {}
        for old, candidates in self._candidates.items():
            scores = {new: self.score(old, new) for new in sorted(candidates)}
            scores_of[old] = {
                new: score
                for new, score in scores.items()
                if score.total > PRICE_OF_NEW_OR_GONE - _CLOSE
            }
        return scores_of

    def score(self, old: int, new: int) -> Score:
        """Return the score of a new provision as the heir of an old provision."""
        text, likeness = self._text(old, new)
        old_item, new_item = self.old.items[old], self.new.items[new]
        parent, points = self._family(old_item, new_item)
        neighbours, near = self._neighbours(old_item, new_item)
        children = self._children(old_item, new_item)
        votes, against, cited = self._cited(old, new)
        # A heading without words is weaker evidence than its children.
        smaller = min(self.words_old[old].weight, self.words_new[new].weight)
        is_bare = smaller < BARE_BITS
        context = points + near + (6.5 if is_bare else 3.0) * children
        context += cited + self._citing(old_item, new_item)
        return Score(text, context, likeness, parent, neighbours, children, votes, against)

    def _text(self, old: int, new: int) -> tuple[float, Likeness]:
        known = self._likeness.get((old, new))
        if known is None:
            pair = self.old.items[old], self.new.items[new]
            theirs = self.words_new[new]
            known = text_points(self.scale, pair, self.words_old[old], theirs)
            swept = self.swept.get(old)
            if swept is not None:
                after = text_points(self.scale, pair, swept, theirs)
                known = max(known, after, key=lambda points: points[0])
            self._likeness[old, new] = known
        return known

    def _family(self, old_item: Item, new_item: Item) -> tuple[bool, float]:
        """Return whether the parents are matched, and the points for the parents and the number."""
        points = 0.5 if old_item.address == new_item.address else 0.0
        if NOWHERE in (old_item.parent, new_item.parent):
            return False, points
        parent = self.forward.get(old_item.parent)
        if parent == new_item.parent:
            is_same_tail = _tail(old_item.address) == _tail(new_item.address)
            return True, points + 2.0 + (0.4 if is_same_tail else 0.0)
        return False, points - (0.6 if parent is not None else 0.0)

    def _neighbours(self, old_item: Item, new_item: Item) -> tuple[int, float]:
        """Return how many neighbours are matched, and the points for them."""
        if old_item.is_entry or new_item.is_entry:
            return 0, 0.0
        count, points = 0, 0.0
        for here, there in (
            (old_item.previous, new_item.previous),
            (old_item.following, new_item.following),
        ):
            if here == there == NOWHERE:
                points += 0.3
            elif here != NOWHERE and self.forward.get(here) == there:
                count += 1
                points += 0.8
        return count, points

    def _children(self, old_item: Item, new_item: Item) -> float:
        """Return the share of children that are matched with each other."""
        if not old_item.children:
            return 0.0
        heirs = [self.forward[child] for child in old_item.children if child in self.forward]
        hits = sum([self.new.items[heir].parent == new_item.place for heir in heirs])
        return hits / max(len(old_item.children), len(new_item.children))

    def _cited(self, old: int, new: int) -> tuple[float, float, float]:
        """Return the votes for and against, and the points for them."""
        votes = self.votes.get(old)
        if not votes:
            return 0.0, 0.0, 0.0
        total = sum(votes.values())
        mine = votes.get(new, 0)
        if mine:
            share = mine / total
            return mine, total - mine, min(3.0, 1.2 * math.log2(1 + mine)) * share
        return 0.0, total, -min(1.5, 0.5 * math.log2(1 + total))

    def _citing(self, old_item: Item, new_item: Item) -> float:
        """Return the points for citing the same provisions."""
        if not (old_item.cites and new_item.cites):
            return 0.0
        theirs = {place for ends in new_item.cites for place in ends}
        heirs = [
            self.forward[place]
            for ends in old_item.cites
            for place in ends
            if place in self.forward
        ]
        if not heirs:
            return 0.0
        good = sum([heir in theirs for heir in heirs]) / len(heirs)
        return 1.5 * good - 0.5 * (1.0 - good)


@cache
def _tail(address: str) -> str:
    """Return the last part of a number: of 702.9b "b", of 702.9 "9", of 702 "702"."""
    last = address.partition("#")[0].rpartition(".")[2]
    return last.lstrip("0123456789") or last
