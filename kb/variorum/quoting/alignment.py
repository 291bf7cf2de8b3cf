"""Align the words of a text with those of a page."""

from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz.distance import Indel

# A word that does not match costs so much of one that does.
GAP = 0.7


class CommonWords(NamedTuple):
    """Words that a text and a page have in common."""

    text_start: int
    text_end: int
    start: int
    end: int

    @property
    def size(self) -> float:
        """Return how many words; glued ones count half."""
        return (self.text_end - self.text_start + self.end - self.start) / 2


class Alignment(NamedTuple):
    """The words of a text and of a page in which most agrees, and how many agree."""

    text_start: int
    text_end: int
    start: int
    end: int
    matched: float

    @property
    def likeness(self) -> float:
        """Return the share of words that agree, from 0 to 1."""
        return 2 * self.matched / (self.text_end - self.text_start + self.end - self.start)


def align(text: Sequence[str], page: Sequence[str]) -> Alignment | None:
    """Return the best alignment of a part of a text with a part of a page; None if no word is common."""
    blocks = _equal_blocks(text, page)
    best, most = None, 0.0
    score, first, matched = 0.0, 0, 0.0
    for index, block in enumerate(blocks):
        before = blocks[index - 1] if index else block
        cost = GAP * max(block.text_start - before.text_end, block.start - before.end, 0)
        if score <= cost:
            score, first, matched = 0.0, index, 0.0
        else:
            score -= cost
        score, matched = score + block.size, matched + block.size
        if score > most:
            begin = blocks[first]
            best = Alignment(begin.text_start, block.text_end, begin.start, block.end, matched)
            most = score
    return best


def _equal_blocks(text: Sequence[str], page: Sequence[str]) -> list[CommonWords]:
    """Return what a text and a page have in common, also where words are glued or parted."""
    blocks: list[CommonWords] = []
    text_at = page_at = 0
    for opcode in Indel.opcodes(text, page):
        if opcode.tag == "equal":
            parted, glued = text[text_at : opcode.src_start], page[page_at : opcode.dest_start]
            if blocks and parted and "".join(parted) == "".join(glued):
                blocks.append(CommonWords(text_at, opcode.src_start, page_at, opcode.dest_start))
            text_at, page_at = opcode.src_end, opcode.dest_end
            blocks.append(CommonWords(opcode.src_start, text_at, opcode.dest_start, page_at))
    return _closed(blocks, page)


def _closed(blocks: list[CommonWords], page: Sequence[str]) -> list[CommonWords]:
    """Move the first and the last block to the others, if the page has the same words there too."""
    if len(blocks) > 1:
        first, second = blocks[:2]
        start = second.start - first.end + first.start
        is_next = first.text_end == second.text_start and first.end <= start
        if is_next and page[first.start : first.end] == page[start : second.start]:
            blocks[0] = first._replace(start=start, end=second.start)
        before, last = blocks[-2:]
        end = before.end + last.end - last.start
        is_next = before.text_end == last.text_start and end <= last.start
        if is_next and page[last.start : last.end] == page[before.end : end]:
            blocks[-1] = last._replace(start=before.end, end=end)
    return blocks
