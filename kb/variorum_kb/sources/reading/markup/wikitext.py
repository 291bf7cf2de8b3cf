"""Reads wikitext as shown lines; expands templates that quote rules.

The scanner recognises only templates, links, references and lists. It accounts for every character
and stays fast if these are nested deep.
"""

import html
import re
from dataclasses import dataclass, field
from typing import NamedTuple

from variorum_kb.errors import LayoutError
from variorum_kb.reading.ledger import without_blanks
from variorum_kb.sources.reading.markup.shown_lines import Line, ShownText, check_size
from variorum_kb.sources.reading.passages.passages import LineRole, Markup
from variorum_kb.text.days import find_day

# Tags of wikis. "<spell type>" and "<This card>" are words.
_TAGS = (
    "abbr|b|bdi|big|blockquote|br|caption|center|cite|code|col|colgroup|dd|del|dfn|div|dl|dt|em|font"
    "|gallery|h[1-6]|hr|i|includeonly|ins|kbd|li|mark|math|noinclude|nowiki|ol|onlyinclude|p|poem|pre"
    "|q|ref|references|rp|rt|ruby|s|samp|section|small|source|span|strike|strong|sub|sup"
    "|syntaxhighlight|table|tabber|tbody|td|templatestyles|tfoot|th|thead|time|tr|tt|u|ul|var|wbr"
)
_TOKEN = re.compile(
    rf"""
      (?P<open> \{{\{{ | \[\[ | <ref (?: \s [^<>]{{0,500}} )? (?<! / ) > )
    | (?P<close> \}}\}} | \]\] | </ref\s*> )
    | (?P<bar> \| )
    | (?P<line> \n | <(?i:br)\s*/?> )
    | (?P<external> \[ (?: https?: )? //[^\s\]]{{1,2000}} [ ]? ) | (?P<end> \] )
    | (?P<comment> <!-- )
    | (?P<nothing> '{{2,5}} | </? (?i:{_TAGS}) (?: \s [^<>]{{0,500}} )? /?> | __[A-Z]+__ )
    """,
    re.VERBOSE,
)
_CLOSES = {"}}": "{{", "]]": "[[", "</ref>": "<ref"}
_DEEPEST = 100
_QUOTING = re.compile(r"(cr|comp ?rules|comprehensive rules)\b|crg\b|.*\bcr\b", re.IGNORECASE)
_EXAMPLE = re.compile(r"(cr[ _-]?)?ex(ample)?$", re.IGNORECASE)
_GLOSSARY = re.compile(r"gloss|crg\b", re.IGNORECASE)
_SYMBOL = re.compile(r"[WUBRGXYZCTQSEP0-9]{1,3}(/[WUBRGP2])*", re.ASCII)
_CARD = frozenset(["c", "card", "ct", "k", "keyword", "kw", "set", "color", "i", "term", "cl"])
_QUOTES = frozenset(["quote", "quotation", "cquote", "blockquote"])
_NAMED = re.compile(r"\s*(?:set|edition|text|body|rules?|term|date|lookup|[1-9])\s*=\s*")
# "[[CR:705|rule 705]]" links to a rule. Other short prefixes are languages.
_AWAY = re.compile(r"\s*(?:category|file|image|(?!cr:)[a-z]{2,3}):", re.IGNORECASE)
_LIST = re.compile(r"(?P<marks>[*#:;]+)\s*")
_HEADLINE = re.compile(r"(?P<level>={1,6})\s*(?P<text>.*?)\s*={1,6}")
_TABLE = re.compile(r"\{\||\|[-}+]|!")
_SHOWN_SET = re.compile(r"[^\n*#]{0,120}")


class _Piece(NamedTuple):
    """Shown text, or an aside, with its first line."""

    text: str
    line: int
    role: LineRole | None = None
    tag: str = ""


@dataclass(slots=True)
class _Frame:
    """An open template, link or reference, with its parameters so far."""

    sign: str
    start: int
    line: int
    parts: list[list[_Piece]] = field(default_factory=lambda: [[]])


