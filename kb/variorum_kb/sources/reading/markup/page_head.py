"""Reads the metadata of an HTML page: title, author, source and day."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from variorum_kb.sources.reading.markup.shown_lines import Line
from variorum_kb.sources.reading.passages.passages import LineRole, Stated
from variorum_kb.text.days import find_day

if TYPE_CHECKING:
    from bs4 import BeautifulSoup
    from bs4.element import Tag

_WIKI_IDS = ("mw-content-text", "mw-navigation", "mw-head", "siteSub")
_PLACES = frozenset(["id", "role", "class"])
_META = ("name", "property", "itemprop")


class PageTags:
    """The first tag of each name, and of each value of some attributes."""

    def __init__(self, soup: "BeautifulSoup") -> None:
        from bs4.element import Tag  # noqa: PLC0415 - only HTML needs it

        self._first: dict[tuple[str, str], Tag] = {}
        self._times: set[str] = set()
        for tag in soup.descendants:
            if isinstance(tag, Tag):
                self._take(tag)

    def _take(self, tag: "Tag") -> None:
        first = self._first
        first.setdefault(("", tag.name), tag)
        telling = {"meta": _META, "link": ("rel",)}.get(tag.name, ())
        for attribute, value in tag.attrs.items():
            key = attribute if attribute in _PLACES else ""
            key = f"{tag.name} {attribute}" if attribute in telling else key
            for word in (value if isinstance(value, list) else [value]) if key else ():
                first.setdefault((key, str(word)), tag)
        if tag.name == "time" and tag.get("datetime"):
            self._times.add(str(tag["datetime"]))

    def find(self, attribute: str, value: str) -> "Tag | None":
        """Return the first tag whose `attribute` is `value`.

        If `attribute` is "", return the first tag whose name is `value`.
        """
        return self._first.get((attribute, value))

    def meta(self, *names: str) -> str:
        """Return the metadata under the first name that has any on the page."""
        keys = [(f"meta {attribute}", name) for name in names for attribute in _META]
        metas = [self._first[key] for key in keys if key in self._first]
        words = (" ".join(str(meta.get("content") or "").split()) for meta in metas)
        return next(filter(None, words), "")

    @property
    def is_wiki(self) -> bool:
        """Say whether a wiki made the page."""
        has_part = any(("id", identity) in self._first for identity in _WIKI_IDS)
        return has_part or "MediaWiki" in self.meta("generator")

    def _words_of(self, name: str) -> str:
        tag = self.find("", name)
        return " ".join(tag.get_text().split()) if tag is not None else ""

    @property
    def title(self) -> str:
        """Return the first headline of the page, else its title."""
        return self._words_of("h1") or self._words_of("title")

    @property
    def source(self) -> str:
        """Return the name of the page's site or wiki, else its address."""
        link = self.find("link rel", "canonical")
        address = str(link.get("href") or "") if link is not None else self.meta("og:url")
        # "Flame - MTG Wiki"
        wiki = self._words_of("title").rpartition(" - ")[2]
        return self.meta("og:site_name") or address or (wiki if "Wiki" in wiki else "")

    @property
    def dated(self) -> Stated | None:
        """Return the publication day in the markup."""
        words = self.meta("article:published_time", "datePublished", "date", "dc.date")
        if not words and len(self._times) == 1:
            (words,) = self._times
        day = find_day(words)
        return Stated(words, day) if day else None


def revision_of(lines: Sequence[Line]) -> Stated | None:
    """Return the day named at the foot of a page."""
    dated = next((line for line in lines if line.role is LineRole.DATE), None)
    return Stated(dated.text, find_day(dated.text), dated.number) if dated else None
