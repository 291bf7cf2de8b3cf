"""Converts a file to text and back, byte for byte."""

import codecs
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from variorum.files import put, removed_on_failure, writable

# Git looks at as many bytes to decide whether a file is text.
_LOOK_AT = 8000
_MARKS = (
    (codecs.BOM_UTF8, "utf-8", "surrogateescape"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "surrogatepass"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "surrogatepass"),
)


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text file.

    Attributes:
        text: The whole text, line ends unchanged. Lone surrogates stand for bytes that are not
            UTF-8.
        mark: The byte order mark before the text.
        encoding: The encoding of the rest.
        errors: Python's error handler for bytes outside that encoding.
    """

    text: str
    mark: bytes = b""
    encoding: str = "utf-8"
    errors: str = "surrogateescape"

    def encode(self, text: str) -> bytes:
        """Return the bytes of a text in the encoding of this file."""
        return self.mark + text.encode(self.encoding, self.errors)


def write_text_file(path: Path, data: bytes) -> None:
    """Write a file completely or not at all, and keep its permissions.

    Raises:
        NotWritableError: The file cannot be written.
    """
    target = path.resolve()
    with writable(path):
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:80]}.", dir=target.parent)
    beside = Path(name)
    with removed_on_failure(beside), writable(path):
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        shutil.copymode(target, beside)
        put(beside, target)


def text_file_of(data: bytes) -> TextFile | None:
    r"""Return bytes as text; None if they are not text.

    >>> text_file_of(b"\xff\xfeC\0R\0").text, text_file_of(b"PK\x03\x04\0")
    ('CR', None)
    """
    for mark, encoding, errors in _MARKS:
        if data.startswith(mark) and not data.startswith(codecs.BOM_UTF32_LE):
            return _decoded(data, mark, encoding, errors)
    if b"\0" in data[:_LOOK_AT]:
        return None
    return TextFile(data.decode("utf-8", "surrogateescape"))


def _decoded(data: bytes, mark: bytes, encoding: str, errors: str) -> TextFile | None:
    try:
        decoded = TextFile(data[len(mark) :].decode(encoding, errors), mark, encoding, errors)
    except UnicodeDecodeError:  # half a character at the end of UTF-16
        return None
    return decoded if decoded.encode(decoded.text) == data else None
