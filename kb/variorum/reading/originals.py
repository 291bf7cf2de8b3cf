"""Reads the lines of an original: a document in Word, RTF or PDF.

The first bytes decide the format, never the file's name. What has none of them is a text.
"""

import re
import zipfile
import zlib
from collections import Counter
from dataclasses import dataclass, field
from importlib.util import find_spec
from io import BytesIO
from typing import Any
from xml.etree import ElementTree as ET

from variorum.errors import DocumentError, EncodingError, OriginalError
from variorum.model import Decoding

# The first bytes. A ZIP may be a Word document; the last is one from before 2007, or one locked with
# a password.
ZIP, PDF, RTF, OLE = b"PK\x03\x04", b"%PDF-", b"{\\rtf", b"\xd0\xcf\x11\xe0"
# PDF programs look for the signature within this many bytes.
_AHEAD = 1024
_BEFORE_RTF = b"\xef\xbb\xbf \t\r\n"
_DOCUMENT = "word/document.xml"
# The text of 2026-01-16, the longest known, is 4.4 MB of XML, compressed to a seventh.
_LARGEST_PART = 32 * 2**20
_MOST_PARTS = 2000
# Other ways of packing may expand without a limit.
_PACKED = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
# Elements that print something which no known edition has.
_NOT_READ = {
    "numPr": "automatic numbers or bullets",
    "sym": "signs of special fonts",
    "footnoteReference": "footnotes",
    "endnoteReference": "endnotes",
}
_DAMAGES = (EOFError, NotImplementedError, OSError, RuntimeError, ValueError)


@dataclass(frozen=True, slots=True)
class Original:
    """The printed text of an original; line number n is `lines[n - 1]`.

    Attributes:
        lines: The printed lines in reading order.
        decoding: How the bytes became lines; its encoding is the format: docx, rtf or pdf.
        glue: The text between a line and the next, by the number of a line that continues.
        repeated: How many lines at the end repeat on pages, such as page numbers.
    """

    lines: tuple[str, ...]
    decoding: Decoding
    glue: dict[int, str] = field(default_factory=dict[int, str])
    repeated: int = 0


def take_original(data: bytes, file: str) -> Original | None:
    """Return the lines of a Word, RTF or PDF document; None for any other.

    Raises:
        EncodingError: It is a ZIP without a Word document, an old Word document, or has no text.
        OriginalError: It is cut off, damaged or locked, or holds far more than any edition.
    """
    if data.startswith(ZIP):
        original = _take_docx(data, file)
    elif data[:_AHEAD].lstrip(_BEFORE_RTF).startswith(RTF):
        original = _take_rtf(data, file)
    elif PDF in data[:_AHEAD]:
        if find_spec("pypdfium2") is None:
            raise OriginalError(
                'a PDF; reading it needs pip install ".[pdf]" in the checkout', file
            )
        from variorum.reading.pdf import lines_of_pdf  # noqa: PLC0415 - it loads PDFium

        original = lines_of_pdf(data, file)
    elif data.startswith(OLE):
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise OriginalError("a Word document locked with a password", file)
        raise EncodingError("an old Word document, not a text; its format can't be read yet", file)
    else:
        return None
    if not any(line.strip() for line in original.lines):
        raise EncodingError(f"a document in {original.decoding.encoding} without text", file)
    return original


def _take_docx(data: bytes, file: str) -> Original:
    """Read the body of a Word document; the rules print nothing outside it."""
    xml = _unpacked(data, file)
    body = _Body()
    parser = ET.XMLParser(target=body)  # noqa: S314 - `_Body.doctype` refuses entities
    try:
        parser.feed(xml)
        parser.close()
    except _DoctypeError:
        raise OriginalError(
            f"its part {_DOCUMENT} defines entities of its own, which Word never does", file
        ) from None
    except (ET.ParseError, LookupError, ValueError) as error:
        raise OriginalError(f"its part {_DOCUMENT} is no sound XML: {error}", file) from None
    reason = f"a ZIP with the document of Word in {_DOCUMENT}: {body.paragraphs} paragraphs"
    repairs = tuple(f"{number} {noun} not read" for noun, number in body.not_read.items())
    return Original(tuple("".join(body.parts).split("\n")[:-1]), Decoding("docx", reason, repairs))


