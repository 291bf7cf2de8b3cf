"""Align pairs of editions, several at once, and return the results for the score."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from lab.score.editions import Editions, Pair
from lab.score.oracle import consult
from lab.score.pair_results import Contradiction, Outcome, Twins
from lab.score.twins import count_twins
from variorum_kb.facts.verdicts import verdicts_between
from variorum_kb.history.aligning.likeness import Scale
from variorum_kb.history.aligning.sides import NOWHERE, Side
from variorum_kb.history.canonical import Folder
from variorum_kb.history.steps import Step, StepKind, align, novelty
from variorum_kb.history.verdicts import decide
from variorum_kb.rows import State

# How many pairs a process takes at once, as in a build: neighbours share most of their texts.
_PAIRS_AT_ONCE = 6

_WITHOUT_HEIR = {StepKind.GONE, StepKind.MERGED}


@dataclass(frozen=True, slots=True)
class Asked:
    """The results wanted for each pair.

    Attributes:
        with_steps: Whether to return the steps, and the outcome of twins.
        with_oracle: Whether to compare citations.
    """

    with_steps: bool
    with_oracle: bool


@dataclass(frozen=True, slots=True)
class _Task:
    pair: Pair
    old: list[State]
    new: list[State]
    asked: Asked


def align_pairs(
    editions: Editions, pairs: Sequence[Pair], asked: Asked, jobs: int
) -> Iterator[Outcome]:
    """Yield the results for each pair, in order."""
    held = editions.held
    tasks = [_Task((old, new), held[old], held[new], asked) for old, new in pairs]
    batches = [
        tasks[start : start + _PAIRS_AT_ONCE] for start in range(0, len(tasks), _PAIRS_AT_ONCE)
    ]
    with ProcessPoolExecutor(jobs) as pool:
        for outcomes in pool.map(_do_all, batches):
            yield from outcomes


def _do_all(tasks: list[_Task]) -> list[Outcome]:
    folder = Folder()
    return [_do(task, folder) for task in tasks]


def _do(task: _Task, folder: Folder) -> Outcome:
    every: list[Step] = []
    decided: list[Step] = []
    novelties: list[tuple[float, ...]] = []
    twins = Twins()
    compared, contradictions = 0, list[Contradiction]()
    if task.asked.with_steps:
        every = [_bare(step) for step in align(task.old, task.new, folder)]
        verdicts = verdicts_between(*[label[:10] for label in task.pair])
        sides = Side(task.old, folder), Side(task.new, folder)
        decided = [_bare(step) for step in decide(every, *sides, verdicts)]
        novelties = [*_novelties(every, *sides)]
    steps = tuple([step for step in every if step.old != NOWHERE])
    if steps:
        twins = count_twins(task.old, task.new, main_heirs(steps), folder)
    if task.asked.with_oracle:
        compared, contradictions = consult(task.old, task.new, folder)
    arrivals = tuple(every[len(steps) :])
    return Outcome(
        task.pair,
        steps,
        arrivals,
        tuple(decided),
        twins,
        compared,
        tuple(contradictions),
        tuple(novelties),
    )


def _novelties(steps: Sequence[Step], old: Side, new: Side) -> Iterator[tuple[float, ...]]:
    scale = Scale(old, new)
    for step in steps:
        if step.old == NOWHERE:
            yield novelty(scale, old, new.items[step.new[0]])


def _bare(step: Step) -> Step:
    return step._replace(evidence=(), runners_up=())


def main_heirs(steps: Sequence[Step]) -> dict[int, int]:
    """Return the main heir of each old provision that has one.

    For an uncertain step, this is its first candidate.
    """
    return {
        step.old: step.new[0] for step in steps if step.new and _WITHOUT_HEIR.isdisjoint(step.kinds)
    }
