"""Reads the printed lines of an RTF document by its groups and control words.

striprtf, the only maintained library, adds addresses to links, bars to tables, and hidden or
deleted words. It drops the numbers of old lists. It gives no warning. We need exactly the printed
words, so this module reads RTF itself.
"""

import codecs
import re
from collections import Counter
from dataclasses import dataclass, field, replace

from variorum.errors import OriginalError
from variorum.reading.originals.original_lines import SYMBOLS, Original, counted, lines_of
from variorum.text.words import set_of

_TOKEN = re.compile(
    r"""
      \\ (?P<word> [a-zA-Z]{1,32} ) (?P<number> -?\d{1,10} )? [ ]?
    | \\' (?P<byte> [0-9a-fA-F]{2} )
    | \\ (?P<sign> [^a-zA-Z] )
    | (?P<brace> [{}] )
    | (?P<text> [^\\{}\r\n\x00]+ )
    | [\r\n\x00]+ | \\
    """,
    re.VERBOSE | re.DOTALL,
)
_SIGNS = {
    "~": "\N{NO-BREAK SPACE}",
    "_": "-",
    "\n": "\n",
    "\r": "\n",
    "{": "{",
    "}": "}",
    "\\": "\\",
}
_WORDS = {
    "par": "\n",
    "line": "\n",
    "sect": "\n",
    "row": "\n",
    "cell": "\n",
    "nestcell": "\n",
    "nestrow": "\n",
    "page": "\n",  # counts as a blank line before a heading
    "column": "\n",
    "tab": "\t",
    "emdash": "—",
    "endash": "\N{EN DASH}",
    "bullet": "•",
    "lquote": "\N{LEFT SINGLE QUOTATION MARK}",
    "rquote": "\N{RIGHT SINGLE QUOTATION MARK}",
    "ldblquote": "\N{LEFT DOUBLE QUOTATION MARK}",
    "rdblquote": "\N{RIGHT DOUBLE QUOTATION MARK}",
    "emspace": " ",
    "enspace": " ",
    "qmspace": " ",
}
# Groups that are not printed although no star precedes their name.
_UNPRINTED = set_of(
    """
    colortbl comment datafield fldinst info nonshppict objdata pict rxe sn sp stylesheet sv tc
    template txe xe filetbl keywords panose private
    """
)
# Groups that are printed although a star precedes their name.
_PRINTED = frozenset(["shptxt", "ud", "shpinst"])
_FURNITURE = frozenset(
    ["header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf"]
)
_NOTES = frozenset(["footnote", "endnote"])
_PAGES = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850", "ansi": "cp1252"}
_CHARSETS = {
    0: "cp1252",
    77: "mac_roman",
    128: "cp932",
    129: "cp949",
    134: "gbk",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    255: "cp850",
}
_SYMBOL_CHARSET = 2
_SYMBOL = "symbol"
_MAC_ROMAN = 10000
_DEEPEST = 1000
_SURROGATES = 0x10000
_DELETED = "tracked deletions left out"
_HIDDEN = "runs of hidden text left out"


@dataclass(slots=True)
class _Group:
    """The state of a group, inherited by the groups inside it.

    Attributes:
        out: The destination of its words: body, furniture or notes.
        codec: The codec of the font; "" for that of the document.
        fallback: How many characters after a Unicode character are its replacement in old programs.
        font: The font that is being defined.
    """

    out: list[str]
    codec: str = ""
    fallback: int = 1
    is_skipped: bool = False
    is_hidden: bool = False
    is_deleted: bool = False
    is_twofold: bool = False
    in_fonts: bool = False
    font: str = ""