def read_wikitext(text: str, file: str) -> ShownText:
    """Read the shown lines of a wiki page's source.

    Raises:
        LayoutError: The page is too large, or nested too deep.
    """
    check_size(text, Markup.WIKITEXT, file)
    scan = _Scan(text, file)
    lines = tuple(_lines(scan.scan()))
    shown = sum(len(without_blanks(line.text)) for line in lines)
    return ShownText(
        markup=Markup.WIKITEXT,
        lines=lines,
        count=text.count("\n") + 1,
        hidden=max(0, len(without_blanks(text)) - shown),
        is_wiki=True,
        notes=scan.notes,
    )


class _Scan:
    def __init__(self, text: str, file: str) -> None:
        self._text, self._file = text, file
        self._frames = [_Frame("", 0, 1)]
        self._line = 1
        self.notes: tuple[str, ...] = ()

    def scan(self) -> list[_Piece]:
        place = 0
        while match := _TOKEN.search(self._text, place):
            self._put(self._text[place : match.start()])
            place = self._take(match)
        self._put(self._text[place:])
        if len(self._frames) > 1:
            signs = ", ".join(frame.sign for frame in self._frames[1:4])
            self.notes = (f"{len(self._frames) - 1} never closed: {signs}",)
        while len(self._frames) > 1:
            self._flatten(self._frames.pop())
        return self._frames[0].parts[0]

    def _put(self, text: str, role: LineRole | None = None, tag: str = "") -> None:
        if text:
            shown = html.unescape(text) if role is None else text
            self._frames[-1].parts[-1].append(_Piece(shown, self._line, role, tag))

    def _take(self, match: re.Match[str]) -> int:
        """Process a token; return the end of the processed text."""
        sign = match[0]
        match match.lastgroup:
            case "open":
                self._open(sign, match.start())
            case "close":
                self._close(sign, match.end())
            case "bar" if self._frames[-1].sign in {"{{", "[["}:
                self._frames[-1].parts.append([])
            case "line":
                self._put("\n")
                self._line += sign == "\n"
            case "external":
                return self._external(match)
            case "comment":
                end = self._text.find("-->", match.end())
                end = end + 3 if end >= 0 else len(self._text)
                self._line += self._text.count("\n", match.start(), end)
                return end
            case "nothing":
                pass
            case _:
                self._put(sign)
        return match.end()

    def _open(self, token: str, start: int) -> None:
        if len(self._frames) > _DEEPEST:
            message = f"wikitext nested more than {_DEEPEST} levels deep"
            raise LayoutError(message, self._file, self._line)
        sign = "<ref" if token.startswith("<ref") else token
        self._frames.append(_Frame(sign, start, self._line))

    def _close(self, token: str, end: int) -> None:
        sign = _CLOSES["</ref>" if token.startswith("</ref") else token]
        if self._frames[-1].sign != sign:
            if all(frame.sign != sign for frame in self._frames):
                self._put(token)
                return
            while self._frames[-1].sign != sign:
                self._flatten(self._frames.pop())
        frame = self._frames.pop()
        self._frames[-1].parts[-1] += self._closed(frame, self._text[frame.start : end])

    def _flatten(self, frame: _Frame) -> None:
        """Treat an unclosed template, link or reference as text."""
        into = self._frames[-1].parts[-1]
        into.append(_Piece(frame.sign, frame.line))
        for number, part in enumerate(frame.parts):
            into += [_Piece("|", frame.line)] if number else []
            into += part

    def _external(self, match: re.Match[str]) -> int:
        """Add the shown text of an external link: its words or its address."""
        end = self._text.find("]", match.end(), match.end() + 1000)
        if end < 0 or not match[0].endswith(" "):
            self._put(match[0])
            return match.end()
        self._put(re.sub(r"'{2,5}", "", self._text[match.end() : end]).replace("\n", " "))
        return end + 1

    def _closed(self, frame: _Frame, source: str) -> list[_Piece]:
        match frame.sign:
            case "[[":
                return self._link(frame, source)
            case "{{":
                return self._template(frame, source)
            case _:
                return [_Piece(source, frame.line, LineRole.REFERENCES)]

    def _link(self, frame: _Frame, source: str) -> list[_Piece]:
        target = _shown(frame.parts[0])
        if _AWAY.match(target):
            return [_Piece(source, frame.line, LineRole.NAVIGATION)]
        return frame.parts[-1] if _shown(frame.parts[-1]).strip() else frame.parts[0]

    def _template(self, frame: _Frame, source: str) -> list[_Piece]:
        name = " ".join(_shown(frame.parts[0]).replace("_", " ").split())
        parts = [_unnamed(part) for part in frame.parts[1:]]
        line = frame.line
        if parts and _EXAMPLE.match(name):
            begins = _shown(parts[-1]).lstrip().startswith("Example")
            return [_Piece("\n" + "Example: " * (not begins), line), *parts[-1]]
        if parts and _QUOTING.match(name):
            body = _quoted(name, parts, line)
            if body:
                return body
        if not parts and _SYMBOL.fullmatch(name):
            return [_Piece(f"{{{name}}}", line)]
        if parts and name.casefold() in _CARD:
            return parts[0]
        if parts and name.casefold() in _QUOTES:
            return [_Piece("\n", line), *parts[0], _Piece("\n", line)]
        return [_Piece(source, line, LineRole.TEMPLATE)]