def _unpacked(data: bytes, file: str) -> bytes:
    """Return the text of a Word document in XML, whatever size it claims to have."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            number = len(archive.infolist())
            if number > _MOST_PARTS:
                raise OriginalError(
                    f"a ZIP of {number} parts, far more than a Word document has", file
                )
            if _DOCUMENT not in archive.namelist():
                raise EncodingError("a ZIP without a Word document in it, not a text", file)
            part = archive.getinfo(_DOCUMENT)
            if part.flag_bits & 1:
                raise OriginalError("a ZIP locked with a password", file)
            if part.compress_type not in _PACKED:
                raise OriginalError(f"its part {_DOCUMENT} is packed as Word never does", file)
            with archive.open(part) as unpacked:
                xml = unpacked.read(_LARGEST_PART + 1)
    except (zipfile.BadZipFile, zlib.error, *_DAMAGES) as error:
        if isinstance(error, DocumentError):
            raise
        if b"PK\x05\x06" not in data[-(2**16 + 22) :]:
            raise OriginalError(
                "a ZIP or a Word document that is cut off: its list of parts is missing", file
            ) from None
        raise OriginalError(f"a damaged ZIP or Word document: {error}", file) from None
    if len(xml) > _LARGEST_PART:
        raise OriginalError(
            f"its part {_DOCUMENT} unpacks to far more than any edition holds", file
        )
    return xml


class _DoctypeError(Exception):
    """A part begins with a document type definition."""


class _Body:
    """Receives the elements of a Word document from expat."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.paragraphs = 0
        self.not_read: Counter[str] = Counter()
        self._is_text = False

    def doctype(self, _name: str, _public: str | None, _system: str | None) -> None:
        """Refuse a document type definition: entities may expand endlessly."""
        raise _DoctypeError

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition("}")[2]
        self._is_text = name == "t"
        if name == "br":  # counts as a blank line before the words of a paragraph (2018-07-13)
            self.parts.append("\n")
        elif name == "tab" and not attributes:  # with some, it is a stop and not a sign
            self.parts.append("\t")
        elif name == "noBreakHyphen":
            self.parts.append("-")
        elif name in _NOT_READ:
            self.not_read[_NOT_READ[name]] += 1

    def data(self, text: str) -> None:
        if self._is_text:
            self.parts.append(text.replace("\n", " "))

    def end(self, tag: str) -> None:
        self._is_text = False
        if tag.endswith("}p"):
            self.parts.append("\n")
            self.paragraphs += 1


def _take_rtf(data: bytes, file: str) -> Original:
    from striprtf import striprtf  # noqa: PLC0415 - few documents need it

    rtf_to_text: Any = striprtf.rtf_to_text  # has no types
    text = data.decode("latin-1")
    unescaped = re.sub(r"\\[\\{}]", "", text)
    missing = unescaped.count("{") - unescaped.count("}")
    if missing > 0:
        raise OriginalError(
            f"an RTF document that is cut off: {missing} of its groups do not end", file
        )
    codec = "mac_roman" if "\\ansicpg10000" in text else "cp1252"
    # The library prints the addresses of links, which no page shows, does not know Mac Roman by its
    # number, and looks for these and for fonts in quadratic time; it does none of it to this text.
    text = re.sub(r"(?i)\\fldinst\{", r"\\fldinst {", text)
    text = text.replace("\\fonttbl", "\\colortbl").replace("\\ansicpg10000", "")
    try:
        printed = str(rtf_to_text(text, codec, "replace"))
    except (LookupError, TypeError, ValueError, OverflowError) as error:
        raise OriginalError(f"a damaged RTF document: {error}", file) from None
    # The two halves of a character beyond 16 bits become one.
    whole = printed.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    reason = f"RTF, its bytes in {codec} where they are not Unicode"
    return Original(tuple(whole.split("\n")), Decoding("rtf", reason))
