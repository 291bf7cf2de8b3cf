"""States the chance that a decision is right, from a few features, as one of six levels."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from variorum.history.aligning.sides import NOWHERE
from variorum.thresholds.lineages import MOST_CHANCE


class Level(NamedTuple):
    """A chance, and the least result of a regression for which it is stated.

    Attributes:
        chance: The share of such decisions that readers found right.
        heir: For an aligned heir.
        went: For an heir chosen again.
        gone: For "gone" or merged.
        main: For the main part of a split provision.
        new: For a new provision.
        novel: For a new provision, after its new words were counted.
    """

    chance: float
    heir: float
    went: float
    gone: float
    main: float
    new: float
    novel: float


# More than any result.
_NEVER = 2.0
LEVELS = (
    Level(0.9999, 0.9995, _NEVER, _NEVER, _NEVER, _NEVER, _NEVER),
    Level(0.997, 0.9881, 0.9863, _NEVER, 0.9675, 0.99838, _NEVER),
    Level(0.989, _NEVER, 0.9691, 0.982, 0.9518, 0.97955, _NEVER),
    Level(0.92, _NEVER, 0.845, 0.8205, 0.903, _NEVER, 0.9637),
    Level(0.72, _NEVER, 0.4985, 0.4845, 0.496, _NEVER, 0.731),
    Level(0.29, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
)


def chance_of(decision: str, result: float) -> float:
    """Return the chance that a decision is right.

    >>> chance_of("heir", 0.99), chance_of("went", 0.99), chance_of("gone", 0.5)
    (0.997, 0.997, 0.72)

    Args:
        decision: A field of `Level`.
        result: The result of the regression, from 0 to 1.
    """
    return next(level.chance for level in LEVELS if result >= getattr(level, decision))


def chance_of_new(result: float, bits: float, *, is_entry: bool) -> float:
    """Return the chance that a provision is new. A rule without new words may be a reworded one.

    Args:
        result: The result of the regression, from 0 to 1.
        bits: The weight of the words that the older edition lacks.
        is_entry: Whether it is a glossary entry.
    """
    odds = log_odds(result) + math.log2(1.0 + bits) / 2.0 - 1.4 * is_entry
    return max(chance_of("new", result), chance_of("novel", 1.0 / (1.0 + math.exp(-odds))))


@dataclass(frozen=True, slots=True)
class Chance:
    """A logistic regression.

    Attributes:
        weights: The constant, then the weight of each feature.
    """

    weights: tuple[float, ...]

    def of(self, features: Sequence[float]) -> float:
        """Return the result of the regression, from 0 to 1."""
        total = _sum(self.weights, (1.0, *features))
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


@dataclass(frozen=True, slots=True)
class Choice:
    """A regression that chooses a candidate or "none of them" (a conditional logit).

    Attributes:
        weights: The weight of each feature of a candidate.
        nothing: The weight of each feature of "none of them".
    """

    weights: tuple[float, ...]
    nothing: tuple[float, ...]

    def choose(
        self,
        candidates: Mapping[int, Sequence[float]],
        nothing: Sequence[float],
        *,
        is_one_of_them: bool = False,
    ) -> tuple[int, float]:
        """Return the likeliest candidate, or -1 for "none of them", and the result for it.

        Args:
            candidates: The features of each candidate, by its place.
            nothing: The features of "none of them".
            is_one_of_them: Whether to return a candidate even if "none of them" is likelier.
        """
        points = {place: _sum(self.weights, features) for place, features in candidates.items()}
        points[NOWHERE] = _sum(self.nothing, nothing)
        most = max(points.values())
        odds = {place: math.exp(log_odds_of - most) for place, log_odds_of in points.items()}
        total = sum(odds.values())
        if is_one_of_them:
            del odds[NOWHERE]
        best = max(odds, key=lambda place: (odds[place], -place))
        return best, odds[best] / total


def log_odds(chance: float) -> float:
    """Return the log odds of a chance, which is first limited to `MOST_CHANCE`."""
    chance = min(max(chance, 1.0 - MOST_CHANCE), MOST_CHANCE)
    return math.log(chance / (1.0 - chance))


def _sum(weights: Sequence[float], features: Sequence[float]) -> float:
    return sum([weight * value for weight, value in zip(weights, features, strict=True)])
