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


def chance(decision: str, result: float) -> float:
    """Return the chance that a decision is right.

    >>> chance("heir", 0.99), chance("went", 0.99), chance("gone", 0.5)
    (0.997, 0.997, 0.45)
    """
    return next(level for level, least in _CHANCES[decision].items() if result >= least)


WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "heir": {
        "heir": -0.3,
        "margin": 0.96,
        "words": 0.71,
        "turmoil": -2.3,
    },
    "went": {
        "nothing": 1.75,
        "nothing: bits": 0.17,
        "nothing: entry": -0.09,
        "nothing: unmatched": 0.87,
        "nothing: turmoil": 0.77,
        "text": 0.37,
        "words": -2.45,
        "log runs left": 0.27,
        "runs left, close": 3.72,
        "common left": 1.06,
        "said by partner": 0.83,
        "first sentence": 3.22,
        "best sentence": -0.68,
        "heading": 4.0,
        "other's": -1.2,
        "other's anchor": -2.17,
        "rule to entry": -2.59,
        "same name": 0.56,
        "family": 1.3,
        "votes": 3.43,
        "votes against": 0.75,
        "kin": 3.79,
        "beside": 0.78,
    },
    "came": {
        "nothing": 5.83,
        "nothing: bits": -0.14,
        "nothing: new words": 0.25,
        "nothing: entry": 0.85,
        "nothing: turmoil": -10.75,
        "text": 0.23,
        "words": -2.46,
        "log runs left": 0.15,
        "runs left, close": 6.9,
        "common left": 1.86,
        "said by partner": 4.0,
        "first sentence": 1.81,
        "best sentence": 2.56,
        "heading": 4.23,
        "other's": -1.11,
        "other's anchor": -1.84,
        "rule to entry": 2.55,
        "same name": 0.41,
        "family": 0.23,
        "votes": 1.57,
        "votes against": 1.07,
        "kin": 3.85,
        "beside": 0.4,
    },
    "main": {
        "heir": 0.59,
        "chance": 0.56,
        "over all": 1.5,
        "first sentence": 0.99,
        "same name": 1.02,
        "rule to entry": -3.41,
    },
}
