"""The shown lines of a document, without its markup."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import NamedTuple

from variorum_kb.errors import LayoutError
from variorum_kb.reading.ledger import without_blanks
from variorum_kb.reading.unwrap import EXAMPLE
from variorum_kb.rule_numbers import HEADED
from variorum_kb.sources.reading.passages.openers import open_headed, open_numbered
from variorum_kb.sources.reading.passages.passages import LineRole, Markup, PassageKind, Stated
from variorum_kb.text.days import find_day


class MarkedProvision(NamedTuple):
    """A provision whose lines are known from the markup of a page.

    Attributes:
        place: A number, from 1, that is unique on the page.
        kind: The kind of the provision.
        number: The number, which the markup separates from the words; "" if there is none.
        edition: The words that name its edition; "" if the whole page is from one edition.
    """

    place: int
    kind: PassageKind
    number: str
    edition: str = ""


class Line(NamedTuple):
    """A shown line that is not blank, or a paragraph joined from several lines.

    Attributes:
        text: The shown text, without blanks at its ends.
        number: The number of its first source line, from 1.
        last: The number of its last source line.
        indent: Its indentation in blanks or levels of lists.
        after_blank: Whether a blank line, the end of a paragraph or the beginning of the document
            precedes it.
        role: The role that its markup gives it; None if there is none.
        tag: Its markup: "h1" to "h6", "li", "dt", "dd", "pre", "stamp", "glossary"; "" in plain
            text.
        part: The provision to which it belongs by its markup; None if there is none.
        is_quoted: Whether it is marked as a quotation, as in e-mail and forums.
        place: The index of a paragraph in the document, from 0.
    """

    text: str
    number: int
    last: int
    indent: int = 0
    after_blank: bool = False
    role: LineRole | None = None
    tag: str = ""
    part: MarkedProvision | None = None
    is_quoted: bool = False
    place: int = 0

    @property
    def is_headline(self) -> bool:
        """Say whether its markup makes it a headline."""
        return len(self.tag) == 2 and self.tag[0] == "h"  # noqa: PLR2004


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownText:
    """The visible lines of a document, and the facts in its markup.

    Attributes:
        markup: Its markup.
        lines: The lines, in shown order.
        count: How many source lines the document has.
        hidden: The number of code points that are not shown, without blanks.
        title: The title in its markup; "" if there is none.
        author: The author in its markup; "" if there is none.
        source: The name of its site in its markup, or its address; "" if there is none.
        dated: The day in its markup; None if there is none.
        anchors: The targets of links in it.
        is_wiki: Whether a wiki made it.
        is_published: Whether it is a page of this project's website.
        notes: Oddities of the markup, in our words.
    """

    markup: Markup
    lines: tuple[Line, ...]
    count: int
    hidden: int
    title: str = ""
    author: str = ""
    source: str = ""
    dated: Stated | None = None
    anchors: frozenset[str] = field(default_factory=frozenset[str])
    is_wiki: bool = False
    is_published: bool = False
    notes: tuple[str, ...] = ()

    @property
    def characters(self) -> int:
        """Return how many code points are shown, without blanks."""
        return sum(len(without_blanks(line.text)) for line in self.lines)


def check_size(text: str, markup: Markup, file: str) -> None:
    """Check that a document can be read in seconds.

    Raises:
        LayoutError: It is too large, or has too many lines or tags. No known witness comes near the
            limits.
    """
    most = _LARGEST[markup]
    if len(text) > most:
        raise LayoutError(
            f"{len(text) // 1_000_000} million characters of {markup.value}; "
            f"a witness may have {most // 1_000_000} million",
            file,
        )
    is_html = markup is Markup.HTML
    sign, noun, most = ("<", "tags", _MOST_TAGS) if is_html else ("\n", "lines", _MOST_LINES)
    count = text.count(sign)
    if markup is not Markup.JSON and count > most:
        raise LayoutError(f"{count:,} {noun}; a witness may have {most:,}", file)


_MOST_LINES, _MOST_TAGS = 60_000, 110_000
_LARGEST = {
    Markup.PLAIN: 16_000_000,
    Markup.HTML: 8_000_000,
    Markup.WIKITEXT: 4_000_000,
    Markup.JSON: 6_000_000,
}


# What stands around the words of a page ------------------------------------------------------------

GLOSSARY_HEADING = re.compile(r"(?:Comprehensive Rules )?Glossary:?", re.IGNORECASE)
_NUMBER = rf"{HEADED}(?:\.\d{{1,3}}[a-z]{{0,2}})?\.?"
_LONGEST_LIST = 2000
_TO_TOP = re.compile(
    r"[\[(↑^]{0,2}\s*(?:back|go|return|jump) to (?:the )?(?:top|index|contents|table of contents)"
    r"(?: of (?:the |this )?page)?\s*[\])↑^.]{0,2}",
    re.IGNORECASE,
)
_TURNS = re.compile(
    r"[«<\s]*(?:previous|prev|next|up|home|top)\s*(?:(?:[:»>→]|\|).{0,80})?", re.IGNORECASE
)
_BAR = re.compile(r"\s*[|·•«»]\s*")
_OF_THE_PAGE = re.compile(
    r"©|\(c\) ?\d{4}|\bcopyright(?:ed)?\b|\ball rights reserved\b|\btrademarks?\b|\bwebmaster\b"
    r"|\b(?:maintained|powered|hosted) by\b"
    r"|\b(?:page|site|document|file)\b.{0,20}\b(?:updated|modified|edited|generated|revised|created (?:by|on|with))\b"
    r"|\blast (?:updated?|modified|edited|revised|build)\b"
    r"|\b(?:e-?mail|mail|contact)(?: me\b| us\b|:)",
    re.IGNORECASE,
)
_LONGEST_FOOT, _LONGEST_ITEM, _LONGEST_DAY = 80, 5, 14
_LONGEST_WAY = 60


def set_aside(lines: Sequence[Line]) -> list[Line]:
    """Mark the foot of a page, and links to its top, as furniture."""
    foot = _foot(lines)
    return [
        line._replace(role=LineRole.DATE if _is_dated(line.text) else LineRole.NAVIGATION)
        if line.role is None and (place in foot or _leads_up(line))
        else line
        for place, line in enumerate(lines)
    ]


def _begins(text: str) -> bool:
    return bool(open_numbered(text) or open_headed(text) or EXAMPLE.match(text))


def _foot(lines: Sequence[Line]) -> set[int]:
    """Return the places of last lines that are about the page or link elsewhere."""
    places = [place for place, line in enumerate(lines) if line.role is None]
    return set(takewhile(lambda place: _is_foot(lines[place]), reversed(places[1:])))


def _is_foot(line: Line) -> bool:
    if len(line.text) > _LONGEST_LIST or len(line.text.split()) > _LONGEST_FOOT:
        return False
    if _begins(line.text):
        return False
    return bool(_OF_THE_PAGE.search(line.text)) or _leads_away(line.text)


def _leads_away(text: str) -> bool:
    """Say whether a line leads to other pages: "Home | Contents", "Next: 706. Rolling a Die"."""
    items = [item for item in _BAR.split(text) if item]
    is_bar = len(items) > 1 and all(len(item.split()) <= _LONGEST_ITEM for item in items)
    return is_bar or _TURNS.fullmatch(text) is not None or _TO_TOP.fullmatch(text) is not None


def _leads_up(line: Line) -> bool:
    return len(line.text) <= _LONGEST_WAY and _TO_TOP.fullmatch(line.text) is not None


def _is_dated(text: str) -> bool:
    is_short = len(text.split()) <= _LONGEST_DAY
    return is_short and _OF_THE_PAGE.search(text) is not None and find_day(text) is not None
