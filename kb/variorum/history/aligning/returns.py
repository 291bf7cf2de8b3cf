"""Finds provisions that disappear and return, so that their lineage continues."""

from collections.abc import Iterable, Iterator, Sequence

from variorum.history.canonical import Folder
from variorum.rows import State

# Fewer words than this show a return only under the same number or headword.
_ENOUGH_WORDS = 8


def find_returns(
    editions: Sequence[tuple[Sequence[State], Sequence[State]]],
    first: int = 0,
    gone_before: Iterable[tuple[int, State]] = (),
) -> Iterator[tuple[int, State, int, State]]:
    """Yield the provisions that disappeared and returned, word for word, in a later edition.

    Args:
        editions: For each edition, its states that are gone in the next, and its new states.
        first: The place of the first of these editions.
        gone_before: The states gone before `first`, each with the place of the last edition that
            had it.

    Yields:
        The last edition before the absence, the state in it, the first edition after the absence,
        and the state in it.
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
