"""Word diffs: what two readings share, what went and what came, for people to read.

The words are compared with one spelling of quotes and dashes, or exactly as printed.
"""

import sys
from functools import lru_cache

from variorum_kb.record import Record
from variorum_kb.text.folding import plain_signs
from variorum_kb.text.words import tokens_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


SAME, GONE, CAME = "=", "-", "+"
Piece = tuple[str, str]

# Between changes, so few words that are the same only tear a sentence to pieces.
_FEW = 2


@lru_cache(maxsize=4096)
def keys_of(text: str) -> tuple[str, ...]:
    """Return by what the tokens of a text are compared: without blanks, one spelling of signs."""
    return tuple(_keys(tokens_of(text)))


class TokenRun(Record):
    """Tokens that are the same, or that were replaced.

    Attributes:
        is_same: Whether they are the same.
        one: Where they stand in the older text, from and to.
        other: Where they stand in the newer text.
    """

    __slots__ = ()
    is_same: bool
    one: tuple[int, int]
    other: tuple[int, int]


def runs(one: "Sequence[str]", other: "Sequence[str]") -> list[TokenRun]:
    """Return how a list of words becomes another, in order.

    As few words as possible are replaced, but for those that stand lonely between changes.
    """
    return _merged(closest_runs(one, other))


def closest_runs(one: "Sequence[str]", other: "Sequence[str]") -> list[TokenRun]:
    """Return how a list of words becomes another, in order, with as few words as possible."""
    begin, end = 0, 0
    shorter = min(len(one), len(other))
    while begin < shorter and one[begin] == other[begin]:
        begin += 1
    while end < shorter - begin and one[-1 - end] == other[-1 - end]:
        end += 1
    stop, halt = len(one) - end, len(other) - end
    found = [TokenRun(True, (0, begin), (0, begin))] if begin else []
    if begin < stop and begin < halt:
        found += _middle(one[begin:stop], other[begin:halt], begin)
    elif begin < stop or begin < halt:
        found.append(TokenRun(False, (begin, stop), (begin, halt)))
    if end:
        found.append(TokenRun(True, (stop, len(one)), (halt, len(other))))
    return found


def _middle(one: "Sequence[str]", other: "Sequence[str]", offset: int) -> list[TokenRun]:
    """Return the runs of two lists of which neither is empty.

    Args:
        one: The older words.
        other: The newer words.
        offset: How many words stand before them.
    """
    found: list[TokenRun] = []
    start, begin = 0, 0  # of what is not told yet
    for first, there, length in [*_blocks(_places(one, other)), (len(one), len(other), 0)]:
        if (start, begin) != (first, there):
            replaced = (start + offset, first + offset), (begin + offset, there + offset)
            found.append(TokenRun(False, *replaced))
        start, begin = first + length, there + length
        if length:
            same = (first + offset, start + offset), (there + offset, begin + offset)
            found.append(TokenRun(True, *same))
    return found


def _blocks(pairs: "Iterable[tuple[int, int]]") -> "Iterator[tuple[int, int, int]]":
    """Yield the runs that pairs of places make: where each starts in either list, and its length."""
    first, there, length = 0, 0, 0
    for place, other in pairs:
        if (place, other) != (first + length, there + length):
            if length:
                yield first, there, length
            first, there, length = place, other, 0
        length += 1
    if length:
        yield first, there, length


def _places(one: "Sequence[str]", other: "Sequence[str]") -> list[tuple[int, int]]:
    """Return `common_places`, of lists that begin and end otherwise.

    Whoever has imported rapidfuzz is served by it, three times as fast.
    """
    if "rapidfuzz.distance" in sys.modules:
        from rapidfuzz.distance import LCSseq  # noqa: PLC0415 - it is there

        return [
            pair
            for block in LCSseq.opcodes(one, other)
            if block.tag == "equal"
            for pair in zip(
                range(block.src_start, block.src_end),
                range(block.dest_start, block.dest_end),
                strict=True,
            )
        ]
    return common_places(one, other)


def common_places(one: "Sequence[str]", other: "Sequence[str]") -> list[tuple[int, int]]:
    """Return the places of a longest common subsequence of two lists, in order.

    A bit stands for each word of the older list (Hyyrö 2004). This says what rapidfuzz says, whose
    import takes longer than the history of a rule; the tests compare them.
    """
    bits: dict[str, int] = {}
    for place, word in enumerate(one):
        bits[word] = bits.get(word, 0) | 1 << place
    row = every = (1 << len(one)) - 1
    # Behind each word of the newer list, the words of the older one that end a longer subsequence.
    longer = [0]
    for word in other:
        same = row & bits.get(word, 0)
        row = ((row + same) | (row - same)) & every
        longer.append(every ^ row)
    found: list[tuple[int, int]] = []
    place, there = len(one), len(other)
    while place := (longer[there] & (1 << place) - 1).bit_length():
        there -= 1
        if not longer[there] >> place - 1 & 1:
            place -= 1
            found.append((place, there))
    found.reverse()
    return found


