"""Reads pages published by this project, whose markup identifies each provision.

`site/` writes this markup.
"""

import re
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from variorum_kb.sources.reading.markup.shown_lines import MarkedProvision
from variorum_kb.sources.reading.passages.passages import LineRole, PassageKind

if TYPE_CHECKING:
    from bs4 import BeautifulSoup
    from bs4.element import Tag

GENERATOR = "Variorum"
_KINDS = {
    "chapter": PassageKind.HEADING,
    "section": PassageKind.HEADING,
    "rule": PassageKind.RULE,
    "subrule": PassageKind.RULE,
    "glossary": PassageKind.GLOSSARY,
}
# On a dated page, only a provision's own number has such a link.
_TO_NUMBERS = re.compile(r"^\.\./\.\./rule/")
# Elements whose words are not of the rules: changes and notes.
_BESIDE = (("a", "m"), ("p", "note"))


@dataclass(slots=True)
class Published:
    """The markup of a published page, with elements by identity.

    Attributes:
        mains: The elements that hold words of the rules.
        parts: The elements that are a provision or part of one.
        roles: The elements with another role.
    """

    mains: set[int] = field(default_factory=set[int])
    parts: dict[int, MarkedProvision] = field(default_factory=dict[int, MarkedProvision])
    roles: dict[int, LineRole] = field(default_factory=dict[int, LineRole])


def look_up(soup: "BeautifulSoup") -> Published:
    """Identify the elements of a published page."""
    page = Published()
    places = count(1)
    title = soup.find("h1")
    for text in soup.find_all("div", class_="text"):
        if text.find_parent("article", class_="gone") is not None:
            continue  # former words, below the current ones
        page.mains.add(id(text))
        for element in text.find_all(("div", "p"), recursive=False):
            kind = _kind_of(element, text)
            if kind is not None:
                _take(page, element, kind, title, next(places))
        for name, class_ in _BESIDE:
            page.roles |= {
                id(mark): LineRole.NAVIGATION for mark in text.find_all(name, class_=class_)
            }
    for heading in soup.find_all("h3", class_="chapter"):
        page.mains.add(id(heading))
        number = _number(heading)
        page.parts[id(heading)] = MarkedProvision(next(places), PassageKind.HEADING, number)
    page.roles |= {id(stamp): LineRole.STAMP for stamp in soup.find_all("p", class_="asof")}
    return page


def _kind_of(element: "Tag", text: "Tag") -> PassageKind | None:
    """Return the kind of a provision; None for anything else.

    Subrules and entries have an anchor and no class, and the text around entries says that it holds
    entries. Until November 2026, every provision named its kind.
    """
    named = [_KINDS[name] for name in element.get_attribute_list("class") if name in _KINDS]
    if named:
        return named[0]
    if element.has_attr("class") or not element.has_attr("id"):
        return None
    is_entry = "glossary" in text.get_attribute_list("class")
    return PassageKind.GLOSSARY if is_entry else PassageKind.RULE


def _take(
    page: Published, element: "Tag", kind: PassageKind, title: "Tag | None", place: int
) -> None:
    """Note a provision; the title of the page may belong to it."""
    is_bare = not element.get_text(strip=True)
    is_own = kind is PassageKind.HEADING or is_bare
    is_own = is_own or (kind is PassageKind.GLOSSARY and element.find("h2") is None)
    if is_own and title is not None and id(title) not in page.parts:
        part = MarkedProvision(place, kind, _number(title))
        page.mains.add(id(title))
        page.parts[id(title)] = part
    else:
        part = MarkedProvision(
            place, kind, "" if kind is PassageKind.GLOSSARY else _number(element)
        )
    page.parts[id(element)] = part


def _number(element: "Tag") -> str:
    shown = element.find(class_="n") or element.find("a", href=_TO_NUMBERS)
    return shown.get_text(strip=True) if shown is not None else ""
