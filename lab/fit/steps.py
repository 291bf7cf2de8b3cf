"""The weights of the evidence for steps, fitted to steps that people read."""

from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from lab.fit.logit import Question, Row, fit_choice, fit_weights
from lab.score.editions import Pair, load_editions
from variorum.facts import all_verdicts
from variorum.history.aligning.align import Aligner
from variorum.history.aligning.sides import NOWHERE, Side
from variorum.history.aligning.splits_and_merges import Descent, DescentFinder, Weighed
from variorum.history.canonical import Folder
from variorum.history.confidence.confidence import ConfidenceJudge
from variorum.history.confidence.fitted_chances import CAME, SPLIT, WENT
from variorum.rows import State

MODULE = "kb/variorum/history/confidence/fitted_chances.py"
_CHOICES = {"WENT": WENT, "CAME": CAME, "SPLIT": SPLIT}
_HEAD = '''"""Fitted weights of the evidence for steps.

`make fit ARGS=steps` fits them again to steps that people read.
"""

from variorum.history.confidence.chances import Chance, Choice
'''


@dataclass(frozen=True, slots=True)
class _Samples:
    heirs: list[Row]
    choices: dict[str, list[Question]]


def module(corpus: Path, jobs: int) -> str:
    """Return the module with the weights of all evidence."""
    editions = load_editions(corpus / "official", jobs)
    tasks = [((old, new), editions[old], editions[new]) for old, new in pairwise(editions)]
    with ProcessPoolExecutor(jobs) as pool:
        samples = list(pool.map(_sample, *zip(*tasks, strict=True), chunksize=6))
    text = f"{_HEAD}\nHEIR = Chance(weights={_tuple(fit_weights([row for s in samples for row in s.heirs]))})\n"
    for name, choice in _CHOICES.items():
        weights = fit_choice([asked for sample in samples for asked in sample.choices[name]])
        size = len(choice.weights)
        text += (
            f"\n{name} = Choice(\n    weights={_tuple(weights[:size])},\n"
            f"    nothing={_tuple(weights[size:])},\n)\n"
        )
    return text


def _tuple(weights: Sequence[float]) -> str:
    return f"({', '.join(str(round(weight, 3)) for weight in weights)},)"


def _sample(pair: Pair, older: list[State], newer: list[State]) -> _Samples:
    folder = Folder()
    old, new = Side(older, folder), Side(newer, folder)
    aligner = Aligner(old, new)
    judge = ConfidenceJudge(aligner)
    descent = DescentFinder(aligner, judge).find()
    read = _read_steps(pair, old, new)
    heirs = [
        (
            judge.heir_features(old, new),
            read.heirs.get(old, new) == new and old not in read.merged,
        )
        for old, new in aligner.forward.items()
        if old not in aligner.anchors
    ]
    return _Samples(heirs, _choices(aligner, descent, read))


@dataclass(slots=True)
class _Read:
    """What people decided about two editions, by places.

    Attributes:
        heirs: By old provision, its main heir; -1 if gone; if merged, the heir with its words.
        merged: The old provisions that were merged.
        sources: By new provision, its predecessors; none for a new one.
    """

    heirs: dict[int, int] = field(default_factory=dict[int, int])
    merged: set[int] = field(default_factory=set[int])
    sources: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))


def _read_steps(pair: Pair, old: Side, new: Side) -> _Read:
    days = tuple(label.partition(".")[0] for label in pair)
    read = _Read()
    for verdict in all_verdicts():
        if (verdict.old_edition, verdict.new_edition) != days:
            continue
        here, there = (old, new) if verdict.is_of_old else (new, old)
        place = here.by_name.get(verdict.asked.name, NOWHERE)
        if place == NOWHERE:
            continue
        names = [end.name for end in (*verdict.others, *verdict.also)]
        ends = [there.by_name[name] for name in names if name in there.by_name]
        if not verdict.is_of_old:
            read.sources[place].update(ends)
            continue
        read.heirs[place] = ends[0] if verdict.others else NOWHERE
        if verdict.verdict == "merged":
            read.merged.add(place)
        for source in ends:
            read.sources[source].add(place)
    return read


def _choices(aligner: Aligner, descent: Descent, read: _Read) -> dict[str, list[Question]]:
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
    hits = frozenset([index for index, place in enumerate(candidates) if place in right])
    options = [(*features, *[0.0] * len(nothing)) for features in candidates.values()]
    options.append((*[0.0] * len(_CHOICES[name].weights), *nothing))
    return Question(tuple(options), hits or frozenset([len(candidates)]))