def _merged(found: list[TokenRun]) -> list[TokenRun]:
    """Join changes that hardly anything parts."""
    joined: list[TokenRun] = []
    for run in found:
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
            joined.append(TokenRun(False, (last.one[0], run.one[1]), (last.other[0], run.other[1])))
        else:
            joined.append(run)
    return joined


def _size(run: TokenRun) -> int:
    return max(run.one[1] - run.one[0], run.other[1] - run.other[0])


def word_diff(one: str, other: str, *, exactly: bool = False) -> list[Piece]:
    """Return what became of a text: pieces that are the same ("="), went ("-") or came ("+").

    Args:
        one: The older text.
        other: The newer text.
        exactly: Other quotes and dashes are changes, too. Then what is the same and what went
            gives the older text, what is the same and what came the newer one, letter for letter;
            else the same is spelt as in the newer one.

    >>> word_diff("He or she draws.", "They draw.")
    [('-', 'He or she draws'), ('+', 'They draw'), ('=', '.')]
    """
    if not (one and other):
        return [(GONE, one)] if one else [(CAME, other)] if other else []
    folded = (one, other)
    if not exactly:
        folded = (plain_signs(one), plain_signs(other))
        if len(folded[0]) != len(one) or len(folded[1]) != len(other):  # underscores
            return _pieces(tokens_of(one), tokens_of(other), keys_of(one), keys_of(other))
    begin, end = _same_ends(*folded)
    stop, halt = len(one) - end, len(other) - end
    before, after = tokens_of(one[begin:stop]), tokens_of(other[begin:halt])
    if exactly:
        middle = _pieces(before, after, before, after)
    else:
        middle = _pieces(before, after, _keys(before), _keys(after))
    if begin:
        middle.insert(0, (SAME, other[:begin]))
    if end:
        middle.append((SAME, other[halt:]))
    return _joined(middle)


def _keys(tokens: "Sequence[str]") -> list[str]:
    """Return by what tokens are compared: without blanks, one spelling of signs."""
    if not tokens:
        return []
    return plain_signs("\0".join(tokens).rstrip().replace(" \0", "\0").replace("\n\0", "\0")).split(
        "\0"
    )


def _same_ends(one: str, other: str) -> tuple[int, int]:
    """Return how many characters two texts share at both ends, up to where a word begins."""
    shorter = min(len(one), len(other))
    begin = _count(one, other, shorter)
    while begin and not (
        one[begin - 1].isspace() and _begins(one, begin) and _begins(other, begin)
    ):
        begin -= 1
    end = _count_back(one, other, shorter - begin)
    while end and not (one[-end - 1 : -end] == " " == other[-end - 1 : -end]):
        end -= 1
    return begin, end


def _begins(text: str, place: int) -> bool:
    return place >= len(text) or not text[place].isspace()


def _count(one: str, other: str, most: int) -> int:
    """Return how many characters two texts share at the beginning."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _count_back(one: str, other: str, most: int) -> int:
    """Return how many characters two texts share at the end."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one.endswith(other[len(other) - middle : len(other) - low], 0, len(one) - low):
            low = middle
        else:
            high = middle - 1
    return low


def _pieces(
    before: "Sequence[str]", after: "Sequence[str]", one: "Sequence[str]", other: "Sequence[str]"
) -> list[Piece]:
    pieces: list[Piece] = []
    for run in runs(one, other):
        if run.is_same:
            pieces.append((SAME, "".join(after[run.other[0] : run.other[1]])))
            continue
        if run.one[0] < run.one[1]:
            pieces.append((GONE, "".join(before[run.one[0] : run.one[1]])))
        if run.other[0] < run.other[1]:
            pieces.append((CAME, "".join(after[run.other[0] : run.other[1]])))
    return pieces


def _joined(pieces: list[Piece]) -> list[Piece]:
    joined: list[Piece] = []
    for piece in pieces:
        if joined and joined[-1][0] == piece[0]:
            joined[-1] = (piece[0], joined[-1][1] + piece[1])
        else:
            joined.append(piece)
    return joined
