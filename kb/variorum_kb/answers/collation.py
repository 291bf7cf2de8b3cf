"""Collate readings of one text: what all share, and where they vary, by whole words; pure."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_WORD = re.compile(r"\n|[^\s]+[^\S\n]*|[^\S\n]+")


class _Block(NamedTuple):
    """Words that a reading shares with the lemma.

    Attributes:
        start: Of the first, in the lemma.
        stop: Behind the last, in the lemma.
        there: Of the first, in the reading.
    """

    start: int
    stop: int
    there: int


def collate(readings: Sequence[str]) -> list[tuple[str, ...]]:
    """Return readings cut into segments: of each segment the words of every reading, in their order.

    The first reading is the lemma. Where all readings of a segment are equal, it is shared.

    >>> collate(["a red cat sat", "a cat sat down", "a red cat lay"])
    [('a ', 'a ', 'a '), ('red ', '', 'red '), ('cat ', 'cat ', 'cat '), ('sat', 'sat down', 'lay')]
    """
    lemma, *others = [_WORD.findall(text) for text in readings]
    blocks = [_blocks(lemma, other) for other in others]
    ends = [len(other) for other in others]
    cuts = _cuts(len(lemma), blocks, ends)
    found: list[tuple[str, ...]] = []
    done = 0
    for start, stop in cuts:
        shared = "".join(lemma[done:start])
        if shared:
            found.append((shared,) * len(readings))
        segment = ["".join(lemma[start:stop])]
        for other, known in zip(others, blocks, strict=True):
            first, last = _first(known, start), _last(known, stop, len(lemma), len(other))
            segment.append("".join(other[first:last]))
        found.append(tuple(segment))
        done = stop
    if rest := "".join(lemma[done:]):
        found.append((rest,) * len(readings))
    return found


def _blocks(lemma: Sequence[str], other: Sequence[str]) -> list[_Block]:
    from rapidfuzz.distance import LCSseq  # noqa: PLC0415 - imported on first use

    steps = LCSseq.opcodes(lemma, other)
    return [
        _Block(one.src_start, one.src_end, one.dest_start) for one in steps if one.tag == "equal"
    ]


def _cuts(
    length: int, blocks: Sequence[Sequence[_Block]], ends: Sequence[int]
) -> list[tuple[int, int]]:
    """Return where the lemma varies, as ranges that neither overlap nor touch."""
    pairs = zip(blocks, ends, strict=True)
    found = sorted(cut for known, end in pairs for cut in _gaps(length, known, end))
    merged: list[tuple[int, int]] = []
    for start, stop in found:
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], stop)
        else:
            merged.append((start, stop))
    return merged


def _gaps(length: int, blocks: Sequence[_Block], end: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the lemma that a reading has otherwise; empty ones where it has more."""
    done = there = 0
    for one in blocks:
        if one.start > done or one.there > there:
            yield done, one.start
        done, there = one.stop, one.there + one.stop - one.start
    if done < length or there < end:
        yield done, length


def _first(blocks: Sequence[_Block], start: int) -> int:
    """Return the place in a reading behind the word that stands before a place of the lemma."""
    return next(
        (one.there + start - one.start for one in blocks if one.start < start <= one.stop), 0
    )


def _last(blocks: Sequence[_Block], stop: int, length: int, end: int) -> int:
    """Return the place in a reading of the word that stands at a place of the lemma."""
    if stop == length:
        return end
    return next(one.there + stop - one.start for one in blocks if one.start <= stop < one.stop)
