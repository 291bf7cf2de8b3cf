"""Calibration: of the steps that are so sure, how many are right, and how that corrects chances."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from lab.score.logistic import fit_calibration
from lab.score.report import Report
from lab.score.trials import Claim, Trial
from variorum_kb.history.chances import Calibration

# Below these, a step is hard, and was read: of an old provision, and of a new one.
LINE_OLD, LINE_NEW = 0.99, 0.95

_DECILES = 10
_LEAST_DECILE = 5
_MOST_POINTS = 3.0
_NEARLY_SURE = (0.99, 0.999)
# In fewer steps than this, three points may be chance.
_TELLING = 500
# A tenth of the pairs is left out in turn, so that what was counted is measured on others.
_FOLDS = 10

_HEAD = '''"""How chances of steps are corrected by how often steps like them were right: counted.

`make score ARGS=--fit-corrections` counts anew, on steps that were read. What is as likely as `end`
is not hard, so that not all of it was read: its chance stays as it is.
"""

from variorum_kb.history.chances import Calibration
'''


def say(report: Report, trials: Sequence[Trial]) -> None:
    """Report each decile of confidence, and how far it is off at most."""
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
    """Return the mean confidence and the share that is right."""
    count = len(claims)
    mean = sum([claim.confidence for claim in claims]) / count
    return mean, sum([claim.is_right for claim in claims]) / count


def worst(claims: Iterable[Claim], least: int = 1) -> tuple[float, int]:
    """Return the greatest deviation above 0.5, in points, and its decile.

    Args:
        claims: In any order.
        least: Deciles with fewer of them are left aside.
    """
    off = [(0.0, _LEAST_DECILE)]
    for decile, some in enumerate(deciles(claims)):
        if len(some) >= least and decile >= _LEAST_DECILE:
            mean, right = means(some)
            off.append((100 * abs(mean - right), decile))
    return max(off)


def since(claims: Iterable[Claim], least: float) -> list[Claim]:
    """Return the claims that are at least so sure."""
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


# Correcting chances by what was read -------------------------------------------------------------


def corrections_module(olds: Sequence[Sequence[Claim]], news: Sequence[Sequence[Claim]]) -> str:
    """Return the module that corrects the chances of steps.

    Args:
        olds: Of each pair, the uncorrected claims about old provisions that were read.
        news: The same for new ones.
    """
    parts = [_HEAD]
    for name, pairs, end in (("OLD_STEPS", olds, LINE_OLD), ("NEW_STEPS", news, LINE_NEW)):
        levels = "".join(f"        {level},\n" for level in _counted(pairs, end).levels)
        parts.append(f"\n{name} = Calibration(\n    levels=(\n{levels}    ),\n    end={end},\n)\n")
    return "".join(parts)


def left_out(pairs: Sequence[Sequence[Claim]], end: float) -> list[Claim]:
    """Return all claims with a chance corrected by counts on other pairs."""
    corrected: list[Claim] = []
    for fold in range(_FOLDS):
        rest = [some for place, some in enumerate(pairs) if place % _FOLDS != fold]
        calibration = _counted(rest, end)
        for claims in pairs[fold::_FOLDS]:
            corrected += [
                replace(claim, confidence=calibration.of(claim.confidence)) for claim in claims
            ]
    return corrected


def _counted(pairs: Sequence[Sequence[Claim]], end: float) -> Calibration:
    return fit_calibration(
        [(claim.confidence, claim.is_right) for some in pairs for claim in some], end
    )
