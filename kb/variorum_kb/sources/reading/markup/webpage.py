"""Reads HTML as shown lines, without scripts, styles and comments.

Beautiful Soup uses Python's parser, because lxml silently drops elements nested deeper than 256
levels. Old pages leave thousands of `<p>`, `<li>` and `<a name>` open. `html_repair.py` closes them
first, because the parser would nest them in each other.
"""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from variorum_kb.reading.ledger import without_blanks
from variorum_kb.sources.reading.markup.html_repair import ENDS_PARAGRAPH, close_implied
from variorum_kb.sources.reading.markup.page_head import PageTags, revision_of
from variorum_kb.sources.reading.markup.shown_lines import (
    Line,
    MarkedProvision,
    ShownText,
    check_size,
    set_aside,
)
from variorum_kb.sources.reading.own_website import GENERATOR, Published, look_up
from variorum_kb.sources.reading.passages.passages import LineRole, Markup
from variorum_kb.text.words import set_of
from variorum_kb.thresholds.documents import MAIN_COLUMN

if TYPE_CHECKING:
    from bs4 import BeautifulSoup
    from bs4.element import PageElement, Tag

_UNSEEN = frozenset(
    ["script", "style", "noscript", "template", "svg", "math", "iframe", "object", "head"]
)
# Elements that begin a paragraph; elements of `_LINES` begin a line.
_PARAGRAPHS = ENDS_PARAGRAPH | set_of(
    "body details figcaption figure html summary tbody tfoot thead title"
)
_LINES = frozenset(["li", "dt", "dd", "tr", "option", "caption", "legend"])
_LISTS = frozenset(["ul", "ol", "dl", "blockquote"])
_FOOTNOTE = re.compile(r"(?:\[[^\[\]]{1,12}\])+")
_TAGGED = frozenset(["h1", "h2", "h3", "h4", "h5", "h6", "li", "dt", "dd", "pre"])
_ENDLESS = re.compile(r"<((?:hr|br|img|input|meta|link|wbr|col)\b[^<>]*?)\s*/?>", re.IGNORECASE)
_OUTSIDE = frozenset(["nav", "aside", "form", "button", "select", "footer"])
_FEET = "catlinks footer foot copyright colophon"
_BY_CLASS = {
    **dict.fromkeys(
        set_of(
            f"mw-editsection mw-jump-link headerlink permalink navbox printfooter site-footer page-footer {_FEET}"
        ),
        LineRole.NAVIGATION,
    ),
    "toc": LineRole.CONTENTS,
    **dict.fromkeys(("references", "reflist", "reference"), LineRole.REFERENCES),
    "byline": LineRole.AUTHOR,
}
_BY_ID = dict.fromkeys(set_of(f"mw-navigation {_FEET}"), LineRole.NAVIGATION) | {
    "toc": LineRole.CONTENTS
}
_BY_PURPOSE = {"navigation": LineRole.NAVIGATION, "contentinfo": LineRole.NAVIGATION}
_PLACES = (
    ("id", "mw-content-text"),
    ("class", "mw-parser-output"),
    ("", "article"),
    ("", "main"),
    ("role", "main"),
    ("class", "entry-content"),
    ("class", "post-content"),
    ("class", "post-body"),
)
_PERMALINKS = frozenset("¶#§↑^")
# "{T}", "{2/W}": many pages show symbols as pictures with such an alternative text.
_SYMBOLS = re.compile(r"\s*(?P<symbols>(?:\{[^{}\n]{1,20}\})+)\s*")


