"""The weights of the evidence for steps, and the chance that each result stands for.

`make fit ARGS=steps` fits the weights again to steps that people read. Each choice is a conditional
logit: the points of a candidate are the sum of its features times their weights.
"""

from collections.abc import Mapping

# The chance of an heir whose words each edition has once. Nothing is certain.
MOST = 0.9999

# For each chance, the least result of the regression, by what was decided: an aligned heir, an heir
# chosen again, a removal or merger, the main heir of a split, a new provision. The chances are the
# shares of such decisions that readers found right, cross-validated; removals are never certain.
_CHANCES = {
    "heir": {0.9999: 0.9995, 0.997: 0.99, 0.7: 0.0},
    "went": {0.997: 0.985, 0.97: 0.95, 0.9: 0.8, 0.7: 0.5, 0.45: 0.0},
    "gone": {0.9: 0.95, 0.7: 0.7, 0.45: 0.0},
    "main": {0.997: 0.985, 0.97: 0.96, 0.9: 0.85, 0.7: 0.55, 0.45: 0.0},
    "new": {0.997: 0.999, 0.97: 0.97, 0.9: 0.88, 0.7: 0.6, 0.45: 0.0},
}

CHOICES = ("heir", "went", "came", "main")


def chance(decision: str, result: float) -> float:
    """Return the chance that a decision is right.

    >>> chance("heir", 0.99), chance("went", 0.99), chance("gone", 0.5)
    (0.997, 0.997, 0.45)
    """
    return next(level for level, least in _CHANCES[decision].items() if result >= least)


def points(choice: str, features: Mapping[str, float]) -> float:
    """Return the points of a candidate in one of the choices."""
    nth = CHOICES.index(choice)
    return sum([WEIGHTS[name][nth] * value for name, value in features.items()])


# By feature, its weights in the choices.
WEIGHTS: Mapping[str, tuple[float, float, float, float]] = {
    "nothing": (0.0, 1.75, 5.83, 0.0),
    "bits": (0.0, 0.17, -0.14, 0.0),
    "new words": (0.0, 0.0, 0.25, 0.0),
    "entry": (0.0, -0.09, 0.85, 0.0),
    "unmatched": (0.0, 0.87, 0.0, 0.0),
    "turmoil": (-2.3, 0.77, -10.75, 0.0),
    "heir": (-0.3, 0.0, 0.0, 0.59),
    "margin": (0.96, 0.0, 0.0, 0.0),
    "chance": (0.0, 0.0, 0.0, 0.56),
    "words": (0.71, -2.45, -2.46, 0.0),
    "text": (0.0, 0.37, 0.23, 0.0),
    "runs left": (0.0, 0.27, 0.15, 0.0),
    "runs left, close": (0.0, 3.72, 6.9, 0.0),
    "common left": (0.0, 1.06, 1.86, 0.0),
    "said by partner": (0.0, 0.83, 4.0, 0.0),
    "first sentence": (0.0, 3.22, 1.81, 0.99),
    "best sentence": (0.0, -0.68, 2.56, 0.0),
    "heading": (0.0, 4.0, 4.23, 0.0),
    "other's": (0.0, -1.2, -1.11, 0.0),
    "other's anchor": (0.0, -2.17, -1.84, 0.0),
    "to entry": (0.0, -2.59, 2.55, -3.41),
    "same name": (0.0, 0.56, 0.41, 1.02),
    "over all": (0.0, 0.0, 0.0, 1.5),
    "family": (0.0, 1.3, 0.23, 0.0),
    "beside": (0.0, 0.78, 0.4, 0.0),
    "votes": (0.0, 3.43, 1.57, 0.0),
    "votes against": (0.0, 0.75, 1.07, 0.0),
    "kin": (0.0, 3.79, 3.85, 0.0),
}
