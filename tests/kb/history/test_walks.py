"""The heirs of provisions in other editions, along invented links."""

import pytest

from variorum_kb.history.lineages import Lineages, Link, LinkTable
from variorum_kb.history.walks import Destination, Loss, Walk, walk
from variorum_kb.rows import COPIED, GONE, KEPT, MERGED, NEW, REWORDED, SPLIT, UNCERTAIN

LAST = 9


def link(edition: int, old: int | None, new: int | None, bits: int, rank: int = 0) -> Link:
    """Return a link from the edition before, with confidence 0.9."""
    return Link(edition, edition - 1, old, new, rank, bits, "", 0.9, 0)


def lineages(*links: Link) -> Lineages:
    """Return lineages of ten editions."""
    return Lineages(LinkTable(links), LAST)


REWORDED_ONCE = (link(3, 1, 2, REWORDED),)
SPLIT_UP = (link(3, 1, 2, SPLIT), link(3, 1, 3, SPLIT, 1), link(6, 2, None, GONE))
TAKEN_IN = (link(3, 1, 2, MERGED),)
# One part is merged into another provision; the other part continues alone.
PARTED = (link(3, 1, 7, SPLIT | MERGED), link(3, 1, 2, SPLIT, 1))
COPIED_BEFORE = (link(2, 1, 1, COPIED), link(2, 1, 4, COPIED, 1), link(5, 1, None, GONE))
ABSENT = (link(3, 1, None, GONE), link(6, 1, 2, KEPT).changed(source=2))


@pytest.mark.parametrize(
    ("bits", "rank", "is_main"),
    [
        (KEPT, 0, True),
        (SPLIT, 0, True),
        (SPLIT, 1, False),
        (REWORDED, 1, False),
        (MERGED, 0, False),
        (REWORDED | UNCERTAIN, 0, False),
    ],
)
def test_is_main(bits: int, rank: int, is_main: bool) -> None:
    """The main heir is the first one, unless it absorbed another provision or is in doubt."""
    assert link(3, 1, 2, bits, rank).is_main is is_main


@pytest.mark.parametrize(
    ("links", "stop", "states", "own", "loss"),
    [
        ((), 9, [1], 1, None),
        (REWORDED_ONCE, 2, [1], 1, None),
        (REWORDED_ONCE, 3, [2], 2, None),
        (SPLIT_UP, 5, [2, 3], 2, None),
        (SPLIT_UP, 6, [3], None, Loss(6, 2)),
        (TAKEN_IN, 9, [2], 2, None),
        (PARTED, 9, [7, 2], 2, None),
        (COPIED_BEFORE, 9, [4], None, Loss(5, 1)),
        (ABSENT, 5, [], None, Loss(3, 1)),
        (ABSENT, 6, [2], 2, None),
    ],
)
def test_onward(
    links: tuple[Link, ...], stop: int, states: list[int], own: int | None, loss: Loss | None
) -> None:
    """All heirs of a provision are found, and which of them is the provision itself."""
    destination = walk(lineages(*links), [1], 0, stop)[1]

    assert (destination.states, destination.own, destination.loss) == (states, own, loss)


@pytest.mark.parametrize(
    ("links", "start", "stop", "states", "loss"),
    [
        (REWORDED_ONCE, 2, 0, [1], None),
        (SPLIT_UP[:2], 2, 2, [1], None),
        ((link(3, None, 2, NEW),), 2, 0, [], Loss(2, 2)),
        (ABSENT, 2, 4, [], Loss(5, 2)),
        (ABSENT, 2, 1, [1], None),
    ],
)
def test_back(
    links: tuple[Link, ...], start: int, stop: int, states: list[int], loss: Loss | None
) -> None:
    """A walk back from the last edition finds the state in an earlier one."""
    destination = walk(lineages(*links), [start], LAST, stop)[start]

    assert (destination.states, destination.loss) == (states, loss)


def test_heir() -> None:
    """The heir is the provision itself or, if it ended, the first of its parts."""
    assert Destination([7, 2], 2).heir == 2
    assert Destination([7, 2]).heir == 7
    assert Destination([]).heir is None


@pytest.mark.parametrize(("doubts", "confidence"), [(True, 0.81), (False, 0.9)])
def test_doubts_returns(*, doubts: bool, confidence: float) -> None:
    """A return in the same words lowers the confidence only on request."""
    way = Walk(lineages(*ABSENT), [1], 0, doubts_returns=doubts)

    way.go_on(9)

    assert way.destinations[1].confidence == pytest.approx(confidence)
