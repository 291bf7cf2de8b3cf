"""Makes word diffs for readers: words kept, removed and added.

Words are compared with quotes and dashes spelt alike, or exactly as printed.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from variorum.text import plain_signs, tokens_of

SAME, GONE, CAME = "=", "-", "+"
Piece = tuple[str, str]

# A kept run of at most this many words between changes is joined with them, for readability.
_FEW = 2


@lru_cache(maxsize=4096)
def keys_of(text: str) -> tuple[str, ...]:
    """Return the keys by which tokens are compared: no spaces, one form of quotes and dashes."""
    tokens = "\0".join(tokens_of(text)).rstrip().replace(" \0", "\0").replace("\n\0", "\0")
    return tuple(plain_signs(tokens).split("\0")) if text else ()


class TokenRun(NamedTuple):
    """A run of tokens that two texts share, or a run and its replacement.

    Attributes:
        is_same: Whether both texts have the tokens.
        older: Their start and end in the older text.
        newer: Their start and end in the newer text.
    """

    is_same: bool
    older: tuple[int, int]
    newer: tuple[int, int]

    @property
    def size(self) -> int:
        """Return the number of tokens, the greater one of a replacement."""
        return max(self.older[1] - self.older[0], self.newer[1] - self.newer[0])


def closest_runs(older: Sequence[str], newer: Sequence[str]) -> list[TokenRun]:
    """Return the runs that turn one list of words into another, replacing as few as possible."""
    begin, end = common_ends(older, newer)
    stop, halt = len(older) - end, len(newer) - end
    blocks = [(0, 0, begin)]
    for place, there in common_places(older[begin:stop], newer[begin:halt]):
        start, start_there, length = blocks[-1]
        if (place + begin, there + begin) == (start + length, start_there + length):
            blocks[-1] = start, start_there, length + 1
        else:
            blocks.append((place + begin, there + begin, 1))
    found: list[TokenRun] = []
    place = there = 0  # the start of the words not yet in a run
    for start, start_there, length in (*blocks, (stop, halt, end), (len(older), len(newer), 0)):
        if (place, there) != (start, start_there):
            found.append(TokenRun(False, (place, start), (there, start_there)))
        place, there = start + length, start_there + length
        if length:
            found.append(TokenRun(True, (start, place), (start_there, there)))
    return found


def common_ends(older: Sequence[str], newer: Sequence[str]) -> tuple[int, int]:
    """Return how many words two lists share at the beginning, and how many of the rest at the end."""
    begin, end = 0, 0
    shorter = min(len(older), len(newer))
    while begin < shorter and older[begin] == newer[begin]:
        begin += 1
    while end < shorter - begin and older[-1 - end] == newer[-1 - end]:
        end += 1
    return begin, end


def common_places(older: Sequence[str], newer: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places of a longest common subsequence of two lists, in order.

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
    pairs: list[tuple[int, int]] = []
    place, there = len(older), len(newer)
    while place := (longer[there] & (1 << place) - 1).bit_length():
        there -= 1
        if not longer[there] >> place - 1 & 1:
            place -= 1
            pairs.append((place, there))
    pairs.reverse()
    return pairs


def runs(older: Sequence[str], newer: Sequence[str]) -> list[TokenRun]:
    """Return the runs that turn one list of words into another, in order.

    As few words as possible are replaced, except for short kept runs between changes.
    """
    joined: list[TokenRun] = []
    for run in closest_runs(older, newer):
        joined.append(run)
        if len(joined) > 2 and not run.is_same:  # noqa: PLR2004 - three runs
            before, kept, _ = joined[-3:]
            if kept.size <= _FEW and min(before.size, run.size) > 2 * kept.size:
                ends = (before.older[0], run.older[1]), (before.newer[0], run.newer[1])
                joined[-3:] = [TokenRun(False, *ends)]
    return joined


def word_diff(older: str, newer: str, *, exactly: bool = False) -> list[Piece]:
    """Return the word diff of two texts: pieces kept ("="), removed ("-") or added ("+").

    Args:
        older: The older text.
        newer: The newer text.
        exactly: Whether changed quotes and dashes count as changes. If so, the kept and removed
            pieces are the older text letter for letter, and the kept and added pieces the newer
            text. Otherwise, kept pieces are spelt as in the newer text.

    >>> word_diff("He or she draws.", "They draw.")
    [('-', 'He or she draws'), ('+', 'They draw'), ('=', '.')]
    """
    if not (older and newer):
        return [(GONE, older)] if older else [(CAME, newer)] if newer else []
    if not exactly and plain_signs(older) == plain_signs(newer):
        return [(SAME, newer)]
    before, after = tokens_of(older), tokens_of(newer)
    pieces: list[Piece] = []
    for run in runs(before, after) if exactly else runs(keys_of(older), keys_of(newer)):
        removed, added = "".join(before[slice(*run.older)]), "".join(after[slice(*run.newer)])
        if run.is_same:
            pieces.append((SAME, added))
        else:
            pieces += [(sign, text) for sign, text in ((GONE, removed), (CAME, added)) if text]
    return pieces
