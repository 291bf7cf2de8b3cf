"""Format provisions for pasting, with their edition: plain, Markdown, Discord, wiki or HTML."""

import re
from collections.abc import Callable, Iterator, Sequence

from variorum.answers.subject import Subject
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


def set_copy(matches: Sequence[Subject]) -> str:
    """Return provisions as plain text."""
    return "\n\n".join([_copy(match) for match in _whole(matches)]) + "\n"


def _copy(match: Subject) -> str:
    """Format a provision as plain text, with its edition at the end."""
    opening = match.address if match.number else f"{match.heading}:"
    heading = match.heading if match.number else ""
    paragraphs = [f"{marker} {text}".strip() for marker, text in match.paragraphs]
    first = " ".join(filter(None, [opening, heading, *paragraphs[:1]]))
    *others, last = [first, *paragraphs[1:]]
    return "\n".join([*others, f"{last} (CR {match.edition.label})"])


def set_markdown(matches: Sequence[Subject]) -> str:
    """Return provisions as quotations in Markdown."""
    return "\n\n".join([_markdown(match) for match in _whole(matches)]) + "\n"


def _markdown(match: Subject) -> str:
    """Format a provision as a quotation, with its edition at the end."""
    lines = list(_marked_up(match))
    source = f"Comprehensive Rules, {match.edition.label}"
    return "\n>\n".join(f"> {line}" for line in [*lines, f"*{source}*"])


def _marked_up(match: Subject) -> Iterator[str]:
    opening = match.address if match.number else match.heading
    heading = f" {_escaped(match.heading)}" if match.number and match.heading else ""
    paragraphs: Sequence[tuple[str, str]] = match.paragraphs
    first = f"**{_escaped(opening)}**{heading}"
    for place, (marker, text) in enumerate(paragraphs or [("", "")]):
        words = f"*{marker}* {_escaped(text)}" if marker else _escaped(text)
        if place == 0 and not (marker or heading):
            yield f"{first} {words}".rstrip()
            continue
        if place == 0:
            yield first
        if words:
            yield words


def _escaped(text: str) -> str:
    """Escape Markdown's own signs; the rules use "*" as a value of power."""
    for sign in "\\`*_":
        text = text.replace(sign, f"\\{sign}")
    return text


# Short, with a link -------------------------------------------------------------------------------


def set_linked(form: str, matches: Sequence[Subject], site: str) -> str:
    """Return provisions as one short quotation, with a link and the day of their edition.

    Args:
        form: "discord", "wiki" or "html".
        matches: Of one edition; a rule that is only a heading is followed by its subrules.
        site: The address of the website that is linked to; "" links to the publisher's page.
    """
    quotations = [_short(match) for match in _whole(matches)]
    shown: list[tuple[str, str, list[str]]] = []
    length = 0
    for opening, heading, paragraphs in quotations:
        length += len(opening) + len(heading) + sum(map(len, paragraphs))
        if shown and length > _LONGEST:
            shown.append(("", "", ["…"]))
            break
        shown.append(
            (opening, heading, [shortened(paragraph, _LONGEST) for paragraph in paragraphs])
        )
    first = matches[0]
    label = first.edition.label
    from variorum.permalinks import dated_permalink

    link = site + dated_permalink(label, first.address if first.number else "", first.heading)
    return _FORMS[form](shown, link if site else _OFFICIAL, label)


def _short(match: Subject) -> tuple[str, str, list[str]]:
    """Return the name of a provision, its heading, and its paragraphs except examples."""
    opening = match.address if match.number else match.heading
    heading = match.heading if match.number else ""
    return opening, heading, [words for marker, words in match.paragraphs if not marker]


_Shown = Sequence[tuple[str, str, list[str]]]


def _set_discord(shown: _Shown, link: str, label: str) -> str:
    lines: list[str] = []
    for opening, heading, paragraphs in shown:
        words = [_escaped_discord(paragraph) for paragraph in paragraphs]
        first = f"**{_escaped_discord(opening)}**" if opening else ""
        head = " ".join(filter(None, [first, _escaped_discord(heading), *words[:1]]))
        lines += [head, *words[1:]]
    quoted = "\n".join(f"> {line}" for line in lines)
    return f"{quoted}\n-# [Comprehensive Rules, {label}](<{link}>)"


def _escaped_discord(text: str) -> str:
    """Escape what Discord would read as layout or as a mention."""
    return re.sub(r"([\\`*_~|<>\[\]#])", r"\\\1", text).replace("@", "@\u200b")


def _set_wiki(shown: _Shown, link: str, label: str) -> str:
    lines: list[str] = []
    for opening, heading, paragraphs in shown:
        first = f"'''{_escaped_wiki(opening)}'''" if opening else ""
        words = [_escaped_wiki(paragraph) for paragraph in paragraphs]
        lines += [" ".join(filter(None, [first, _escaped_wiki(heading), *words[:1]])), *words[1:]]
    quoted = "\n\n".join(lines)
    return f"<blockquote>\n{quoted}\n\n<small>[{link} Comprehensive Rules, {label}]</small>\n</blockquote>"


def _escaped_wiki(text: str) -> str:
    """Escape a text for MediaWiki."""
    if not _WIKI_SIGNS.search(text):
        return text
    from html import escape

    return f"<nowiki>{escape(text, quote=False)}</nowiki>"


def _set_html(shown: _Shown, link: str, label: str) -> str:
    from html import escape

    lines: list[str] = []
    for opening, heading, paragraphs in shown:
        first = f"<strong>{escape(opening)}</strong>" if opening else ""
        words = [escape(paragraph) for paragraph in paragraphs]
        head = " ".join(filter(None, [first, escape(heading), *words[:1]]))
        lines += [f"<p>{paragraph}</p>" for paragraph in (head, *words[1:])]
    day = label.partition(".")[0]
    cited = (
        f'<a href="{escape(link)}">Comprehensive Rules, <time datetime="{day}">{label}</time></a>'
    )
    body = "\n".join(lines)
    return f'<blockquote cite="{escape(link)}">\n{body}\n<footer>{cited}</footer>\n</blockquote>'


_FORMS: dict[str, Callable[[_Shown, str, str], str]] = {
    "discord": _set_discord,
    "wiki": _set_wiki,
    "html": _set_html,
}
FORMS = tuple(_FORMS)
