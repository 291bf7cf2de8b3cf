"""Read documents that may be editions, in processes with limits."""

from collections.abc import Iterable, Iterator
from itertools import tee

from variorum.documents.find import Document
from variorum.errors import (
    DocumentError,
    LayoutError,
    OtherDocumentError,
    ParseError,
    TruncatedError,
)
from variorum.model import Edition
from variorum.reading.decoding import decode, split_lines
from variorum.reading.edition import read_edition
from variorum.reading.originals import take_original
from variorum.reading.paragraphs import layout_of
from variorum.rows import EditionRow, State
from variorum.store.writer import rows_of
from variorum.workers import Call, outcomes, within_limits

Rows = tuple[EditionRow, list[State]]

_HEADINGS = frozenset(["1. Game Concepts", "100. General", "Credits", "Glossary"])
_FEWEST_HEADINGS = 3


def read_document(data: bytes, file: str) -> Edition | None:
    """Read an edition; return None for a document that is none.

    Raises:
        EncodingError: The bytes are no text and no original.
        OriginalError: An original is damaged or locked, or holds far more than any edition.
        TruncatedError: Parts of an edition are missing.
        ParseError: A line of an edition does not have the expected form.
        CostlyError: It takes more time or memory than any document of the rules does.
    """
    try:
        return within_limits(_read, data, file)
    except OtherDocumentError:
        return None


def read_rows(
    documents: Iterable[Document], jobs: int
) -> Iterator[tuple[Document, Rows | DocumentError]]:
    """Read documents in some processes; yield each, in order, with its rows or the error."""
    # As many documents are in memory as are read at once.
    given, waiting = tee(documents)
    calls = (Call(_read_rows, (it.data, it.origin), it.origin) for it in waiting)
    return zip(given, outcomes(calls, jobs), strict=False)


def _read_rows(data: bytes, file: str) -> Rows:
    return rows_of(_read(data, file))


def _read(data: bytes, file: str) -> Edition:
    try:
        return read_edition(data, file)
    except (LayoutError, ParseError, TruncatedError) as error:
        # The error explains best why an edition cannot be read.
        if _is_edition(data):
            raise
        raise OtherDocumentError(error.message, file, error.line) from None


def _is_edition(data: bytes) -> bool:
    """Return whether a document has most of an edition's headings, complete or broken off."""
    original = take_original(data)
    lines = original.lines if original else split_lines(decode(data).text).texts
    try:
        layout_of(lines)
    except LayoutError:
        return False
    return len(_HEADINGS.intersection(line.strip() for line in lines)) >= _FEWEST_HEADINGS
