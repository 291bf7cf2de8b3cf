"""Reads the printed lines of a PDF, without the headers and footers of its pages.

A PDF has runs of text with their places. Runs at one height are a line.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from variorum.reading.originals.pdfium import TextRun

# Three lengths, as multiples of a line's letter height: the largest vertical shift of a run within
# its line; the least gap that is a blank although PDFium reports none; the least gap that is a tab.
_SAME_HEIGHT = 0.4
_BLANK = 0.3
_TAB = 2.5
_BLANKS = re.compile(r"[ \t]+")
_COLUMN_SHARE = 0.3
_PAGE_NUMBER = re.compile(
    r"(?:[-–— ]*|p(?:age|\.)? ?)(?:\d{1,4}|[ivxl]{1,7})(?: ?(?:of|/) ?\d{1,4})?[-–— ]*",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+")
_EDGE_LINES = 2
_MOST_OF = 0.5
_FEWEST_PAGES = 3


@dataclass(slots=True)
class PrintedLine:
    """A printed line.

    Attributes:
        column: 0, or 1 for the right one of two.
        is_opening: Its words prove that a paragraph begins with it.
    """

    text: str
    left: float
    right: float
    base: float
    size: float
    page: int
    column: int = 0
    is_opening: bool = False

    @property
    def is_blank(self) -> bool:
        """Return whether it has no words."""
        return not self.text


def lines_of_pages(pages: Iterable[Iterable[TextRun]]) -> list[list[PrintedLine]]:
    """Return the lines of each page in the order of the document, blank ones included."""
    return [_in_columns(list(_lines(page, number))) for number, page in enumerate(pages)]


def _lines(runs: Iterable[TextRun], page: int) -> Iterator[PrintedLine]:
    current: list[TextRun] = []
    for run in runs:
        if current and abs(run.base - current[-1].base) > _SAME_HEIGHT * max(
            run.size, current[-1].size
        ):
            yield _line(current, page)
            current = []
        current.append(run)
    if current:
        yield _line(current, page)


def _line(runs: Sequence[TextRun], page: int) -> PrintedLine:
    printed = sorted((run for run in runs if run.text.strip()), key=lambda run: run.left)
    if not printed:
        first = runs[0]
        return PrintedLine("", first.left, first.left, first.base, first.size, page)
    parts: list[str] = []
    end = printed[0].left
    for run in printed:
        gap = (run.left - end) / max(run.size, 1)
        if gap > _BLANK:
            parts.append("\t" if gap > _TAB else " ")
        parts.append(run.text)
        end = run.right
    text = _BLANKS.sub(lambda match: "\t" if "\t" in match[0] else " ", flat("".join(parts)))
    size = median(run.size for run in printed)
    return PrintedLine(text, printed[0].left, end, printed[0].base, size, page)


def flat(text: str) -> str:
    """Return a text on one line; fonts may hold signs that would end it."""
    return " ".join(text.splitlines()).strip()


def _in_columns(lines: list[PrintedLine]) -> list[PrintedLine]:
    """Assign the lines of a page with two columns to these columns.

    A reader's copy of 2014-07-18 has two columns; Wizards' own PDFs have one.
    """
    printed = [line for line in lines if not line.is_blank]
    if not printed:
        return lines
    middle = (min(line.left for line in printed) + max(line.right for line in printed)) / 2
    beyond = [line.left >= middle for line in printed]
    before = [line.right <= middle for line in printed]
    if min(sum(beyond), sum(before)) >= _COLUMN_SHARE * len(printed):
        for line in lines:
            line.column = int(line.left >= middle)
    return lines


def without_furniture(
    pages: Sequence[list[PrintedLine]],
) -> tuple[list[PrintedLine], list[PrintedLine]]:
    """Separate the text from lines that repeat at the edges of pages, before adding blank lines."""
    edges: list[list[PrintedLine]] = []
    for page in pages:
        heights = sorted({line.base for line in page if not line.is_blank})
        outer = {*heights[:_EDGE_LINES], *heights[-_EDGE_LINES:]}
        edges.append([line for line in page if line.base in outer and not line.is_blank])
    times = Counter(form for page in edges for form in {_form(line) for line in page})
    enough = max(_FEWEST_PAGES, _MOST_OF * len(pages))
    body: list[PrintedLine] = []
    furniture: list[PrintedLine] = []
    for page, at_edge in zip(pages, edges, strict=True):
        repeated = [line for line in at_edge if times[_form(line)] >= enough]
        furniture += repeated
        body += [
            line for line in page if not any(line is furniture_line for furniture_line in repeated)
        ]
    printed = [line.base for line in body if not line.is_blank]
    inside = (min(printed), max(printed)) if printed else (0.0, 0.0)
    return [
        line
        for line in body
        if not line.is_blank or inside[0] - line.size <= line.base <= inside[1] + line.size / 2
    ], furniture


def _form(line: PrintedLine) -> str:
    """Return a line's key without page numbers; repeating lines have the same key."""
    text = "#" if _PAGE_NUMBER.fullmatch(line.text) else _DIGITS.sub("#", line.text)
    return f"{text}@{round(line.base / max(line.size, 1))}"
