"""Read a built site as a browser does: its pages, their links, anchors and tags."""

import json
import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

_TAG = re.compile(r'<(/?)(!?[a-zA-Z0-9]+)((?:[^<>"]++|"[^"]*+")*+)>')
_ATTRIBUTE = re.compile(r'([a-zA-Z-]+)(?:="([^"]*)")?')
_LINKS = {"href", "src", "data-copy-link"}
# Elements without an end tag, in HTML and in SVG.
_EMPTY = {"br", "link", "meta", "img", "hr", "input", "rect", "path", "circle"}
# A link of a feed.
_HREF = re.compile(r' href="([^"]*)"')


class Document:
    """A page of a site, as we write pages, with double quotes around attribute values."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.ids: list[str] = []
        self.links: list[tuple[str, str]] = []
        self.inline: list[str] = []
        self.unclosed: list[str] = []
        signs = text.count("<")
        for match in _TAG.finditer(text):
            signs -= 1
            is_end, tag, attributes = match.groups()
            if is_end:
                self._close(tag)
            elif tag != "!doctype":
                self._open(tag, attributes)
        if signs:
            self.inline.append("< opens no tag")

    def _open(self, tag: str, attributes: str) -> None:
        ids, links, inline = _read_tag(tag, attributes)
        self.ids += ids
        self.links += links
        self.inline += inline
        if tag not in _EMPTY:
            self.unclosed.append(tag)

    def _close(self, tag: str) -> None:
        if tag in _EMPTY:
            return
        if not self.unclosed or self.unclosed.pop() != tag:
            self.inline.append(f"</{tag}> closes something else")

    @property
    def words(self) -> str:
        return unescape(_TAG.sub("", self.text))

    @cached_property
    def plain(self) -> str:
        return " ".join(self.words.split())


@lru_cache(200_000)  # most tags are on many pages
def _read_tag(
    tag: str, attributes: str
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Return the anchors of a tag, its links, and its inline scripts and styles."""
    values: dict[str, str] = dict(_ATTRIBUTE.findall(attributes)) if attributes else {}
    ids = (unescape(values["id"]),) if "id" in values else ()
    links = [(tag, unescape(values[name])) for name in values if name in _LINKS and values[name]]
    inline = [name for name in values if name == "style" or name.startswith("on")]
    if tag == "style" or (tag == "script" and "src" not in values):
        inline.append(tag)
    return ids, tuple(links), tuple(inline)


class Site:
    """The folder of a site."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files = {
            path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
        }

    @cached_property
    def pages(self) -> dict[str, Document]:
        return {name: self.page(name) for name in sorted(self.files) if name.endswith("index.html")}

    def page(self, name: str) -> Document:
        return Document((self.folder / name).read_text("utf-8"))

    def broken(self) -> Iterator[str]:
        """Yield the links of pages that lead nowhere."""
        for name, page in self.pages.items():
            yield from self.lost(name, (href for _, href in page.links))

    def broken_in_feeds(self) -> Iterator[str]:
        """Yield the links of feeds that lead nowhere."""
        for name in sorted(self.files):
            if name.endswith(".atom"):
                text = (self.folder / name).read_text("utf-8")
                yield from self.lost(name, map(unescape, _HREF.findall(text)))

    def broken_in_search(self) -> Iterator[str]:
        """Yield the broken links that the script makes from the search index."""
        current, numbers = self.json("search/current.js"), self.json("search/numbers.js")
        rules = [row[0] for row in current["rows"] if row[1] != "g"]
        rules += numbers
        rules += [
            end[1] or number
            for number, ends in numbers.items()
            for end in ends
            if isinstance(end[1], str)
        ]
        made = {_of_rule("rule/{}/index.html", name) for name in rules}
        made |= {f"glossary/{slug}/index.html" for *_, slug in current["rows"] if slug}
        yield from self.lost("", sorted(made))

    def json(self, name: str) -> Any:
        data = (self.folder / name).read_bytes()
        # A script calls one function, with the name and the value.
        return json.loads(
            data.partition(b",")[2].removesuffix(b");\n") if name.endswith(".js") else data
        )

    @cached_property
    def _ids(self) -> dict[str, set[str]]:
        return {name: set(page.ids) for name, page in self.pages.items()}

    def lost(self, name: str, links: Iterable[str]) -> Iterator[str]:
        """Yield the broken links of a file."""
        folder = posixpath.dirname(name)
        for href in links:
            if href.startswith("https://"):
                continue
            file, _, anchor = href.partition("#")
            file = file.partition("?")[0]
            there = _joined(folder, file) if file else name
            if there not in self.files:
                yield f"{name}: {href}: no such file"
            elif anchor and unquote(anchor) not in self._ids[there]:
                yield f"{name}: {href}: no such anchor"


def _joined(folder: str, file: str) -> str:
    """Return the target of a relative address; one longer than necessary gives no file."""
    while file.startswith("../") and folder:
        file, folder = file.removeprefix("../"), folder.rpartition("/")[0]
    return f"{folder}/{file}" if folder else file


def _of_rule(pattern: str, name: str) -> str:
    number, _, bearer = name.partition("#")
    href = pattern.replace("{}", number)
    return href if bearer in {"", "1"} else f"{href}#{number}-{bearer}"
