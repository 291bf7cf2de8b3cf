"""Quote provisions for pasting, with their edition: plain, Markdown, Discord, wiki or HTML."""

import re
from collections.abc import Callable, Iterator, Sequence
from html import escape

from variorum.answers.subject import Subject
from variorum.permalinks import dated_permalink
from variorum.text import shortened

# The publisher's page of the rules, which has only the newest edition.
_OFFICIAL = "https://magic.wizards.com/en/rules"
# The longest message that Discord accepts, in characters.
_LONGEST = 1500
_WIKI_SIGNS = re.compile(r"[\[\]{}|<>&~]|''|__")


def _whole(matches: Sequence[Subject]) -> Iterator[Subject]:
    """Yield provisions; a rule that is only a heading is followed by its subrules."""
    for match in matches:
        yield match
        if match.kind == "rule" and not match.paragraphs:
            yield from match.children()


def _opening(match: Subject) -> tuple[str, str]:
    """Return the name of a provision and its heading; an entry is named by its headword."""
    return (match.address, match.heading) if match.number else (match.heading, "")


# Whole texts --------------------------------------------------------------------------------------


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


# Short, with a link -------------------------------------------------------------------------------


def set_linked(form: str, matches: Sequence[Subject], site: str) -> list[str]:
    """Return provisions as one short quotation, with a link and the day of their edition.

    Args:
        form: "discord", "wiki" or "html".
        matches: Of one edition; a rule that is only a heading is followed by its subrules.
        site: The address of the website that is linked to; "" links to the publisher's page.
    """
    first, label = matches[0], matches[0].edition.label
    link = site + dated_permalink(label, first.address if first.number else "", first.heading)
    link, day = link if site else _OFFICIAL, label.partition(".")[0]
    if form == "discord":
        lines = [line for some in _paragraphs(matches, _discord, "**{}**") for line in some]
        quoted = "\n".join([f"> {line}" for line in lines])
        return [f"{quoted}\n-# [Comprehensive Rules, {label}](<{link}>)"]
    if form == "wiki":
        quoted = "\n\n".join(
            [line for some in _paragraphs(matches, _wiki, "'''{}'''") for line in some]
        )
        source = f"<small>[{link} Comprehensive Rules, {label}]</small>"
        return [f"<blockquote>\n{quoted}\n\n{source}\n</blockquote>"]
    body = "\n".join(
        [
            f"<p>{line}</p>"
            for some in _paragraphs(matches, escape, "<strong>{}</strong>")
            for line in some
        ]
    )
    cited = (
        f'<a href="{escape(link)}">Comprehensive Rules, <time datetime="{day}">{label}</time></a>'
    )
    return [f'<blockquote cite="{escape(link)}">\n{body}\n<footer>{cited}</footer>\n</blockquote>']


def _paragraphs(
    matches: Sequence[Subject], escaped: Callable[[str], str], bold: str
) -> Iterator[list[str]]:
    """Yield the paragraphs of provisions without examples, the name in bold; long ones are cut."""
    length = 0
    for match in _whole(matches):
        opening, heading = _opening(match)
        texts = [words for marker, words in match.paragraphs if not marker]
        before, length = length, length + len(opening) + len(heading) + sum(map(len, texts))
        if before and length > _LONGEST:
            yield ["…"]
            return
        name, words = (
            bold.format(escaped(opening)),
            [escaped(shortened(t, _LONGEST)) for t in texts],
        )
        yield [" ".join(filter(None, [name, escaped(heading), *words[:1]])), *words[1:]]


def _discord(text: str) -> str:
    """Escape what Discord would read as layout or as a mention."""
    return re.sub(r"([\\`*_~|<>\[\]#])", r"\\\1", text).replace("@", "@\u200b")


def _wiki(text: str) -> str:
    """Escape a text for MediaWiki."""
    if not _WIKI_SIGNS.search(text):
        return text
    return f"<nowiki>{escape(text, quote=False)}</nowiki>"
