"""Joins the lines of wrapped paragraphs without joining separate paragraphs."""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from variorum.reading.layouts import UNDERLINE, Layout
from variorum.record import unchecked
from variorum.rule_numbers import HEADED
from variorum.text.sentences import ends_sentence

# 2014-06-01 to 2015-03-27 print "Example:Example:" once.
EXAMPLE = re.compile(r"\s*(?P<marker>(?:Examples?:|EXAMPLES?:)+)\s*", re.ASCII)
# 2003-10-01 wraps "State-/Based" and "rules 409.1f–/h": the halves join without a blank. A dash
# after a blank has another blank after it.
_TIED_END = re.compile(r"(?<! -)[-/]$|(?<! )[–—]$")

_HALF_SHARE = 0.6
# Where wraps are marked, this many blanks before a line begin a paragraph.
_PARAGRAPH_INDENT = 3
_MARKED_SHARE = 0.2
_HEADING = re.compile(rf"\s*{HEADED}\. \S")
# Each line of an address is a paragraph, however long (1999-04-23).
_ADDRESS = re.compile(r"\s*(Tel|Fax|E-?mail)\.?:")


class Block(NamedTuple):
    """One printed paragraph or heading.

    Attributes:
        text: Its words on one line, with single spaces.
        first: The number of its first line, from 1.
        last: The number of its last line.
        indent: The number of spaces before it.
        after_blank: It follows a blank line, a banner or the beginning.
    """

    text: str
    first: int
    last: int
    indent: int
    after_blank: bool


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """The paragraphs of a document, and its other lines.

    Attributes:
        blocks: In printed order.
        banners: Numbers of lines that only underline or separate.
        hyphens: Numbers of lines joined to the next without a space.
        repairs: What was mended, in our words.
    """

    blocks: tuple[Block, ...]
    banners: tuple[int, ...] = ()
    hyphens: tuple[int, ...] = ()
    repairs: tuple[str, ...] = ()


def unwrap(lines: Sequence[str], layout: Layout) -> Unwrapped:
    """Find the paragraphs of a document."""
    if layout.full_share:
        return _unwrap(lines, layout)
    return Unwrapped(tuple(_as_they_are(lines)))


def _as_they_are(lines: Iterable[str]) -> Iterator[Block]:
    after_blank = True
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if not text:
            after_blank = True
            continue
        indent = 0 if line[0] == text[0] else _indent(line)
        if "  " in text:
            text = " ".join(text.split())
        yield unchecked(Block, (text, number, number, indent, after_blank))
        after_blank = False


def unwrap_original(lines: Sequence[str], glue: Mapping[int, str], furniture: range) -> Unwrapped:
    """Find the paragraphs of an original, which shows where its lines continue.

    Args:
        lines: The printed lines.
        glue: The text between a line and the next, by the number of a line that continues.
        furniture: Numbers of lines that belong to the page and not to the text.
    """
    blocks: list[Block] = []
    after_blank = True
    parts: list[str] = []
    for number, line in enumerate(lines, start=1):
        if number in furniture:
            continue
        parts.append(line)
        if number in glue:
            parts.append(glue[number])
            continue
        text = " ".join("".join(parts).split())
        if text:
            first = number - len(parts) // 2
            indent = _indent(lines[first - 1])
            blocks.append(Block(text, first, number, indent, after_blank))
        after_blank = not text
        parts.clear()
    tied = tuple([number for number, between in glue.items() if not between])
    return Unwrapped(tuple(blocks), tuple(furniture), tied)


def _unwrap(lines: Sequence[str], layout: Layout) -> Unwrapped:
    blocks: list[Block] = []
    banners: list[int] = []
    hyphens: list[int] = []
    joins = _Joins(lines, layout)
    parts: list[str] = []
    first = 0
    after_blank = True

    def close(last: int) -> None:
        nonlocal after_blank
        if parts:
            indent = _indent(lines[first - 1])
            text = " ".join("".join(parts).split())
            blocks.append(Block(text, first, last, indent, after_blank))
            parts.clear()
            after_blank = False

    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if not text or UNDERLINE.fullmatch(line):
            close(number - 1)
            after_blank = True
            if text:
                banners.append(number)
            continue
        if parts and joins.joins(number - 1):
            tied = _is_tied(lines[number - 2])
            if tied:
                hyphens.append(number - 1)
            parts += [text] if tied else [" ", text]
        else:
            close(number - 1)
            first = number
            parts.append(text)
    close(len(lines))
    return Unwrapped(tuple(blocks), tuple(banners), tuple(hyphens), joins.repairs)


def _is_tied(line: str) -> bool:
    """Return whether a line is joined to the next one without a space."""
    return line.endswith(("-", "/", "–", "—")) and _TIED_END.search(line, len(line) - 3) is not None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


class _Joins:
    """Decides which lines continue in the next one."""

    def __init__(self, lines: Sequence[str], layout: Layout) -> None:
        self._lines = lines
        self._layout = layout
        # A copy may have lost the blanks at line ends; then the lengths decide.
        self._marks_wraps = layout.marks_wraps and _share_of_marks(lines) > _MARKED_SHARE
        self.repairs = (
            ("the blanks at the ends of wrapped lines are lost; joined by their lengths",)
            if layout.marks_wraps and not self._marks_wraps
            else ()
        )
        width = _usual_width(lines)
        self._full = layout.full_share * width
        self._half = _HALF_SHARE * width
        self._index = _index(lines)

    def joins(self, number: int) -> bool:
        """Say whether line `number` (from 1) and the next one are parts of one paragraph."""
        line, following = self._lines[number - 1], self._lines[number]
        if number in self._index or self._begins_paragraph(line, following):
            return False
        if line[-1].isspace():
            # A headword may end with a blank too ("Enchant Creature " in 2003-10-01).
            return len(line) + len(following.split(None, 1)[0]) > self._half
        if self._marks_wraps:
            return _is_tied(line)
        if len(line) + 1 + len(following.split(None, 1)[0]) > self._full:
            return True
        return len(line) > self._half and not ends_sentence(line)

    def _begins_paragraph(self, line: str, following: str) -> bool:
        if EXAMPLE.match(following) or _ADDRESS.match(following):
            return True
        if _HEADING.match(following) and _HEADING.match(line):
            return True  # the contents
        indent = _indent(following)
        if self._layout.marks_wraps:
            return indent >= _PARAGRAPH_INDENT
        # In 1999 two blanks indent the words of a glossary entry below its headword; the single
        # blank in line 873 is an accident.
        return indent > _indent(line) + 1


def _index(lines: Sequence[str]) -> range:
    """Return the numbers of the lines of an index between its banner and the next."""
    for place, line in enumerate(lines):
        if line.strip() == "Index" and UNDERLINE.fullmatch(lines[place - 1]):
            start = place + 2
            rest = range(start, len(lines))
            end = next((n for n in rest if UNDERLINE.fullmatch(lines[n])), len(lines))
            return range(start, end + 1)
    return range(0)


def _share_of_marks(lines: Sequence[str]) -> float:
    ends = [
        line[-1].isspace()
        for line, following in itertools.pairwise(lines)
        if line.strip() and following.strip()
    ]
    return sum(ends) / len(ends) if ends else 0.0


def _usual_width(lines: Sequence[str]) -> float:
    """Return the width that nine of ten lines do not exceed, among lines followed by another."""
    widths = sorted(
        len(line.rstrip())
        for line, following in itertools.pairwise(lines)
        if line.strip() and following.strip()
    )
    return widths[len(widths) * 9 // 10] if widths else 0.0
