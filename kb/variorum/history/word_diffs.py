"""Word diffs: what was kept, removed and added; how much a change matters; sweeps.

For readers, words are compared with quotes and dashes spelt alike, or exactly as printed; for classes of
changes, canonical words are. A *sweep* is a phrase that one edition replaced in many provisions.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
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
    """A run of tokens that two texts share, or a run and its replacement: the start and end in each."""

    is_same: bool
    older: tuple[int, int]
    newer: tuple[int, int]

    @property
    def size(self) -> int:
        """Return the number of tokens, the greater one of a replacement."""
        return max(self.older[1] - self.older[0], self.newer[1] - self.newer[0])


@lru_cache(maxsize=256)
def keys_of(text: str) -> tuple[str, ...]:
    """Return the keys by which tokens are compared: no spaces, one form of quotes and dashes."""
    tokens = "\0".join(tokens_of(text)).rstrip().replace(" \0", "\0").replace("\n\0", "\0")
    return tuple(plain_signs(tokens).split("\0")) if text else ()


@lru_cache(maxsize=1024)  # a comparison needs the same runs several times
def closest_runs(older: Sequence[str], newer: Sequence[str]) -> tuple[TokenRun, ...]:
    """Return the runs that turn one string or tuple of words into another, replacing as few as possible."""
    begin, least = 0, min(len(older), len(newer))
    while begin < least and older[begin] == newer[begin]:
        begin += 1
    end = 0
    while end < least - begin and older[-1 - end] == newer[-1 - end]:
        end += 1
    stop, halt = len(older) - end, len(newer) - end
    middle = _common_places(older[begin:stop], newer[begin:halt])
    found: list[TokenRun] = []
    start = place = there = 0  # where a kept run began, and where it goes on
    kept = [(nth, nth) for nth in range(begin)]
    kept += [(here + begin, beyond + begin) for here, beyond in middle]
    kept += [(stop + nth, halt + nth) for nth in range(end)]
    ends = len(older), len(newer)
    for here, beyond in (*kept, ends):
        if (here, beyond) != (place, there) or (here, beyond) == ends:
            if place > start:
                found.append(TokenRun(True, (start, place), (there - place + start, there)))
            if (here, beyond) != (place, there):
                found.append(TokenRun(False, (place, here), (there, beyond)))
            start = here
        place, there = here + 1, beyond + 1
    return tuple(found)


def _common_places(older: Sequence[str], newer: Sequence[str]) -> list[tuple[int, int]]:
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
    return pairs[::-1]


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

    If changed quotes and dashes count as changes (`exactly`), the kept and removed pieces are the older
    text letter for letter, and the kept and added pieces the newer text. Otherwise, kept pieces are spelt
    as in the newer text.

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
        signs = ((SAME, added),) if run.is_same else ((GONE, removed), (CAME, added))
        pieces += [(sign, text) for sign, text in signs if text]
    return pieces


# Classes of changes -------------------------------------------------------------------------------


def _replacements(before: str, after: str) -> set[tuple[str, str]]:
    """Return encoded words and their replacements; either may be empty."""
    return {
        (before[slice(*run.older)], after[slice(*run.newer)])
        for run in closest_runs(before, after)
        if not run.is_same
    }


def sweeps(rewordings: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return the phrases replaced in many provisions, given their canonical words before and after."""
    times = Counter(phrase for pair in rewordings for phrase in _replacements(*pair))
    return {
        (before, after)
        for (before, after), count in times.items()
        if count >= SWEPT_IN
        and before
        and (after or len(before) > 1)
        and max(len(before), len(after)) <= _LONGEST
        and SLOT not in before + after
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
        is_swept = _replacements(before.whole, after.whole) <= {*swept}
        return _SWEEP if is_swept else _SUBSTANTIVE
    cited, now = ([(it.first, it.last) for it in canon.citations] for canon in (before, after))
    if cited == now:
        return _TYPOGRAPHIC
    return _CITATION if citations_follow else _SUBSTANTIVE
