"""Rules text as escaped markup with links; the only module that writes tags around rules text."""

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from variorum.rows import State, split_body
from variorum.text import without_middle

GONE, CAME = "-", "+"
# Editions from 2008 to 2014 print "_Magic_" for italics; later ones have blanks as in "_____ Goblin".
_ITALIC = re.compile(r"(?<![\w/])_([^\W_][^_<>]*)_(?!\w)")
_ENDED = re.compile(r'(?:[\w.,;:!?)”]|(?<=[^\s(])")\Z')  # a word or clause, without a blank
# How many unchanged words are shown on each side of a change.
CONTEXT = 8


class Html(str):
    """Text that is markup already, which templates do not escape again."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


class Link(NamedTuple):
    """Words and where they lead, relative to the page; "" if nowhere."""

    text: str
    href: str

    def __html__(self) -> str:
        """Return the link as markup, as templates show it."""
        words = with_italics(escape(self.text, quote=False))
        return f'<a href="{escape(self.href)}">{words}</a>' if self.href else words


class Span(NamedTuple):
    """A place that links somewhere, in code points of a heading or of a text with its examples.

    The address is escaped; the kind is the class of the link: "" of a citation, "t" of a term.
    """

    start: int
    stop: int
    href: str
    kind: str = ""


def with_italics(markup: str) -> str:
    """Return escaped text, with what stands between underscores in italics."""
    return _ITALIC.sub(r"<i>\1</i>", markup) if "_" in markup else markup


def unmarked(text: str) -> str:
    """Return a text without the underscores that set words in italics.

    >>> unmarked("The _Magic_ game"), unmarked("_____ Goblin")
    ('The Magic game', '_____ Goblin')
    """
    return _ITALIC.sub(r"\1", text) if "_" in text else text


def set_text(text: str, spans: Iterable[Span] = (), start: int = 0) -> Html:
    """Escape a text, which begins at `start` of what the spans refer to, and link its spans.

    Spans outside of the text or inside of another are left out.
    """
    parts: list[str] = []
    done = 0
    for span in spans:
        begin, end = span.start - start, span.stop - start
        if begin < done or end > len(text):
            continue
        kind = f' class="{span.kind}"' if span.kind else ""
        words = escape(text[begin:end], quote=False)
        parts += [escape(text[done:begin], quote=False), f'<a{kind} href="{span.href}">{words}</a>']
        done = end
    parts.append(escape(text[done:], quote=False))
    return Html(with_italics("".join(parts)))


def set_body(state: State, spans: Sequence[Span] = ()) -> list[str]:
    """Return the paragraphs of a state; the first has no tags, since a number precedes it."""
    paragraphs, parts = list[str](), split_body(state.body)
    # Citations and terms have the text before the examples, whatever their printed order.
    starts = {False: 0, True: sum(len(text) + 1 for marker, text in parts if not marker)}
    for marker, text in parts:
        words: str = set_text(text, spans, starts[bool(marker)])
        starts[bool(marker)] += len(text) + 1
        if marker:
            words = f'<p class="eg"><b>{escape(marker, quote=False)}</b> {words}</p>'
        elif paragraphs:
            words = f"<p>{words}</p>"
        paragraphs.append(words)
    return paragraphs


def set_provision(  # noqa: PLR0913, PLR0917 - what stands before and in a provision
    state: State,
    anchor: str,
    number: str,
    body: Sequence[Span],
    heading: Sequence[Span] | None = (),
    level: int = 2,
) -> str:
    """Return a provision as markup.

    A provision of one paragraph is a <p>, else a <div>. Subrules and entries are so many that they
    have no class: the text around an entry has it. The number is markup; a heading of None is left
    out, because the title of the page has it.
    """
    kind = "" if state.kind in {"subrule", "glossary"} else f' class="{state.kind}"'
    attributes = f'{kind} id="{escape(anchor)}"' if anchor else kind
    before = f"{number} " if number else ""
    paragraphs = set_body(state, body)
    if heading is None and not state.body:
        return f"<div{attributes}>{before}</div>\n"
    is_example = bool(paragraphs) and paragraphs[0].startswith('<p class="eg"')
    first = "" if is_example or not paragraphs else paragraphs.pop(0)
    if state.heading and heading is not None:
        words = "".join([f"<p>{first}</p>" if first else "", *paragraphs])
        title = set_text(state.heading, heading)
        return f"<div{attributes}><h{level}>{before}{title}</h{level}>{words}</div>\n"
    if not paragraphs:
        return f"<p{attributes}>{before}{first}</p>\n"
    return f"<div{attributes}><p>{before}{first}</p>{''.join(paragraphs)}</div>\n"


def set_pieces(pieces: Sequence[tuple[str, str]], context: int | None = CONTEXT) -> Html:
    """Return a word diff with so many unchanged words around each change, or all of them.

    >>> set_pieces([("=", "It ends."), ("-", "So."), ("+", "Or not.")])
    'It ends. <del>So.</del> <ins>Or not.</ins>'
    """
    parts: list[str] = []
    last, before = len(pieces) - 1, ""
    for place, (sign, text) in enumerate(pieces):
        tag = {GONE: "del", CAME: "ins"}.get(sign)
        around = [context or 0 if place != edge or not last else 0 for edge in (0, last)]
        shown = text if tag or context is None else without_middle(text, *around)
        is_torn = bool(tag) and place and pieces[place - 1][0] != "=" and not before[-1:].isspace()
        if is_torn or (_ENDED.search(before) and re.match('["“(]?\\w', shown)):
            parts.append(" ")
        elif parts and shown[:1] in {*",.;:)"}:
            parts[-1] = parts[-1].rstrip()
        before, bare = text, shown.rstrip() if tag else shown
        words = with_italics(escape(bare, quote=False))
        parts.append(f"<{tag}>{words}</{tag}>{shown[len(bare) :]}" if tag else words)
    return Html("".join(parts).replace("\n", "<br>").rstrip())


def set_columns(pieces: Sequence[tuple[str, str]]) -> tuple[Html, Html]:
    """Return a word diff as two texts, the old and the new one; both are empty without pieces."""
    old, new = ([(sign, text) for sign, text in pieces if sign != away] for away in (CAME, GONE))
    return set_pieces(old), set_pieces(new)
