"""Word diffs: what was kept, removed and added.

Words are compared with quotes and dashes spelt alike, or exactly as printed.
"""

from collections.abc import Sequence
from functools import cache
from itertools import compress, count
from operator import ne
from typing import NamedTuple

from variorum.records.answer import Piece
from variorum.text import plain_signs, tokens_of

SAME, GONE, CAME = "=", "-", "+"

# A *sweep* replaces a phrase by the same words in at least this many provisions. By hand.
SWEPT_IN = 5
# A kept run of at most this many words between changes is joined with them, for readability.
_FEW = 2


class Run(NamedTuple):
    """A run of words that two texts share: where it starts in each, and how many."""

    a: int
    b: int
    size: int


_key_of = cache(lambda token: plain_signs(token).rstrip())


def keys_of(text: str) -> tuple[str, ...]:
    """Return the keys by which tokens are compared: no spaces, one form of quotes and dashes."""
    return tuple(map(_key_of, tokens_of(text)))


def kept_runs(older: Sequence[str], newer: Sequence[str], few: int = _FEW) -> list[Run]:
    """Return the runs that two strings, or lists of words, share if as few as possible are replaced.

    The first and the last may be empty: how they begin and end alike. Of the others, those of a few words between
    longer changes are left out.
    """
    begin = shared(older, newer)
    end = shared(older[begin:][::-1], newer[begin:][::-1])
    stop, halt = len(older) - end, len(newer) - end
    kept = [Run(0, 0, begin)]
    middle = _common_runs(older[begin:stop], newer[begin:halt])
    for run in (*[Run(a + begin, b + begin, size) for a, b, size in middle], Run(stop, halt, end)):
        before, size = kept[-2:], kept[-1].size
        if before[1:] and size <= few and min(gap(*before), gap(kept[-1], run)) > 2 * size:
            kept.pop()
        kept.append(run)
    return kept


def gap(before: Run, after: Run) -> int:
    """Return the number of words replaced between two runs, in the text in which they are more."""
    return max(after.a - before.a, after.b - before.b) - before.size


def shared(older: Sequence[str], newer: Sequence[str]) -> int:
    """Return how many items, or characters, two texts begin with alike."""
    return next(compress(count(), map(ne, older, newer)), min(len(older), len(newer)))


def _common_runs(older: Sequence[str], newer: Sequence[str]) -> list[tuple[int, int, int]]:
    """Return the runs of a longest common subsequence of two lists: start in each, and length.

    A bit stands for each word of the older list (Hyyrö 2004). rapidfuzz, which says the same, takes 43 ms
    to import.
    """
    bits: dict[str, int] = {}
    for place, word in enumerate(older):
        bits[word] = bits.get(word, 0) | 1 << place
    # An item for each beginning of the newer list. Its bits mark the words of the older list that make
    # the longest common subsequence longer by one.
    row = every = (1 << len(older)) - 1
    longer = [0]
    for word in newer:
        if same := row & bits.get(word, 0):
            row = ((row + same) | (row - same)) & every
        longer.append(every ^ row)
    runs = list[tuple[int, int, int]]()
    place, there = len(older), len(newer)
    while place := (longer[there] & (1 << place) - 1).bit_length():
        there -= 1
        if not longer[there] >> place - 1 & 1:
            place -= 1
            is_onward = bool(runs) and runs[-1][:2] == (place + 1, there + 1)
            runs.append((place, there, runs.pop()[2] + 1 if is_onward else 1))
    return runs[::-1]


def word_diff(older: str, newer: str, *, exactly: bool = False) -> list[Piece]:
    """Return the word diff of two texts.

    If changed quotes and dashes count as changes (`exactly`), the kept and removed pieces are the older
    text letter for letter, and the kept and added pieces the newer text. Otherwise, kept pieces are spelt
    as in the newer text.

    >>> [tuple(piece) for piece in word_diff("He or she draws.", "They draw.")]
    [('-', 'He or she draws'), ('+', 'They draw'), ('=', '.')]
    """
    if not (older and newer):
        return [Piece(sign, text) for sign, text in ((GONE, older), (CAME, newer)) if text]
    before, after = tokens_of(older), tokens_of(newer)
    runs = kept_runs(before, after) if exactly else kept_runs(keys_of(older), keys_of(newer))
    pieces, here, there = list[Piece](), 0, 0
    for a, b, size in runs:
        parts = {GONE: before[here:a], CAME: after[there:b], SAME: after[b : b + size]}
        pieces += [Piece(sign, "".join(part)) for sign, part in parts.items() if part]
        here, there = a + size, b + size
    return pieces
