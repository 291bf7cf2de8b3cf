"""Reads the printed lines of a PDF, and finds which continue in the next.

A PDF has runs of text with their places, but no paragraphs. Runs at one height are a line. A line
continues in the next if the next line's first word would not have fitted at its end, and if the
next line is lower and not indented further. Proof that a line opens a paragraph outweighs this: the
next rule's number, or a heading.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import mean, median, mode, stdev

from variorum_kb.model import RuleNumber
from variorum_kb.reading.originals import Original
from variorum_kb.reading.pdf_widths import width_in_courier, width_in_times
from variorum_kb.reading.pdfium import TextRun, runs_of_pages
from variorum_kb.reading.unwrap import EXAMPLE
from variorum_kb.rule_numbers import SECTION
from variorum_kb.text.sentences import STOPS, ends_sentence

# As multiples of a line's letter height: the vertical shift that still belongs to the line, the gap
# that is a blank where PDFium reports none at the edge of a run, and the gap that is a tab.
_SAME_HEIGHT = 0.4
_BLANK = 0.3
_TAB = 2.5
# A gap between lines this many times as wide as usual is a blank line.
_WIDE = 1.55
_LEADING = 1.15
# A gap this many times as wide as usual separates paragraphs, even if it is no blank line.
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
# The pieces of a word if lines may also break after hyphens and dashes, as most programs break
# them.
_PIECE = re.compile(r"\S*?[-—–](?=\w)|\S+")
_BROKEN_WORD = re.compile(r"\w[-—–]$")
_BROKEN_SHARE = 0.001
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
# How far from the margin a justified line may end, as a multiple of the letter height.
_AT_MARGIN = 0.2
_JUSTIFIED_SHARE = 0.5


# The bars that a broken font map shows for quotation marks. If there are only a few, they may be
# real bars.
_BARS = {"―": "“", "‖": "”"}
_FEWEST_BARS = 3


@dataclass(slots=True)
class _Line:
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
        return not self.text


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


def take_pdf(data: bytes, file: str) -> Original:
    """Return the lines of a PDF.

    Raises:
        OriginalError: The PDF is cut off, locked, damaged, or far longer than any edition.
        EncodingError: There is no text on its pages.
    """
    pages, mended = mend_quotation_marks(runs_of_pages(data, file))
    upright = [[run for run in page if run.is_upright] for page in pages]
    turned = [_flat(run.text) for page in pages for run in page if not run.is_upright]
    lines = [_in_columns(list(_lines(page, number))) for number, page in enumerate(upright)]
    body, furniture = _without_furniture(lines)
    page = _measure(body)
    _mark_openings(body)
    _mark_headwords(body, page)
    spaced = list(_with_blank_lines(body, page))
    texts = [line.text for line in spaced]
    extra = [*(line.text for line in furniture), *filter(None, turned)]
    glue = _glue(spaced, page)
    return Original(
        format="pdf",
        lines=(*texts, *extra),
        reason=f"PDF, {len(pages)} pages, {len(glue)} lines go on in the next",
        repairs=(f"{mended} quotation marks that its font map has as other signs",)
        if mended
        else (),
        glue=glue,
        furniture=frozenset(range(len(texts) + 1, len(texts) + len(extra) + 1)),
    )


def mend_quotation_marks(pages: list[list[TextRun]]) -> tuple[list[list[TextRun]], int]:
    """Restore quotation marks that a broken font map shows as bars; return also how many.

    No edition prints either bar, so if both occur, they are quotation marks. Then every opening
    single quotation mark is an apostrophe.
    """
    count = Counter(sign for page in pages for run in page for sign in run.text)
    opened, closed = (count[sign] for sign in "―‖")
    if min(opened, closed) < _FEWEST_BARS or count["“"] + count["”"] > opened + closed:
        return pages, 0
    signs = _BARS if count["’"] > count["‘"] else {**_BARS, "‘": "’"}
    table = str.maketrans(signs)
    mended = [[run._replace(text=run.text.translate(table)) for run in page] for page in pages]
    return mended, sum(count[sign] for sign in signs)


# Runs to lines ------------------------------------------------------------------------------------


def _lines(runs: Iterable[TextRun], page: int) -> Iterator[_Line]:
    """Yield the lines of a page in the order of the document, blank ones included."""
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


def _line(runs: Sequence[TextRun], page: int) -> _Line:
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
    """Assign the lines of a page with two columns to them.

    Readers set the edition of 2014-07-18 so; Wizards' own PDFs have one column.
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


# Lines to text ------------------------------------------------------------------------------------


def _without_furniture(pages: Sequence[list[_Line]]) -> tuple[list[_Line], list[_Line]]:
    """Separate the text from what repeats at the edges of pages, before blank lines are added."""
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


def _form(line: _Line) -> str:
    """Return the key by which repeating lines are equal; page numbers are left out of it."""
    text = "#" if _PAGE_NUMBER.fullmatch(line.text) else _DIGITS.sub("#", line.text)
    return f"{text}@{round(line.base / max(line.size, 1))}"


def _mark_openings(lines: Sequence[_Line]) -> None:
    """Mark lines that begin with the next number, and headings of parts."""
    last: dict[int, RuleNumber] = {}
    above: _Line | None = None
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


def _mark_headwords(lines: Sequence[_Line], page: _Measure) -> None:
    """Mark headings at the top of pages and columns, where no gap or blank line shows them.

    They are not sentences, but the next line starts anew although it would have fitted.
    """
    if any(line.is_blank for line in lines):
        return
    for above, line, below in zip(lines, lines[1:], lines[2:], strict=False):
        is_top = (above.page, above.column) != (line.page, line.column)
        if is_top and ends_sentence(above.text, STOPS) and _TITLE.fullmatch(line.text):
            line.is_opening = line.is_opening or not _goes_on([line], below, page)


def _with_blank_lines(lines: Sequence[_Line], page: _Measure) -> Iterator[_Line]:
    """Insert a blank line where the gap is as wide as one, or the page ends early."""
    foot = min((line.base for line in lines if not line.is_blank), default=0.0)
    no_blanks = not any(line.is_blank for line in lines)
    above: _Line | None = None
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


def _ends_entry(line: _Line, following: _Line) -> bool:
    is_sense = _SENSE.match(following.text) or EXAMPLE.match(following.text)
    return ends_sentence(line.text, STOPS) and not is_sense


def _glue(lines: Sequence[_Line], page: _Measure) -> dict[int, str]:
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


def _measure(lines: Sequence[_Line]) -> _Measure:
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


def _leading(lines: Sequence[_Line]) -> float:
    gaps = [
        round(above.base - below.base, 1)
        for above, below in pairwise(lines)
        if above.page == below.page and above.base > below.base
    ]
    return mode(gaps) if gaps else 0.0


def _is_parted(line: _Line, following: _Line, page: _Measure) -> bool:
    is_same = (line.page, line.column) == (following.page, following.column)
    least = _PARTED * max(page.leading, _LEADING * max(line.size, following.size))
    return is_same and line.base - following.base > least


def _is_at_margin(line: _Line, margins: Mapping[int, float]) -> bool:
    return line.right > margins.get(line.column, 0.0) - _AT_MARGIN * line.size


def _margins(lines: Sequence[_Line]) -> dict[int, float]:
    """Return the right margin of each column, within which nearly all lines stay."""
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
