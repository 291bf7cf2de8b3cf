"""Points for the surroundings of a provision and its possible heir: number, parent, citations, ...

`text_points.py` has the points for their words. All are added up, so each weight depends on the others.
"""

import math
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from variorum.history.aligning.likeness import Likeness
from variorum.history.aligning.sides import NOWHERE, Item

_SAME_ADDRESS = 0.5
_SAME_PARENT, _SAME_TAIL, _OTHER_PARENT = 2.0, 0.4, -0.6
# Of the provision before and the one after.
_SAME_NEIGHBOUR, _BOTH_AT_THE_END = 0.8, 0.3
# If all children go together. A heading without words is weaker evidence than its children.
_CHILDREN, _CHILDREN_OF_A_BARE_HEADING = 3.0, 6.5
_MOST_FOR_VOTES, _FOR_VOTES = 3.0, 1.2
_MOST_AGAINST, _AGAINST = 1.5, 0.5
_CITES_THE_SAME, _CITES_OTHERS = 1.5, 0.5


class Score(NamedTuple):
    """The points for a candidate heir of a provision.

    Attributes:
        text: Points for words and headings.
        context: Points for surrounding provisions and citations.
        likeness: The likeness of the words.
        votes: How many citations of the old provision became citations of the candidate.
        against: How many citations of the old provision became citations of other provisions.
    """

    text: float
    context: float
    likeness: Likeness
    parent: bool
    neighbours: int
    children: float
    votes: float
    against: float

    @property
    def total(self) -> float:
        """Return the sum of all points."""
        return self.text + self.context


def family_points(old_item: Item, new_item: Item, forward: Mapping[int, int]) -> tuple[bool, float]:
    """Return whether the parents are matched, and the points for the parents and the number.

    Args:
        old_item: The old provision.
        new_item: The candidate for its heir.
        forward: The heirs found so far, by places.
    """
    points = _SAME_ADDRESS if old_item.address == new_item.address else 0.0
    if NOWHERE in (old_item.parent, new_item.parent):
        return False, points
    parent = forward.get(old_item.parent)
    if parent == new_item.parent:
        is_same_tail = _tail(old_item.address) == _tail(new_item.address)
        return True, points + _SAME_PARENT + (_SAME_TAIL if is_same_tail else 0.0)
    return False, points + (0.0 if parent is None else _OTHER_PARENT)


def neighbour_points(
    old_item: Item, new_item: Item, forward: Mapping[int, int]
) -> tuple[int, float]:
    """Return how many neighbours are matched, and the points for them; arguments as above."""
    if old_item.is_entry or new_item.is_entry:
        return 0, 0.0
    count, points = 0, 0.0
    for here, there in (
        (old_item.previous, new_item.previous),
        (old_item.following, new_item.following),
    ):
        if here == there == NOWHERE:
            points += _BOTH_AT_THE_END
        elif here != NOWHERE and forward.get(here) == there:
            count += 1
            points += _SAME_NEIGHBOUR
    return count, points


def child_points(inside: int, most: int, *, is_bare: bool) -> tuple[float, float]:
    """Return the share of children that are matched with each other, and the points for it.

    Args:
        inside: How many children of the old provision have heirs below the candidate.
        most: How many children the one with more of them has.
        is_bare: Whether one of the two is a heading without words.
    """
    share = inside / most if inside else 0.0
    return share, (_CHILDREN_OF_A_BARE_HEADING if is_bare else _CHILDREN) * share


def cited_points(votes: Mapping[int, int], new: int) -> tuple[float, float, float]:
    """Return the votes for and against a candidate, and the points for them.

    Args:
        votes: How many citations of the old provision became citations of each new one.
        new: The place of the candidate.
    """
    if not votes:
        return 0.0, 0.0, 0.0
    total = sum(votes.values())
    mine = votes.get(new, 0)
    if mine:
        points = min(_MOST_FOR_VOTES, _FOR_VOTES * math.log2(1 + mine))
        return mine, total - mine, points * (mine / total)
    return 0.0, total, -min(_MOST_AGAINST, _AGAINST * math.log2(1 + total))


def citing_points(old_item: Item, new_item: Item, forward: Mapping[int, int]) -> float:
    """Return the points for citing the same provisions; arguments as above."""
    if not (old_item.cites and new_item.cites):
        return 0.0
    theirs = {place for ends in new_item.cites for place in ends}
    heirs = [forward[place] for ends in old_item.cites for place in ends if place in forward]
    if not heirs:
        return 0.0
    good = sum([heir in theirs for heir in heirs]) / len(heirs)
    return _CITES_THE_SAME * good - _CITES_OTHERS * (1.0 - good)


@cache
def _tail(address: str) -> str:
    """Return the last part of a number: of 702.9b "b", of 702.9 "9", of 702 "702"."""
    last = address.partition("#")[0].rpartition(".")[2]
    return last.lstrip("0123456789") or last
