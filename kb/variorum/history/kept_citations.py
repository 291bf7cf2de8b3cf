"""Pairs the citations of a provision with the citations of its heir."""

from collections.abc import Iterator

from rapidfuzz.distance import LCSseq

from variorum.history.aligning.sides import NOWHERE, Item
from variorum.text import SLOT

# Citations correspond inside a run of at least this many equal words.
_LEAST_AROUND = 3


def citations_kept(old_item: Item, new_item: Item) -> Iterator[tuple[int, int]]:
    """Yield the targets of a provision's citations before and after, if both are known.

    In reworded texts, citations correspond only within the same words.
    """
    if old_item.words == new_item.words:
        pairs = [*zip(old_item.cites, new_item.cites, strict=True)]
    else:
        pairs = _kept_slots(old_item, new_item)
    for before, after in pairs:
        for old, new in zip(before, after, strict=True):
            if NOWHERE not in (old, new):
                yield old, new


def _kept_slots(old_item: Item, new_item: Item) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    here = {place: rank for rank, place in enumerate(_slots(old_item.words))}
    there = {place: rank for rank, place in enumerate(_slots(new_item.words))}
    pairs: list[tuple[tuple[int, int], tuple[int, int]]] = []
    for step in LCSseq.opcodes(old_item.words, new_item.words):
        length = step.src_end - step.src_start
        if step.tag != "equal" or length < _LEAST_AROUND:
            continue
        for place in range(length):
            rank = here.get(step.src_start + place)
            if rank is not None:
                pairs.append((old_item.cites[rank], new_item.cites[there[step.dest_start + place]]))
    return pairs


def _slots(signs: str) -> list[int]:
    return [place for place, sign in enumerate(signs) if sign == SLOT]
