"""Word diffs: what was kept, removed and added.

Words are compared with quotes and dashes spelt alike, or exactly as printed.
"""

from collections.abc import Sequence
from functools import lru_cache
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


class TokenRun(NamedTuple):
    """A run of tokens that two texts share, or a run and its replacement, as the slices of both."""

    is_same: bool
    older: slice
    newer: slice

    @property
    def size(self) -> int:
        """Return the number of tokens, the greater one of a replacement."""
        older, newer = self.older, self.newer
        return max(int(older.stop - older.start), int(newer.stop - newer.start))


@lru_cache(maxsize=256)
def keys_of(text: str) -> tuple[str, ...]:
    """Return the keys by which tokens are compared: no spaces, one form of quotes and dashes."""
    tokens = "\0".join(tokens_of(text)).rstrip().replace(" \0", "\0").replace("\n\0", "\0")
    return tuple(plain_signs(tokens).split("\0")) if text else ()


def _shared(older: Sequence[str], newer: Sequence[str]) -> int:
    """Return how many items, or characters, two texts begin with alike."""
    return next(compress(count(), map(ne, older, newer)), min(len(older), len(newer)))


@lru_cache(maxsize=1024)  # a comparison needs the same runs several times
def closest_runs(older: Sequence[str], newer: Sequence[str]) -> tuple[TokenRun, ...]:
    """Return the runs that turn one string or tuple of words into another, replacing as few as possible."""
    begin = _shared(older, newer)
    end = _shared(older[begin:][::-1], newer[begin:][::-1])
    stop, halt = len(older) - end, len(newer) - end
    found, place, there = list[TokenRun](), 0, 0
    middle = _common_runs(older[begin:stop], newer[begin:halt])
    kept = [(0, 0, begin), *[(at + begin, to + begin, size) for at, to, size in middle]]
    for start, first, size in (*kept, (stop, halt, end)):
        if (start, first) != (place, there):
            found.append(TokenRun(False, slice(place, start), slice(there, first)))
        place, there = start + size, first + size
        if size:
            found.append(TokenRun(True, slice(start, place), slice(first, there)))
    return tuple(found)


def _common_runs(older: Sequence[str], newer: Sequence[str]) -> list[tuple[int, int, int]]:
    """Return the runs of a longest common subsequence of two lists: start in each, and length.

    A bit stands for each word of the older list (Hyyrö 2004). The result is that of rapidfuzz, which
    takes 43 ms to import.
    """
    bits: dict[str, int] = {}
    for place, word in enumerate(older):
        bits[word] = bits.get(word, 0) | 1 << place
    row = every = (1 << len(older)) - 1
    # An item for each beginning of the newer list. Its bits mark the words of the older list that make
    # the longest common subsequence longer by one.
    longer = [0]
    for word in newer:
        same = row & bits.get(word, 0)
        row = ((row + same) | (row - same)) & every
        longer.append(every ^ row)
    found: list[tuple[int, int, int]] = []
    place, there = len(older), len(newer)
    while place := (longer[there] & (1 << place) - 1).bit_length():
        there -= 1
        if not longer[there] >> place - 1 & 1:
            place -= 1
            is_onward = bool(found) and found[-1][:2] == (place + 1, there + 1)
            found.append((place, there, found.pop()[2] + 1 if is_onward else 1))
    return found[::-1]


def runs(older: Sequence[str], newer: Sequence[str]) -> list[TokenRun]:
    """Return the runs that turn one list of words into another, in order.

    As few words as possible are replaced, except for short kept runs between changes.
    """
    joined: list[TokenRun] = []
    for run in closest_runs(older, newer):
        joined.append(run)
        if len(joined) > 2 and not run.is_same:  # noqa: PLR2004 - three runs
            before, kept = joined[-3:-1]
            if kept.size <= _FEW and min(before.size, run.size) > 2 * kept.size:
                ends = slice(before.older.start, run.older.stop)
                joined[-3:] = [TokenRun(False, ends, slice(before.newer.start, run.newer.stop))]
    return joined


def word_diff(older: str, newer: str, *, exactly: bool = False) -> list[Piece]:
    """Return the word diff of two texts.

    If changed quotes and dashes count as changes (`exactly`), the kept and removed pieces are the older
    text letter for letter, and the kept and added pieces the newer text. Otherwise, kept pieces are spelt
    as in the newer text.

    >>> [tuple(piece) for piece in word_diff("He or she draws.", "They draw.")]
    [('-', 'He or she draws'), ('+', 'They draw'), ('=', '.')]
    """
    pieces = [(GONE, older), (CAME, newer)]
    if not exactly and newer and plain_signs(older) == plain_signs(newer):
        pieces = [(SAME, newer)]
    elif older and newer:
        before, after = tokens_of(older), tokens_of(newer)
        pieces = []
        for run in runs(before, after) if exactly else runs(keys_of(older), keys_of(newer)):
            removed, added = "".join(before[run.older]), "".join(after[run.newer])
            pieces += [(SAME, added)] if run.is_same else [(GONE, removed), (CAME, added)]
    return [Piece(*piece) for piece in pieces if piece[1]]
