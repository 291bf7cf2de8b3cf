"""Steps that were read: what became of provisions, as readers of both editions decided it."""

from collections import defaultdict
from dataclasses import dataclass, field

from lab.score.editions import Pair
from variorum_kb.facts.verdicts import all_verdicts
from variorum_kb.history.sides import NOWHERE, Side
from variorum_kb.rows import named


@dataclass(slots=True)
class ReadSteps:
    """What was read about two editions, by places.

    Attributes:
        heirs: Of old provisions that were read, the main heir, -1 of what is gone; of what was
            merged, where its words stand.
        merged: Those of them that were merged.
        sources: Of new provisions that were read, or named in what was read, where they come from;
            nothing of what is new.
    """

    heirs: dict[int, int] = field(default_factory=dict[int, int])
    merged: set[int] = field(default_factory=set[int])
    sources: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))


def read_steps(pair: Pair, old: Side, new: Side) -> ReadSteps:
    """Return what was read about two editions."""
    olds, news = _places(old), _places(new)
    found = ReadSteps()
    for one in all_verdicts():
        if (one.old_edition, one.new_edition) != tuple(label.partition(".")[0] for label in pair):
            continue
        here, there = (olds, news) if one.is_of_old else (news, olds)
        place = here.get(one.asked.name, NOWHERE)
        others = [there[end.name] for end in (*one.others, *one.also) if end.name in there]
        if place == NOWHERE:
            continue
        if one.is_of_old:
            found.heirs[place] = others[0] if one.others else NOWHERE
            if one.verdict == "merged":
                found.merged.add(place)
            for other in others:
                found.sources[other].add(place)
        else:
            found.sources[place].update(others)
    return found


def _places(side: Side) -> dict[str, int]:
    return {
        named("" if item.is_entry else item.address, item.address): item.place
        for item in side.items
    }
