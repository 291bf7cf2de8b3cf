"""Converts steps to rows, which processes exchange and the store keeps."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from variorum.history.sides import NOWHERE, Item, Side
from variorum.history.steps import Step, steps_between
from variorum.history.word_diffs.changes import classify, sweeps
from variorum.rows import CHANGE_CLASSES, GONE, KEPT, LinkRow, State


def links_between(
    old: Side, new: Side, days: tuple[str, str], read: Mapping[str, State]
) -> list[LinkRow]:
    """Align two editions; return a link for each old provision and heir, and each new provision.

    `old`, `new` and the runners-up are places in the editions. For the arguments see
    `steps.steps_between`.

    A provision has no link if it is the same state in both editions and only its own heir.
    """
    return [*_links(old.items, new.items, steps_between(old, new, days, read))]


def _links(old: Sequence[Item], new: Sequence[Item], steps: Sequence[Step]) -> Iterator[LinkRow]:
    heirs = {
        step.old: step.new[0]
        for step in steps
        if step.old != NOWHERE and step.new and not step.kinds & GONE
    }
    swept = sweeps(
        (old[old_place].words, new[heir].words)
        for old_place, heir in heirs.items()
        if old[old_place].words != new[heir].words
    )
    leading_to = Counter(chain.from_iterable([step.new for step in steps]))
    for step in steps:
        is_kept = step.kinds == KEPT and leading_to[step.new[0]] == 1
        if is_kept and old[step.old].state == new[step.new[0]].state:
            continue
        kinds, why = step.kinds, (step.confidence, step.evidence)
        if step.old == NOWHERE:
            yield LinkRow(NOWHERE, step.new[0], 0, kinds, 0, *why)
            continue
        if not step.new:
            yield LinkRow(step.old, NOWHERE, 0, kinds, 0, *why)
            continue
        item = old[step.old]
        if kinds & GONE:  # and copied
            yield LinkRow(step.old, NOWHERE, 0, kinds, 0, *why)
        for rank, place in enumerate(step.new, bool(kinds & GONE)):
            heir = new[place]
            change = classify(
                (item.state, item.canon),
                (heir.state, heir.canon),
                swept,
                citations_follow=_follow(item, heir, heirs),
            )
            yield LinkRow(step.old, place, rank, kinds, CHANGE_CLASSES.index(change), *why)


def _follow(item: Item, heir: Item, heirs: dict[int, int]) -> bool:
    """Return whether each citation leads to the heir of its old target, if both are known."""
    return all(
        NOWHERE in (before, after) or heirs.get(before) == after
        for befores, afters in zip(item.cites, heir.cites, strict=False)
        for before, after in zip(befores, afters, strict=True)
    )
