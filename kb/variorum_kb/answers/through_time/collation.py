"""Collates readings of a text: finds the words that all share, and the variants."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_WORD = re.compile(r"\n|[^\s]+[^\S\n]*|[^\S\n]+")


class _Block(NamedTuple):
    """A run of words that a reading shares with the lemma.

    Attributes:
        start: The place of the first word in the lemma.
        stop: The place after the last word in the lemma.
        there: The place of the first word in the reading.
    """

    start: int
    stop: int
    there: int


def collate(readings: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the segments of readings: for each segment, the words of every reading in order.

    The first reading is the lemma.

    >>> collate(["a red cat sat", "a cat sat down", "a red cat lay"])
    [('a ', 'a ', 'a '), ('red ', '', 'red '), ('cat ', 'cat ', 'cat '), ('sat', 'sat down', 'lay')]
    >>> collate(["a cat", "a cat"])
    [('a cat', 'a cat')]
    """
    lemma, *others = [_WORD.findall(text) for text in readings]
    blocks = [_blocks(lemma, reading) for reading in others]
    ends = [len(reading) for reading in others]
    cuts = _cuts(len(lemma), blocks, ends)
    segments: list[tuple[str, ...]] = []
    copied = 0
    for start, stop in cuts:
        shared = "".join(lemma[copied:start])
        if shared:
            segments.append((shared,) * len(readings))
        segment = ["".join(lemma[start:stop])]
        for reading, known in zip(others, blocks, strict=True):
            first, last = _first(known, start), _last(known, stop, len(lemma), len(reading))
            segment.append("".join(reading[first:last]))
        segments.append(tuple(segment))
        copied = stop
    if rest := "".join(lemma[copied:]):
        segments.append((rest,) * len(readings))
    return segments


def _blocks(lemma: Sequence[str], reading: Sequence[str]) -> list[_Block]:
    from rapidfuzz.distance import LCSseq  # noqa: PLC0415 - imported on first use

    steps = LCSseq.opcodes(lemma, reading)
    return [
        _Block(step.src_start, step.src_end, step.dest_start)
        for step in steps
        if step.tag == "equal"
    ]


def _cuts(
    length: int, blocks: Sequence[Sequence[_Block]], ends: Sequence[int]
) -> list[tuple[int, int]]:
    """Return the ranges of the lemma with variants, which neither overlap nor touch."""
    pairs = zip(blocks, ends, strict=True)
    gaps = sorted(cut for known, end in pairs for cut in _gaps(length, known, end))
    merged: list[tuple[int, int]] = []
    for start, stop in gaps:
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], stop)
        else:
            merged.append((start, stop))
    return merged


def _gaps(length: int, blocks: Sequence[_Block], end: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the lemma that differ in a reading; a range is empty at added words."""
    paired = there = 0
    for block in blocks:
        if block.start > paired or block.there > there:
            yield paired, block.start
        paired, there = block.stop, block.there + block.stop - block.start
    if paired < length or there < end:
        yield paired, length


def _first(blocks: Sequence[_Block], start: int) -> int:
    """Return the place in a reading after the word that precedes a place of the lemma."""
    return next(
        (
            block.there + start - block.start
            for block in blocks
            if block.start < start <= block.stop
        ),
        0,
    )


def _last(blocks: Sequence[_Block], stop: int, length: int, end: int) -> int:
    """Return the place in a reading of the word at a place of the lemma."""
    if stop == length:
        return end
    return next(
        block.there + stop - block.start for block in blocks if block.start <= stop < block.stop
    )
