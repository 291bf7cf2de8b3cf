"""Finds the paragraphs of a PDF: which of its lines continue in the next.

A line continues in the next if it has no room for the next line's first word, and if the next line
is lower and not indented further. The next rule's number or a heading proves that a line opens a
paragraph; such proof outweighs the rest.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import mean, mode, stdev

from variorum.model import RuleNumber
from variorum.reading.originals.pdf_lines import PrintedLine
from variorum.reading.originals.pdf_widths import width_in_courier, width_in_times
from variorum.reading.unwrap import EXAMPLE
from variorum.rule_numbers import SECTION
from variorum.text.sentences import STOPS, ends_sentence

# A gap between lines this many times as wide as usual is a blank line.
_WIDE = 1.55
_LEADING = 1.15
# A gap this many times as wide as usual separates paragraphs, even if it is not a blank line.
_PARTED = 1.25
_INDENT = 2.5
_SLACK = 1.5
_TIED_END = re.compile(r"(?<! )[-/—–]$")
_SENSE = re.compile(r"[1-9]\. [A-Z“\"(]")

_NUMBER = re.compile(
    rf"(?P<section>{SECTION})\.(?P<rule>[1-9]\d{{0,3}})(?P<letters>[a-z]{{0,2}})\.? [^\sa-z,;:)\]–—-]",
    re.ASCII,
)

_TITLE = re.compile(r"(?!.*[.!?:;,][\"'”’)\]]*$)[^\s(a-z].*")
_PARTS = {"Glossary", "Index", "Credits"}
_WORD = re.compile(r"\S+")
# The pieces of a word; most programs also break lines after hyphens and dashes.
_PIECE = re.compile(r"\S*?[-—–](?=\w)|\S+")
_BROKEN_WORD = re.compile(r"\w[-—–]$")
_BROKEN_SHARE = 0.001
_LONG = 40
_FULL_SHARE = 0.98
# How far from the margin a justified line may end, as a multiple of the letter height.
_AT_MARGIN = 0.2
_JUSTIFIED_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class _Measure:
    """Measures how full a line is.

    Attributes:
        margins: The right margin of each column.
        width: Estimates how wide words are; it compares words of one line, so no unit is needed.
        piece: Finds the unbreakable beginning of a line.
        is_justified: Full lines end right at the margin.
        leading: The usual gap between lines.
    """

    margins: Mapping[int, float]
    width: Callable[[str], float]
    piece: re.Pattern[str]
    is_justified: bool
    leading: float


def find_paragraphs(lines: Sequence[PrintedLine]) -> tuple[list[str], dict[int, str]]:
    """Return the texts of lines, with blank ones between paragraphs, and which continue in the next.

    The second value has the numbers of these lines, each with the text between the two.
    """
    page = _measure(lines)
    _mark_openings(lines)
    _mark_headwords(lines, page)
    spaced = list(_with_blank_lines(lines, page))
    return [line.text for line in spaced], _glue(spaced, page)


def _mark_openings(lines: Sequence[PrintedLine]) -> None:
    """Mark lines that begin with the next number, and headings of parts."""
    last: dict[int, RuleNumber] = {}
    above: PrintedLine | None = None
    for line in lines:
        if line.is_blank:
            continue
        is_free = above is None or ends_sentence(above.text)
        line.is_opening = is_free and line.text in _PARTS
        match = _NUMBER.match(line.text)
        if match is not None:
            number = RuleNumber(int(match["section"]), int(match["rule"]), match["letters"])
            is_next = number.follows(last.get(number.section, RuleNumber(number.section)))
            line.is_opening = is_free and is_next
            if is_free or is_next:
                last[number.section] = number
        above = line


def _mark_headwords(lines: Sequence[PrintedLine], page: _Measure) -> None:
    """Mark headings at the top of pages and columns, where no gap or blank line shows them.

    They are not sentences, and they have room for the first word of the line below.
    """
    if any(line.is_blank for line in lines):
        return
    for above, line, below in zip(lines, lines[1:], lines[2:], strict=False):
        is_top = (above.page, above.column) != (line.page, line.column)
        if is_top and ends_sentence(above.text, STOPS) and _TITLE.fullmatch(line.text):
            line.is_opening = line.is_opening or not _goes_on([line], below, page)


def _with_blank_lines(lines: Sequence[PrintedLine], page: _Measure) -> Iterator[PrintedLine]:
    """Insert a blank line where the gap is as wide as one, or the page ends early."""
    foot = min((line.base for line in lines if not line.is_blank), default=0.0)
    no_blanks = not any(line.is_blank for line in lines)
    above: PrintedLine | None = None
    for line in lines:
        if above is not None and not above.is_blank and not line.is_blank:
            least = _WIDE * max(page.leading, _LEADING * min(above.size, line.size))
            if (above.page, above.column) == (line.page, line.column):
                is_parted = above.base - line.base > least
            else:  # the page ends early, or the document has no blank lines
                is_short = above.base - foot > 2 * least
                is_parted = (is_short or (no_blanks and _ends_entry(above, line))) and not _goes_on(
                    [above], line, page
                )
            if is_parted:
                yield replace(line, text="")
        yield line
        above = line


def _ends_entry(line: PrintedLine, following: PrintedLine) -> bool:
    is_sense = _SENSE.match(following.text) or EXAMPLE.match(following.text)
    return ends_sentence(line.text, STOPS) and not is_sense


def _glue(lines: Sequence[PrintedLine], page: _Measure) -> dict[int, str]:
    """Return the numbers of lines that continue in the next, each with the text between the two."""
    glue: dict[int, str] = {}
    start = 0
    for place, line in enumerate(lines[:-1]):
        following = lines[place + 1]
        if _goes_on(lines[start : place + 1], following, page):
            glue[place + 1] = "" if _TIED_END.search(line.text) else " "
        else:
            start = place + 1
    return glue


def _measure(lines: Sequence[PrintedLine]) -> _Measure:
    """Learn from the lines how the program that made the PDF broke them."""
    long = [line for line in lines if len(line.text) > _LONG]
    spreads: list[tuple[float, Callable[[str], float]]] = []
    for width in (width_in_times, width_in_courier):
        shares = [(line.right - line.left) / line.size / width(line.text) for line in long]
        spreads.append((stdev(shares) / mean(shares) if len(shares) > 1 else 0.0, width))
    margins = _margins(lines)
    broken = sum(_BROKEN_WORD.search(line.text) is not None for line in lines)
    at_margin = sum(_is_at_margin(line, margins) for line in long)
    return _Measure(
        margins=margins,
        width=min(spreads, key=lambda spread: spread[0])[1],
        piece=_PIECE if broken and broken >= _BROKEN_SHARE * len(lines) else _WORD,
        is_justified=at_margin > _JUSTIFIED_SHARE * len(long),
        leading=_leading(lines),
    )


def _leading(lines: Sequence[PrintedLine]) -> float:
    gaps = [
        round(above.base - below.base, 1)
        for above, below in pairwise(lines)
        if above.page == below.page and above.base > below.base
    ]
    return mode(gaps) if gaps else 0.0


def _is_parted(line: PrintedLine, following: PrintedLine, page: _Measure) -> bool:
    is_same = (line.page, line.column) == (following.page, following.column)
    least = _PARTED * max(page.leading, _LEADING * max(line.size, following.size))
    return is_same and line.base - following.base > least


def _is_at_margin(line: PrintedLine, margins: Mapping[int, float]) -> bool:
    return line.right > margins.get(line.column, 0.0) - _AT_MARGIN * line.size


def _margins(lines: Sequence[PrintedLine]) -> dict[int, float]:
    """Return the right margin of each column, within which nearly all lines stay."""
    margins: dict[int, float] = {}
    for column in (0, 1):
        ends = sorted(line.right for line in lines if not line.is_blank and line.column == column)
        if ends:
            margins[column] = ends[min(int(_FULL_SHARE * len(ends)), len(ends) - 1)]
    return margins


def _goes_on(paragraph: Sequence[PrintedLine], following: PrintedLine, page: _Measure) -> bool:
    line = paragraph[-1]
    if line.is_blank or following.is_blank or EXAMPLE.match(following.text):
        return False
    if following.is_opening or (page.is_justified and not _is_at_margin(line, page.margins)):
        return False
    if _is_parted(line, following, page):
        return False
    is_below = line.column == following.column and len(paragraph) > 1
    if is_below and abs(following.left - line.left) > _INDENT:
        return False
    if _SENSE.match(following.text) and ends_sentence(line.text, STOPS):
        return False
    piece = page.piece.match(following.text)
    share = page.width(piece[0]) / page.width(following.text) if piece else 0.0
    needed = share * (following.right - following.left)
    blank = 0 if _TIED_END.search(line.text) else line.size / 4
    return (
        line.right + blank + needed > page.margins.get(line.column, 0.0) - _SLACK * line.size / 10
    )
