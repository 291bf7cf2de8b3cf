"""Quote provisions for pasting, with their edition: plain or as Markdown."""

import re
from collections.abc import Iterator, Sequence

from variorum.answers.subject import Subject


def _whole(matches: Sequence[Subject]) -> Iterator[Subject]:
    """Yield provisions; a rule that is only a heading is followed by its subrules."""
    for match in matches:
        yield match
        if match.kind == "rule" and not match.paragraphs:
            yield from match.children()


def _opening(match: Subject) -> tuple[str, str]:
    """Return the name of a provision and its heading; an entry is named by its headword."""
    return (match.address, match.heading) if match.number else (match.heading, "")


def set_copy(matches: Sequence[Subject]) -> list[str]:
    """Return the lines of provisions as plain text, each with its edition at the end."""
    texts: list[str] = []
    for match in _whole(matches):
        opening, heading = _opening(match)
        paragraphs = [f"{marker} {text}".strip() for marker, text in match.paragraphs]
        head = opening if match.number else f"{opening}:"
        first = " ".join(filter(None, [head, heading, *paragraphs[:1]]))
        texts.append("\n".join([first, *paragraphs[1:]]) + f" (CR {match.edition.label})")
    return ["\n\n".join(texts)]


def set_markdown(matches: Sequence[Subject]) -> list[str]:
    """Return the lines of provisions as quotations in Markdown."""
    texts: list[str] = []
    for match in _whole(matches):
        source = f"*Comprehensive Rules, {match.edition.label}*"
        texts.append("\n>\n".join([f"> {line}" for line in [*_marked_up(match), source]]))
    return ["\n\n".join(texts)]


def _marked_up(match: Subject) -> Iterator[str]:
    opening, heading = _opening(match)
    first = f"**{_plain(opening)}**" + (f" {_plain(heading)}" if heading else "")
    paragraphs: Sequence[tuple[str, str]] = match.paragraphs or [("", "")]
    for place, (marker, text) in enumerate(paragraphs):
        words = f"*{marker}* {_plain(text)}" if marker else _plain(text)
        if place == 0 and not (marker or heading):
            yield f"{first} {words}".rstrip()
            continue
        if place == 0:
            yield first
        if words:
            yield words


def _plain(text: str) -> str:
    """Escape Markdown's own signs; the rules use "*" as a value of power."""
    return re.sub(r"([\\`*_])", r"\\\1", text)