def read_webpage(text: str, file: str) -> ShownText:
    """Read the shown lines of a page of HTML.

    Raises:
        LayoutError: The page is too large, or nested too deep.
    """
    from bs4 import BeautifulSoup  # noqa: PLC0415 - only HTML needs it

    check_size(text, Markup.HTML, file)
    # Elements without an end tag are closed at once. Otherwise the parser searches all of them at
    # each end tag.
    closed = _ENDLESS.sub(r"<\1/>", close_implied(text, file))
    soup = BeautifulSoup(closed, "html.parser")
    tags = PageTags(soup)
    is_ours = tags.meta("generator") == GENERATOR
    page = look_up(soup) if is_ours else Published(mains=_mains(soup, tags))
    walk = _Walk(page)
    walk.go(soup)
    lines = walk.lines if is_ours or tags.is_wiki else set_aside(walk.lines)
    shown = sum(len(without_blanks(line.text)) for line in lines)
    return ShownText(
        markup=Markup.HTML,
        lines=tuple(lines),
        count=text.count("\n") + 1,
        hidden=max(0, len(without_blanks(text)) - shown),
        title=tags.title,
        author=tags.meta("author", "article:author", "dc.creator"),
        source=tags.source,
        dated=tags.dated or revision_of(lines),
        anchors=frozenset(walk.anchors),
        is_wiki=tags.is_wiki,
        is_published=is_ours,
    )


def _mains(soup: "BeautifulSoup", tags: PageTags) -> set[int]:
    """Return the identity of the element with most of the page's own words, if there is one."""
    length = len(soup.get_text())
    for attribute, name in _PLACES:
        main = tags.find(attribute, name)
        if main is not None and len(main.get_text()) > MAIN_COLUMN * length:
            return {id(main)}
    return set()


@dataclass(frozen=True, slots=True)
class _Place:
    """The place of the walk in the tree, with the properties that inner elements inherit."""

    role: LineRole | None = None
    tag: str = ""
    depth: int = 0
    is_pre: bool = False
    is_aside: bool = False
    part: MarkedProvision | None = None
    is_quoted: bool = False


