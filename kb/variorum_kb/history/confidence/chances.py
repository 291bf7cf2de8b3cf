"""Computes the chance that a decision is right from a few features."""

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from variorum_kb.history.aligning.sides import NOWHERE
from variorum_kb.thresholds.lineages import MOST_CHANCE

_NINE_OF_TEN = math.log(9.0)
# The digits of a corrected chance, which stays at least one unit of the last digit below `end`.
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Chance:
    """A logistic regression whose result is calibrated by counts.

    Attributes:
        weights: The constant, then the weight of each feature.
        levels: Results of the regression, each with the share of right decisions between it and the
            next.
    """

    weights: tuple[float, ...]
    levels: tuple[tuple[float, float], ...]

    def raw(self, features: Sequence[float]) -> float:
        """Return the result of the regression, from 0 to 1."""
        constant, *weights = self.weights
        pairs = zip(weights, features, strict=True)
        total = constant + sum([weight * value for weight, value in pairs])
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))

    def of(self, features: Sequence[float]) -> float:
        """Return the chance, from 0 to 1."""
        return _level(self.levels, self.raw(features))


@dataclass(frozen=True, slots=True)
class Calibration:
    """Corrects the chance of a step to the share of similar steps that people found right.

    >>> calibration = Calibration(levels=((0.2, 0.1), (0.5, 0.7)), end=0.9)
    >>> [calibration.of(chance) for chance in (0.1, 0.49, 0.5, 0.89, 0.9)]
    [0.1, 0.1, 0.7, 0.7, 0.9]

    Attributes:
        levels: Chances, each with the share of right steps between it and the next.
        end: Chances from this chance on are not corrected; corrected chances stay below it.
    """

    levels: tuple[tuple[float, float], ...]
    end: float

    def of(self, chance: float) -> float:
        """Return the corrected chance, from 0 to 1."""
        return chance if chance >= self.end else _level(self.levels, chance)


@dataclass(frozen=True, slots=True)
class ArrivalCalibration:
    """Corrects the chance that a provision is new, by a regression on steps that were read.

    Attributes:
        weights: The constant, then the weight of the chance's log odds and of each feature.
        end: Chances from this chance on are not corrected; corrected chances stay below it.
    """

    weights: tuple[float, ...]
    end: float

    def of(self, chance: float, features: Sequence[float]) -> float:
        """Return the corrected chance, from 0 to 1."""
        if chance >= self.end:
            return chance
        odds = _sum(self.weights, (1.0, log_odds(chance), *features))
        return round(min(1.0 / (1.0 + math.exp(-odds)), self.end - 10.0**-_DIGITS), _DIGITS)


@dataclass(frozen=True, slots=True)
class Choice:
    """A regression that chooses a candidate or "none of them" (a conditional logit).

    Attributes:
        weights: The weight of each feature of a candidate.
        nothing: The weight of each feature of "none of them".
        found: The correction of a candidate's log odds: a constant, then the weight of each feature
            of `bent`.
        missing: The correction of the log odds of "none of them", since the candidates may lack the
            right one.
    """

    weights: tuple[float, ...]
    nothing: tuple[float, ...]
    found: tuple[float, ...]
    missing: tuple[float, ...]

    def choose(
        self,
        candidates: Mapping[int, Sequence[float]],
        nothing: Sequence[float],
        *,
        is_one_of_them: bool = False,
    ) -> tuple[int, float]:
        """Return the likeliest candidate, or -1 for "none of them", and its chance.

        Args:
            candidates: The features of each candidate, by its place.
            nothing: The features of "none of them".
            is_one_of_them: Whether to return a candidate even if "none of them" is likelier.
        """
        chances = self.chances(candidates, nothing)
        if is_one_of_them:
            del chances[NOWHERE]
        best = max(chances, key=lambda place: (chances[place], -place))
        correction = self.missing if best == NOWHERE else self.found
        odds = _sum(correction, (1.0, *bent(log_odds(chances[best]))))
        return best, round(min(1.0 / (1.0 + math.exp(-odds)), MOST_CHANCE), 4)

    def chances(
        self, candidates: Mapping[int, Sequence[float]], nothing: Sequence[float]
    ) -> dict[int, float]:
        """Return the chance of each candidate, by its place, and of "none of them", by -1."""
        points = {place: _sum(self.weights, features) for place, features in candidates.items()}
        points[NOWHERE] = _sum(self.nothing, nothing)
        most = max(points.values())
        odds = {place: math.exp(log_odds_of - most) for place, log_odds_of in points.items()}
        total = sum(odds.values())
        return {place: odds_of / total for place, odds_of in odds.items()}


def log_odds(chance: float) -> float:
    """Return the log odds of a chance, which is first limited to `MOST_CHANCE`."""
    chance = min(max(chance, 1.0 - MOST_CHANCE), MOST_CHANCE)
    return math.log(chance / (1.0 - chance))


def bent(odds: float) -> tuple[float, float]:
    """Return log odds, and their excess over nine to one."""
    return odds, max(0.0, odds - _NINE_OF_TEN)


def _level(levels: tuple[tuple[float, float], ...], value: float) -> float:
    return levels[max(0, bisect_right(levels, value, key=itemgetter(0)) - 1)][1]


def _sum(weights: Sequence[float], features: Sequence[float]) -> float:
    return sum([weight * value for weight, value in zip(weights, features, strict=True)])
