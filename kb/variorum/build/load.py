"""Read documents that may be editions, in processes with limits."""

from collections.abc import Iterable, Iterator

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
        DocumentError: It is no text, an edition that cannot be read without loss, or costs too much.
    """
    try:
        return within_limits(_read, data, file)
    except OtherDocumentError:
        return None


def read_rows(
    documents: Iterable[Document], jobs: int
) -> Iterator[tuple[Document, Rows | DocumentError]]:
    """Read documents in some processes; yield each, in order, with its rows or the error."""
    return outcomes(((document, reading(document)) for document in documents), jobs)


def reading(document: Document) -> Call:
    """Return the call that reads a document as rows, for `outcomes`."""
    return Call(_read_rows, (document.data, document.origin), document.origin)


def _read_rows(data: bytes, file: str) -> Rows:
    return rows_of(_read(data, file))


def _read(data: bytes, file: str) -> Edition:
    try:
        return read_edition(data, file)
    except (LayoutError, ParseError, TruncatedError) as error:
        # Of a document with most of an edition's headings, complete or broken off, the error says best why
        # it cannot be read.
        original = take_original(data)
        lines = original.lines if original else split_lines(decode(data).text).texts
        headings = _HEADINGS.intersection(map(str.strip, lines))
        try:
            is_edition = bool(layout_of(lines)) and len(headings) >= _FEWEST_HEADINGS
        except LayoutError:
            is_edition = False
        if is_edition:
            raise
        raise OtherDocumentError(error.message, file, error.line) from None
