"""Read a built site as a browser would: its pages, their links, anchors and tags."""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

_VOID = {"br", "link", "meta", "img", "hr", "input"}
# What SVG leaves empty.
_EMPTY = {"rect", "path", "circle"}


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
        """Yield the links that lead nowhere."""
        ids = {name: set(page.ids) for name, page in self.pages.items()}
        for name, page in self.pages.items():
            for _, href in page.links:
                file, _, anchor = href.partition("#")
                there = name
                if file:
                    there = posixpath.normpath(posixpath.join(posixpath.dirname(name), file))
                if there not in self.files:
                    yield f"{name}: {href}: no such file"
                elif anchor and unquote(anchor) not in ids[there]:
                    yield f"{name}: {href}: no such anchor"