class _Walk:
    """Walks through a tree in printed order, without recursion, and collects its lines.

    Attributes:
        lines: The lines so far.
        anchors: The targets of links.
    """

    def __init__(self, page: Published) -> None:
        self.lines: list[Line] = []
        self.anchors: set[str] = set()
        self._page = page
        self._texts: list[str] = []
        self._asides: list[Line] = []
        self._first = self._cursor = 1
        self._after_blank = True
        self._indent = 0
        self._has_text = False

    def go(self, root: "Tag") -> None:
        from bs4.element import NavigableString, Tag  # noqa: PLC0415 - only HTML needs it

        outside = LineRole.NAVIGATION if self._page.mains else None
        todo: list[tuple[PageElement, _Place, bool]] = [(root, _Place(outside), False)]
        while todo:
            node, place, is_done = todo.pop()
            if is_done and isinstance(node, Tag):
                self._leave(node, place)
            elif isinstance(node, Tag):
                if node.name in _UNSEEN and node.name != "head":
                    continue
                inner = self._enter(node, place)
                todo.append((node, inner, True))
                todo += [
                    (child, inner, False)
                    for child in reversed(node.contents)
                    if node.name != "head" or (isinstance(child, Tag) and child.name == "title")
                ]
            elif type(node) is NavigableString:  # comments and the like are subclasses
                self._write(str(node), place)
        self._flush(_Place(outside))

    def _enter(self, tag: "Tag", place: _Place) -> _Place:
        self._cursor = max(self._cursor, tag.sourceline or 0)
        for name in ("id", "name"):
            anchor = tag.get(name)
            if anchor:
                self.anchors.add(str(anchor))
        inner = self._inherit(tag, place)
        if tag.name in _PARAGRAPHS:
            self._flush(place)
            self._after_blank = True
        elif tag.name in _LINES:
            self._flush(place)
        elif tag.name == "br":
            if not self._flush(place):
                self._after_blank = True
        elif tag.name == "img":
            self._write(_symbols_of(tag) or " ", inner)
        elif tag.name in {"td", "th"}:
            self._texts.append(" ")
        return inner

    def _inherit(self, tag: "Tag", place: _Place) -> _Place:
        role, is_aside = self._role(tag, place)
        name = tag.name
        return _Place(
            role=role,
            tag=name if name in _TAGGED else place.tag if name not in _PARAGRAPHS else "",
            depth=place.depth + (name in _LISTS),
            is_pre=place.is_pre or name == "pre",
            is_aside=is_aside,
            part=self._page.parts.get(id(tag), place.part),
            is_quoted=place.is_quoted or name == "blockquote",
        )

    def _role(self, tag: "Tag", place: _Place) -> tuple[LineRole | None, bool]:
        if id(tag) in self._page.mains:
            return None, False
        if tag.name == "title":
            return LineRole.TITLE, False
        if place.role not in {None, LineRole.NAVIGATION} or place.is_aside:
            return place.role, place.is_aside
        role = self._page.roles.get(id(tag)) or _role_of(tag)
        is_inline = tag.name not in _PARAGRAPHS and tag.name not in _LINES
        return (role, is_inline) if role else (place.role, False)

    def _leave(self, tag: "Tag", place: _Place) -> None:
        if tag.name in _PARAGRAPHS or tag.name in _LINES:
            self._flush(place)
        if tag.name in _PARAGRAPHS:
            self._after_blank = True

    def _write(self, text: str, place: _Place) -> None:
        if place.is_aside:
            words = " ".join(text.split())
            if words:
                aside = Line(words, self._cursor, self._cursor, role=place.role)
                self._asides.append(aside)
        elif place.is_pre:
            for number, part in enumerate(text.split("\n")):
                if number and not self._flush(place):
                    self._after_blank = True
                self._cursor += number > 0
                self._put(part)
            return
        else:
            self._put_collapsed(text)
        self._cursor += text.count("\n")

    def _put_collapsed(self, text: str) -> None:
        words = " ".join(text.split())
        if not words:
            if self._texts:
                self._texts.append(" ")
            return
        before, after = text[0].isspace(), text[-1].isspace()
        lead = text[: len(text) - len(text.lstrip())].count("\n")
        if not self._has_text:
            self._first, self._has_text = self._cursor + lead, True
        self._texts.append(f"{' ' * before}{words}{' ' * after}")

    def _put(self, text: str) -> None:
        if not self._has_text and text.strip():
            self._first, self._has_text = self._cursor, True
            self._indent = len(text) - len(text.lstrip())
        self._texts.append(text)

    def _flush(self, place: _Place) -> bool:
        """Finish the current line; return whether it had any text."""
        text = "".join(self._texts).strip()
        self._texts.clear()
        self._has_text = False
        if text:
            text = text if place.is_pre else " ".join(text.split())
            indent = self._indent if place.is_pre else place.depth
            last = max(self._first, self._cursor)
            part = None if place.role else place.part
            head = (text, self._first, last, indent, self._after_blank)
            line = Line(*head, place.role, place.tag, part, place.is_quoted)
            self.lines.append(line)
            self._after_blank = False
        self.lines += self._asides
        self._asides.clear()
        return bool(text)


def _role_of(tag: "Tag") -> LineRole | None:
    """Return the role of an element by its own markup."""
    for name in tag.get_attribute_list("class"):
        if name in _BY_CLASS:
            return _BY_CLASS[name]
    role = _BY_ID.get(str(tag.get("id"))) or _BY_PURPOSE.get(str(tag.get("role")))
    if role is not None:
        return role
    if tag.name in _OUTSIDE or _is_hidden(tag):
        return LineRole.NAVIGATION
    if tag.name == "sup" and _FOOTNOTE.fullmatch(tag.get_text().strip()):
        return LineRole.REFERENCES
    is_permalink = tag.name == "a" and tag.get_text().strip() in _PERMALINKS
    return LineRole.NAVIGATION if is_permalink else None


def _is_hidden(tag: "Tag") -> bool:
    style = str(tag.get("style") or "").replace(" ", "").casefold()
    return tag.has_attr("hidden") or "display:none" in style


def _symbols_of(tag: "Tag") -> str:
    """Return the symbols that a picture shows, such as "{T}"; "" for other pictures."""
    match = _SYMBOLS.fullmatch(str(tag.get("alt") or ""))
    return match["symbols"] if match else ""
