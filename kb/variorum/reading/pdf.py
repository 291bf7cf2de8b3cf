"""Reads the printed lines of a PDF, and which of them go on in the next.

A PDF has runs of text with their places, which PDFium finds; it is written in C++ and has no types in
Python. Runs at one height are a line. A line goes on in the next if it has no room for the next
line's first word. What no known PDF of the rules has is not looked for: columns, turned text, tables.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import pairwise
from statistics import mode
from typing import Any, NamedTuple

import pypdfium2  # type: ignore[import-untyped] # has no types
import pypdfium2.raw  # type: ignore[import-untyped]

from variorum.errors import FormatError
from variorum.reading.decoding import Decoded
from variorum.reading.paragraphs import EXAMPLE, TIED_END
from variorum.text import STOPS, ends_sentence

_pdfium: Any = pypdfium2
_raw: Any = pypdfium2.raw

# PDFium writes the first two for a hyphen at the end of a line.
_SIGNS = str.maketrans(
    {"\x02": "-", "\ufffe": "-", "\r": " ", "\n": " ", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl"}
)


class _Line(NamedTuple):
    """A line, or a run of text within one; lengths in points, from the lower left corner.

    A text of "" divides paragraphs. Its last visible sign ends at `right`; `base` is the height of the
    line that it stands on, `size` that of the font.
    """

    text: str
    left: float
    right: float
    base: float
    size: float
    page: int


def _pages(data: bytes) -> list[list[_Line]]:
    if b"%%EOF" not in data[-2048:]:
        raise FormatError("a PDF that is cut off: its end is missing")
    pages: list[list[_Line]] = []
    try:
        with closing(_pdfium.PdfDocument(data)) as document:
            for number in range(len(document)):
                with closing(document[number]) as page, closing(page.get_textpage()) as texts:
                    pages.append([*_runs(page, texts, number)])
    except (_pdfium.PdfiumError, UnicodeDecodeError) as error:
        if "assword" in str(error):
            raise FormatError("a PDF locked with a password") from None
        raise FormatError(f"a damaged PDF: {error}") from None
    if not any(run.text.strip() for page in pages for run in page):
        count = len(pages)
        raise FormatError(f"a PDF of {count} pages without text; scanned pages can't be read")
    return pages


def _runs(page: Any, texts: Any, number: int) -> Iterator[_Line]:  # noqa: ANN401 - PDFium has no types
    for run in page.get_objects([_raw.FPDF_PAGEOBJ_TEXT], max_depth=1, textpage=texts):
        matrix, (_, _, right, _) = run.get_matrix(), run.get_bounds()
        height = abs(run.get_font_size() * matrix.d)
        yield _Line(run.extract().translate(_SIGNS), matrix.e, right, matrix.f, height, number)


# The largest vertical shift of a run within its line, as a multiple of the letter height.
_SAME_HEIGHT = 0.4
# A gap between lines this many times as wide as usual is a blank line.
_WIDE, _LEADING = 1.55, 1.15
_INDENT = 2.5
# A word is about as wide as its share of the letters; the room left is wrong by less than so many letter heights.
_SLACK = 2.0
_FULL_SHARE = 0.98
# Headers and footers are among so many lines of a page, above and below, on this share of the
# pages: those of left and right pages may differ.
_EDGE, _REPEATED = 2, 0.4
# A sense or a rule begins a paragraph where a sentence ends, even if the line before is full.
_OPENING = re.compile(r"[1-9]\. [A-Z“\"(]|[1-9]\d\d\.\d")


def lines_of_pdf(data: bytes) -> Decoded:
    """Return the lines, those that repeat on pages last."""
    pages = [list(_lines(runs)) for runs in _pages(data)]
    repeated = _repeated(pages)
    lines = [line for page in pages for line in page if _form(line) not in repeated]
    furniture = [line.text for page in pages for line in page if _form(line) in repeated]
    if not any(line.text for line in lines):
        raise FormatError("a PDF whose pages have equal lines alone")
    heights = [line.base for line in lines if line.text]
    foot, top = min(heights), max(heights)
    # Blank lines beyond the text fill the page and part nothing.
    lines = [n for n in lines if n.text or foot - n.size <= n.base <= top + n.size / 2]
    ends = sorted(line.right for line in lines if line.text)
    margin = ends[min(int(_FULL_SHARE * len(ends)), len(ends) - 1)]  # nearly all lines stay within
    spaced = [*_with_blank_lines(lines, foot, margin)]
    glue: dict[int, str] = {}
    for number, (line, following) in enumerate(pairwise(spaced), start=1):
        is_indented = number - 1 in glue and abs(following.left - line.left) > _INDENT
        if not is_indented and _goes_on(line, following, margin):
            glue[number] = "" if TIED_END.search(line.text) else " "
    reason = f"PDF, {len(pages)} pages, {len(glue)} lines go on in the next"
    text = "\n".join([*[line.text for line in spaced], *furniture])
    return Decoded(text, "pdf", reason, (), glue, len(furniture))


def _repeated(pages: Sequence[Sequence[_Line]]) -> set[tuple[str, int]]:
    """Return the forms of lines at the edges of many pages: page numbers, headers, footers."""
    times: Counter[tuple[str, int]] = Counter()
    for page in pages:
        heights = sorted({line.base for line in page if line.text})
        edges = {*heights[:_EDGE], *heights[-_EDGE:]}
        times.update({_form(line) for line in page if line.text and line.base in edges})
    return {form for form, number in times.items() if number > max(2, _REPEATED * len(pages))}


def _form(line: _Line) -> tuple[str, int]:
    return re.sub(r"\d+", "#", line.text), round(line.base)


def _lines(runs: Iterable[_Line]) -> Iterator[_Line]:
    current: list[_Line] = []
    for run in (*runs, None):
        if current:
            last = current[-1]
            if run is None or abs(run.base - last.base) > _SAME_HEIGHT * max(run.size, last.size):
                printed = [part for part in current if part.text.strip()] or current[:1]
                text = " ".join("".join(part.text for part in printed).split())
                yield printed[0]._replace(text=text, right=printed[-1].right)
                current = []
        if run is not None:
            current.append(run)


def _with_blank_lines(lines: Sequence[_Line], foot: float, margin: float) -> Iterator[_Line]:
    """Insert a blank line where the gap is as wide as one, or the page ends early."""
    gaps = [
        round(above.base - below.base, 1)
        for above, below in pairwise(lines)
        if above.page == below.page and above.base > below.base
    ]
    leading = mode(gaps) if gaps else 0.0
    for above, line in pairwise([lines[0], *lines]):
        least = _WIDE * max(leading, _LEADING * min(above.size, line.size))
        if above.page == line.page:
            is_parted = above.base - line.base > least
        else:
            is_parted = above.base - foot > 2 * least and not _goes_on(above, line, margin)
        if is_parted and above.text and line.text:
            yield line._replace(text="")
        yield line


def _goes_on(line: _Line, following: _Line, margin: float) -> bool:
    """Return whether a line has no room for the first word of the next."""
    if not line.text or not following.text or EXAMPLE.match(following.text):
        return False
    if _OPENING.match(following.text) and ends_sentence(line.text, STOPS):
        return False
    share = len(following.text.split(None, 1)[0]) / len(following.text)
    needed = share * (following.right - following.left)
    return line.right + needed > margin - _SLACK * line.size
