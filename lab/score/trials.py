"""Trials on invented editions, whose true lineages are known."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from lab.score.editions import Editions
from lab.score.report import Report, share
from lab.score.synthetic import HEAVY, LIGHT, WRECKED, Damage, Maker, Synthetic
from variorum_kb.history.aligning.sides import NOWHERE
from variorum_kb.history.canonical import Folder
from variorum_kb.history.steps import Step, StepKind, align
from variorum_kb.rows import State

DAMAGES = {"light": LIGHT, "heavy": HEAVY, "wrecked": WRECKED}

_EDITIONS_EACH = 40
_LEAST_STEPS = 20_000
# The first editions are short and very similar.
_FIRST_USED = 5
_DONORS = 3
_MOST_SEED = 10**9


@dataclass(frozen=True, slots=True)
class Plan:
    """The settings of an invented edition.

    Attributes:
        damage: A name in `DAMAGES`.
        donors: The provisions of other editions that may be inserted.
    """

    damage: str
    states: list[State]
    donors: list[State]
    seed: int

    def make(self) -> Synthetic:
        """Return the invented edition."""
        damage: Damage = DAMAGES[self.damage]
        return Maker(self.states, self.donors, damage, self.seed).make()


def plans(editions: Editions, purpose: str, each: int) -> Iterator[Plan]:
    """Yield plans with every damage; each purpose has its own editions and seeds.

    Args:
        editions: The real editions.
        purpose: The purpose of the invented editions.
        each: The number of plans with each damage.
    """
    labels = editions.labels
    for damage in DAMAGES:
        for number in range(each):
            chance = random.Random(f"{purpose}{damage}{number}")
            label = chance.choice(labels[_FIRST_USED:])
            names = chance.sample(labels, _DONORS)
            donors = list(dict.fromkeys(state for name in names for state in editions.held[name]))
            yield Plan(damage, editions.held[label], donors, chance.randint(0, _MOST_SEED))


@dataclass(frozen=True, slots=True)
class Claim:
    """The claim of a step, and whether it is right.

    Attributes:
        kind: "heir", "gone", "merged" or "new".
        confidence: The confidence of the step.
        features: The other features of its correction.
    """

    kind: str
    confidence: float
    is_right: bool
    features: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Trial:
    """The results of the alignment on one invented edition.

    Attributes:
        damage: A name in `DAMAGES`.
        claims: A claim for each step.
        counts: How many old provisions have each true outcome ("same", "split", "merged", "gone"),
            for how many of them the step agrees ("same found" and so on), "heirs right" and
            "uncertain".
    """

    damage: str
    claims: tuple[Claim, ...]
    counts: Counter[str]


def run_trials(editions: Editions, jobs: int) -> list[Trial]:
    """Align every invented edition with its original."""
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(_run, plans(editions, "score", _EDITIONS_EACH)))


def _run(plan: Plan) -> Trial:
    truth = plan.make()
    steps = align(plan.states, truth.states, Folder())
    sourced = {place for heirs in truth.heirs.values() for place in heirs} | truth.copies.keys()
    counts: Counter[str] = Counter()
    claims: list[Claim] = []
    for step in steps:
        if step.old == NOWHERE:
            claims.append(Claim("new", step.confidence, step.new[0] not in sourced))
            continue
        claims.append(_claim(step, truth))
        kind = truth_of(step.old, truth)
        counts[kind] += 1
        counts[f"{kind} found"] += _says(step) == kind
        heir = () if claims[-1].kind != "heir" else step.new[:1]
        counts["heirs right"] += tuple(truth.heirs[step.old][:1]) == heir
        counts["uncertain"] += StepKind.UNCERTAIN in step.kinds
    return Trial(plan.damage, tuple(claims), counts)


def truth_of(old: int, truth: Synthetic) -> str:
    """Return the outcome of an old provision: "same", "split", "merged" or "gone"."""
    heirs = truth.heirs[old]
    if heirs:
        return "same" if len(heirs) == 1 else "split"
    return "merged" if old in truth.merged else "gone"


def _says(step: Step) -> str:
    for kind in (StepKind.GONE, StepKind.MERGED, StepKind.SPLIT):
        if kind in step.kinds:
            return str(kind.value)
    return "same"


def _claim(step: Step, truth: Synthetic) -> Claim:
    heirs = truth.heirs[step.old]
    if StepKind.MERGED in step.kinds:
        return Claim("merged", step.confidence, truth.merged.get(step.old) == step.new[0])
    if StepKind.GONE in step.kinds:
        return Claim("gone", step.confidence, not heirs)
    return Claim("heir", step.confidence, heirs[:1] == [step.new[0]])


def say(report: Report, trials: Sequence[Trial]) -> None:
    """Report how often main heirs and verdicts are right, by damage."""
    report.title("made-up editions")
    rows: list[tuple[object, ...]] = []
    total = 0
    for damage in DAMAGES:
        counts: Counter[str] = Counter()
        for trial in trials:
            if trial.damage == damage:
                counts += trial.counts
        steps = sum(counts[kind] for kind in ("same", "split", "merged", "gone"))
        total += steps
        shares = (
            f"{counts[f'{kind} found']} of {counts[kind]}" for kind in ("split", "merged", "gone")
        )
        right = share(counts["heirs right"], steps)
        rows.append((damage, steps, right, *shares, share(counts["uncertain"], steps)))
    report.say(f"{len(trials)} editions")
    report.table(
        ("damage", "steps", "main heir right", "split", "merged", "gone", "uncertain"), rows
    )
    report.say("a provision without an heir is right where none is claimed, gone or merged")
    report.at_least("steps on made-up editions", _LEAST_STEPS, total)
