"""The printed lines of a Word document (.docx): its paragraphs, as Word would print them.

The packing is opened by `zipfile`, the XML by expat, both of the standard library; python-docx
knows neither the numbers that lists print nor tracked changes, which rules documents may have.
Parts are unpacked only to memory, none beyond `_LARGEST_PART`.
"""

import re
import zipfile
import zlib
from collections import Counter
from posixpath import dirname, join, normpath
from typing import Final
from xml.etree import ElementTree as ET

from variorum_kb.errors import EncodingError, OriginalError
from variorum_kb.reading.docx_lists import Lists
from variorum_kb.reading.originals import SYMBOLS, Original, counted, lines_of, row_of

# The text of 2026-01-16, the longest known, is 4.4 MB of XML, compressed to a seventh.
_LARGEST_PART = 48 * 2**20
_LARGEST_SIDE_PART = 4 * 2**20
_MOST_MEMBERS = 2000
_MOST_PACKED = 200
_SMALL_PART = 2**20
_END_OF_ZIP = b"PK\x05\x06"
_LOCKED = 1
_HEAD_OF_PART = 30
_NAMESPACES = re.compile(
    r"\{http://(?:schemas\.openxmlformats\.org/(?:wordprocessingml|officeDocument)/2006/\w+"
    r"|purl\.oclc\.org/ooxml/(?:wordprocessingml|officeDocument)/\w+"
    r"|schemas\.openxmlformats\.org/markup-compatibility/2006)\}"
)
_SIDE_PARTS = re.compile(r"(?P<kind>header|footer|footnotes|endnotes)\d*\.xml")
_OFF = {"0", "false", "off"}
_SYMBOL_FONTS = ("symbol", "wingdings", "webdings")
_PRIVATE = 0xF000
# Elements that are not printed: deleted or moved text, and repetitions for old programs.
_UNPRINTED = {
    "del": "tracked deletions left out",
    "moveFrom": "tracked deletions left out",
    "Fallback": "",
}
_HIDDEN = "runs of hidden text left out"
_NOTES = "footnotes set at the end"
_DAMAGES = (EOFError, NotImplementedError, OSError, RuntimeError, ValueError)


def take_docx(data: bytes, file: str) -> Original:
    """Return the lines of a Word document.

    Raises:
        EncodingError: The ZIP has no Word document in it.
        OriginalError: It is cut off, damaged or locked, or unpacks to far more than any edition.
    """
    package = _Package(data, file)
    main = package.main_part()
    lists = Lists(
        package.tree(join(dirname(main), "numbering.xml")),
        package.tree(join(dirname(main), "styles.xml")),
    )
    met: Counter[str] = Counter()
    body = _Story(lists, met)
    package.parse(main, body, _LARGEST_PART)
    lines = lines_of(body.paragraphs)
    furniture: list[str] = []
    for name, kind in package.side_parts(main):
        story = _Story(lists, met)
        package.parse(name, story, _LARGEST_SIDE_PART)
        printed = [line for line in lines_of(story.paragraphs) if line.strip()]
        if kind in {"header", "footer"}:
            furniture += printed
        elif printed:
            met[_NOTES] += len(printed)
            lines += ["", *printed]
    return Original(
        format="docx",
        lines=(*lines, *furniture),
        reason=f"a ZIP with the document of Word in {main}: {len(body.paragraphs)} paragraphs",
        repairs=counted(met),
        furniture=frozenset(range(len(lines) + 1, len(lines) + len(furniture) + 1)),
    )


class _Bytes:
    """Gives `zipfile` the bytes. Pure code may not use `io`, which also opens files."""

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


class _Package:
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
        self.parse(name, builder, _LARGEST_SIDE_PART)
        return builder.root

    def parse(self, name: str, target: "_Story | _Tree", largest: int) -> None:
        """Parse a part; refuse entity definitions, which may expand endlessly."""
        parser = ET.XMLParser(target=target)  # noqa: S314 - `doctype` of both targets refuses
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


class _DoctypeError(Exception):
    """A part begins with a document type definition."""


class _Tree:
    """Builds the tree of a small part."""

    def __init__(self) -> None:
        self.root: ET.Element | None = None
        self._open: list[ET.Element] = []

    def doctype(self, _name: str, _public: str | None, _system: str | None) -> None:
        raise _DoctypeError

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        short = {_NAMESPACES.sub("", name): value for name, value in attributes.items()}
        element = ET.Element(_NAMESPACES.sub("", tag), short)
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


