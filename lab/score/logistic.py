"""Logistic regression by Newton's method, and levels that never fall; small, in plain Python."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

Row = tuple[tuple[float, ...], bool]

_ROUNDS = 60
_RIDGE = 1e-3
_CLOSE = 1e-8
_STEADY = 1e-9

_BINS = 60
_LEAST_VARIANCE = 0.002
# Below this share, levels that differ by less than the margin are one.
_NEARLY_SURE = 0.97
_MARGIN = 0.004


@dataclass(slots=True)
class _Level:
    start: float
    right: int
    count: int

    @property
    def share(self) -> float:
        return self.right / self.count


def fit_weights(rows: Sequence[Row]) -> list[float]:
    """Return the constant and the weight of each feature."""
    vectors = [(1.0, *features) for features, _ in rows]
    outcomes = [float(is_right) for _, is_right in rows]
    weights = [0.0] * len(vectors[0])
    for _ in range(_ROUNDS):
        slopes, curves = _derivatives(vectors, outcomes, weights)
        change = solve(curves, slopes)
        weights = [weight + one for weight, one in zip(weights, change, strict=True)]
        if max(map(abs, change)) < _CLOSE:
            break
    return weights


def chance(weights: Sequence[float], vector: Sequence[float]) -> float:
    """Return the outcome of a regression, from 0 to 1; the vector starts with 1."""
    total = sum([weight * value for weight, value in zip(weights, vector, strict=True)])
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


def _derivatives(
    vectors: Sequence[tuple[float, ...]], outcomes: Sequence[float], weights: Sequence[float]
) -> tuple[list[float], list[list[float]]]:
    size = len(weights)
    slopes = [-_RIDGE * weight for weight in weights]
    curves = [[_RIDGE if row == column else 0.0 for column in range(size)] for row in range(size)]
    for vector, outcome in zip(vectors, outcomes, strict=True):
        expected = chance(weights, vector)
        missed, spread = outcome - expected, expected * (1.0 - expected) + _STEADY
        for row, value in enumerate(vector):
            slopes[row] += missed * value
            scaled, line = spread * value, curves[row]
            for column in range(row + 1):
                line[column] += scaled * vector[column]
    for row in range(size):
        for column in range(row):
            curves[column][row] = curves[row][column]
    return slopes, curves


def solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return the solution of linear equations.

    >>> solve([[2.0, 1.0], [1.0, 3.0]], [5.0, 10.0])
    [1.0, 3.0]
    """
    size = len(right)
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for place in range(size):
        best = max(range(place, size), key=lambda row: abs(rows[row][place]))
        rows[place], rows[best] = rows[best], rows[place]
        pivot = rows[place]
        for row in range(place + 1, size):
            factor = rows[row][place] / pivot[place]
            rows[row] = [one - factor * two for one, two in zip(rows[row], pivot, strict=True)]
    found = [0.0] * size
    for place in reversed(range(size)):
        known = sum([rows[place][other] * found[other] for other in range(place + 1, size)])
        found[place] = (rows[place][size] - known) / rows[place][place]
    return found


def fit_levels(outcomes: Sequence[tuple[float, bool]], least: int) -> list[tuple[float, float]]:
    """Return from which outcome of the regression on which share was right; shares never fall.

    Args:
        outcomes: What the regression said, and whether that was right.
        least: Of how many outcomes a level rests on.
    """
    levels: list[_Level] = []
    for block in _blocks(sorted(outcomes, key=lambda one: one[0]), least):
        right = sum([is_right for _, is_right in block])
        levels.append(_Level(block[0][0], right, len(block)))
        while len(levels) > 1 and _falls(levels[-2].share, levels[-1].share):
            last = levels.pop()
            levels[-1].right += last.right
            levels[-1].count += last.count
    return [(round(level.start, 4), round(level.share, 4)) for level in levels]


def _falls(before: float, after: float) -> bool:
    return before >= after - (_MARGIN if after < _NEARLY_SURE else 0.0)


def _blocks(ranked: Sequence[tuple[float, bool]], least: int) -> list[list[tuple[float, bool]]]:
    """Cut ranked outcomes where they hold equal variance, so finer where they are in doubt."""
    spreads = [one * (1.0 - one) + _LEAST_VARIANCE for one, _ in ranked]
    whole, so_far, before = sum(spreads), 0.0, -1
    blocks: list[list[tuple[float, bool]]] = []
    for outcome, spread in zip(ranked, spreads, strict=True):
        so_far += spread
        place = min(int(so_far / whole * _BINS), _BINS - 1)
        if not blocks or (place != before and len(blocks[-1]) >= least):
            blocks.append([])
        blocks[-1].append(outcome)
        before = place
    return blocks
