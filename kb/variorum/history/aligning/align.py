"""Finds the heir of each provision of one edition in the next, as one optimal assignment.

docs/lineage.md explains the method, its reasons and its limits.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from variorum.history.aligning.assignment import assign
from variorum.history.aligning.likeness import (
    BARE_BITS,
    Likeness,
    RareWordIndex,
    Scale,
    WeighedSide,
    WeighedWords,
    likest,
)
from variorum.history.aligning.replaced_phrases import replaced_phrases
from variorum.history.aligning.sides import Item, Side, places_of_words
from variorum.history.aligning.surroundings_points import (
    Score,
    child_points,
    cited_points,
    citing_points,
    family_points,
    neighbour_points,
)
from variorum.history.aligning.text_points import text_points
from variorum.history.kept_citations import citations_kept
from variorum.thresholds.lineages import PRICE_OF_NEW_OR_GONE, SWEEP_LIKENESS

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
        parent, points = family_points(old_item, new_item, self.forward)
        neighbours, near = neighbour_points(old_item, new_item, self.forward)
        heirs = [self.forward[child] for child in old_item.children if child in self.forward]
        inside = sum([self.new.items[heir].parent == new for heir in heirs])
        children, below = child_points(
            inside,
            max(len(old_item.children), len(new_item.children)),
            is_bare=min(self.words_old[old].weight, self.words_new[new].weight) < BARE_BITS,
        )
        votes, against, cited = cited_points(self.votes.get(old, {}), new)
        context = points + near + below
        context += cited + citing_points(old_item, new_item, self.forward)
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
