"""Makes word diffs for readers: words kept, removed and added.

Words are compared with quotes and dashes spelt alike, or exactly as printed.
"""

from collections.abc import Iterable, Iterator, Sequence
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
    return tuple(_keys(tokens_of(text)))


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


def runs(older: Sequence[str], newer: Sequence[str]) -> list[TokenRun]:
    """Return the runs that turn one list of words into another, in order.

    As few words as possible are replaced, except for short kept runs between changes.
    """
    return _merged(closest_runs(older, newer))


def closest_runs(older: Sequence[str], newer: Sequence[str]) -> list[TokenRun]:
    """Return the runs that turn one list of words into another, replacing as few as possible."""
    begin, end = common_ends(older, newer)
    stop, halt = len(older) - end, len(newer) - end
    found_runs = [TokenRun(True, (0, begin), (0, begin))] if begin else []
    if begin < stop and begin < halt:
        found_runs += _middle(older[begin:stop], newer[begin:halt], begin)
    elif begin < stop or begin < halt:
        found_runs.append(TokenRun(False, (begin, stop), (begin, halt)))
    if end:
        found_runs.append(TokenRun(True, (stop, len(older)), (halt, len(newer))))
    return found_runs


def common_ends(older: Sequence[str], newer: Sequence[str]) -> tuple[int, int]:
    """Return how many words two lists share at the beginning, and how many of the rest at the end."""
    begin, end = 0, 0
    shorter = min(len(older), len(newer))
    while begin < shorter and older[begin] == newer[begin]:
        begin += 1
    while end < shorter - begin and older[-1 - end] == newer[-1 - end]:
        end += 1
    return begin, end


def _middle(older: Sequence[str], newer: Sequence[str], offset: int) -> list[TokenRun]:
    """Return the runs of two non-empty lists.

    Args:
        older: The older words.
        newer: The newer words.
        offset: How many words precede them.
    """
    found_runs: list[TokenRun] = []
    start, begin = 0, 0  # the start of the words not yet in a run
    for first, there, length in [
        *_blocks(common_places(older, newer)),
        (len(older), len(newer), 0),
    ]:
        if (start, begin) != (first, there):
            replaced = (start + offset, first + offset), (begin + offset, there + offset)
            found_runs.append(TokenRun(False, *replaced))
        start, begin = first + length, there + length
        if length:
            same = (first + offset, start + offset), (there + offset, begin + offset)
            found_runs.append(TokenRun(True, *same))
    return found_runs


def _blocks(pairs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
    """Yield the runs that pairs of places form: the start in either list, and the length."""
    first, there, length = 0, 0, 0
    for place, place_there in pairs:
        if (place, place_there) != (first + length, there + length):
            if length:
                yield first, there, length
            first, there, length = place, place_there, 0
        length += 1
    if length:
        yield first, there, length


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


def _merged(token_runs: list[TokenRun]) -> list[TokenRun]:
    """Join changes that are separated by very short kept runs."""
    joined: list[TokenRun] = []
    for run in token_runs:
        is_lonely = (
            len(joined) > 1
            and not run.is_same
            and joined[-1].is_same
            and not joined[-2].is_same
            and _size(joined[-1]) <= _FEW
            and min(_size(run), _size(joined[-2])) > 2 * _size(joined[-1])
        )
        if is_lonely:
            joined.pop()
            last = joined.pop()
            joined.append(
                TokenRun(False, (last.older[0], run.older[1]), (last.newer[0], run.newer[1]))
            )
        else:
            joined.append(run)
    return joined


def _size(run: TokenRun) -> int:
    return max(run.older[1] - run.older[0], run.newer[1] - run.newer[0])


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
    folded = (older, newer)
    if not exactly:
        folded = (plain_signs(older), plain_signs(newer))
        if len(folded[0]) != len(older) or len(folded[1]) != len(
            newer
        ):  # folding drops underscores
            return _pieces(tokens_of(older), tokens_of(newer), keys_of(older), keys_of(newer))
    begin, end = _same_ends(*folded)
    stop, halt = len(older) - end, len(newer) - end
    before, after = tokens_of(older[begin:stop]), tokens_of(newer[begin:halt])
    if exactly:
        middle = _pieces(before, after, before, after)
    else:
        middle = _pieces(before, after, _keys(before), _keys(after))
    if begin:
        middle.insert(0, (SAME, newer[:begin]))
    if end:
        middle.append((SAME, newer[halt:]))
    return _joined(middle)


def _keys(tokens: Sequence[str]) -> list[str]:
    """Return the keys by which tokens are compared: no spaces, one form of quotes and dashes."""
    if not tokens:
        return []
    return plain_signs("\0".join(tokens).rstrip().replace(" \0", "\0").replace("\n\0", "\0")).split(
        "\0"
    )


def _same_ends(older: str, newer: str) -> tuple[int, int]:
    """Return how many characters two texts share at each end, up to the start of a word."""
    begin, _ = common_ends(older, newer)
    while begin and not (
        older[begin - 1].isspace() and _begins(older, begin) and _begins(newer, begin)
    ):
        begin -= 1
    end, _ = common_ends(older[begin:][::-1], newer[begin:][::-1])
    while end and not (older[-end - 1 : -end] == " " == newer[-end - 1 : -end]):
        end -= 1
    return begin, end


def _begins(text: str, place: int) -> bool:
    return place >= len(text) or not text[place].isspace()


def _pieces(
    before: Sequence[str],
    after: Sequence[str],
    keys_before: Sequence[str],
    keys_after: Sequence[str],
) -> list[Piece]:
    pieces: list[Piece] = []
    for run in runs(keys_before, keys_after):
        if run.is_same:
            pieces.append((SAME, "".join(after[run.newer[0] : run.newer[1]])))
            continue
        if run.older[0] < run.older[1]:
            pieces.append((GONE, "".join(before[run.older[0] : run.older[1]])))
        if run.newer[0] < run.newer[1]:
            pieces.append((CAME, "".join(after[run.newer[0] : run.newer[1]])))
    return pieces


def _joined(pieces: list[Piece]) -> list[Piece]:
    joined: list[Piece] = []
    for piece in pieces:
        if joined and joined[-1][0] == piece[0]:
            joined[-1] = (piece[0], joined[-1][1] + piece[1])
        else:
            joined.append(piece)
    return joined
