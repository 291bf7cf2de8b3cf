"""Twins: provisions with the same words as another in their edition."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from lab.score.editions import Pair
from lab.score.pair_results import Outcome, Twins
from lab.score.report import Report
from variorum_kb.history.aligning.sides import NOWHERE, Item, Side
from variorum_kb.history.canonical import Folder
from variorum_kb.rows import State

_SHOWN = 20


def count_twins(
    old: Sequence[State], new: Sequence[State], heirs: Mapping[int, int], folder: Folder
) -> Twins:
    """Find the twins of an edition, and which of them the alignment swapped."""
    here, there = Side(old, folder), Side(new, folder)
    twins = _twins(here)
    renumbered, swapped = 0, list[tuple[str, str, str]]()
    for twin in twins:
        parent = heirs.get(twin.parent, NOWHERE)
        if parent == NOWHERE:
            continue
        renumbered += here.items[twin.parent].address != there.items[parent].address
        heir = heirs.get(twin.place, NOWHERE)
        if heir == NOWHERE or there.items[heir].parent == parent:
            continue
        better = [place for place in there.items[parent].children if _same(twin, there, place)]
        if better:
            addresses = there.items[heir].address, there.items[better[0]].address
            swapped.append((twin.address, *addresses))
    return Twins(len(twins), renumbered, tuple(swapped))


def _twins(side: Side) -> list[Item]:
    bearers: dict[tuple[str, str], list[Item]] = defaultdict(list)
    for item in side.items:
        if not item.is_entry and item.words:
            bearers[item.canon.heading, item.words].append(item)
    return [item for items in bearers.values() if len(items) > 1 for item in items]


def _same(item: Item, side: Side, place: int) -> bool:
    twin = side.items[place]
    return (item.canon.heading, item.words) == (twin.canon.heading, twin.words)


def say(report: Report, outcomes: Mapping[Pair, Outcome]) -> None:
    """Report the twins of all pairs."""
    twins_of = {pair: outcome.twins for pair, outcome in outcomes.items()}
    pairs = sum(twins.renumbered > 0 for twins in twins_of.values())
    report.title("twins: numbered provisions that say the same as another of their edition")
    report.say(
        f"{sum(twins.all for twins in twins_of.values())} in all pairs; "
        f"{sum(twins.renumbered for twins in twins_of.values())} in {pairs} pairs stand under something "
        "that was renumbered"
    )
    swapped = [(pair, swap) for pair, twins in twins_of.items() for swap in twins.swapped]
    report.say(f"swapped: {len(swapped)}")
    for (old, new), (address, heir, better) in swapped[:_SHOWN]:
        report.say(f"  {old} {new}: {address} became {heir}, not {better}")
    report.at_most("swapped twins", 0, len(swapped))
