"""Prepares HTML for the parser: removes invisible elements and closes open ones.

Python's parser needs minutes for a page of unclosed comments or tags. So comments, scripts and
styles are reduced to their line ends, and a "<" that begins no tag is escaped.
"""

import re
from collections import Counter

from variorum_kb.errors import LayoutError
from variorum_kb.text.words import set_of

_TAG = re.compile(
    r"""
    <(?P<end>/?) (?P<name>[a-zA-Z][a-zA-Z0-9]{0,15}) (?=[\s/>])
        (?: (?: [^<>"']++ | "[^"]{0,2000}+" | '[^']{0,2000}+' )*+ > | [^<>]{0,4000}+ > )
    | <!-- | <(?=[!?]) | <
    """,
    re.VERBOSE,
)
_VOID = set_of("area base br col embed hr img input link meta param source track wbr")
_UNSEEN = frozenset(["script", "style"])
ENDS_PARAGRAPH = set_of(
    """
    address article aside blockquote center div dl fieldset footer form h1 h2 h3 h4 h5 h6 header
    hr main nav ol p pre section table ul
    """
)
# The open elements that each tag closes, and the elements that prevent this.
_CLOSES = {
    "li": ({"li"}, {"ul", "ol", "menu", "table"}),
    "dt": ({"dt", "dd"}, {"dl", "table"}),
    "dd": ({"dt", "dd"}, {"dl", "table"}),
    "td": ({"td", "th"}, {"tr", "table"}),
    "th": ({"td", "th"}, {"tr", "table"}),
    "tr": ({"tr"}, {"table"}),
    "option": ({"option"}, {"select"}),
    "a": ({"a"}, {"table", "td", "div", "li", "ul", "ol"}),
}
_PARAGRAPH = ({"p"}, {"table", "td", "th", "div", "li", "dd", "blockquote", "button", "body"})
_LOOK_BACK = 64
_LONGEST_DECLARATION = 1000
_DEEPEST = 512


def close_implied(text: str, file: str) -> str:
    """Return a page with its omitted end tags; line numbers stay the same.

    >>> close_implied("<p>one<p>two <ul><li>three<li>four</ul> 1 < 2<!-- no -->", "page.html")
    '<p>one</p><p>two </p><ul><li>three</li><li>four</ul> 1 &lt; 2'

    Raises:
        LayoutError: Elements are nested hundreds of levels deep.
    """
    closer = _Closer(file)
    place, parts = 0, list[str]()
    while match := _TAG.search(text, place):
        parts.append(text[place : match.start()])
        end = _unseen(text, match)
        if end >= 0:
            parts.append("\n" * text.count("\n", match.start(), end))
            place = end
            continue
        place = match.end()
        parts += [closer.before(match), match[0]] if match["name"] else ["&lt;"]
    return "".join([*parts, text[place:]])


def _unseen(text: str, match: re.Match[str]) -> int:
    """Return the end of a comment, declaration, script or style; -1 for anything else."""
    if match["name"]:
        name = match["name"].casefold()
        if name not in _UNSEEN:
            return -1
        if match["end"]:
            return match.end()
        return _find(text, ">", _find(text, f"</{name}", match.end())) + 1
    if match[0] == "<!--":
        return min(_find(text, "-->", match.end()) + 3, len(text))
    if text[match.end() : match.end() + 1] in {"!", "?"}:
        end = text.find(">", match.end())
        return end + 1 if 0 <= end < match.end() + _LONGEST_DECLARATION else -1
    return -1


def _find(text: str, sought: str, start: int) -> int:
    """Return the start of a string, ignoring case; if it is missing, the end of the text."""
    match = re.compile(re.escape(sought), re.IGNORECASE).search(text, start)
    return match.start() if match else len(text)


class _Closer:
    def __init__(self, file: str) -> None:
        self._file = file
        self._open: list[str] = []
        self._counts: Counter[str] = Counter()

    def before(self, match: re.Match[str]) -> str:
        """Return the end tags to insert before a tag, and note the tag."""
        name = match["name"].casefold()
        if match["end"]:
            self._close(name)
            return ""
        tags = ""
        if name in ENDS_PARAGRAPH:
            tags += self._implied(*_PARAGRAPH)
        if name in _CLOSES:
            tags += self._implied(*_CLOSES[name])
        if name not in _VOID and not match[0].endswith("/>"):
            self._open.append(name)
            self._counts[name] += 1
            if len(self._open) > _DEEPEST:
                raise LayoutError(f"HTML nested more than {_DEEPEST} levels deep", self._file)
        return tags

    def _implied(self, closed: set[str], hides: set[str]) -> str:
        if not any(self._counts[name] for name in closed):
            return ""
        for name in self._open[: -_LOOK_BACK - 1 : -1]:
            if name in closed:
                self._close(name)
                return f"</{name}>"
            if name in hides:
                break
        return ""

    def _close(self, name: str) -> None:
        if not self._counts[name]:
            return
        while True:
            last = self._open.pop()
            self._counts[last] -= 1
            if last == name:
                return