def _shown(pieces: list[_Piece]) -> str:
    return "".join(piece.text for piece in pieces if piece.role is None)


def _unnamed(part: list[_Piece]) -> list[_Piece]:
    """Remove the name of a parameter: "set=Innistrad"."""
    match = _NAMED.match(part[0].text) if part and part[0].role is None else None
    return [part[0]._replace(text=part[0].text[match.end() :]), *part[1:]] if match else part


def _quoted(name: str, parts: list[list[_Piece]], line: int) -> list[_Piece]:
    """Expand a template that quotes rules: the edition, then the words; [] if it has none."""
    pieces: list[_Piece] = []
    first = _shown(parts[0]).strip()
    if len(parts) > 1 and _SHOWN_SET.fullmatch(first):
        pieces = [_Piece("\n", line), _Piece(first, line, LineRole.STAMP, _tag(name))]
        parts = parts[1:]
        while len(parts) > 1 and _is_day(_shown(parts[0])):
            pieces[-1] = pieces[-1]._replace(text=f"{pieces[-1].text}, {_shown(parts[0]).strip()}")
            parts = parts[1:]
    elif not re.search(r"\n|^[*#:]|[.!?]\s", first):
        return []  # {{CR|trample}} has no words
    else:
        pieces = [_Piece("", line, LineRole.STAMP, _tag(name))]
    for part in parts:
        pieces += [_Piece("\n", line), *part]
    return [*pieces, _Piece("\n", pieces[-1].line)]


def _is_day(text: str) -> bool:
    return _SHOWN_SET.fullmatch(text.strip()) is not None and find_day(text) is not None


def _tag(name: str) -> str:
    return "glossary" if _GLOSSARY.search(name) else "stamp"


def _lines(pieces: list[_Piece]) -> list[Line]:
    """Join pieces into lines; an aside follows its line."""
    lines: list[Line] = []
    asides: list[Line] = []
    text, first, last, after_blank = "", 0, 0, True

    def close() -> None:
        nonlocal text, after_blank
        if text.strip():
            lines.append(_line(text.strip(), first, last, after_blank=after_blank))
        after_blank = not text.strip() and not asides
        lines.extend(asides)
        asides.clear()
        text = ""

    for piece in pieces:
        if piece.role is not None:
            rows = [row.strip() for row in piece.text.split("\n")] or [""]
            asides += [
                Line(row, piece.line + n, piece.line + n, role=piece.role, tag=piece.tag)
                for n, row in enumerate(rows)
                if row or piece.tag
            ]
            continue
        for number, part in enumerate(piece.text.split("\n")):
            if number:
                close()
            first = first if text.strip() else piece.line
            last = piece.line
            text += part
    close()
    return lines


def _line(text: str, first: int, last: int, *, after_blank: bool) -> Line:
    match = _HEADLINE.fullmatch(text)
    if match:
        return Line(match["text"], first, last, after_blank=True, tag=f"h{len(match['level'])}")
    if _TABLE.match(text):
        return Line(text, first, last, after_blank=after_blank, role=LineRole.BANNER)
    marks = _LIST.match(text)
    if marks is None or marks.end() == len(text):
        return Line(text, first, last, after_blank=after_blank)
    signs = marks["marks"]
    tag = "dt" if signs[-1] == ";" else "dd" if signs[-1] == ":" else "li"
    return Line(text[marks.end() :], first, last, len(signs), after_blank, None, tag)
