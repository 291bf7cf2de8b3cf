"""Steps that were read: the outcome of provisions, as readers of both editions decided."""

from collections import defaultdict
from dataclasses import dataclass, field

from lab.score.editions import Pair
from variorum_kb.facts.verdicts import all_verdicts
from variorum_kb.history.sides import NOWHERE, Side


@dataclass(slots=True)
class ReadSteps:
    """What was read about two editions, by places.

    Attributes:
        heirs: Of old provisions that were read, the main heir, -1 if gone; of those that were
            merged, where their words are.
        merged: Those of them that were merged.
        sources: Of new provisions that were read, or named in what was read, where they come from;
            nothing for new ones.
    """

    heirs: dict[int, int] = field(default_factory=dict[int, int])
    merged: set[int] = field(default_factory=set[int])
    sources: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))


def read_steps(pair: Pair, old: Side, new: Side) -> ReadSteps:
    """Return what was read about two editions."""
    olds, news = old.by_name, new.by_name
    steps = ReadSteps()
    for verdict in all_verdicts():
        if (verdict.old_edition, verdict.new_edition) != tuple(
            label.partition(".")[0] for label in pair
        ):
            continue
        here, there = (olds, news) if verdict.is_of_old else (news, olds)
        place = here.get(verdict.asked.name, NOWHERE)
        ends = [there[end.name] for end in (*verdict.others, *verdict.also) if end.name in there]
        if place == NOWHERE:
            continue
        if verdict.is_of_old:
            steps.heirs[place] = ends[0] if verdict.others else NOWHERE
            if verdict.verdict == "merged":
                steps.merged.add(place)
            for source in ends:
                steps.sources[source].add(place)
        else:
            steps.sources[place].update(ends)
    return steps
