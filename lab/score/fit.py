"""Fit the confidence of steps to steps that people read."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from lab.score.editions import Editions, Pair
from lab.score.logistic import (
    Question,
    Row,
    chance,
    choice_chances,
    fit_choice,
    fit_levels,
    fit_weights,
)
from lab.score.read_steps import ReadSteps, read_steps
from variorum_kb.history.aligning.align import Aligner
from variorum_kb.history.aligning.sides import NOWHERE, Side
from variorum_kb.history.aligning.splits_and_merges import Descent, DescentFinder, Weighed
from variorum_kb.history.canonical import Folder
from variorum_kb.history.confidence.chances import bent, log_odds
from variorum_kb.history.confidence.confidence import ConfidenceJudge
from variorum_kb.history.confidence.fitted_chances import CAME, SPLIT, WENT
from variorum_kb.rows import State
from variorum_kb.thresholds.lineages import MOST_CHANCE

# The least number of outcomes of each level.
_LEAST = 25
# Each tenth of the pairs is left out in turn and measured by weights fitted to the others.
_FOLDS = 10
_CHOICES = {"WENT": WENT, "CAME": CAME, "SPLIT": SPLIT}

_HEAD = '''"""Weights and levels that turn what speaks for steps into chances: fitted, not thought of.

`make score ARGS=--fit` fits them anew, on steps that were read.
"""

from variorum_kb.history.confidence.chances import Chance, Choice
'''


@dataclass(frozen=True, slots=True)
class _Task:
    pair: Pair
    old: list[State]
    new: list[State]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A choice of the alignment, with the readers' decision.

    Attributes:
        candidates: The number of options besides "none", which is the last option.
        is_missing: Whether the right option is not among them.
    """

    question: Question
    candidates: int
    is_missing: bool


@dataclass(frozen=True, slots=True)
class _Samples:
    heirs: list[Row]
    choices: dict[str, list[_Asked]]


def chances_module(editions: Editions, jobs: int) -> str:
    """Return the module with the weights and levels of all confidences."""
    held = editions.held
    tasks = [_Task(pair, held[pair[0]], held[pair[1]]) for pair in editions.consecutive()]
    with ProcessPoolExecutor(jobs) as pool:
        samples = list(pool.map(_sample, tasks, chunksize=6))
        shown = list(pool.map(_choice, _CHOICES, [samples] * len(_CHOICES)))
    return _HEAD + _heir([row for sample in samples for row in sample.heirs]) + "".join(shown)


def _heir(rows: list[Row]) -> str:
    weights = fit_weights(rows)
    outcomes = [(chance(weights, (1.0, *features)), is_right) for features, is_right in rows]
    lines = [
        f"        ({start}, {min(share, MOST_CHANCE)}),\n"
        for start, share in fit_levels(outcomes, _LEAST)
    ]
    return f"\nHEIR = Chance(\n    weights={_tuple(weights)},\n    levels=(\n{''.join(lines)}    ),\n)\n"


def _choice(name: str, samples: Sequence[_Samples]) -> str:
    every = [asked for sample in samples for asked in sample.choices[name]]
    weights = fit_choice([asked.question for asked in every])
    size = len(_CHOICES[name].weights)
    outcomes = {False: list[Row](), True: list[Row]()}
    for fold in range(_FOLDS):
        rest = [sample for place, sample in enumerate(samples) if place % _FOLDS != fold]
        left = [sample for place, sample in enumerate(samples) if place % _FOLDS == fold]
        other_weights = fit_choice(
            [asked.question for sample in rest for asked in sample.choices[name]]
        )
        for is_none, row in _outcomes(left, name, other_weights):
            outcomes[is_none].append(row)
    correction, missing = (_correction(outcomes[is_none]) for is_none in (False, True))
    return (
        f"\n{name} = Choice(\n    weights={_tuple(weights[:size])},\n"
        f"    nothing={_tuple(weights[size:])},\n    found={correction},\n    missing={missing},\n)\n"
    )


def _outcomes(
    samples: Sequence[_Samples], name: str, weights: Sequence[float]
) -> Iterator[tuple[bool, Row]]:
    """Yield whether "none" was chosen, the log odds of the choice, and whether it is right."""
    for asked in [asked for sample in samples for asked in sample.choices[name]]:
        options = asked.question.options
        chances = choice_chances(options, weights)
        places = range(asked.candidates if name == "SPLIT" else len(options))
        best = max(places, key=lambda place: chances[place])
        is_none = best == asked.candidates
        is_right = best in asked.question.right and not (is_none and asked.is_missing)
        yield is_none, (bent(log_odds(chances[best])), is_right)


def _correction(rows: list[Row]) -> str:
    return _tuple(fit_weights(rows)) if rows else "(0.0, 1.0, 0.0)"


def _tuple(weights: Sequence[float]) -> str:
    shown = ", ".join(str(round(weight, 3)) for weight in weights)
    return f"({shown},)"


def _sample(task: _Task) -> _Samples:
    folder = Folder()
    old, new = Side(task.old, folder), Side(task.new, folder)
    aligner = Aligner(old, new)
    judge = ConfidenceJudge(aligner)
    descent = DescentFinder(aligner, judge).find()
    read = read_steps(task.pair, old, new)
    heirs = [
        (
            judge.heir_features(old, new),
            read.heirs.get(old, new) == new and old not in read.merged,
        )
        for old, new in aligner.forward.items()
        if old not in aligner.anchors
    ]
    return _Samples(heirs, _choices(aligner, descent, read))


def _choices(aligner: Aligner, descent: Descent, read: ReadSteps) -> dict[str, list[_Asked]]:
    """Return all choices with the right answer; for steps that nobody read, the alignment's answer."""
    heirs = aligner.forward | read.heirs
    by_name: dict[str, list[_Asked]] = defaultdict(list)
    for old, weighed in descent.went.items():
        by_name["WENT"].append(_asked("WENT", weighed, {heirs.get(old, NOWHERE)} - {NOWHERE}))
    for new, weighed in descent.came.items():
        chosen, _ = CAME.choose(*weighed)
        if new not in read.sources and chosen in read.heirs:
            continue  # readers did not decide this
        by_name["CAME"].append(_asked("CAME", weighed, read.sources.get(new, set())))
    for old, weighed in descent.split.items():
        by_name["SPLIT"].append(_asked("SPLIT", weighed, {heirs.get(old, NOWHERE)} - {NOWHERE}))
    return by_name


def _asked(name: str, weighed: Weighed, right: set[int]) -> _Asked:
    candidates, nothing = weighed
    places = list(candidates)
    hits = frozenset([index for index, place in enumerate(places) if place in right])
    width = len(_CHOICES[name].weights)
    options = [(*candidates[place], *[0.0] * len(nothing)) for place in places]
    options.append((*[0.0] * width, *nothing))
    question = Question(tuple(options), hits or frozenset([len(places)]))
    return _Asked(question, len(places), bool(right) and not hits)
