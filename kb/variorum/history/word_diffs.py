"""Word diffs: what was kept, removed and added; how much a change matters; sweeps.

For readers, words are compared with quotes and dashes spelt alike, or exactly as printed; for classes of
changes, canonical words are. A *sweep* is a phrase that one edition replaced in many provisions.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from variorum.rows import CHANGE_CLASSES, State
from variorum.text import SLOT, plain_signs, tokens_of

if TYPE_CHECKING:
    from variorum.history.canonical import Canon

SAME, GONE, CAME = "=", "-", "+"
Piece = tuple[str, str]

# A sweep replaces a phrase by the same words in at least this many provisions. By hand.
SWEPT_IN = 5
# A kept run of at most this many words between changes is joined with them, for readability.
_FEW = 2
# A swept phrase and its replacement have at most this many words.
_LONGEST = 6
_NONE, _TYPOGRAPHIC, _CITATION, _SWEEP, _SUBSTANTIVE = CHANGE_CLASSES


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


@lru_cache(maxsize=1024)  # a comparison needs the same runs several times
def closest_runs(older: Sequence[str], newer: Sequence[str]) -> tuple[TokenRun, ...]:
    """Return the runs that turn one string or tuple of words into another, replacing as few as possible."""
    least = min(len(older), len(newer))
    begin = next((at for at in range(least) if older[at] != newer[at]), least)
    left = least - begin
    end = next((at for at in range(left) if older[-1 - at] != newer[-1 - at]), left)
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
            before, kept, _ = joined[-3:]
            if kept.size <= _FEW and min(before.size, run.size) > 2 * kept.size:
                ends = slice(before.older.start, run.older.stop)
                joined[-3:] = [TokenRun(False, ends, slice(before.newer.start, run.newer.stop))]
    return joined


def word_diff(older: str, newer: str, *, exactly: bool = False) -> list[Piece]:
    """Return the word diff of two texts: pieces kept ("="), removed ("-") or added ("+").

    If changed quotes and dashes count as changes (`exactly`), the kept and removed pieces are the older
    text letter for letter, and the kept and added pieces the newer text. Otherwise, kept pieces are spelt
    as in the newer text.

    >>> word_diff("He or she draws.", "They draw.")
    [('-', 'He or she draws'), ('+', 'They draw'), ('=', '.')]
    """
    if not exactly and newer and plain_signs(older) == plain_signs(newer):
        return [(SAME, newer)]
    before, after = tokens_of(older), tokens_of(newer)
    compared = runs(before, after) if exactly else runs(keys_of(older), keys_of(newer))
    pieces: list[Piece] = []
    for run in compared:
        removed, added = "".join(before[run.older]), "".join(after[run.newer])
        pieces += [(SAME, added)] if run.is_same else [(GONE, removed), (CAME, added)]
    return [piece for piece in pieces if piece[1]]


# Classes of changes -------------------------------------------------------------------------------


def _replacements(before: str, after: str) -> Iterator[tuple[str, str]]:
    """Yield encoded words and their replacements; either may be empty."""
    for run in closest_runs(before, after):
        if not run.is_same:
            yield before[run.older], after[run.newer]


def sweeps(rewordings: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return the phrases replaced in many provisions, given their canonical words before and after."""
    times = Counter(phrase for pair in rewordings for phrase in {*_replacements(*pair)})
    return {
        (before, after)
        for (before, after), count in times.items()
        if count >= SWEPT_IN and before and (after or len(before) > 1)
        if max(len(before), len(after)) <= _LONGEST and SLOT not in before + after
    }


def classify(
    old: tuple[State, "Canon"],
    new: tuple[State, "Canon"],
    swept: Collection[tuple[str, str]],
    *,
    citations_follow: bool,
) -> str:
    """Return the class of a change between two readings, see rows.CHANGE_CLASSES.

    A change of punctuation, capitals or quotes is typographic. `citations_follow` says whether each
    citation now leads to the heir of its old target.
    """
    (printed, before), (printed_after, after) = old, new
    if (printed.heading, printed.body) == (printed_after.heading, printed_after.body):
        return _NONE
    if before.whole != after.whole:
        is_swept = all(phrase in swept for phrase in _replacements(before.whole, after.whole))
        return _SWEEP if is_swept else _SUBSTANTIVE
    cited, now = ([(it.first, it.last) for it in canon.citations] for canon in (before, after))
    if cited == now:
        return _TYPOGRAPHIC
    return _CITATION if citations_follow else _SUBSTANTIVE
