"""Steps that people read: their decisions about the heirs of provisions."""

from collections import defaultdict
from dataclasses import dataclass, field

from lab.score.editions import Pair
from variorum_kb.facts.verdicts import all_verdicts
from variorum_kb.history.aligning.sides import NOWHERE, Side


@dataclass(slots=True)
class ReadSteps:
    """The decisions about two editions, by places.

    Attributes:
        heirs: By old provision, its main heir; -1 if gone; for a merged provision, the heir with
            its words.
        merged: The old provisions that were merged.
        sources: By new provision, its predecessors; none for a new one.
    """

    heirs: dict[int, int] = field(default_factory=dict[int, int])
    merged: set[int] = field(default_factory=set[int])
    sources: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))


def read_steps(pair: Pair, old: Side, new: Side) -> ReadSteps:
    """Return the decisions about two editions."""
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
