"""Fit the chances of steps anew, on made-up editions that the score does not use."""

from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from lab.score.editions import Editions
from lab.score.logistic import Row, chance, fit_levels, fit_weights
from lab.score.synthetic import Synthetic
from lab.score.trials import Plan, plans
from variorum_kb.history.align import Aligner
from variorum_kb.history.canonical import Folder
from variorum_kb.history.confidence import ConfidenceJudge
from variorum_kb.history.sides import NOWHERE, Side
from variorum_kb.history.splits import Descent, DescentFinder
from variorum_kb.history.steps import Steps
from variorum_kb.thresholds import PRICE

_EDITIONS_EACH = 40

# The chances in the order of the module, and how many outcomes each of their levels rests on.
_LEAST = {"HEIR": 250, "GONE": 700, "MERGED": 120, "NEW": 250}

# What lacks more points than this is no candidate; see `Judge.new`.
_FAR = 2.5

_HEAD = '''"""Weights and levels that turn margins into chances: fitted, not thought of.

`make score ARGS=--fit` fits them anew, on synthetic editions that the score itself does not use.
"""

from variorum_kb.history.chances import Chance
'''

Sample = tuple[str, Row]


def chances_module(editions: Editions, jobs: int) -> str:
    """Return the module with the weights and levels of all chances."""
    rows: dict[str, list[Row]] = defaultdict(list)
    with ProcessPoolExecutor(jobs) as pool:
        for samples in pool.map(_sample, plans(editions, "train", _EDITIONS_EACH)):
            for name, row in samples:
                rows[name].append(row)
    return _HEAD + "".join([_shown(name, rows[name]) for name in _LEAST])


def _shown(name: str, rows: list[Row]) -> str:
    weights = fit_weights(rows)
    outcomes = [(chance(weights, (1.0, *features)), is_right) for features, is_right in rows]
    lines = [
        f"        ({start}, {share}),\n" for start, share in fit_levels(outcomes, _LEAST[name])
    ]
    constants = ", ".join([str(round(weight, 3)) for weight in weights])
    return (
        f"\n{name} = Chance(\n    weights=({constants}),\n    levels=(\n{''.join(lines)}    ),\n)\n"
    )


def _sample(plan: Plan) -> list[Sample]:
    truth = plan.make()
    folder = Folder()
    aligner = Aligner(Side(plan.states, folder), Side(truth.states, folder))
    descent = DescentFinder(aligner).find()
    judge = ConfidenceJudge(aligner, descent)
    return [
        *_heirs(aligner, descent, judge, truth),
        *_heirless(descent, judge, truth),
        *_new(aligner, judge, truth),
    ]


def _heirs(
    aligner: Aligner, descent: Descent, judge: ConfidenceJudge, truth: Synthetic
) -> Iterator[Sample]:
    for old, new in descent.heirs.items():
        if aligner.forward.get(old) == new and aligner.anchors.get(old) != new:
            yield "HEIR", (judge.heir_features(old, new), truth.heirs[old][:1] == [new])


def _heirless(descent: Descent, judge: ConfidenceJudge, truth: Synthetic) -> Iterator[Sample]:
    for old, heirs in truth.heirs.items():
        if old in descent.heirs:
            continue
        absorbed = descent.absorbed.get(old)
        if absorbed:
            is_right = truth.merged.get(old) == absorbed[0]
            yield "MERGED", (judge.merged_features(old, absorbed[0]), is_right)
        else:
            yield "GONE", (judge.gone_features(old), not heirs)


def _new(aligner: Aligner, judge: ConfidenceJudge, truth: Synthetic) -> Iterator[Sample]:
    """Yield what is new in the steps, so neither heir nor candidate by the levels that hold now."""
    best: dict[int, float] = {}
    for row in aligner.scores.values():
        for new, score in row.items():
            best[new] = max(score.total, best.get(new, score.total))
    sourced = {place for heirs in truth.heirs.values() for place in heirs} | truth.copies.keys()
    for step in Steps(aligner).all():
        if step.old == NOWHERE:
            place = step.new[0]
            lacks = PRICE - best.get(place, PRICE - _FAR)
            yield "NEW", ((lacks, judge.turmoil), place not in sourced)
