"""Read a document that may be an edition; `cr read`, `cr diff current FILE` and `cr build` use this module."""

from variorum.errors import LayoutError, ParseError, TruncatedError
from variorum.model import Edition
from variorum.reading.decoding import decode, split_lines
from variorum.reading.edition import read_edition
from variorum.reading.originals import take_original
from variorum.reading.paragraphs import layout_of
from variorum.system.resource_limits import within_limits

_HEADINGS = frozenset(["1. Game Concepts", "100. General", "Credits", "Glossary"])
_FEWEST_HEADINGS = 3


def is_edition(data: bytes, file: str) -> bool:
    """Return whether a document is an official edition, complete or broken off.

    An edition has most of the headings of its first chapter and section, glossary and credits.

    Raises:
        DocumentError: It is no text and no original.
    """
    original = take_original(data, file)
    lines = original.lines if original else split_lines(decode(data, file).text).texts
    try:
        layout_of(lines, file)
    except LayoutError:
        return False
    return len(_HEADINGS.intersection(line.strip() for line in lines)) >= _FEWEST_HEADINGS


def read_document(data: bytes, file: str) -> Edition | None:
    """Read an edition; return None for a document that is none.

    Args:
        data: The document.
        file: Its name, for messages.

    Raises:
        EncodingError: The bytes are no text and no original.
        OriginalError: An original is damaged or locked, or holds far more than any edition.
        TruncatedError: Parts of an edition are missing.
        ParseError: A line of an edition does not have the expected form.
        CostlyError: It takes more time or memory than any document of the rules does.
    """
    return within_limits(_read, data, file)


def _read(data: bytes, file: str) -> Edition | None:
    try:
        return read_edition(data, file)
    except (LayoutError, ParseError, TruncatedError):
        # The error explains best why an edition cannot be read.
        if is_edition(data, file):
            raise
        return None
