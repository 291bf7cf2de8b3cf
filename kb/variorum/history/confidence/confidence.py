"""Computes the confidence of a step from the margins of an alignment.

The weights were fitted on steps that readers judged (`make fit ARGS=steps`). docs/lineage.md says
how well they fit other steps.
"""

import math
from collections import defaultdict

from variorum.history.aligning.align import Aligner
from variorum.history.confidence.chances import chance_of
from variorum.history.confidence.fitted_chances import HEIR
from variorum.thresholds.lineages import ANCHOR_CHANCE, PRICE_OF_NEW_OR_GONE

_MOST = 8.0


class ConfidenceJudge:
    """Judges the heirs of one alignment.

    Attributes:
        turmoil: The mean change of a provision between the editions, from 0 to 1.
    """

    def __init__(self, aligner: Aligner) -> None:
        self._aligner = aligner
        self._of_new: dict[int, list[tuple[float, int]]] = defaultdict(list)
        for old, row in aligner.scores.items():
            for new, score in row.items():
                self._of_new[new].append((score.total, old))
        likeness = [
            aligner.scores[old][new].likeness.words
            for old, new in aligner.forward.items()
            if old in aligner.scores and new in aligner.scores[old]
        ]
        self._chances: dict[int, float] = {}
        self.turmoil = sum([1.0 - share for share in likeness]) / len(aligner.old.items)

    def heir(self, old: int) -> float:
        """Return the chance that the provision aligned with an old provision is its heir."""
        if old in self._aligner.anchors:
            return ANCHOR_CHANCE
        known = self._chances.get(old)
        if known is None:
            features = self.heir_features(old, self._aligner.forward[old])
            known = self._chances[old] = chance_of("heir", HEIR.of(features))
        return known

    def heir_features(self, old: int, new: int) -> tuple[float, ...]:
        """Return the features of an aligned heir: lead, points, likeness and turmoil."""
        score = self._aligner.scores[old][new]
        lead = score.total - self._best_other(old, new)
        return (
            _capped(lead),
            _capped(score.total - PRICE_OF_NEW_OR_GONE),
            score.likeness.words,
            self.turmoil,
        )

    def _best_other(self, old: int, new: int) -> float:
        """Return the points of the best alternative, minus what other pairs would lose by it."""
        aligner = self._aligner
        best = PRICE_OF_NEW_OR_GONE
        for rival, score in aligner.scores[old].items():
            if rival != new:
                owner = aligner.backward.get(rival)
                best = max(best, score.total - self._loss(owner, rival))
        for points, rival in self._of_new[new]:
            if rival != old:
                heir = aligner.forward.get(rival)
                best = max(best, points - self._loss(rival, heir))
        return best

    def _loss(self, old: int | None, new: int | None) -> float:
        """Return the points that would be lost if a matched pair were separated."""
        if old is None or new is None:
            return 0.0
        row = self._aligner.scores.get(old, {})
        if new not in row:
            return math.inf  # an anchor
        second = max(
            [score.total for place, score in row.items() if place != new],
            default=PRICE_OF_NEW_OR_GONE,
        )
        return max(0.0, row[new].total - max(PRICE_OF_NEW_OR_GONE, second))


def _capped(points: float) -> float:
    return max(-2.0, min(_MOST, points))
