"""How sure a step is: margins of an alignment → the chance that the step is right.

The weights were fitted on synthetic editions (`make score ARGS=--fit`), whose truth is known; how
well they hold on others stands in docs/measurements.md.
"""

import math
from collections import defaultdict

from variorum_kb.history.align import Aligner
from variorum_kb.history.fitted_chances import GONE, HEIR, MERGED, NEW
from variorum_kb.history.splits import Descent
from variorum_kb.thresholds import ANCHOR_CHANCE, PRICE, SPLIT_PART_CHANCE

_MOST = 8.0


class ConfidenceJudge:
    """Judges the steps of one alignment."""

    def __init__(self, aligner: Aligner, descent: Descent) -> None:
        self._aligner, self._descent = aligner, descent
        self._of_new: dict[int, list[tuple[float, int]]] = defaultdict(list)
        for old, row in aligner.scores.items():
            for new, score in row.items():
                self._of_new[new].append((score.total, old))
        likeness = [
            aligner.scores[old][new].likeness.words
            for old, new in aligner.forward.items()
            if old in aligner.scores and new in aligner.scores[old]
        ]
        # How much was changed in these editions altogether, from 0 to 1.
        self.turmoil = sum([1.0 - one for one in likeness]) / len(aligner.old.items)

    def heir_features(self, old: int, new: int) -> tuple[float, ...]:
        """Return what the chance of an heir rests on: lead, points, likeness, turmoil."""
        score = self._aligner.scores[old][new]
        lead = score.total - self._best_other(old, new)
        return (
            _capped(lead),
            _capped(score.total - PRICE),
            score.likeness.words,
            self.turmoil,
        )

    def gone_features(self, old: int) -> tuple[float, ...]:
        """Return what the chance of being gone rests on.

        What the best candidate lacks, how much the provision says, turmoil, whether what it stands
        under is gone too.
        """
        row = self._aligner.scores.get(old, {})
        free = [score.total for new, score in row.items() if new not in self._aligner.backward]
        best = max(free, default=PRICE - 2.5)
        parent = self._aligner.old.items[old].parent
        is_alone = parent >= 0 and parent in self._aligner.forward
        return (
            PRICE - best,
            math.log2(1.0 + self._aligner.words_old[old].weight),
            self.turmoil,
            1.0 if is_alone else 0.0,
        )

    def _best_other(self, old: int, new: int) -> float:
        """Return the points of the best that could be instead, less what that would cost others."""
        aligner = self._aligner
        best = PRICE
        for other, score in aligner.scores[old].items():
            if other != new:
                owner = aligner.backward.get(other)
                best = max(best, score.total - self._loss(owner, other))
        for points, other in self._of_new[new]:
            if other != old:
                heir = aligner.forward.get(other)
                best = max(best, points - self._loss(other, heir))
        return best

    def _loss(self, old: int | None, new: int | None) -> float:
        """Return how many points two would lose if they were parted."""
        if old is None or new is None:
            return 0.0
        row = self._aligner.scores.get(old, {})
        if new not in row:
            return math.inf  # an anchor
        other = max([score.total for place, score in row.items() if place != new], default=PRICE)
        return max(0.0, row[new].total - max(PRICE, other))

    def heir(self, old: int, new: int) -> float:
        """Return the chance that a provision is the heir of another."""
        aligner = self._aligner
        if aligner.anchors.get(old) == new:
            return ANCHOR_CHANCE
        if aligner.forward.get(old) == new:
            return HEIR.of(self.heir_features(old, new))
        return SPLIT_PART_CHANCE

    def merged(self, old: int, new: int) -> float:
        """Return the chance that the words of one were taken into another's heir."""
        return MERGED.of(self.merged_features(old, new))

    def merged_features(self, old: int, new: int) -> tuple[float, ...]:
        """Return what the chance of a merge rests on.

        What part of it stands there, what part of the new words there that is, turmoil.
        """
        pair = old, new
        return self._descent.shares[pair], self._descent.fills.get(pair, 0.0), self.turmoil

    def new(self, place: int) -> float:
        """Return the chance that a provision has no source."""
        best = max([points for points, _ in self._of_new.get(place, ())], default=PRICE - 2.5)
        return NEW.of((PRICE - best, self.turmoil))

    def gone(self, old: int) -> float:
        """Return the chance that a provision is gone."""
        return GONE.of(self.gone_features(old))


def _capped(points: float) -> float:
    return max(-2.0, min(_MOST, points))
