"""The weights of the evidence for steps, fitted to steps that people read."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from pathlib import Path

from lab.fit.logit import Question, fit_choice
from lab.score.editions import Editions, Pair, load_editions
from variorum.facts import all_verdicts
from variorum.history.alignment import WEIGHTS, Alignment, Features
from variorum.history.canonical import Folder
from variorum.history.sides import NOWHERE, Side
from variorum.rows import State

MODULE = "kb/variorum/history/alignment.py"
_LIKE = 0.4
# Which choice it was, the features of all candidates, and the right ones.
Asked = tuple[int, dict[int, Features], set[int]]


def module(corpus: Path, jobs: int) -> str:
    """Return the module with the weights of all evidence."""
    return written(samples(load_editions(corpus / "official", jobs), jobs))


def samples(editions: Editions, jobs: int) -> list[Asked]:
    """Return all choices between neighbours, with the right answers."""
    tasks = [((old, new), editions[old], editions[new]) for old, new in pairwise(editions)]
    with ProcessPoolExecutor(jobs) as pool:
        every = pool.map(_samples, *zip(*tasks, strict=True), chunksize=6)
        return [asked for some in every for asked in some]


def written(asked: Iterable[Asked]) -> str:
    """Return the module with the weights that fit some choices."""
    source, questions = (Path(__file__).resolve().parents[2] / MODULE).read_text("utf-8"), [*asked]
    for choice in (0, 1):
        of_it = [(candidates, right) for which, candidates, right in questions if which == choice]
        order = [name for name, both in WEIGHTS.items() if both[choice]]
        weights = fit_choice([_question(order, *each) for each in of_it])
        for name, weight in zip(order, weights, strict=True):
            before = rf'(?m)^(    "{name}": \({"[^,]+, " * choice})[^,)]+'
            source = re.sub(before, rf"\g<1>{round(weight, 2)}", source)
    return source


def _question(names: Sequence[str], candidates: dict[int, Features], right: set[int]) -> Question:
    options = [tuple([its.get(name, 0.0) for name in names]) for its in candidates.values()]
    hits = [nth for nth, place in enumerate(candidates) if place in right]
    hits = hits or [list(candidates).index(NOWHERE)]
    return Question(tuple(options), frozenset(hits))


def _samples(pair: Pair, older: list[State], newer: list[State]) -> list[Asked]:
    folder = Folder()
    alignment = Alignment(Side(older, folder), Side(newer, folder))
    heirs, sources = _read_steps(pair, alignment.old, alignment.new)
    asked: list[Asked] = []
    for choice, place, candidates in alignment.choices:
        if choice:
            # Where nobody read a step, the provision is new, unless it has words of one read.
            like = [old for old in candidates if candidates[old].get("best sentence", 0.0) > _LIKE]
            if place in sources or heirs.keys().isdisjoint(like):
                asked.append((choice, candidates, sources.get(place, {NOWHERE})))
        else:
            right = heirs.get(place, alignment.heirs.get(place, NOWHERE))
            asked.append((choice, candidates, {right}))
    return asked


def _read_steps(pair: Pair, old: Side, new: Side) -> tuple[dict[int, int], dict[int, set[int]]]:
    """Return what readers decided: the heir of each old provision, the sources of each new one."""
    days = tuple(label.partition(".")[0] for label in pair)
    heirs, sources = dict[int, int](), defaultdict[int, set[int]](set)
    for verdict in all_verdicts():
        here, there = (old, new) if verdict.is_of_old else (new, old)
        place = here.by_name.get(verdict.asked.rpartition(" ")[0], NOWHERE)
        if (verdict.old_edition, verdict.new_edition) != days or place == NOWHERE:
            continue
        names = [end.rpartition(" ")[0] for end in (*verdict.others, *verdict.also)]
        ends = [there.by_name[name] for name in names if name in there.by_name]
        if not verdict.is_of_old:
            sources[place].update(ends or [NOWHERE])
            continue
        heirs[place] = ends[0] if verdict.others else NOWHERE
        for source in ends:
            sources[source].add(place)
    return heirs, dict(sources)
