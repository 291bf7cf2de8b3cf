"""Fit the weights of the evidence for steps to steps that people read."""

from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from lab.score.editions import Editions, Pair
from lab.score.logistic import Question, Row, fit_choice, fit_weights
from lab.score.read_steps import ReadSteps, read_steps
from variorum_kb.history.aligning.align import Aligner
from variorum_kb.history.aligning.sides import NOWHERE, Side
from variorum_kb.history.aligning.splits_and_merges import Descent, DescentFinder, Weighed
from variorum_kb.history.canonical import Folder
from variorum_kb.history.confidence.confidence import ConfidenceJudge
from variorum_kb.history.confidence.fitted_chances import CAME, SPLIT, WENT
from variorum_kb.rows import State

_CHOICES = {"WENT": WENT, "CAME": CAME, "SPLIT": SPLIT}

_HEAD = '''"""Fitted weights of the evidence for steps.

`make score ARGS=--fit` fits them again to steps that people read.
"""

from variorum_kb.history.confidence.chances import Chance, Choice
'''


@dataclass(frozen=True, slots=True)
class _Task:
    pair: Pair
    old: list[State]
    new: list[State]


@dataclass(frozen=True, slots=True)
class _Samples:
    heirs: list[Row]
    choices: dict[str, list[Question]]


def chances_module(editions: Editions, jobs: int) -> str:
    """Return the module with the weights of all evidence."""
    held = editions.held
    tasks = [_Task(pair, held[pair[0]], held[pair[1]]) for pair in editions.consecutive()]
    with ProcessPoolExecutor(jobs) as pool:
        samples = list(pool.map(_sample, tasks, chunksize=6))
        shown = list(pool.map(_choice, _CHOICES, [samples] * len(_CHOICES)))
    weights = fit_weights([row for sample in samples for row in sample.heirs])
    return f"{_HEAD}\nHEIR = Chance(weights={_tuple(weights)})\n{''.join(shown)}"


def _choice(name: str, samples: Sequence[_Samples]) -> str:
    weights = fit_choice([asked for sample in samples for asked in sample.choices[name]])
    size = len(_CHOICES[name].weights)
    return (
        f"\n{name} = Choice(\n    weights={_tuple(weights[:size])},\n"
        f"    nothing={_tuple(weights[size:])},\n)\n"
    )


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


def _choices(aligner: Aligner, descent: Descent, read: ReadSteps) -> dict[str, list[Question]]:
    """Return all choices with the right answer; for steps that nobody read, the alignment's answer."""
    heirs = aligner.forward | read.heirs
    by_name: dict[str, list[Question]] = defaultdict(list)
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


def _asked(name: str, weighed: Weighed, right: set[int]) -> Question:
    candidates, nothing = weighed
    places = list(candidates)
    hits = frozenset([index for index, place in enumerate(places) if place in right])
    width = len(_CHOICES[name].weights)
    options = [(*candidates[place], *[0.0] * len(nothing)) for place in places]
    options.append((*[0.0] * width, *nothing))
    return Question(tuple(options), hits or frozenset([len(places)]))
