"""Find the links of a page, in time proportional to its length.

Python's HTML parser takes minutes for a megabyte of unclosed tags; this one looks at each character
a fixed number of times. Attributes of any tag count as links. So do strings in scripts and data,
which modern sites keep as JSON, some of it quoted twice. Comments do not count.
"""

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

from variorum_crawler.places.published_file_names import file_name, format_of

_TAG = re.compile(r"<([A-Za-z][^\s/>]*)")
_END = re.compile(r"</([A-Za-z][A-Za-z0-9]*)\s*>?")
_BLANKS = re.compile(r"[\s/]*")
_ATTRIBUTE = re.compile(
    r"""([^\s/>=]+) (?: \s*=\s* (?: "([^"]*)" | '([^']*)' | ([^\s>"'][^\s>]*) ) )?""", re.VERBOSE
)
_SCRIPT_END = re.compile(r"</script", re.IGNORECASE)
# The lookbehind prevents a new attempt at each backslash of a long run.
_UNICODE_ESCAPE = re.compile(r"(?<!\\)\\+u([0-9A-Fa-f]{4})")
_ESCAPE = re.compile(r"(?<!\\)\\+([/\"'])")
_QUOTE = re.compile(r"[\"'`<>\n]")
_FORMAT = re.compile(r"txt|docx|pdf", re.IGNORECASE)
# A string in a script is a link, unless it is a sentence that ends with the name of a file.
_LINK = re.compile(r"(?:https?:)?//|\.{0,2}/|\S+$", re.IGNORECASE)


class Link(NamedTuple):
    """A link on a page to a file in one of our formats.

    Attributes:
        target: The target as written, perhaps relative.
        shown: The words of the link; "" if unknown.
    """

    target: str
    shown: str


def find_links(page: str) -> tuple[list[Link], str]:
    """Return the links of a page in order, and the base of relative links ("" for the page itself).

    >>> find_links("<a href='a.txt'>The <b>text</b></a> <!-- <a href='b.txt'> -->")
    ([Link(target='a.txt', shown='The text')], '')
    """
    scanner = _Scanner(page)
    scanner.scan()
    return scanner.links, scanner.base


class _Scanner:
    """A single pass over a page, from one "<" to the next."""

    def __init__(self, page: str) -> None:
        self.links: list[Link] = []
        self.base = ""
        self._page = page
        self._open: list[str] | None = None  # the targets of the open link
        self._shown: list[str] = []

    def scan(self) -> None:
        """Collect the links."""
        place = 0
        while (start := self._page.find("<", place)) >= 0:
            self._show(self._page[place:start])
            place = self._after(start)
        self._close()

    def _after(self, start: int) -> int:
        """Read the tag or comment at a "<"; return where it ends."""
        if self._page.startswith("<!--", start):
            end = self._page.find("-->", start + len("<!--"))
            return len(self._page) if end < 0 else end + len("-->")
        if tag := _TAG.match(self._page, start):
            attributes, end = self._attributes(tag.end())
            self._begin(tag[1].lower(), attributes)
            return self._script(end) if tag[1].lower() == "script" else end
        if ended := _END.match(self._page, start):
            if ended[1].lower() == "a":
                self._close()
            return ended.end()
        return start + 1

    def _attributes(self, place: int) -> tuple[dict[str, str], int]:
        """Return the attributes of a tag, and where it ends."""
        attributes: dict[str, str] = {}
        while (place := self._past_blanks(place)) < len(self._page):
            if self._page[place] == ">":
                return attributes, place + 1
            attribute = _ATTRIBUTE.match(self._page, place)
            if attribute is None:  # a "=" without a name, or with a quote that never ends
                place += 1
                continue
            name, *values = attribute.groups()
            attributes.setdefault(
                name.lower(), next((value for value in values if value is not None), "")
            )
            place = attribute.end()
        return {}, place

    def _past_blanks(self, place: int) -> int:
        blanks = _BLANKS.match(self._page, place)
        return blanks.end() if blanks else place

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        targets = [target for value in attributes.values() for target in _targets(value)]
        if tag == "base":
            self.base = self.base or html.unescape(attributes.get("href", ""))
        elif tag == "a":
            self._close()
            self._open = targets
            self._shown = [attributes.get("title", ""), attributes.get("aria-label", "")]
        else:
            self.links += [Link(target, "") for target in targets]

    def _script(self, start: int) -> int:
        ended = _SCRIPT_END.search(self._page, start)
        end = ended.start() if ended else len(self._page)
        self.links += [Link(target, "") for target in _in_script(self._page[start:end])]
        return end

    def _show(self, text: str) -> None:
        if self._open is not None:
            self._shown.append(text)

    def _close(self) -> None:
        """Keep the open link, if there is one."""
        if self._open:
            shown = " ".join(html.unescape(" ".join(self._shown)).split())
            self.links += [Link(target, shown) for target in self._open]
        self._open = None


def _targets(value: str) -> Iterator[str]:
    """Yield the targets in an attribute; it may hold JSON."""
    if not _FORMAT.search(value):
        return
    value = html.unescape(value).strip()
    if format_of(file_name(value)) and '"' not in value:
        yield value
    elif '"' in value or "'" in value:  # JSON, or the action of a click
        yield from _in_script(value)


def _in_script(text: str) -> Iterator[str]:
    """Yield the strings of a script that are links to files in our formats."""
    text = _UNICODE_ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)
    for piece in _QUOTE.split(_ESCAPE.sub(r"\1", text)):
        if _FORMAT.search(piece):
            target = html.unescape(piece).strip()
            if _LINK.match(target) and format_of(file_name(target)):
                yield target
