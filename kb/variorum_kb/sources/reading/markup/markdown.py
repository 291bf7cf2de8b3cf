"""Reads Markdown as shown lines: removes its markup, and tags headings and list items."""

import re
from collections.abc import Iterator, Sequence

from variorum_kb.sources.reading.bulletins.announcements import read_heading
from variorum_kb.sources.reading.markup.plain_text import front_matter
from variorum_kb.sources.reading.markup.shown_lines import Line

_ATX = re.compile(r"#{1,6}\s+(?P<text>.*?)\s*#*")
_UNDERLINE = re.compile(r"(?:={3,}|-{3,})")
_RULE = re.compile(r"(?:[-*_=]\s*){3,}")
_ITEM = re.compile(r"(?:[*+•-]|\d{1,2}[.)])\s+(?=\S)")
_BOLD = re.compile(r"(?P<mark>\*\*|__)(?P<text>(?:(?!\1).)+?)(?P=mark)(?P<rest>.*)")
_ROW = re.compile(r"\|(?P<cells>.+)\|")
_SEPARATOR = re.compile(r"\|?[\s|:-]+\|?")
_LINK = re.compile(r"!?\[(?P<text>[^\[\]]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_SIGNS = re.compile(r"\*{1,3}(?!\s)|(?<!\s)\*{1,3}|(?<!\w)_{1,2}(?=\w)|(?<=\w)_{1,2}(?!\w)|`")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+.!|>-])")
# A link definition, or a comment in its form.
_DEFINED = re.compile(r"\[[^\[\]]{1,80}\]:(?:\s|-)")
_KEPT = "\N{PRIVATE USE ONE}"
_JOINTS = " \t:.\N{EN DASH}\N{EM DASH}-"


def plain(text: str) -> str:
    r"""Return words without their Markdown.

    >>> plain("see [the rule](https://x.example/a) and **not** \\*that\\*")
    'see the rule and not *that*'
    """
    shown = _ESCAPED.sub(lambda m: _KEPT if m[1] == "*" else m[1], text)
    shown = _SIGNS.sub("", _LINK.sub(lambda m: m["text"], shown))
    return " ".join(shown.replace(_KEPT, "*").removesuffix("\\").split())


def read_markdown(texts: Sequence[str]) -> tuple[list[Line], list[tuple[int, str]]]:
    """Read the shown lines of a plain text that may be Markdown.

    Returns:
        The lines, with tags "h1" to "h6" for headlines and "li" for list items; and the text not
        shown, with its line: comments, rulers, underlines.
    """
    lines: list[Line] = []
    hidden: list[tuple[int, str]] = []
    after_blank, in_comment = True, False
    front = front_matter(texts)
    for number, source in enumerate(texts, start=1):
        text = source.strip()
        if number <= front or _DEFINED.match(text):
            hidden += [(number, text)] if text else []
            continue
        if in_comment or text.startswith("<!--"):
            in_comment = "-->" not in text
            hidden += [(number, text)] if text else []
            continue
        quoted = text.lstrip("> ")
        if _underlines(quoted, lines, number):
            lines[-1] = lines[-1]._replace(tag="h2")
            hidden.append((number, text))
        elif not quoted or _RULE.fullmatch(quoted) or _is_separator(quoted):
            hidden += [(number, text)] if text else []
            after_blank = True
            continue
        else:
            made = list(_lines(quoted, number, after_blank=after_blank))
            lines += made
            hidden += [] if made else [(number, text)]  # only markup, no words
        after_blank = source.endswith(("  ", "\\"))  # Markdown's sign for a line break
    return lines, hidden


def _underlines(text: str, lines: Sequence[Line], number: int) -> bool:
    return bool(lines) and lines[-1].number == number - 1 and bool(_UNDERLINE.fullmatch(text))


def _is_separator(text: str) -> bool:
    return "|" in text and _SEPARATOR.fullmatch(text) is not None


def _lines(text: str, number: int, *, after_blank: bool) -> Iterator[Line]:
    """Yield a source line as a line, or as a heading and the text after it."""
    atx, item, row = _ATX.fullmatch(text), _ITEM.match(text), _ROW.fullmatch(text)
    if atx:
        yield Line(plain(atx["text"]), number, number, after_blank=True, tag="h3")
        return
    if row:
        cells = [plain(cell) for cell in row["cells"].split("|")]
        text = " → ".join(cells) if len(cells) == 2 else " ".join(cells)  # noqa: PLR2004
        yield Line(text, number, number, after_blank=True, tag="li")
        return
    words = text[item.end() :] if item else text
    bold = _BOLD.fullmatch(words)
    head = plain(bold["text"]).strip(_JOINTS) if bold else ""
    rest = plain(bold["rest"]) if bold else ""
    if head and not rest.strip(_JOINTS):
        yield Line(head, number, number, after_blank=True, tag="h6")
    elif bold and (read_heading(head) or rest[:1] in {"—", "–", ":"}):
        yield Line(head, number, number, after_blank=True, tag="h6")
        body = rest.lstrip(_JOINTS)
        # "104.6a is new": the sentence lacks its subject without the number.
        yield Line(f"{head} {body}" if body[:1].islower() else body, number, number)
    elif shown := plain(words):
        is_first = after_blank or item is not None
        yield Line(shown, number, number, after_blank=is_first, tag="li" if item else "")