class _Paragraph:
    """A paragraph while its runs are being read."""

    __slots__ = ("level", "list", "mark_deleted", "parts", "style")

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.style = self.list = self.level = ""
        self.mark_deleted = False


class _Story:
    """Collects the paragraphs of a part while expat parses it."""

    def __init__(self, lists: Lists, met: Counter[str]) -> None:
        self.paragraphs: list[str] = []
        self._lists, self._met = lists, met
        self._path: list[str] = []
        self._open: list[_Paragraph] = []
        self._rows: list[int] = []
        self._unfinished = ""
        self._skipped = 0
        self._is_hidden = False
        self._short: dict[str, str] = {}

    def doctype(self, _name: str, _public: str | None, _system: str | None) -> None:
        raise _DoctypeError

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = self._name(tag)
        parent = self._path[-1] if self._path else ""
        self._path.append(name)
        if name in _UNPRINTED and parent not in {"rPr", "trPr"}:
            if not self._skipped and _UNPRINTED[name]:
                self._met[_UNPRINTED[name]] += 1
            self._skipped += 1
        if self._skipped:
            return
        if name == "tr":
            self._rows.append(len(self.paragraphs))
        elif name == "p":
            self._open.append(_Paragraph())
        elif self._open:
            self._inside(name, parent, attributes)

    def _name(self, tag: str) -> str:
        name = self._short.get(tag)
        if name is None:
            name = self._short[tag] = _NAMESPACES.sub("", tag)
        return name

    def _inside(self, name: str, parent: str, attributes: dict[str, str]) -> None:
        paragraph = self._open[-1]
        if parent == "r":
            self._is_hidden = self._is_hidden and name != "rPr"
            if not self._is_hidden:
                paragraph.parts.append(self._sign(name, attributes))
        elif parent == "pPr" and name == "pStyle":
            paragraph.style = self._value(attributes)
        elif parent == "numPr" and name == "numId":
            paragraph.list = self._value(attributes)
        elif parent == "numPr" and name == "ilvl":
            paragraph.level = self._value(attributes)
        elif parent == "rPr":
            self._property(name, self._value(attributes), paragraph)

    def _property(self, name: str, value: str, paragraph: _Paragraph) -> None:
        owner = self._path[-3]
        if name == "vanish" and owner == "r" and value not in _OFF:
            self._is_hidden = True
            self._met[_HIDDEN] += 1
        elif name in {"del", "moveFrom"} and owner == "pPr":
            paragraph.mark_deleted = True

    def _value(self, attributes: dict[str, str], wanted: str = "val") -> str:
        return next((v for k, v in attributes.items() if self._name(k) == wanted), "")

    def _sign(self, name: str, attributes: dict[str, str]) -> str:
        """Return the text that an empty element of a run prints."""
        if name in {"br", "cr"}:
            return "\n"  # counts as a blank line before the words of a paragraph (2018-07-13)
        if name == "sym":
            return self._symbol(attributes)
        return _SIGNS.get(name, "")

    def _symbol(self, attributes: dict[str, str]) -> str:
        font, code = (self._value(attributes, name) for name in ("font", "char"))
        try:
            number = int(code, 16)
        except ValueError:
            return _LOST
        if font.casefold().startswith(_SYMBOL_FONTS):
            return SYMBOLS.get(number & 0xFF, _LOST)
        return chr(number) if number < _PRIVATE else _LOST

    def data(self, text: str) -> None:
        if self._path[-1] == "t" and not self._skipped and not self._is_hidden and self._open:
            self._open[-1].parts.append(text.replace("\n", " "))

    def end(self, _tag: str) -> None:
        name = self._path.pop()
        parent = self._path[-1] if self._path else ""
        if self._skipped:
            self._skipped -= name in _UNPRINTED and parent not in {"rPr", "trPr"}
        elif name == "r":
            self._is_hidden = False
        elif name == "p" and self._open:
            self._finish(self._open.pop())
        elif name == "tr":
            first = self._rows.pop()
            self.paragraphs[first:] = row_of(self.paragraphs[first:])

    def _finish(self, paragraph: _Paragraph) -> None:
        number = self._lists.number(paragraph.style, paragraph.list, paragraph.level)
        text = self._unfinished + number + "".join(paragraph.parts)
        self._unfinished = text if paragraph.mark_deleted else ""
        if not paragraph.mark_deleted:
            self.paragraphs.append(text)

    def close(self) -> None:
        if self._unfinished:
            self.paragraphs.append(self._unfinished)


_LOST: Final = "\N{REPLACEMENT CHARACTER}"
_SIGNS: Final = {"tab": "\t", "ptab": "\t", "noBreakHyphen": "-"}
