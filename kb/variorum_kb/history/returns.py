"""Provisions that disappear and return: their lineage goes on after the absence."""

from collections.abc import Iterable, Iterator, Sequence

from variorum_kb.history.canonical import Folder
from variorum_kb.rows import State

# Fewer words than this are found again by chance, but under the same number or headword.
_ENOUGH_WORDS = 8


def find_returns(
    editions: Sequence[tuple[Sequence[State], Sequence[State]]],
    first: int = 0,
    gone_before: Iterable[tuple[int, State]] = (),
) -> Iterator[tuple[int, State, int, State]]:
    """Yield what was gone from an edition on and came back, word for word, in a later one.

    Args:
        editions: Of each edition, what of it is gone in the next, and what is new in it.
        first: The place of the first of them.
        gone_before: What earlier editions had and this one has not: the place of the last that had
            it, and the state then.

    Yields:
        The place of the last edition before the absence, the state then, the place of the edition
        after it, and the state then.
    """
    folder = Folder()
    absent: dict[tuple[bool, str, str], list[tuple[int, State]]] = {}
    for place, state in gone_before:
        absent.setdefault(_key(folder, state), []).append((place, state))
    for place, (gone, new) in enumerate(editions, first):
        for state in new:
            key = _key(folder, state)
            candidates = absent.get(key, [])
            same = [candidate for candidate in candidates if candidate[1].address == state.address]
            is_long = len(folder.canon(state).whole) >= _ENOUGH_WORDS
            chosen = same or (candidates if is_long and len(candidates) == 1 else [])
            if chosen:
                source, before = chosen[-1]
                candidates.remove(chosen[-1])
                yield source, before, place, state
        for state in gone:
            absent.setdefault(_key(folder, state), []).append((place, state))


def _key(folder: Folder, state: State) -> tuple[bool, str, str]:
    canon = folder.canon(state)
    return state.kind == "glossary", canon.heading, canon.whole
