"""Compare readers' decisions with the alignment: with verdicts, without, and across an edition."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from statistics import median

from lab.score import calibration, gold
from lab.score.editions import Editions, Pair
from lab.score.pair_results import Outcome
from lab.score.report import Report, share
from lab.score.trials import Claim
from variorum_kb.facts.verdicts import verdicts_between
from variorum_kb.history.aligning.sides import NOWHERE, Side
from variorum_kb.history.canonical import Folder
from variorum_kb.history.steps import Step, StepKind, align
from variorum_kb.history.verdicts import decide
from variorum_kb.rows import State
from variorum_kb.thresholds.sure import ACTED_ON

_MOST_WRONG_AND_SURE = 3.0
_MOST_POINTS = 3.0
_MOST_WHEN_SURE = 1.0
_TELLING = 25
_PARTITIONS = 15
_AT_ONCE = 6
_HARD_KINDS = (StepKind.GONE, StepKind.UNCERTAIN, StepKind.MERGED, StepKind.SPLIT, StepKind.COPIED)


@dataclass(frozen=True, slots=True)
class Found:
    """A step of the alignment, and the readers' decision on it.

    Attributes:
        taken_for: The alignment's decision, in a word.
        confidence: The confidence of the alignment.
        is_right: Whether the main heir, or its absence, is right.
        readings: How people read the step; "" if it follows from other steps or was never in doubt.
        uncorrected: The confidence before its correction.
        features: The other features of the correction.
    """

    taken_for: str
    confidence: float
    is_right: bool
    readings: str = ""
    uncorrected: float = 0.0
    features: tuple[float, ...] = ()


def say(
    report: Report,
    editions: Editions,
    outcomes: Mapping[Pair, Outcome],
    rows: Sequence[gold.Row],
    jobs: int,
) -> None:
    """Report how often heirs are right alone, with verdicts, and with an edition left out."""
    olds = [step for outcome in outcomes.values() for step in _old_steps(outcome)]
    news = [step for outcome in outcomes.values() for step in _new_steps(outcome)]
    report.title("steps that were read, without verdicts")
    _by_kind(report, [*olds, *news])
    for label, some in (("old provisions", olds), ("new provisions", news)):
        report.say(f"\n{label}: confidence by decile")
        calibration.table(report, [_claim(step, step.confidence) for step in some])
    left = _left_out(outcomes)
    for label, claims in zip(("old", "new"), left, strict=True):
        report.say(f"\n{label} provisions, corrected by other pairs of editions alone")
        calibration.table(report, claims)
    _say_partitions(report, outcomes)
    across = list(_across(editions, jobs))
    report.title("by themselves, with verdicts, and with an edition left out")
    known = [*_gold_rows(editions, outcomes, rows)]
    across_read = [step for step in across if step.readings]
    known.append(_row("old provisions that were read, without verdicts", olds))
    known.append(_row("all steps across a left-out edition, without its verdicts", across))
    known.append(_row("of these, those that were read on the way", across_read))
    report.table(("steps", "all", "right", "wrong", "wrong and sure", "share"), known)
    _require(report, outcomes, olds, across_read)
    for name, claims in zip(("old", "new"), left, strict=True):
        points, _ = calibration.worst(claims, _TELLING)
        report.at_most(f"deviation above 0.5, {name} provisions", _MOST_POINTS, points, " points")
    mean, right = calibration.means(calibration.since(left[0], calibration.LINE_OLD))
    points = 100 * abs(mean - right)
    report.at_most("deviation from 0.99 on, old provisions", _MOST_WHEN_SURE, points, " points")


def uncorrected(outcomes: Mapping[Pair, Outcome]) -> tuple[list[list[Claim]], list[list[Claim]]]:
    """Return, by pair, the uncorrected claims about old and new provisions that were read."""
    olds, news = (
        [
            [_claim(step, step.uncorrected) for step in steps(outcome)]
            for outcome in outcomes.values()
        ]
        for steps in (_old_steps, _new_steps)
    )
    return olds, news


def _left_out(outcomes: Mapping[Pair, Outcome]) -> tuple[list[Claim], list[Claim]]:
    olds, news = uncorrected(outcomes)
    return (
        calibration.left_out(olds, calibration.correct_old),
        calibration.left_out(news, calibration.correct_new),
    )


def _say_partitions(report: Report, outcomes: Mapping[Pair, Outcome]) -> None:
    """Report the deviation of confidence when other tenths of the pairs are left out."""
    corrections = (calibration.correct_old, calibration.correct_new)
    for name, pairs, correct in zip(
        ("old", "new"), uncorrected(outcomes), corrections, strict=True
    ):
        points = [
            calibration.worst(calibration.left_out(pairs, correct, seed), _TELLING)[0]
            for seed in range(1, _PARTITIONS + 1)
        ]
        report.say(
            f"{name} provisions, deviation above 0.5 in {_PARTITIONS} random partitions: "
            f"{median(points):.2f} points at the median, {max(points):.2f} at most"
        )


def _claim(step: Found, chance: float) -> Claim:
    return Claim("heir", chance, step.is_right, step.features)


def _require(
    report: Report, outcomes: Mapping[Pair, Outcome], olds: list[Found], across: list[Found]
) -> None:
    unanswered = sum(_unanswered(outcome) for outcome in outcomes.values())
    report.at_most("hard steps that nobody read", 0, unanswered)
    doubtful = sum(
        StepKind.UNCERTAIN in step.kinds for o in outcomes.values() for step in o.decided
    )
    report.at_most("steps that verdicts leave uncertain", 0, doubtful)
    for name, some in (("read steps", olds), ("across a left-out edition", across)):
        wrong = 100 * len([step for step in some if _is_wrong_and_sure(step)]) / max(len(some), 1)
        report.at_most(f"wrong and sure, {name}", _MOST_WRONG_AND_SURE, wrong, " %")


def _by_kind(report: Report, some: Iterable[Found]) -> None:
    some = list(some)
    kinds = Counter(step.taken_for for step in some)
    rows = [_row(kind, [step for step in some if step.taken_for == kind]) for kind in sorted(kinds)]
    report.table(("taken for", "all", "right", "wrong", "wrong and sure", "share"), rows)


def _row(name: str, some: Sequence[Found]) -> tuple[object, ...]:
    right = sum(step.is_right for step in some)
    sure = sum(_is_wrong_and_sure(step) for step in some)
    return name, len(some), right, len(some) - right, sure, share(sure, len(some))


def _is_wrong_and_sure(step: Found) -> bool:
    return not step.is_right and step.confidence >= ACTED_ON


def _gold_rows(
    editions: Editions, outcomes: Mapping[Pair, Outcome], rows: Sequence[gold.Row]
) -> Iterator[tuple[object, ...]]:
    rows = [row for row in rows if row.pair in outcomes]
    with_verdicts = {
        pair: replace(outcome, steps=outcome.decided) for pair, outcome in outcomes.items()
    }
    for name, some in (("without", outcomes), ("with", with_verdicts)):
        judged = [
            Found("", row.confidence, not row.is_wrong) for row in gold.judge(editions, some, rows)
        ]
        yield _row(f"gold set, {name} verdicts", judged)


# Between neighbours ------------------------------------------------------------------------------


def heir_of(step: Step) -> int:
    """Return the main heir, or the provision that took over merged words; -1 if gone."""
    return NOWHERE if not step.new or StepKind.GONE in step.kinds else step.new[0]


def _old_steps(outcome: Outcome) -> Iterator[Found]:
    for step, known in zip(outcome.steps, outcome.decided, strict=False):
        if known.verdict is not None:
            is_right = heir_of(step) == heir_of(known)
            how, chance = known.verdict.readings, step.uncorrected
            yield Found(_taken_for(step), step.confidence, is_right, how, chance)


def _new_steps(outcome: Outcome) -> Iterator[Found]:
    known = {step.new[0]: step for step in outcome.decided if step.old == NOWHERE}
    for arrival, features in zip(outcome.arrivals, outcome.novelties, strict=True):
        step = known.get(arrival.new[0])
        if step is None or step.verdict is not None:
            readings = step.verdict.readings if step and step.verdict else "2"
            is_right = step is not None
            chance = arrival.uncorrected
            yield Found("new", arrival.confidence, is_right, readings, chance, features)


def _taken_for(step: Step) -> str:
    for kind in _HARD_KINDS:
        if kind in step.kinds:
            return str(kind.value)
    return "renumbered or reworded"


def _unanswered(outcome: Outcome) -> int:
    """Return how many hard steps have no verdict and are not named by the verdict of their other end."""
    named = {place for step in outcome.decided if step.verdict for place in step.new}
    split = {step.old for step in outcome.decided if step.verdict}
    reached = {place for step in outcome.decided if step.old != NOWHERE for place in step.new}
    olds = [
        step
        for step in outcome.steps
        if step.old not in split and _is_hard(step) and not named.issuperset(step.new)
    ]
    news = [
        step
        for step in outcome.arrivals
        if step.confidence < calibration.LINE_NEW and step.new[0] not in named | reached
    ]
    return len(olds) + len(news)


def _is_hard(step: Step) -> bool:
    return step.confidence < calibration.LINE_OLD or not set(_HARD_KINDS).isdisjoint(step.kinds)


# Across an edition that is left out --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Three:
    """Three editions in order, and their labels."""

    labels: tuple[str, str, str]
    states: tuple[list[State], list[State], list[State]]


def _across(editions: Editions, jobs: int) -> Iterator[Found]:
    """Yield the steps from each edition to the one after the next, ignoring the edition between."""
    labels, held = editions.labels, editions.held
    tasks = [
        _Three(three, (held[three[0]], held[three[1]], held[three[2]]))
        for three in zip(labels, labels[1:], labels[2:], strict=False)
    ]
    batches = [tasks[start : start + _AT_ONCE] for start in range(0, len(tasks), _AT_ONCE)]
    with ProcessPoolExecutor(jobs) as pool:
        for steps in pool.map(_all_across, batches):
            yield from steps


def _all_across(tasks: list[_Three]) -> list[Found]:
    folder = Folder()
    return [step for task in tasks for step in _one_across(task, folder)]


def _one_across(task: _Three, folder: Folder) -> Iterator[Found]:
    old, middle, new = task.states
    first = _decided(old, middle, task.labels[0], task.labels[1], folder)
    second = _decided(middle, new, task.labels[1], task.labels[2], folder)
    for link in align(old, new, folder):
        if link.old == NOWHERE:
            continue
        way = [first[link.old]]
        if heir_of(way[0]) != NOWHERE:
            way.append(second[heir_of(way[0])])
        if any(heir_of(step) == NOWHERE and _returns(old[link.old], new) for step in way):
            continue
        read = [step.verdict.readings for step in way if step.verdict is not None]
        is_right = heir_of(link) == heir_of(way[-1])
        yield Found(_taken_for(link), link.confidence, is_right, "".join(read[:1]))


def _returns(state: State, new: Sequence[State]) -> bool:
    """Return whether a provision that one edition dropped returns unchanged as the same provision."""
    return any((newer.heading, newer.body) == (state.heading, state.body) for newer in new)


def _decided(
    old: list[State], new: list[State], first: str, then: str, folder: Folder
) -> dict[int, Step]:
    steps = align(old, new, folder)
    verdicts = verdicts_between(first[:10], then[:10])
    decided = decide(steps, Side(old, folder), Side(new, folder), verdicts)
    return {step.old: step for step in decided if step.old != NOWHERE}
