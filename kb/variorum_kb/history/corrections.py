"""What people know better than the alignment: entries of a table of facts, put in its place."""

from collections.abc import Sequence
from dataclasses import replace

from variorum_kb.facts.corrections import Correction
from variorum_kb.history.sides import NOWHERE, Side
from variorum_kb.history.steps import Step, StepKind

_GLOSSARY = "glossary: "


def corrected(
    steps: Sequence[Step], old: Side, new: Side, corrections: Sequence[Correction]
) -> list[Step]:
    """Return the steps with those of some provisions replaced.

    A correction whose provisions these editions do not have is left aside.
    """
    if not corrections:
        return list(steps)
    here, there = _places(old), _places(new)
    better: dict[int, Step] = {}
    for one in corrections:
        place = here.get(one.old, NOWHERE)
        heirs = tuple([there[address] for address in one.new if address in there])
        if place != NOWHERE and len(heirs) == len(one.new):
            evidence = (f"corrected by hand: {one.source}",)
            better[place] = Step(place, heirs, tuple(map(StepKind, one.kinds)), 1.0, evidence)
    return _replaced(steps, better)


def _replaced(steps: Sequence[Step], better: dict[int, Step]) -> list[Step]:
    """Put better steps in; what they take as main heir is nobody else's."""
    taken = {
        step.new[0] for step in better.values() if step.new and StepKind.MERGED not in step.kinds
    }
    found: list[Step] = []
    for step in steps:
        if step.old in better:
            found.append(better[step.old])
        elif step.old == NOWHERE and any(step.new[0] in one.new for one in better.values()):
            continue
        elif step.old != NOWHERE and step.new and step.new[0] in taken:
            left = tuple([place for place in step.new if place not in taken])
            kinds = step.kinds if left else (StepKind.GONE,)
            found.append(replace(step, new=left, kinds=kinds))
        else:
            found.append(step)
    reached = {place for step in found for place in step.new}
    dropped = sorted({place for step in steps for place in step.new} - reached)
    arrivals = [
        Step(NOWHERE, (place,), (StepKind.NEW,), 1.0, ("nothing like it before",))
        for place in dropped
    ]
    return [*found, *arrivals]


def _places(side: Side) -> dict[str, int]:
    return {
        f"{_GLOSSARY}{item.address}" if item.is_entry else item.address: item.place
        for item in side.items
    }
