"""Logistic regression by Newton's method; small, in plain Python."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

Row = tuple[tuple[float, ...], bool]

_ROUNDS = 60
_RIDGE = 1e-3
_CLOSE = 1e-8
_STEADY = 1e-9

_CHOICE_ROUNDS = 40
_CHOICE_CLOSE = 1e-3
_PENALTY = 3.0


def fit_weights(rows: Sequence[Row]) -> list[float]:
    """Return the constant and the weight of each feature."""
    vectors = [(1.0, *features) for features, _ in rows]
    outcomes = [float(is_right) for _, is_right in rows]
    weights = [0.0] * len(vectors[0])
    for _ in range(_ROUNDS):
        slopes, curves = _derivatives(vectors, outcomes, weights)
        change = solve(curves, slopes)
        weights = [weight + step for weight, step in zip(weights, change, strict=True)]
        if max(map(abs, change)) < _CLOSE:
            break
    return weights


def chance(weights: Sequence[float], vector: Sequence[float]) -> float:
    """Return the probability from a regression; the vector starts with 1."""
    total = sum([weight * value for weight, value in zip(weights, vector, strict=True)])
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


@dataclass(frozen=True, slots=True)
class Question:
    """A choice whose answer is known.

    Attributes:
        options: The features of each option, in the order of all weights.
        right: The places of the options that are right.
    """

    options: tuple[tuple[float, ...], ...]
    right: frozenset[int]


def fit_choice(questions: Sequence[Question]) -> list[float]:
    """Return the weights of a conditional logit; a small penalty keeps them from growing.

    Features are scaled to a deviation of 1, so that the penalty is the same for each.
    """
    size = len(questions[0].options[0])
    spans = [
        _deviation([row[k] for question in questions for row in question.options])
        for k in range(size)
    ]
    scaled = [
        Question(
            tuple(
                [
                    tuple([v / s for v, s in zip(row, spans, strict=True)])
                    for row in question.options
                ]
            ),
            question.right,
        )
        for question in questions
    ]
    weights, reached = [0.0] * size, -math.inf
    for _ in range(_CHOICE_ROUNDS):
        slopes, curves = _choice_derivatives(scaled, weights)
        change = solve(curves, slopes)
        before, reached = reached, -math.inf
        factor, tried = 2.0, weights
        while reached < before or reached == -math.inf:
            factor /= 2.0
            tried = [weight + factor * step for weight, step in zip(weights, change, strict=True)]
            reached = _likelihood(scaled, tried)
            if factor < _CHOICE_CLOSE:
                break
        weights = tried
        if reached - before < _CHOICE_CLOSE:
            break
    return [weight / span for weight, span in zip(weights, spans, strict=True)]


def _likelihood(questions: Sequence[Question], weights: Sequence[float]) -> float:
    """Return the log likelihood of the right options, less the penalty."""
    likelihood = -_PENALTY * sum([weight * weight for weight in weights]) / 2.0
    for question in questions:
        chances = choice_chances(question.options, weights)
        likelihood += math.log(max(sum([chances[place] for place in question.right]), _STEADY))
    return likelihood


def choice_chances(options: Sequence[Sequence[float]], weights: Sequence[float]) -> list[float]:
    """Return the chance of each option."""
    points = [sum([w * v for w, v in zip(weights, row, strict=True) if v]) for row in options]
    most = max(points)
    odds = [math.exp(value - most) for value in points]
    total = sum(odds)
    return [odd / total for odd in odds]


def _choice_derivatives(
    questions: Sequence[Question], weights: Sequence[float]
) -> tuple[list[float], list[list[float]]]:
    size = len(weights)
    slopes = [-_PENALTY * weight for weight in weights]
    curves = [[_PENALTY if row == column else 0.0 for column in range(size)] for row in range(size)]
    for question in questions:
        chances = choice_chances(question.options, weights)
        whole = sum([chances[place] for place in question.right])
        mean = [0.0] * size
        for place, (row, share) in enumerate(zip(question.options, chances, strict=True)):
            expected = share / whole if place in question.right else 0.0
            filled = [k for k, value in enumerate(row) if value]
            for k in filled:
                mean[k] += share * row[k]
                slopes[k] += (expected - share) * row[k]
                line, scaled = curves[k], share * row[k]
                for column in filled:
                    line[column] += scaled * row[column]
        for k, value in enumerate(mean):
            if value:
                line = curves[k]
                for column, more in enumerate(mean):
                    line[column] -= value * more
    return slopes, curves


def _deviation(values: Sequence[float]) -> float:
    mean = sum(values) / len(values)
    return math.sqrt(sum([(value - mean) ** 2 for value in values]) / len(values)) or 1.0


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
            rows[row] = [cell - factor * two for cell, two in zip(rows[row], pivot, strict=True)]
    solution = [0.0] * size
    for place in reversed(range(size)):
        known = sum([rows[place][column] * solution[column] for column in range(place + 1, size)])
        solution[place] = (rows[place][size] - known) / rows[place][place]
    return solution
