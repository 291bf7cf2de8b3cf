"""The parts of a Word document (.docx), unpacked to memory within limits and parsed.

The packing is opened by `zipfile`, the XML by expat, both of the standard library. No part is
unpacked beyond `LARGEST_PART`.
"""

import re
import zipfile
import zlib
from posixpath import dirname, normpath
from xml.etree import ElementTree as ET

from variorum.errors import EncodingError, OriginalError

# The text of 2026-01-16, the longest known, is 4.4 MB of XML, compressed to a seventh.
LARGEST_PART = 48 * 2**20
_LARGEST_SIDE_PART = 4 * 2**20
_MOST_MEMBERS = 2000
_MOST_PACKED = 200
_SMALL_PART = 2**20
_END_OF_ZIP = b"PK\x05\x06"
_LOCKED = 1
_HEAD_OF_PART = 30
NAMESPACES = re.compile(
    r"\{http://(?:schemas\.openxmlformats\.org/(?:wordprocessingml|officeDocument)/2006/\w+"
    r"|purl\.oclc\.org/ooxml/(?:wordprocessingml|officeDocument)/\w+"
    r"|schemas\.openxmlformats\.org/markup-compatibility/2006)\}"
)
_SIDE_PARTS = re.compile(r"(?P<kind>header|footer|footnotes|endnotes)\d*\.xml")
_DAMAGES = (EOFError, NotImplementedError, OSError, RuntimeError, ValueError)


class _DoctypeError(Exception):
    """A part begins with a document type definition."""


class PartTarget:
    """Receives the elements of a part from expat; a document type definition is refused."""

    def doctype(self, _name: str, _public: str | None, _system: str | None) -> None:
        """Refuse a part that may define entities."""
        raise _DoctypeError


class _Bytes:
    """A file in memory for `zipfile`. Pure code may not use `io`, which also opens files."""

    def __init__(self, data: bytes) -> None:
        self._data, self._place = data, 0

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._place

    def seek(self, offset: int, whence: int = 0, /) -> int:
        start = (0, self._place, len(self._data))[whence]
        if start + offset < 0:
            raise OSError("a place before the beginning")
        self._place = start + offset
        return self._place

    def read(self, size: int | None = -1, /) -> bytes:
        end = len(self._data) if size is None or size < 0 else self._place + size
        chunk = self._data[self._place : end]
        self._place += len(chunk)
        return chunk


class Package:
    """The parts of a ZIP, within limits."""

    def __init__(self, data: bytes, file: str) -> None:
        self._data, self._file = data, file
        try:
            self._archive = zipfile.ZipFile(_Bytes(data))
            self._members = {member.filename: member for member in self._archive.infolist()}
        except (zipfile.BadZipFile, *_DAMAGES) as error:
            if _END_OF_ZIP not in data[-(2**16 + 22) :]:
                raise OriginalError(
                    "a ZIP or a Word document that is cut off: its list of parts is missing", file
                ) from None
            raise OriginalError(f"a damaged ZIP or Word document: {error}", file) from None
        if len(self._archive.infolist()) > _MOST_MEMBERS:
            number = len(self._archive.infolist())
            raise OriginalError(f"a ZIP of {number} parts, far more than a Word document has", file)

    def main_part(self) -> str:
        """Return the name of the part that holds the text."""
        relations = self.tree("_rels/.rels") if "[Content_Types].xml" in self._members else None
        for relation in () if relations is None else relations.iter():
            if relation.get("Type", "").endswith("/officeDocument"):
                target = normpath(relation.get("Target", "").lstrip("/"))
                if target.startswith("word/") and target in self._members:
                    return target
        if "word/document.xml" in self._members:
            return "word/document.xml"
        raise EncodingError("a ZIP without a Word document in it, not a text", self._file)

    def side_parts(self, main: str) -> list[tuple[str, str]]:
        """Return headers, footers and notes, each with its kind, sorted by name."""
        folder = dirname(main) + "/"
        matches = (
            (n, _SIDE_PARTS.fullmatch(n.removeprefix(folder))) for n in sorted(self._members)
        )
        return [(name, match["kind"]) for name, match in matches if match is not None]

    def tree(self, name: str) -> ET.Element | None:
        """Return a part as a tree, with names without namespaces; None if there is no such part."""
        if name not in self._members:
            return None
        builder = _Tree()
        self.parse(name, builder)
        return builder.root

    def parse(self, name: str, target: PartTarget, largest: int = _LARGEST_SIDE_PART) -> None:
        """Parse a part; refuse entity definitions, which may expand endlessly."""
        parser = ET.XMLParser(target=target)  # noqa: S314 - `PartTarget.doctype` refuses
        try:
            parser.feed(self._unpack(name, largest))
            parser.close()
        except _DoctypeError:
            raise OriginalError(
                f"its part {name} defines entities of its own, which Word never does", self._file
            ) from None
        except (ET.ParseError, LookupError) as error:
            raise OriginalError(f"its part {name} is no sound XML: {error}", self._file) from None

    def _unpack(self, name: str, largest: int) -> bytes:
        """Unpack a part up to the limit, whatever size it claims."""
        member = self._members[name]
        if member.flag_bits & _LOCKED:
            raise OriginalError("a ZIP locked with a password", self._file)
        try:
            data = self._inflated(member, largest + 1)
        except zlib.error as error:
            raise OriginalError(f"its part {name} is damaged: {error}", self._file) from None
        ratio = len(data) / max(member.compress_size, 1)
        if len(data) > largest or (len(data) > _SMALL_PART and ratio > _MOST_PACKED):
            raise OriginalError(
                f"its part {name} unpacks to far more than any edition holds", self._file
            )
        if zlib.crc32(data) != member.CRC:
            raise OriginalError(f"its part {name} is damaged: its checksum differs", self._file)
        return data

    def _inflated(self, member: zipfile.ZipInfo, most: int) -> bytes:
        """Return at most `most` bytes of a part."""
        head = self._data[member.header_offset : member.header_offset + _HEAD_OF_PART]
        if len(head) < _HEAD_OF_PART:
            raise zlib.error("it lies beyond the end")
        start = member.header_offset + _HEAD_OF_PART
        start += int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
        packed = self._data[start : start + member.compress_size]
        if member.compress_type == zipfile.ZIP_STORED:
            return packed[:most]
        if member.compress_type == zipfile.ZIP_DEFLATED:
            return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, most)
        raise zlib.error("it is packed in a way that Word does not use")


class _Tree(PartTarget):
    """Builds the tree of a small part."""

    def __init__(self) -> None:
        self.root: ET.Element | None = None
        self._open: list[ET.Element] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        short = {NAMESPACES.sub("", name): value for name, value in attributes.items()}
        element = ET.Element(NAMESPACES.sub("", tag), short)
        if self._open:
            self._open[-1].append(element)
        else:
            self.root = element
        self._open.append(element)

    def end(self, _tag: str) -> None:
        self._open.pop()

    def data(self, text: str) -> None:
        pass

    def close(self) -> None:
        pass