@dataclass(slots=True)
class _Reader:
    text: str
    file: str
    codec: str = "cp1252"
    body: list[str] = field(default_factory=list[str])
    furniture: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])
    fonts: dict[str, str] = field(default_factory=dict[str, str])
    met: Counter[str] = field(default_factory=Counter[str])
    groups: list[_Group] = field(default_factory=list[_Group])
    pending: bytearray = field(default_factory=bytearray)
    to_skip: int = 0
    starred: bool = False

    def read(self) -> bool:
        """Read to the end of the outermost group; return whether it ends."""
        place = 0
        self.groups = [_Group(self.body)]
        while (match := _TOKEN.match(self.text, place)) is not None:
            place = match.end()
            if match["word"] == "bin":  # the parameter counts the bytes of binary data that follow
                place += max(int(match["number"] or 0), 0)
            self._meet(match)
            if match["brace"] and len(self.groups) == 1:
                return True
        return False

    def _meet(self, match: re.Match[str]) -> None:
        if match["byte"] is None:
            self._flush()
        match match.lastgroup:
            case "text":
                self._say(match["text"])
            case "byte":
                self._byte(int(match["byte"], 16))
            case "brace" if match["brace"] == "{":
                self._open()
            case "brace":
                self.groups.pop()
                self.to_skip = 0
            case "sign":
                self._sign(match["sign"])
            case "word" | "number":
                self._word(match["word"], int(match["number"]) if match["number"] else None)
            case _:
                pass

    def _open(self) -> None:
        above = self.groups[-1]
        if len(self.groups) > _DEEPEST:
            raise OriginalError("an RTF document whose groups are nested too deeply", self.file)
        # In {\upr{…}{\*\ud{…}}} the second half is for programs that read Unicode.
        is_skipped = above.is_skipped or above.is_twofold
        self.groups.append(replace(above, is_skipped=is_skipped, is_twofold=False))
        self.to_skip = 0

    def _say(self, text: str) -> None:
        skipped = min(self.to_skip, len(text))
        self.to_skip -= skipped
        text = text[skipped:]
        if self.groups[-1].codec == _SYMBOL or not text.isascii():
            # Some programs write the bytes of the code page without escapes.
            text = self._decoded(text.encode("latin-1"))
        self._print(text)

    def _byte(self, byte: int) -> None:
        if self.to_skip:
            self.to_skip -= 1
        else:
            self.pending.append(byte)

    def _flush(self) -> None:
        """Decode and print the pending bytes; two of them may be one letter."""
        if self.pending:
            self._print(self._decoded(bytes(self.pending)))
            self.pending.clear()

    def _decoded(self, letters: bytes) -> str:
        codec = self.groups[-1].codec or self.codec
        if codec == _SYMBOL:
            return "".join(map(_symbol, letters))
        return letters.decode(codec, "replace")

    def _print(self, text: str) -> None:
        group = self.groups[-1]
        if not (group.in_fonts or group.is_skipped or group.is_hidden or group.is_deleted):
            group.out.append(text)

    def _sign(self, sign: str) -> None:
        if sign == "*":
            self.starred = True
        elif self.to_skip:
            self.to_skip -= 1
        elif sign in _SIGNS:
            self._print(_SIGNS[sign])

    def _word(self, word: str, number: int | None) -> None:
        group = self.groups[-1]
        starred, self.starred = self.starred, False
        if self.to_skip and word in _WORDS:
            self.to_skip -= 1
        elif word in _WORDS:
            self._print(_WORDS[word])
        elif word == "u" and number is not None:
            self._print(_character(number))
            self.to_skip = group.fallback
        elif starred or word in _UNPRINTED:
            self._unprinted(word, group)
        else:
            self._property(word, number, group)

    def _unprinted(self, word: str, group: _Group) -> None:
        if word == "ud":
            group.is_skipped = self.groups[-2].is_skipped
        elif word not in _PRINTED:
            group.is_skipped = True

    def _property(self, word: str, number: int | None, group: _Group) -> None:
        is_on = number != 0
        match word:
            case "uc":
                group.fallback = max(number or 0, 0)
            case "fonttbl":
                group.in_fonts = True
            case "f":
                self._font(str(number or 0), group)
            case "fcharset" if group.in_fonts:
                self._define(group.font, number or 0)
            case "ansicpg":
                self.codec = _code_page(number) or self.codec
            case "upr":
                group.is_twofold = True
            case "v" | "webhidden":
                self.met[_HIDDEN] += is_on and not group.is_hidden and not group.is_skipped
                group.is_hidden = is_on
            case "deleted":
                self.met[_DELETED] += is_on and not group.is_deleted and not group.is_skipped
                group.is_deleted = is_on
            case "plain":
                group.is_hidden = group.is_deleted = False
                group.codec = ""
            case _:
                self._destination(word, group)

    def _destination(self, word: str, group: _Group) -> None:
        if word in _PAGES and len(self.groups) == 2:  # noqa: PLR2004 - the outermost group
            self.codec = _PAGES[word]
        elif word in _FURNITURE:
            group.out = self.furniture
            self.furniture.append("\n")
        elif word in _NOTES:
            group.out = self.notes
            self.notes.append("\n")

    def _font(self, name: str, group: _Group) -> None:
        if group.in_fonts:
            group.font = name
        else:
            group.codec = self.fonts.get(name, "")

    def _define(self, font: str, charset: int) -> None:
        self.fonts[font] = _SYMBOL if charset == _SYMBOL_CHARSET else _CHARSETS.get(charset, "")


def take_rtf(data: bytes, file: str) -> Original:
    """Return the lines of an RTF document.

    Raises:
        OriginalError: It is cut off, or its groups are nested too deeply.
    """
    reader = _Reader(data.decode("latin-1"), file)
    if not reader.read():
        missing = len(reader.groups) - 1
        raise OriginalError(
            f"an RTF document that is cut off: {missing} of its groups do not end", file
        )
    lines = _lines(reader.body)
    notes = list(filter(str.strip, _lines(reader.notes)))
    if notes:
        reader.met["footnotes set at the end"] += len(notes)
        lines += ["", *notes]
    furniture = list(filter(str.strip, _lines(reader.furniture)))
    return Original(
        format="rtf",
        lines=(*lines, *furniture),
        reason=f"RTF, its bytes in {reader.codec} where they are not Unicode",
        repairs=counted(reader.met),
        repeated=len(furniture),
    )


def _lines(pieces: list[str]) -> list[str]:
    r"""Return the lines of printed text; the two halves of a character beyond 16 bits become one.

    >>> _lines(["Tide ", "\ud83c", "\udf0a\n"]) == ["Tide " + chr(0x1F30A), ""]
    True
    """
    text = "".join(pieces).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return lines_of(text.split("\n"))


def _character(number: int) -> str:
    """Return a character of Unicode; RTF writes those from 32768 as negative numbers."""
    code = number + _SURROGATES if number < 0 else number
    if 0xF000 <= code <= 0xF0FF:  # noqa: PLR2004 - where fonts of symbols stand in Unicode
        return _symbol(code & 0xFF)
    return chr(code) if 0 < code < _SURROGATES else "\N{REPLACEMENT CHARACTER}"


def _symbol(byte: int) -> str:
    return SYMBOLS.get(byte, "\N{REPLACEMENT CHARACTER}")


def _code_page(number: int | None) -> str:
    name = "mac_roman" if number == _MAC_ROMAN else f"cp{number}"
    try:
        return codecs.lookup(name).name
    except LookupError:
        return ""
