"""Rules text as escaped markup with links; the only module that writes tags around rules text."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from variorum.answers.whole import PrintedParagraph, paragraphs_of
from variorum.rows import State
from variorum.text import visible, without_middle

GONE, CAME = "-", "+"
_WITHOUT_CLASS = {"subrule", "glossary"}
# Editions from 2008 to 2014 print "_Magic_" for italics; later ones have blanks as in "_____ Goblin".
_ITALIC = re.compile(r"(?<![\w/])_([^\W_][^_<>]*)_(?!\w)")
_CLOSING = set(",.;:)")
# How many unchanged words are shown on each side of a change.
CONTEXT = 8


class Html(str):
    """Text that is markup already, which templates do not escape again."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


class Span(NamedTuple):
    """A place in a text that links somewhere.

    Attributes:
        start: The start in code points, in the full text (see `PrintedParagraph.start`) or in the
            heading.
        stop: The end, exclusive.
        href: The link target, escaped as an attribute value.
        kind: "" for a citation, "t" for a term.
    """

    start: int
    stop: int
    href: str
    kind: str = ""


def spans_of(placed: Sequence[tuple[str, Span]], part: str) -> list[Span]:
    """Return the spans of a part."""
    return [span for where, span in placed if where == part]


def set_text(text: str, spans: Iterable[Span], start: int = 0) -> Html:
    """Escape a text and link its spans.

    Args:
        text: Plain text.
        spans: Spans in order; those outside the text or inside another are left out.
        start: The offset of the text within the text that spans refer to.
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


def with_italics(markup: str) -> str:
    """Return escaped text, with what stands between underscores in italics."""
    return _ITALIC.sub(r"<i>\1</i>", markup) if "_" in markup else markup


def unmarked(text: str) -> str:
    """Return a text without the underscores that set words in italics.

    >>> unmarked("The _Magic_ game"), unmarked("_____ Goblin")
    ('The Magic game', '_____ Goblin')
    """
    return _ITALIC.sub(r"\1", text) if "_" in text else text


def set_body(state: State, spans: Sequence[Span]) -> list[Html]:
    """Return the paragraphs of a state; the first has no tags, since a number precedes it."""
    return [
        _paragraph(paragraph, spans, is_first=not place)
        for place, paragraph in enumerate(paragraphs_of(state))
    ]


def _paragraph(paragraph: PrintedParagraph, spans: Sequence[Span], *, is_first: bool) -> Html:
    words = set_text(paragraph.text, spans, paragraph.start)
    if paragraph.marker:
        return Html(f'<p class="eg"><b>{escape(paragraph.marker, quote=False)}</b> {words}</p>')
    return words if is_first else Html(f"<p>{words}</p>")


class Setting(NamedTuple):
    """The markup of a provision, in two halves with room for a mark between them.

    Attributes:
        opening: The markup up to the number.
        rest: The markup after it.
    """

    opening: str
    rest: str

    def below(self) -> "Setting":
        """Return the markup with its heading a level lower."""
        return Setting(self.opening.replace("<h2>", "<h3>"), self.rest.replace("</h2>", "</h3>", 1))

    def whole(self, mark: str = "") -> Html:
        """Return the markup with a mark after the number."""
        return Html(f"{self.opening}{mark}{self.rest}")


def set_provision(
    state: State,
    anchor: str,
    number: str,
    body: Sequence[Span],
    heading: Sequence[Span] | None = (),
) -> Setting:
    """Return a provision: number, heading, paragraphs and examples.

    A provision of one paragraph is a <p>, else a <div>. Subrules and entries are so many that they
    have no class: the text around an entry has it.

    Args:
        state: Its state.
        anchor: Its anchor; an empty string if there is none.
        number: Its number as markup; "" for a glossary entry.
        body: The links in its body.
        heading: The links in its heading; None omits the heading, because the page's title has it.
    """
    kind = "" if state.kind in _WITHOUT_CLASS else f' class="{state.kind}"'
    attributes = f'{kind} id="{escape(anchor)}"' if anchor else kind
    opening = f"<div{attributes}>"
    paragraphs = set_body(state, body)
    is_example = bool(paragraphs) and paragraphs[0].startswith('<p class="eg"')
    if heading is None and not state.body:
        return Setting(opening, "</div>\n")
    if not state.heading or heading is None:
        first = "" if is_example or not paragraphs else paragraphs.pop(0)
        if not paragraphs:
            return Setting(f"<p{attributes}>{_before(number)}", f"{first}</p>\n")
        return Setting(
            f"{opening}<p>{_before(number)}", f"{first}</p>{''.join(paragraphs)}</div>\n"
        )
    if paragraphs and not is_example:
        paragraphs[0] = Html(f"<p>{paragraphs[0]}</p>")
    title = set_text(state.heading, heading)
    return Setting(f"{opening}<h2>{_before(number)}", f"{title}</h2>{''.join(paragraphs)}</div>\n")


def _before(number: str) -> str:
    return f"{number} " if number else ""


def set_pieces(pieces: Sequence[tuple[str, str]], context: int | None = CONTEXT) -> Html:
    """Return a word diff, removed words as <del> and added words as <ins>.

    Args:
        pieces: The pieces of the diff: "=", "-" or "+", and words.
        context: How many unchanged words to show around a change; None for all.
    """
    parts: list[str] = []
    last, before = len(pieces) - 1, ""
    for place, (sign, text) in enumerate(pieces):
        tag = {GONE: "del", CAME: "ins"}.get(sign)
        around = (0 if not place else context or 0, 0 if place == last else context or 0)
        shown = text if tag or context is None else without_middle(text, *around)
        is_torn = bool(tag) and place and pieces[place - 1][0] != "=" and not before[-1:].isspace()
        if is_torn or (before[-1:].isalnum() and shown[:1].isalnum()):
            parts.append(" ")
        elif parts and shown[:1] in _CLOSING:
            parts[-1] = parts[-1].rstrip()
        before, bare = text, shown.rstrip() if tag else shown
        words = with_italics(escape(bare, quote=False))
        parts.append(f"<{tag}>{words}</{tag}>{shown[len(bare) :]}" if tag else words)
    return Html("".join(parts).replace("\n", "<br>").rstrip())


def set_columns(pieces: Sequence[tuple[str, str]]) -> tuple[Html, Html]:
    """Return a word diff as two texts, the old and the new one; both are empty without pieces."""
    old, new = ([(sign, text) for sign, text in pieces if sign != away] for away in (CAME, GONE))
    return set_pieces(old), set_pieces(new)


@dataclass(frozen=True, slots=True)
class Link:
    """Words and their link target.

    Attributes:
        text: A number, a headword or a label.
        href: The target, relative to the page; "" for plain words.
    """

    text: str
    href: str

    def __html__(self) -> str:
        """Return the link as markup, as templates show it."""
        words = with_italics(_escaped(self.text))
        return f'<a href="{_escaped(self.href)}">{words}</a>' if self.href else words


def _escaped(text: str) -> str:
    """Escape a text as templates do."""
    return escape(visible(text)).replace("&quot;", "&#34;").replace("&#x27;", "&#39;")
