"""Read a built site as a browser would: its pages, their links, anchors and tags."""

import json
import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

_VOID = {"br", "link", "meta", "img", "hr", "input"}
# What SVG leaves empty.
_EMPTY = {"rect", "path", "circle"}
# A link of a feed.
_HREF = re.compile(r' href="([^"]*)"')


@dataclass
class Document(HTMLParser):
    """A page of a site."""

    text: str
    ids: list[str] = field(default_factory=list[str])
    links: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    inline: list[str] = field(default_factory=list[str])
    unclosed: list[str] = field(default_factory=list[str])
    words: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if found.get("id"):
            self.ids.append(found["id"] or "")
        for name in ("href", "src", "data-copy-link"):
            if found.get(name):
                self.links.append((tag, found[name] or ""))
        self.inline += [name for name in found if name == "style" or name.startswith("on")]
        if tag == "style" or (tag == "script" and "src" not in found):
            self.inline.append(tag)
        if tag not in _VOID | _EMPTY:
            self.unclosed.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in _EMPTY:
            return
        if not self.unclosed or self.unclosed.pop() != tag:
            self.inline.append(f"</{tag}> closes something else")

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @cached_property
    def plain(self) -> str:
        return " ".join("".join(self.words).split())


class Site:
    """A folder that holds a site."""

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
        """Yield the links that the script makes of the index of the search and that lead nowhere."""
        current, numbers = self.json("search/current.json"), self.json("search/numbers.json")
        patterns = current["addresses"]
        rules = [
            name
            for kind, name in zip(current["kinds"], current["names"], strict=True)
            if kind != "g"
        ]
        rules += numbers["numbers"]
        rules += [
            end[-1] or number
            for number, ends in numbers["numbers"].items()
            for end in ends
            if isinstance(end[1], str)
        ]
        made = {_of_rule(patterns["rule"], name) for name in rules}
        made |= {patterns["entry"].replace("{}", slug) for slug in current["slugs"]}
        made |= {patterns["edition"].replace("{}", label) for label in numbers["labels"]}
        yield from self.lost("", sorted(made | {patterns["search"]}))

    def json(self, name: str) -> Any:
        return json.loads((self.folder / name).read_text("utf-8"))

    @cached_property
    def _ids(self) -> dict[str, set[str]]:
        return {name: set(page.ids) for name, page in self.pages.items()}

    def lost(self, name: str, links: Iterable[str]) -> Iterator[str]:
        """Yield those links of a file that lead nowhere."""
        for href in links:
            file, _, anchor = href.partition("#")
            file = file.partition("?")[0]
            there = posixpath.normpath(posixpath.join(posixpath.dirname(name), file))
            there = there if file else name
            if there not in self.files:
                yield f"{name}: {href}: no such file"
            elif anchor and unquote(anchor) not in self._ids[there]:
                yield f"{name}: {href}: no such anchor"


def _of_rule(pattern: str, name: str) -> str:
    number, _, bearer = name.partition("#")
    href = pattern.replace("{}", number)
    return href if bearer in {"", "1"} else f"{href}#{number}-{bearer}"
