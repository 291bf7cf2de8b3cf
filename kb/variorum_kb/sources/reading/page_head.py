"""Reads the metadata of an HTML page: title, author, source and day."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from variorum_kb.sources.reading.dates import find_day
from variorum_kb.sources.reading.passages import LineRole, Stated
from variorum_kb.sources.reading.shown_lines import Line

if TYPE_CHECKING:
    from bs4 import BeautifulSoup

_WIKI_IDS = ("mw-content-text", "mw-navigation", "mw-head", "siteSub")


def is_wiki_page(soup: "BeautifulSoup") -> bool:
    """Say whether a wiki made a page."""
    generator = meta_of(soup, "generator")
    return "MediaWiki" in generator or any(
        soup.find(id=identity) is not None for identity in _WIKI_IDS
    )


def title_of(soup: "BeautifulSoup") -> str:
    """Return its first headline, or else its title."""
    for element in (soup.find("h1"), soup.title):
        words = " ".join(element.get_text().split()) if element else ""
        if words:
            return words
    return ""


def meta_of(soup: "BeautifulSoup", *names: str) -> str:
    """Return the value of the first of some metadata names that a page uses."""
    for name in names:
        for attribute in ("name", "property", "itemprop"):
            meta = soup.find("meta", attrs={attribute: name})
            words = " ".join(str(meta.get("content") or "").split()) if meta else ""
            if words:
                return words
    return ""


def source_of(soup: "BeautifulSoup") -> str:
    """Return the name of its site, or else its address."""
    site = meta_of(soup, "og:site_name")
    if site:
        return site
    link = soup.find("link", rel="canonical")
    return str(link.get("href") or "") if link else meta_of(soup, "og:url")


def wiki_name_of(soup: "BeautifulSoup") -> str:
    """Return the wiki's name after the title of a page: "Flame - MTG Wiki"."""
    name = " ".join(soup.title.get_text().split()).rpartition(" - ")[2] if soup.title else ""
    return name if "Wiki" in name else ""


def day_of(soup: "BeautifulSoup") -> Stated | None:
    """Return the publication day given by the markup."""
    words = meta_of(soup, "article:published_time", "datePublished", "date", "dc.date")
    if not words:
        times = {
            str(element.get("datetime"))
            for element in soup.find_all("time")
            if element.get("datetime")
        }
        words = times.pop() if len(times) == 1 else ""
    day = find_day(words)
    return Stated(words, day) if day else None


def revision_of(lines: Sequence[Line]) -> Stated | None:
    """Return the day named at the foot of a page."""
    dated = next((line for line in lines if line.role is LineRole.DATE), None)
    return Stated(dated.text, find_day(dated.text), dated.number) if dated else None
