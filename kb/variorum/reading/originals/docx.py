"""The printed lines of a Word document (.docx): its paragraphs, as Word would print them.

python-docx knows neither the numbers that lists print nor tracked changes, which rules documents
may have, so `docx_package.py` opens the document and this module reads its XML.
"""

from collections import Counter
from posixpath import dirname, join
from typing import Final

from variorum.reading.originals.docx_lists import Lists
from variorum.reading.originals.docx_package import LARGEST_PART, NAMESPACES, Package, PartTarget
from variorum.reading.originals.original_lines import SYMBOLS, Original, counted, lines_of, row_of

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


def take_docx(data: bytes, file: str) -> Original:
    """Return the lines of a Word document.

    Raises:
        EncodingError: The ZIP has no Word document in it.
        OriginalError: It is cut off, damaged or locked, or unpacks to far more than any edition.
    """
    package = Package(data, file)
    main = package.main_part()
    lists = Lists(
        package.tree(join(dirname(main), "numbering.xml")),
        package.tree(join(dirname(main), "styles.xml")),
    )
    met: Counter[str] = Counter()
    body = _Story(lists, met)
    package.parse(main, body, LARGEST_PART)
    lines = lines_of(body.paragraphs)
    furniture: list[str] = []
    for name, kind in package.side_parts(main):
        story = _Story(lists, met)
        package.parse(name, story)
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
        repeated=len(furniture),
    )


def _is_unprinted(name: str, parent: str) -> bool:
    """Return whether an element is not printed; inside properties, it only marks what it is about."""
    return name in _UNPRINTED and parent not in {"rPr", "trPr"}


class _Paragraph:
    """A paragraph while its runs are being read."""

    __slots__ = ("level", "list", "mark_deleted", "parts", "style")

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.style = self.list = self.level = ""
        self.mark_deleted = False


class _Story(PartTarget):
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

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = self._name(tag)
        parent = self._path[-1] if self._path else ""
        self._path.append(name)
        if _is_unprinted(name, parent):
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
            name = self._short[tag] = NAMESPACES.sub("", tag)
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
            self._skipped -= _is_unprinted(name, parent)
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
