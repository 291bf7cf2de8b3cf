"""A conditional logit, fitted by Newton's method: which of several options is the right one."""

import importlib
from collections.abc import Sequence
from typing import Any, NamedTuple

# Only the programs that fit need numpy, so only `make fit` installs it.
np: Any = importlib.import_module("numpy")
Array = Any

Row = tuple[tuple[float, ...], bool]

_ROUNDS = 60
_CLOSE = 1e-8
# How strongly weights are pulled to 0: those of a regression, and those of a choice, whose features
# are first scaled to a deviation of 1, so that all are pulled alike.
_RIDGE, _PENALTY = 1e-3, 3.0


class Question(NamedTuple):
    """The features of each option of a choice, and the places of those that are right."""

    options: tuple[tuple[float, ...], ...]
    right: frozenset[int]


def fit_choice(questions: Sequence[Question]) -> list[float]:
    """Return the weight of each feature."""
    options = np.array([row for question in questions for row in question.options])
    deviation = options.std(axis=0)
    deviation[deviation == 0] = 1.0
    return list(map(float, _fitted(options / deviation, questions, _PENALTY) / deviation))


def fit_weights(rows: Sequence[Row]) -> list[float]:
    """Return the constant and the weights of a logistic regression: a choice between a row and nothing."""
    nothing = (0.0,) * (1 + len(rows[0][0]))
    questions = [
        Question(((1.0, *features), nothing), frozenset([0 if is_right else 1]))
        for features, is_right in rows
    ]
    options = np.array([row for question in questions for row in question.options])
    return list(map(float, _fitted(options, questions, _RIDGE)))


def _fitted(options: Array, questions: Sequence[Question], penalty: float) -> Array:
    sizes = [len(question.options) for question in questions]
    starts = np.cumsum([0, *sizes[:-1]])
    asked = np.repeat(np.arange(len(sizes)), sizes)
    right = np.array([at in each.right for each in questions for at in range(len(each.options))])

    def chances(weights: Array) -> tuple[Array, Array, float]:
        """Return the chance of each option, the same if a right one is chosen, and the likelihood."""
        points = options @ weights
        odds = np.exp(points - np.maximum.reduceat(points, starts)[asked])
        chance = odds / np.add.reduceat(odds, starts)[asked]
        whole = np.maximum(np.add.reduceat(chance * right, starts), 1e-300)
        likelihood = np.log(whole).sum() - penalty * (weights @ weights) / 2
        return chance, chance * right / whole[asked], float(likelihood)

    weights = np.zeros(options.shape[1])
    chance, wanted, reached = chances(weights)
    for _ in range(_ROUNDS):
        slope = options.T @ (wanted - chance) - penalty * weights
        means = np.add.reduceat(options * chance[:, None], starts)
        curve = (options * chance[:, None]).T @ options - means.T @ means
        step = np.linalg.solve(curve + penalty * np.eye(len(weights)), slope)
        before = reached
        for _ in range(12):  # a step that overshoots is halved
            chance, wanted, reached = chances(weights + step)
            if reached >= before:
                break
            step /= 2
        weights = weights + step
        if reached - before < _CLOSE:
            break
    return weights
