"""Calibration: how many steps with a given confidence are right, and corrections from these counts."""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain

from lab.score.logistic import fit_calibration, fit_weights
from lab.score.report import Report
from lab.score.trials import Claim, Trial
from variorum_kb.history.confidence.chances import ArrivalCalibration, Calibration, log_odds

# People read all steps with a lower confidence: for an old provision, for a new one.
LINE_OLD, LINE_NEW = 0.99, 0.95

_DECILES = 10
_LEAST_DECILE = 5
_MOST_POINTS = 3.0
_NEARLY_SURE = (0.99, 0.999)
# With fewer steps than this, three points may be chance.
_TELLING = 500
# Each tenth of the pairs is left out in turn and measured by the counts of all other pairs.
_FOLDS = 10

_HEAD = '''"""How chances of steps are corrected by how often steps like them were right: counted, or fitted.

`make score ARGS=--fit-corrections` counts anew, on steps that were read. A step with a chance of at
least `end` is not hard, and not all such steps were read. So its chance stays as it is.
"""

from variorum_kb.history.confidence.chances import ArrivalCalibration, Calibration
'''


def say(report: Report, trials: Sequence[Trial]) -> None:
    """Report each decile of confidence, and the greatest deviation."""
    claims = [claim for trial in trials for claim in trial.claims]
    old = [claim for claim in claims if claim.kind != "new"]
    report.title("calibration on made-up editions")
    report.say("of old provisions: main heirs, gone and merged; gone is right if there is no heir")
    table(report, old)
    points, decile = worst(old)
    telling, decile = worst(old, _TELLING)
    report.say(
        f"greatest deviation above 0.5: {points:.2f} points, from {decile / _DECILES:.1f} on; "
        f"of deciles with at least {_TELLING} steps: {telling:.2f}, from {decile / _DECILES:.1f} on"
    )
    for kind in ("heir", "gone", "merged"):
        report.say(f"\nof these, {kind}")
        table(report, [claim for claim in old if claim.kind == kind])
    report.say("\nof new provisions: right if they have no source")
    table(report, [claim for claim in claims if claim.kind == "new"])
    report.at_most(
        "deviation of confidence in any decile above 0.5", _MOST_POINTS, points, " points"
    )


def deciles(claims: Iterable[Claim]) -> list[list[Claim]]:
    """Return claims by confidence, from 0 to 0.1 first."""
    claims_of: list[list[Claim]] = [[] for _ in range(_DECILES)]
    for claim in claims:
        claims_of[min(int(claim.confidence * _DECILES), _DECILES - 1)].append(claim)
    return claims_of


def means(claims: Sequence[Claim]) -> tuple[float, float]:
    """Return the mean confidence and the share of right claims."""
    count = len(claims)
    mean = sum([claim.confidence for claim in claims]) / count
    return mean, sum([claim.is_right for claim in claims]) / count


def worst(claims: Iterable[Claim], least: int = 1) -> tuple[float, int]:
    """Return the greatest deviation of deciles above 0.5, in points, and its decile.

    Args:
        claims: In any order.
        least: Deciles with fewer claims are left out.
    """
    off = [(0.0, _LEAST_DECILE)]
    for decile, some in enumerate(deciles(claims)):
        if len(some) >= least and decile >= _LEAST_DECILE:
            mean, right = means(some)
            off.append((100 * abs(mean - right), decile))
    return max(off)


def since(claims: Iterable[Claim], least: float) -> list[Claim]:
    """Return the claims whose confidence is at least a given value."""
    return [claim for claim in claims if claim.confidence >= least]


def table(report: Report, claims: Iterable[Claim]) -> None:
    """Write how many claims of each decile are right."""
    tenths = deciles(claims)
    named = [
        (f"{at / _DECILES:.1f} to {(at + 1) / _DECILES:.1f}", x) for at, x in enumerate(tenths)
    ]
    named += [(f"{least} and more", since(tenths[-1], least)) for least in _NEARLY_SURE]
    rows: list[tuple[object, ...]] = []
    for name, some in named:
        if some:
            mean, right = means(some)
            rows.append(
                (name, len(some), f"{mean:.4f}", f"{right:.4f}", f"{100 * (right - mean):+.2f}")
            )
    report.table(("confidence", "steps", "mean", "right", "points off"), rows)


# Corrections ----------------------------------------------------------------------------------


# Returns the corrected confidence of a claim.
Correct = Callable[[Claim], float]


def corrections_module(olds: Sequence[Sequence[Claim]], news: Sequence[Sequence[Claim]]) -> str:
    """Return the module that corrects the confidence of steps.

    Args:
        olds: By pair, the uncorrected claims about old provisions that were read.
        news: The same for new provisions.
    """
    levels = "".join(f"        {level},\n" for level in _counted(chain(*olds)).levels)
    weights = "".join(f"        {weight},\n" for weight in _fitted(chain(*news)).weights)
    return (
        f"{_HEAD}\nOLD_STEPS = Calibration(\n    levels=(\n{levels}    ),\n    end={LINE_OLD},\n)\n"
        f"\nNEW_STEPS = ArrivalCalibration(\n    weights=(\n{weights}    ),\n    end={LINE_NEW},\n)\n"
    )


def left_out(
    pairs: Sequence[Sequence[Claim]],
    correct: Callable[[Iterable[Claim]], Correct],
    seed: int | None = None,
) -> list[Claim]:
    """Return all claims, with the confidence corrected by the claims of other pairs.

    Args:
        pairs: The claims of each pair.
        correct: Computes a correction from some claims.
        seed: Draws the pairs of each tenth; by default, a tenth is every tenth pair.
    """
    order = list(range(len(pairs)))
    if seed is not None:
        random.Random(seed).shuffle(order)
    corrected: list[Claim] = []
    for fold in range(_FOLDS):
        rest = [pairs[pair] for place, pair in enumerate(order) if place % _FOLDS != fold]
        chance = correct(chain(*rest))
        for pair in order[fold::_FOLDS]:
            corrected += [replace(claim, confidence=chance(claim)) for claim in pairs[pair]]
    return corrected


def correct_old(claims: Iterable[Claim]) -> Correct:
    """Compute the correction for old provisions from some claims."""
    calibration = _counted(claims)
    return lambda claim: calibration.of(claim.confidence)


def correct_new(claims: Iterable[Claim]) -> Correct:
    """Compute the correction for new provisions from some claims."""
    calibration = _fitted(claims)
    return lambda claim: calibration.of(claim.confidence, claim.features)


def _counted(claims: Iterable[Claim]) -> Calibration:
    return fit_calibration([(claim.confidence, claim.is_right) for claim in claims], LINE_OLD)


def _fitted(claims: Iterable[Claim]) -> ArrivalCalibration:
    weights = fit_weights(
        [
            ((log_odds(claim.confidence), *claim.features), claim.is_right)
            for claim in claims
            if claim.confidence < LINE_NEW
        ]
    )
    return ArrivalCalibration(tuple([round(weight, 3) for weight in weights]), LINE_NEW)
