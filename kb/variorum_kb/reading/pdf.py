"""The printed lines of a PDF, and which of them go on in the next.

A PDF knows runs of text and their places, no paragraphs. Lines are runs at one height; a line
goes on in the next where that one's first word would not have fitted behind it, and where the
next stands below the words before it and not further to the right.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import mean, median, mode, stdev

from variorum_kb.reading.originals import Original
from variorum_kb.reading.pdf_runs import Run, runs_of_pages
from variorum_kb.reading.unwrap import EXAMPLE

# In heights of a line's letters: what still is its own height, what is a blank where the run has
# none at its edge (PDFium puts them there, and is right about them), what a tab.
_SAME_HEIGHT = 0.4
_BLANK = 0.3
_TAB = 2.5
# A gap between lines that is this many times the usual one stands for a blank line.
_WIDE = 1.55
_LEADING = 1.15
_INDENT = 2.5
_SLACK = 1.5
_TIED_END = re.compile(r"(?<! )[-/—–]$")
_SENSE = re.compile(r"[1-9]\. [A-Z“\"(]")
_SENTENCE_END = re.compile(r"[.!?][\"'”’)\]]*$")
# Lines break behind these, too.
_FIRST_PIECE = re.compile(r"\S*?[-—–](?=\w)|\S+")
_PAGE_NUMBER = re.compile(
    r"(?:[-–— ]*|p(?:age|\.)? ?)(?:\d{1,4}|[ivxl]{1,7})(?: ?(?:of|/) ?\d{1,4})?[-–— ]*",
    re.IGNORECASE,
)
_BLANKS = re.compile(r"[ \t]+")
_DIGITS = re.compile(r"\d+")
_LONG = 40
_EDGE_LINES = 2
_MOST_OF = 0.5
_FEWEST_PAGES = 3
_FULL_SHARE = 0.98
_COLUMN_SHARE = 0.3


@dataclass(slots=True)
class _Line:
    """A printed line.

    Attributes:
        column: 0, or 1 for the right one of two.
    """

    text: str
    left: float
    right: float
    base: float
    size: float
    page: int
    column: int = 0

    @property
    def is_blank(self) -> bool:
        return not self.text


def take_pdf(data: bytes, file: str) -> Original:
    """Take the lines out of a PDF.

    Raises:
        OriginalError: The PDF is cut off, locked, damaged, or far longer than any edition.
        EncodingError: There is no text on its pages.
    """
    pages = runs_of_pages(data, file)
    upright = [[run for run in page if run.is_upright] for page in pages]
    turned = [_flat(run.text) for page in pages for run in page if not run.is_upright]
    lines = [_in_columns(list(_lines(page, number))) for number, page in enumerate(upright)]
    body, furniture = _without_furniture(lines)
    spaced = list(_with_blank_lines(body))
    texts = [line.text for line in spaced]
    extra = [*(line.text for line in furniture), *filter(None, turned)]
    glue = _glue(spaced)
    return Original(
        format="pdf",
        lines=(*texts, *extra),
        reason=f"PDF, {len(pages)} pages, {len(glue)} lines go on in the next",
        glue=glue,
        furniture=frozenset(range(len(texts) + 1, len(texts) + len(extra) + 1)),
    )


# Runs to lines ------------------------------------------------------------------------------------


def _lines(runs: Iterable[Run], page: int) -> Iterator[_Line]:
    """Yield the lines of a page in the order in which they were set, blank ones too."""
    current: list[Run] = []
    for run in runs:
        if current and abs(run.base - current[-1].base) > _SAME_HEIGHT * max(
            run.size, current[-1].size
        ):
            yield _line(current, page)
            current = []
        current.append(run)
    if current:
        yield _line(current, page)


def _line(runs: Sequence[Run], page: int) -> _Line:
    printed = sorted((run for run in runs if run.text.strip()), key=lambda run: run.left)
    if not printed:
        first = runs[0]
        return _Line("", first.left, first.left, first.base, first.size, page)
    parts: list[str] = []
    end = printed[0].left
    for run in printed:
        gap = (run.left - end) / max(run.size, 1)
        if gap > _BLANK:
            parts.append("\t" if gap > _TAB else " ")
        parts.append(run.text)
        end = run.right
    text = _BLANKS.sub(lambda match: "\t" if "\t" in match[0] else " ", _flat("".join(parts)))
    size = median(run.size for run in printed)
    return _Line(text, printed[0].left, end, printed[0].base, size, page)


def _flat(text: str) -> str:
    """Return a text on one line; fonts may hold signs that would end it."""
    return " ".join(text.splitlines()).strip()


def _in_columns(lines: list[_Line]) -> list[_Line]:
    """Tell the columns of a page that has two."""
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


# Lines to text ------------------------------------------------------------------------------------


def _without_furniture(pages: Sequence[list[_Line]]) -> tuple[list[_Line], list[_Line]]:
    """Part the text from what repeats at the edges of pages; blank lines there are none."""
    edges: list[list[_Line]] = []
    for page in pages:
        heights = sorted({line.base for line in page if not line.is_blank})
        outer = {*heights[:_EDGE_LINES], *heights[-_EDGE_LINES:]}
        edges.append([line for line in page if line.base in outer and not line.is_blank])
    times = Counter(form for page in edges for form in {_form(line) for line in page})
    enough = max(_FEWEST_PAGES, _MOST_OF * len(pages))
    body: list[_Line] = []
    furniture: list[_Line] = []
    for page, at_edge in zip(pages, edges, strict=True):
        repeated = [line for line in at_edge if times[_form(line)] >= enough]
        furniture += repeated
        body += [line for line in page if not any(line is one for one in repeated)]
    printed = [line.base for line in body if not line.is_blank]
    inside = (min(printed), max(printed)) if printed else (0.0, 0.0)
    return [
        line
        for line in body
        if not line.is_blank or inside[0] - line.size <= line.base <= inside[1] + line.size / 2
    ], furniture


def _form(line: _Line) -> str:
    """Return what is equal in lines that repeat: a page's number stands for that of every page."""
    text = "#" if _PAGE_NUMBER.fullmatch(line.text) else _DIGITS.sub("#", line.text)
    return f"{text}@{round(line.base / max(line.size, 1))}"


