"""From a few features of a decision to the chance that it is right."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chance:
    """A logistic regression whose outcome is corrected by what was counted.

    Attributes:
        weights: The constant, then one of each feature.
        levels: From which outcome of the regression on how often the decision was right.
    """

    weights: tuple[float, ...]
    levels: tuple[tuple[float, float], ...]

    def raw(self, features: Sequence[float]) -> float:
        """Return the outcome of the regression, from 0 to 1."""
        constant, *weights = self.weights
        pairs = zip(weights, features, strict=True)
        total = constant + sum([weight * value for weight, value in pairs])
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))

    def of(self, features: Sequence[float]) -> float:
        """Return the chance, from 0 to 1."""
        place = bisect_right(self.levels, (self.raw(features), 2.0)) - 1
        return self.levels[max(0, place)][1]
