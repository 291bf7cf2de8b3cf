"""Counts uncertain steps."""

from collections.abc import Iterable, Mapping

from lab.score.editions import Pair
from lab.score.pair_results import Outcome
from lab.score.report import Report, share
from variorum_kb.history.steps import StepKind

# The editions that were rewritten as a whole.
REWRITES = {("2009-05-01", "2009-07-11"), ("2003-05-26", "2003-07-01")}

_MOST_PERCENT = 0.5


def say(report: Report, outcomes: Mapping[Pair, Outcome]) -> None:
    """Report the uncertain steps in each rewrite and outside both."""
    usual = [outcome for pair, outcome in outcomes.items() if pair not in REWRITES]
    uncertain, steps = count(usual)
    report.title("uncertain steps, of all old provisions")
    rows = [("outside the rewrites", uncertain, steps, share(uncertain, steps))]
    for pair in sorted(REWRITES & outcomes.keys()):
        some, total = count([outcomes[pair]])
        rows.append((" → ".join(pair), some, total, share(some, total)))
    report.table(("editions", "uncertain", "steps", "share"), rows)
    percent = 100 * uncertain / steps if steps else 0.0
    report.at_most("uncertain steps outside the rewrites", _MOST_PERCENT, percent, " %")


def count(outcomes: Iterable[Outcome]) -> tuple[int, int]:
    """Return how many steps are uncertain, and how many there are."""
    uncertain = steps = 0
    for outcome in outcomes:
        steps += len(outcome.steps)
        uncertain += sum(StepKind.UNCERTAIN in step.kinds for step in outcome.steps)
    return uncertain, steps
