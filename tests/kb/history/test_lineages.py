"""The history of a provision along invented links, in ten editions with places 0 to 9."""

import pytest

from tests.kb.history.test_walks import lineages, link
from variorum_kb.history.lineages import Link, Stretch, origins
from variorum_kb.rows import COPIED, GONE, KEPT, MERGED, NEW, REWORDED, SPLIT, UNCERTAIN

# Reworded in 3; in 6, the first words return.
THERE_AND_BACK = (link(3, 1, 2, REWORDED), link(6, 2, 1, REWORDED))
SPLIT_UP = (link(4, 1, 2, SPLIT), link(4, 1, 3, SPLIT, 1), link(7, 2, None, GONE))
# Two provisions merged; the heir continues 5.
TOGETHER = (link(3, 1, 2, REWORDED).changed(confidence=0.5), link(3, 5, 2, REWORDED))
ABSENT = (link(2, None, 1, NEW), link(4, 1, None, GONE), link(7, 1, 8, KEPT).changed(source=3))


def shown(stretches: list[Stretch]) -> str:
    """Return each state with its editions, and the states that its words are from."""
    return ", ".join(
        f"{stretch.state} in {stretch.first}-{stretch.last}"
        + "".join(f" with {beside.old}" for beside in stretch.beside)
        for stretch in stretches
    )


@pytest.mark.parametrize(
    ("links", "state", "edition", "history"),
    [
        ((), 1, 4, "1 in 0-9"),
        (THERE_AND_BACK, 1, 2, "1 in 0-2, 2 in 3-5, 1 in 6-9"),
        (THERE_AND_BACK, 2, 5, "1 in 0-2, 2 in 3-5, 1 in 6-9"),
        (THERE_AND_BACK, 1, 6, "1 in 0-2, 2 in 3-5, 1 in 6-9"),
        (SPLIT_UP, 1, 0, "1 in 0-3, 2 in 4-6"),
        (SPLIT_UP, 3, 9, "1 in 0-3, 3 in 4-9"),
        (TOGETHER, 1, 0, "1 in 0-2"),
        (TOGETHER, 5, 0, "5 in 0-2, 2 in 3-9 with 1"),
        (ABSENT, 1, 2, "1 in 2-3, 8 in 7-9"),
        (ABSENT, 8, 9, "1 in 2-3, 8 in 7-9"),
    ],
)
def test_life(links: tuple[Link, ...], state: int, edition: int, history: str) -> None:
    """The history of a provision is the same from each of its editions."""
    assert shown(lineages(*links).life(state, edition)) == history


def test_links_around() -> None:
    """Links are listed by the edition they lead into; returns are separate from direct steps."""
    around = lineages(*ABSENT, link(7, 2, 8, MERGED), link(9, 8, 4, COPIED, 1))
    new, gone, back, merged, copied = [*ABSENT, link(7, 2, 8, MERGED), link(9, 8, 4, COPIED, 1)]

    assert around.into(1, 1) == []
    assert around.into(1, 2) == [new]
    assert around.into(8, 8) == [back, merged]
    assert around.out_of(1, 3) == [gone, back]
    assert around.out_of(1, 4) == []
    assert around.arriving(8, 7) == [back, merged]
    assert around.arriving(8, 6) == []
    assert around.leaving(1, 4) == [gone]
    assert around.leaving(1, 7) == []
    assert around.leaving(1, 7, is_return=True) == [back]
    assert [around.step(1, gone), around.step(1, back)] == [[gone], [back]]
    assert around.step(8, copied) == [copied]
    assert (around.begins(8), around.ends(1)) == ([7], [4, 7])


def test_step_of_several_editions() -> None:
    """A step has only the links from one edition to the next."""
    links = [link(3, 1, 1, COPIED), link(3, 1, 2, COPIED, 1), link(6, 1, 4, REWORDED)]

    assert lineages(*links).step(1, links[1]) == links[:2]
    assert lineages(*links).out_of(1, 0) == links[:2]


def test_origins() -> None:
    """A provision's own past is first, then its sources, then the provisions that it absorbed."""
    new = link(3, None, 9, NEW)
    expected = [
        link(3, 7, 9, REWORDED),
        link(3, 6, 9, SPLIT, 1),
        link(3, 5, 9, COPIED, 1),
        link(3, 3, 9, MERGED).changed(confidence=0.95),
        link(3, 2, 9, MERGED),
        link(3, 4, 9, MERGED),
        link(3, 1, 9, REWORDED | UNCERTAIN, 1),
    ]

    assert origins([new, *expected[::-1]]) == expected
    assert origins([new, new]) == [new, new]
    assert origins([new]) == [new]
