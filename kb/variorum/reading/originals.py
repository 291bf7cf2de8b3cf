"""Reads the lines of an original: a document in Word, RTF or PDF.

The first bytes decide the format, never the file's name. What has none of them is a text.
"""

import re
import zipfile
import zlib
from collections import Counter
from importlib.util import find_spec
from io import BytesIO
from typing import Any
from xml.etree import ElementTree as ET

from variorum.errors import DocumentError, FormatError
from variorum.reading.decoding import Decoded

# The first bytes. A ZIP may be a Word document; the last is one from before 2007, or one locked with
# a password.
ZIP, PDF, RTF, OLE = b"PK\x03\x04", b"%PDF-", b"{\\rtf", b"\xd0\xcf\x11\xe0"
# PDF programs look for the signature within this many bytes.
_AHEAD = 1024
_BEFORE_RTF = b"\xef\xbb\xbf \t\r\n"
_DOCUMENT = "word/document.xml"
# The text of 2026-01-16, the longest known, is 4.4 MB of XML, compressed to a seventh.
_LARGEST_PART = 32 * 2**20
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


def take_original(data: bytes) -> Decoded | None:
    """Return the lines of a Word, RTF or PDF document; None for any other.

    FormatError: it has no text, is cut off, damaged or locked, or holds far more than any edition.
    """
    if data.startswith(ZIP):
        original = _take_docx(data)
    elif data[:_AHEAD].lstrip(_BEFORE_RTF).startswith(RTF):
        original = _take_rtf(data)
    elif PDF in data[:_AHEAD]:
        if find_spec("pypdfium2") is None:
            raise FormatError('a PDF; reading it needs pip install ".[pdf]" in the checkout')
        from variorum.reading.pdf import lines_of_pdf  # noqa: PLC0415 - it loads PDFium

        original = lines_of_pdf(data)
    elif data.startswith(OLE):
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise FormatError("a Word document locked with a password")
        raise FormatError("an old Word document, not a text; its format can't be read yet")
    else:
        return None
    if not original.text.strip():
        raise FormatError(f"a document in {original.encoding} without text")
    return original


def _take_docx(data: bytes) -> Decoded:
    """Read the body of a Word document; the rules print nothing outside it."""
    xml = _unpacked(data)
    if b"<!DOCTYPE" in xml:
        raise FormatError(f"its part {_DOCUMENT} defines entities, which Word never does")
    parts, paragraphs, not_read = list[str](), 0, Counter[str]()
    try:
        for _, element in ET.iterparse(BytesIO(xml)):  # noqa: S314 - it defines no entities
            name = element.tag.rpartition("}")[2]
            if name == "t":
                parts.append((element.text or "").replace("\n", " "))
            elif name == "p":
                parts.append("\n")
                paragraphs += 1
                element.clear()
            elif name == "br":  # a blank line before the words of a paragraph (2018-07-13)
                parts.append("\n")
            elif name == "tab" and not element.attrib:  # with some, it is a stop and not a sign
                parts.append("\t")
            elif name == "noBreakHyphen":
                parts.append("-")
            elif name in _NOT_READ:
                not_read[_NOT_READ[name]] += 1
    except (ET.ParseError, LookupError, ValueError) as error:
        raise FormatError(f"its part {_DOCUMENT} is no sound XML: {error}") from None
    reason = f"a ZIP with the document of Word in {_DOCUMENT}: {paragraphs} paragraphs"
    repairs = tuple(f"{number} {noun} not read" for noun, number in not_read.items())
    return Decoded("".join(parts).removesuffix("\n"), "docx", reason, repairs)


def _unpacked(data: bytes) -> bytes:
    """Return the text of a Word document in XML, whatever size it claims to have."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            if _DOCUMENT not in archive.namelist():
                raise FormatError("a ZIP without a Word document in it, not a text")
            part = archive.getinfo(_DOCUMENT)
            if part.flag_bits & 1:
                raise FormatError("a ZIP locked with a password")
            if part.compress_type not in _PACKED:
                raise FormatError(f"its part {_DOCUMENT} is packed as Word never does")
            with archive.open(part) as unpacked:
                xml = unpacked.read(_LARGEST_PART + 1)
    except DocumentError:
        raise
    except (zipfile.BadZipFile, zlib.error, *_DAMAGES) as error:
        is_whole = b"PK\x05\x06" in data[-(2**16 + 22) :]
        cut = "a ZIP or a Word document that is cut off: its list of parts is missing"
        reason = f"a damaged ZIP or Word document: {error}" if is_whole else cut
        raise FormatError(reason) from None
    if len(xml) > _LARGEST_PART:
        raise FormatError(f"its part {_DOCUMENT} unpacks to far more than any edition holds")
    return xml


def _take_rtf(data: bytes) -> Decoded:
    from striprtf import striprtf  # noqa: PLC0415 - few documents need it

    rtf_to_text: Any = striprtf.rtf_to_text  # has no types
    text = data.decode("latin-1")
    unescaped = re.sub(r"\\[\\{}]", "", text)
    missing = unescaped.count("{") - unescaped.count("}")
    if missing > 0:
        raise FormatError(f"an RTF document that is cut off: {missing} of its groups do not end")
    codec = "mac_roman" if "\\ansicpg10000" in text else "cp1252"
    # The library prints the addresses of links, which no page shows, does not know Mac Roman by its
    # number, and looks for these and for fonts in quadratic time; it does none of it to this text.
    text = re.sub(r"(?i)\\fldinst\{", r"\\fldinst {", text)
    text = text.replace("\\fonttbl", "\\colortbl").replace("\\ansicpg10000", "")
    try:
        printed = str(rtf_to_text(text, codec, "replace"))
    except (LookupError, TypeError, ValueError, OverflowError) as error:
        raise FormatError(f"a damaged RTF document: {error}") from None
    # The two halves of a character beyond 16 bits become one.
    whole = printed.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    reason = f"RTF, its bytes in {codec} where they are not Unicode"
    return Decoded(whole, "rtf", reason)
