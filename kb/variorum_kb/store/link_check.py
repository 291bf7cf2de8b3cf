"""Whether the table of links tells of every provision once, and of nothing else."""

from collections import defaultdict
from collections.abc import Iterator

from variorum_kb.rows import STEP_KINDS, kinds_of
from variorum_kb.store.consistency import Contents
from variorum_kb.store.reader import Reader


def find_in_links(reader: Reader, contents: Contents) -> Iterator[tuple[int, str]]:
    """Yield editions, by their places, and where the links into them contradict what they hold.

    Raises:
        BaseError: The file is damaged.
    """
    into: dict[int, list[tuple[int, int | None, int | None, int, float]]] = defaultdict(list)
    for edition, source, old, new, _, kinds, _, confidence, _, _ in reader.links():
        into[edition].append((source, old, new, kinds, confidence))
    held = [set(states) for states in contents.held]
    for place in range(1, len(held)):
        before, now = held[place - 1], held[place]
        told, reached = set[int](), set[int]()
        for source, old, new, kinds, confidence in into[place]:
            yield from (
                (place, what)
                for what in _in_link(contents, held, (source, place), (old, new), kinds)
            )
            if not 0.0 <= confidence <= 1.0:
                yield place, f"a link into it has the confidence {confidence}"
            if source == place - 1:
                told |= {old} if old is not None else set()
                reached |= {new} if new is not None else set()
        # What is the same state in both and stands in no link was kept.
        for lost in sorted(before - told - (now - reached))[:1]:
            yield place, f"no link says what became of {contents.states[lost].address}"
        for found in sorted(now - reached - (before - told))[:1]:
            yield place, f"no link says where {contents.states[found].address} came from"
    if into[0]:
        yield 0, "links lead into it, though it is the first"


def _in_link(
    contents: Contents,
    held: list[set[int]],
    editions: tuple[int, int],
    ends: tuple[int | None, int | None],
    kinds: int,
) -> Iterator[str]:
    (source, place), (old, new) = editions, ends
    if not 0 <= source < place:
        yield f"a link into it comes from the edition {source}"
        return
    if old is not None and old not in held[source]:
        yield f"a link comes from {contents.states[old].address}, which the edition before does not hold"
    if new is not None and new not in held[place]:
        yield f"a link leads to {contents.states[new].address}, which it does not hold"
    named = kinds_of(kinds)
    is_known = 0 < kinds < 1 << len(STEP_KINDS)
    is_fit = (old is None) is (named == ["new"]) and (new is not None or "gone" in named)
    if not (is_known and is_fit):
        yield f"a link into it is of the kinds {', '.join(named) or kinds}"
