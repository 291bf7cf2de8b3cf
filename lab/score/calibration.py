"""Calibration: of the steps that are so sure, how many are right."""

from collections.abc import Iterable, Sequence

from lab.score.report import Report
from lab.score.trials import Claim, Trial

_DECILES = 10
_LEAST_DECILE = 5
_MOST_POINTS = 3.0
# In fewer steps than this, three points may be chance.
_TELLING = 500


def say(report: Report, trials: Sequence[Trial]) -> None:
    """Report each decile of confidence, and how far it is off at most."""
    claims = [claim for trial in trials for claim in trial.claims]
    old = [claim for claim in claims if claim.kind != "new"]
    report.title("calibration on made-up editions")
    report.say("of old provisions: main heirs, gone and merged; gone is right if there is no heir")
    table(report, old)
    points, decile = worst(old)
    telling, other = worst(old, _TELLING)
    report.say(
        f"greatest deviation above 0.5: {points:.2f} points, from {decile / _DECILES:.1f} on; "
        f"of deciles with at least {_TELLING} steps: {telling:.2f}, from {other / _DECILES:.1f} on"
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
    found: list[list[Claim]] = [[] for _ in range(_DECILES)]
    for claim in claims:
        found[min(int(claim.confidence * _DECILES), _DECILES - 1)].append(claim)
    return found


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


def table(report: Report, claims: Iterable[Claim]) -> None:
    """Write how many claims of each decile are right."""
    rows: list[tuple[object, ...]] = []
    for decile, some in enumerate(deciles(claims)):
        if some:
            mean, right = means(some)
            name = f"{decile / _DECILES:.1f} to {(decile + 1) / _DECILES:.1f}"
            rows.append(
                (name, len(some), f"{mean:.4f}", f"{right:.4f}", f"{100 * (right - mean):+.2f}")
            )
    report.table(("confidence", "steps", "mean", "right", "points off"), rows)
