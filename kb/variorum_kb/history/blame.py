"""Since when each word of a reading stands in its place."""

from collections.abc import Sequence

from variorum_kb.history.diff import keys_of, runs

# Words taken over from a relative must stand in a row: single ones are everywhere.
_LEAST_TAKEN = 3


def inherit(text: str, edition: int, sources: Sequence[tuple[str, Sequence[int]]]) -> list[int]:
    """Return since which edition each token of a text stands in its place.

    Args:
        text: The reading.
        edition: The one in which it came to be.
        sources: The readings it came from, its own past first, and since when each of their
            tokens stands there; see `diff.tokens_of`.

    >>> inherit("a red card", 5, [("a card", [1, 2])])
    [1, 5, 2]
    """
    keys = keys_of(text)
    since = [edition] * len(keys)
    is_open = [True] * len(keys)
    for rank, (source, known) in enumerate(sources):
        left = [place for place, free in enumerate(is_open) if free]
        found = runs(keys_of(source), [keys[place] for place in left])
        for run in found:
            length = run.one[1] - run.one[0]
            if not run.is_same or (rank and length < _LEAST_TAKEN):
                continue
            for step in range(length):
                place = left[run.other[0] + step]
                since[place] = known[run.one[0] + step]
                is_open[place] = False
    return since
