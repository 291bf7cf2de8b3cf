"""Reads the runs of text in a PDF with their places; the only module that uses PDFium.

PDFium is written in C++ and has no types in Python, so everything that touches it stays here.
"""

import ctypes
from collections.abc import Iterator
from contextlib import closing
from typing import Any, NamedTuple

import pypdfium2  # type: ignore[import-untyped] # has no types
import pypdfium2.raw  # type: ignore[import-untyped]

from variorum.errors import EncodingError, OriginalError

_pdfium: Any = pypdfium2
_raw: Any = pypdfium2.raw
# 2026-01-16 has 306 pages and 61,000 runs.
_MOST_PAGES = 3000
_MOST_RUNS = 1_000_000
_DEEPEST = 8
_TAIL = 2048
# PDFium writes these for a hyphen at the end of a line.
_HYPHENS = str.maketrans({"\x02": "-", "\ufffe": "-", "\r": " ", "\n": " "})
_LOCKED = "assword"


class TextRun(NamedTuple):
    """A run of text; lengths in points, from the lower left corner.

    Attributes:
        text: "" for a run of blanks, which divides paragraphs.
        left: Where it begins.
        right: Where its last visible sign ends.
        base: The height of the line it stands on.
        size: The font size.
        is_upright: It is set from left to right.
    """

    text: str
    left: float
    right: float
    base: float
    size: float
    is_upright: bool = True


class _Matrix(NamedTuple):
    a: float = 1
    b: float = 0
    c: float = 0
    d: float = 1
    e: float = 0
    f: float = 0

    def then(self, o: "_Matrix") -> "_Matrix":
        """Return this transformation followed by another."""
        return _Matrix(
            self.a * o.a + self.b * o.c,
            self.a * o.b + self.b * o.d,
            self.c * o.a + self.d * o.c,
            self.c * o.b + self.d * o.d,
            self.e * o.a + self.f * o.c + o.e,
            self.e * o.b + self.f * o.d + o.f,
        )


def runs_of_pages(data: bytes, file: str) -> list[list[TextRun]]:
    """Return the runs of each page, in the order in which the document sets them.

    Raises:
        OriginalError: The PDF is cut off, locked, damaged, or far longer than any edition.
        EncodingError: There is no text on its pages.
    """
    if b"%%EOF" not in data[-_TAIL:]:
        raise OriginalError("a PDF that is cut off: its end is missing", file)
    with closing(_opened(data, file)) as document:
        number = len(document)
        if number > _MOST_PAGES:
            raise OriginalError(f"a PDF of {number} pages, far more than any edition has", file)
        pages: list[list[TextRun]] = []
        left = _MOST_RUNS
        for place in range(number):
            pages.append(_page(document, place, file))
            left -= len(pages[-1])
            if left < 0:
                raise OriginalError("a PDF that holds far more than any edition", file)
    if not any(run.text for page in pages for run in page):
        raise EncodingError(
            f"a PDF of {number} pages without text; scanned pages can't be read", file
        )
    return pages


def _opened(data: bytes, file: str) -> Any:  # noqa: ANN401 - see above
    try:
        return _pdfium.PdfDocument(data)
    except _pdfium.PdfiumError as error:
        if _LOCKED in str(error):
            raise OriginalError("a PDF locked with a password", file) from None
        raise OriginalError(f"a damaged PDF: {error}", file) from None


def _page(document: Any, place: int, file: str) -> list[TextRun]:  # noqa: ANN401 - see above
    try:
        with closing(document[place]) as page, closing(page.get_textpage()) as texts:
            return list(_runs(page.raw, texts.raw))
    except _pdfium.PdfiumError as error:
        raise OriginalError(
            f"a damaged PDF: page {place + 1} can't be read: {error}", file
        ) from None


def _runs(page: Any, texts: Any) -> Iterator[TextRun]:  # noqa: ANN401 - see above
    for number in range(_raw.FPDFPage_CountObjects(page)):
        yield from _inside(_raw.FPDFPage_GetObject(page, number), texts, _Matrix(), 0)


def _inside(thing: Any, texts: Any, above: _Matrix, depth: int) -> Iterator[TextRun]:  # noqa: ANN401
    """Yield a run, or the runs in a form, PDF's group of objects."""
    kind = _raw.FPDFPageObj_GetType(thing)
    if kind == _raw.FPDF_PAGEOBJ_TEXT:
        yield _run(thing, texts, above)
    elif kind == _raw.FPDF_PAGEOBJ_FORM and depth < _DEEPEST:
        matrix = _matrix(thing).then(above)
        for number in range(_raw.FPDFFormObj_CountObjects(thing)):
            yield from _inside(_raw.FPDFFormObj_GetObject(thing, number), texts, matrix, depth + 1)


def _run(thing: Any, texts: Any, above: _Matrix) -> TextRun:  # noqa: ANN401 - see above
    matrix = _matrix(thing).then(above)
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    _raw.FPDFPageObj_GetBounds(thing, left, bottom, right, top)
    size = ctypes.c_float()
    _raw.FPDFTextObj_GetFontSize(thing, size)
    return TextRun(
        text=_text(thing, texts),
        left=matrix.e,
        right=right.value * above.a + above.e,
        base=matrix.f,
        size=abs(size.value * matrix.d),
        is_upright=abs(matrix.b) < abs(matrix.a),
    )


def _matrix(thing: Any) -> _Matrix:  # noqa: ANN401 - see above
    matrix = _raw.FS_MATRIX()
    _raw.FPDFPageObj_GetMatrix(thing, matrix)
    return _Matrix(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)


def _text(thing: Any, texts: Any) -> str:  # noqa: ANN401 - see above
    length = _raw.FPDFTextObj_GetText(thing, texts, None, 0)
    buffer = ctypes.create_string_buffer(length)
    place = ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
    _raw.FPDFTextObj_GetText(thing, texts, place, length)
    text = buffer.raw[: max(length - 2, 0)].decode("utf-16-le", "replace")
    return text.translate(_HYPHENS)