def _with_blank_lines(lines: Sequence[_Line]) -> Iterator[_Line]:
    """Put a blank line where the gap between two lines is as wide as one, or the page ends early."""
    gaps = [
        round(above.base - below.base, 1)
        for above, below in pairwise(lines)
        if above.page == below.page and above.base > below.base
    ]
    usual = mode(gaps) if gaps else 0.0
    foot = min((line.base for line in lines if not line.is_blank), default=0.0)
    no_blanks = not any(line.is_blank for line in lines)
    page = _measure(lines)
    above: _Line | None = None
    for line in lines:
        if above is not None and not above.is_blank and not line.is_blank:
            least = _WIDE * max(usual, _LEADING * min(above.size, line.size))
            if above.page == line.page:
                is_parted = above.base - line.base > least
            else:  # the rest of the page is empty, or its gaps are all that parts paragraphs
                is_short = above.base - foot > 2 * least
                is_parted = (is_short or (no_blanks and _ends_entry(above, line))) and not _goes_on(
                    [above], line, page
                )
            if is_parted:
                yield replace(line, text="")
        yield line
        above = line


def _ends_entry(line: _Line, following: _Line) -> bool:
    is_sense = _SENSE.match(following.text) or EXAMPLE.match(following.text)
    return _SENTENCE_END.search(line.text) is not None and not is_sense


def _glue(lines: Sequence[_Line]) -> dict[int, str]:
    """Return by number the lines that go on in the next, and what stands between the two."""
    page = _measure(lines)
    glue: dict[int, str] = {}
    start = 0
    for place, line in enumerate(lines[:-1]):
        following = lines[place + 1]
        if _goes_on(lines[start : place + 1], following, page):
            glue[place + 1] = "" if _TIED_END.search(line.text) else " "
        else:
            start = place + 1
    return glue


@dataclass(frozen=True, slots=True)
class _Measure:
    """What tells how full a line is.

    Attributes:
        margins: By column, where its full lines end.
        width: Estimates how wide words are; it compares words of one line, so no unit is needed.
    """

    margins: Mapping[int, float]
    width: Callable[[str], float]


def _measure(lines: Sequence[_Line]) -> _Measure:
    """Learn from the lines whether all letters are of one width, as on a typewriter."""
    long = [line for line in lines if len(line.text) > _LONG]
    spreads: list[tuple[float, Callable[[str], float]]] = []
    for width in (_width_in_times, _width_in_courier):
        shares = [(line.right - line.left) / line.size / width(line.text) for line in long]
        spreads.append((stdev(shares) / mean(shares) if len(shares) > 1 else 0.0, width))
    return _Measure(_margins(lines), min(spreads, key=lambda one: one[0])[1])


def _margins(lines: Sequence[_Line]) -> dict[int, float]:
    """Return where the lines of each column end that are full: nearly all stay within."""
    margins: dict[int, float] = {}
    for column in (0, 1):
        ends = sorted(line.right for line in lines if not line.is_blank and line.column == column)
        if ends:
            margins[column] = ends[min(int(_FULL_SHARE * len(ends)), len(ends) - 1)]
    return margins


def _goes_on(paragraph: Sequence[_Line], following: _Line, page: _Measure) -> bool:
    line = paragraph[-1]
    if line.is_blank or following.is_blank or EXAMPLE.match(following.text):
        return False
    is_below = line.column == following.column and len(paragraph) > 1
    if is_below and abs(following.left - line.left) > _INDENT:
        return False
    if _SENSE.match(following.text) and _SENTENCE_END.search(line.text):
        return False
    piece = _FIRST_PIECE.match(following.text)
    share = page.width(piece[0]) / page.width(following.text) if piece else 0.0
    needed = share * (following.right - following.left)
    blank = 0 if _TIED_END.search(line.text) else line.size / 4
    return (
        line.right + blank + needed > page.margins.get(line.column, 0.0) - _SLACK * line.size / 10
    )


def _width_in_courier(text: str) -> float:
    return float(len(text))


def _width_in_times(text: str) -> float:
    return sum(_WIDTHS.get(character, 5.0) for character in text)


# Of Times, in tenths of the height of a line's letters; what is not here has about 5.
_WIDTHS = {
    character: width
    for width, characters in (
        (2.5, " .,|"),
        (2.8, "ijlt:;/"),
        (3.3, "fr()[]I-‘’'"),
        (4.0, "sJ"),
        (4.4, "acez“”?"),
        (5.6, "LFPSTE"),
        (6.1, "BRCZ"),
        (7.2, "ADGHKNOQUVXYw"),
        (7.8, "m"),
        (9.2, "MW—™"),
    )
    for character in characters
}
