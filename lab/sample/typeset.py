"""Set an edition in a layout of the real Comprehensive Rules, as bytes.

There is a function for each of three kinds of page. `set_banners` sets the hard-wrapped text of
1999 with its ruled headings; `set_wrapped`, the hard-wrapped text of 2001-2004; `set_plain`, one
paragraph a line as since 2005. A `Layout` decides encoding, line ends, spelling of characters, and
indents.
"""

import codecs
import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from lab.sample.edition import Edition, Entry, Kind, Passage, Provision

CONTINUED = "Contact Information", "Copyrights"
"""Blocks of the credits that the layout of 1999 sets as banners."""
LANDMARK = "\f"
"""Stands for the blank line before the contents, a chapter, the glossary or the credits."""
_ITALICS = re.compile(r"(?<!_)_([^_]+)_(?!_)")
_PIECE = re.compile(r"[^ ]*?[a-z]{2}-(?=[a-z])|[^ ]+ ?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """A layout's spelling of non-ASCII characters, quotes and italics."""

    em_dash: str = "—"
    en_dash: str = "\N{EN DASH}"
    range_dash: str = "\N{EN DASH}"
    registered: str = "®"
    trademark: str = "™"
    copyright: str = "©"
    curly_quotes: bool = False
    curly_apostrophes: bool = False
    italics: bool = False

    def spell(self, text: str) -> str:
        """Spell a neutral text.

        >>> Spelling(em_dash="?", trademark="(TM)").spell("_Tide_™ — gone")
        'Tide(TM) ? gone'
        """
        if not self.italics:
            text = _ITALICS.sub(r"\1", text)
        if self.curly_quotes:
            text = re.sub(r'(^|[\s(\[—])"', "\\1\N{LEFT DOUBLE QUOTATION MARK}", text)
            text = text.replace('"', "\N{RIGHT DOUBLE QUOTATION MARK}")
        if self.curly_apostrophes:
            text = text.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")
        signs = (
            ("—", self.em_dash),
            ("\N{EN DASH}", self.en_dash),
            ("\N{FIGURE DASH}", self.range_dash),
            ("®", self.registered),
            ("™", self.trademark),
            ("©", self.copyright),
        )
        return functools.reduce(lambda spelled, sign: spelled.replace(*sign), signs, text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A layout.

    Attributes:
        encoding: A codec of Python; utf-8-sig and utf-16 (little-endian) write their byte order
            mark.
        landmark_end: Ends the blank lines before contents, chapters, glossary and credits, if it
            differs from the usual line end.
        rule_indent: Opens the second and later paragraphs of a rule.
        glossary_indent: Opens the second and later paragraphs of a glossary entry.
        dated: The form of the date: ``current`` or ``effective``.
        back: The last lines of the contents.
    """

    encoding: str
    line_end: str
    landmark_end: str = ""
    spelling: Spelling = field(default_factory=Spelling)
    width: int = 100
    rule_indent: str = ""
    glossary_indent: str = ""
    dated: str = "effective"
    back: tuple[str, ...] = ("Glossary", "Credits")

    def encode(self, lines: Iterable[str]) -> bytes:
        """Join lines and encode them; the last line also has a line end."""
        parts = "".join(f"{line}\n" for line in lines).split(f"{LANDMARK}\n")
        ended = [part.replace("\n", self.line_end) for part in parts]
        text = (self.landmark_end or self.line_end).join(ended)
        if self.encoding == "utf-16":
            return codecs.BOM_UTF16_LE + text.encode("utf-16-le")
        return text.encode(self.encoding)


def long_date(edition: Edition) -> str:
    """Return the date in the form of the rules: June 7, 2024."""
    return f"{edition.effective:%B} {edition.effective.day}, {edition.effective.year}"


def statement(edition: Edition, layout: Layout) -> str:
    """Return the sentence with the date."""
    return f"These rules are {layout.dated} as of {long_date(edition)}."


def wrap(text: str, width: int, *, indent: str = "", line_start: str = "") -> list[str]:
    """Wrap a paragraph; if a line ends between two words, it keeps the blank.

    A word may also be broken at its own hyphen.

    Args:
        text: The paragraph, in the layout's spelling.
        width: In code points, without the blank that ends a line.
        indent: Opens the first line.
        line_start: Use the greatest width, up to the given one, with which a line begins with this.

    Raises:
        ValueError: There is no such width near the given one.

    >>> wrap("A stroke of half-finished work", 17)
    ['A stroke of half-', 'finished work']
    """
    for tried in range(width, width - 30, -1):
        lines = [indent]
        for piece in _PIECE.findall(text):
            if len(lines[-1]) + len(piece.rstrip(" ")) > tried:
                lines.append("")
            lines[-1] += piece
        if not line_start or any(line.startswith(line_start) for line in lines[1:]):
            return [*lines[:-1], lines[-1].rstrip(" ")]
    raise ValueError(f"no line of {text!r} can open with {line_start!r}")


# Plain and wrapped pages have the same order; only the lines of paragraphs differ. ----


@dataclass(frozen=True, slots=True)
class _Paragraph:
    text: str
    indent: str = ""
    line_start: str = ""


_BLANK = _Paragraph("")
_LANDMARK = _Paragraph(LANDMARK)


def set_plain(edition: Edition, layout: Layout) -> bytes:
    """Set an edition as since 2005: one paragraph a line."""
    page = _page(edition, layout)
    return layout.encode(layout.spelling.spell(each.indent + each.text) for each in page)


def set_wrapped(edition: Edition, layout: Layout) -> bytes:
    """Set an edition as in 2001-2004: like `set_plain`, but hard-wrapped."""
    return layout.encode(
        line
        for each in _page(edition, layout)
        for line in wrap(
            layout.spelling.spell(each.text),
            layout.width,
            indent=each.indent,
            line_start=each.line_start,
        )
    )


def _page(edition: Edition, layout: Layout) -> Iterator[_Paragraph]:
    dated = _Paragraph(statement(edition, layout))
    yield from _spaced(_Paragraph(edition.title), dated, _Paragraph("Introduction"))
    yield from _spaced(*map(_Paragraph, edition.introduction))
    yield from (_LANDMARK, _Paragraph("Contents"), _BLANK)
    yield from _contents(edition, layout)
    for provision in edition.provisions:
        if provision.kind is Kind.CHAPTER:
            yield _LANDMARK
        yield from _passage(paragraphs_of(provision), provision.passage, layout.rule_indent)
        yield _BLANK
    yield from (_LANDMARK, _Paragraph("Glossary"), _BLANK)
    for entry in edition.glossary:
        yield _Paragraph(entry.term)
        yield from _passage(entry.passage.paragraphs, entry.passage, layout.glossary_indent)
        yield _BLANK
    yield from (_BLANK, _LANDMARK, _Paragraph("Credits"), _BLANK)
    for block in edition.credits:
        if block == (dated.text,):
            yield from [_BLANK] * 10
        yield from map(_Paragraph, block)
        yield _BLANK


def _spaced(*paragraphs: _Paragraph) -> Iterator[_Paragraph]:
    for paragraph in paragraphs:
        yield from (paragraph, _BLANK)


def _contents(edition: Edition, layout: Layout) -> Iterator[_Paragraph]:
    for provision in edition.provisions:
        if provision.listed:
            if provision.kind is Kind.CHAPTER and provision is not edition.provisions[0]:
                yield _BLANK
            yield _Paragraph(paragraphs_of(provision)[0])
    for back in layout.back:
        yield from (_BLANK, _Paragraph(back))
    yield _BLANK


def paragraphs_of(provision: Provision) -> tuple[str, ...]:
    """Return a provision's paragraphs; the first has its number and its heading, if any."""
    opening = provision.opening + ("" if provision.glued else " ")
    paragraphs = provision.passage.paragraphs
    if provision.heading:
        return (opening + provision.heading, *paragraphs)
    return (opening + paragraphs[0], *paragraphs[1:])


def _passage(paragraphs: Iterable[str], passage: Passage, indent: str) -> Iterator[_Paragraph]:
    first, *rest = paragraphs
    yield _Paragraph(first, line_start=passage.line_start)
    for text in rest:
        yield _Paragraph(text, indent)
    if passage.gap:
        yield _BLANK
    for example in passage.examples:
        yield _Paragraph(f"Example: {example}")


# The banners of 1999 ---------------------------------------------------------------------------


def set_banners(edition: Edition, layout: Layout) -> bytes:
    """Set an edition as in 1999: hard-wrapped, headings ruled above and below."""
    return layout.encode(_banner_lines(edition, layout))


def _banner_lines(edition: Edition, layout: Layout) -> Iterator[str]:
    width, spell = layout.width, layout.spelling.spell
    rule, day = "=" * width, f"{edition.effective:%m/%d/%y}"
    yield from ("", rule, "", f"COMPREHENSIVE RULES{day:>{width - 19}}", "", rule, "")
    yield from _block(edition.notices, layout)
    yield from _banner("Contents", width)
    for provision in edition.provisions:
        if provision.listed:
            indent = "" if provision.kind is Kind.CHAPTER else "     "
            yield spell(indent + paragraphs_of(provision)[0])
    yield from (*layout.back, "", "")
    yield from _block(edition.note, layout)
    yield from _banner(spell(edition.title), width)
    yield from ("Introduction", "")
    yield from _block(edition.introduction, layout)
    for provision in edition.provisions:
        yield from _banner_provision(provision, layout)
    yield from _banner("Glossary", width)
    for entry in edition.glossary:
        yield from _banner_entry(entry, layout)
    yield from _banner("Index", width)
    yield from (*map(spell, edition.index), "")
    yield from _banner("Credits", width)
    for block in edition.credits:
        if block[0] in CONTINUED:
            yield from _banner(block[0], width)
        else:
            yield from _block(block, layout)


def _banner(heading: str, width: int) -> Iterator[str]:
    yield from ("", "-" * width, heading, "-" * width, "")


def _block(paragraphs: Iterable[str], layout: Layout, indent: str = "") -> Iterator[str]:
    for paragraph in paragraphs:
        yield from _narrow(paragraph, layout, indent)
        yield ""


def _narrow(text: str, layout: Layout, indent: str) -> Iterator[str]:
    """Wrap a paragraph with every line indented; a line ends with a blank if there is room for it."""
    for line in wrap(layout.spelling.spell(text), layout.width - len(indent)):
        yield (indent + line)[: layout.width]


def _banner_provision(provision: Provision, layout: Layout) -> Iterator[str]:
    paragraphs = paragraphs_of(provision)
    heading = layout.spelling.spell(paragraphs[0])
    match provision.kind:
        case Kind.CHAPTER:
            yield from [*_banner(heading, layout.width)][:-1]
        case Kind.SECTION:
            yield from ("", heading, "-" * len(heading), "")
        case Kind.RULE | Kind.SUBRULE:
            indent = "  " if provision.kind is Kind.SUBRULE else ""
            yield from _exemplified(paragraphs, provision.passage, layout, indent)


def _banner_entry(entry: Entry, layout: Layout) -> Iterator[str]:
    yield layout.spelling.spell(entry.term)
    yield from _exemplified(entry.passage.paragraphs, entry.passage, layout, "  ")


def _exemplified(
    paragraphs: Iterable[str], passage: Passage, layout: Layout, indent: str
) -> Iterator[str]:
    lines = list(_block(paragraphs, layout, indent))
    if passage.examples and not passage.gap:
        lines.pop()
    for example in passage.examples:
        lines += _narrow(f"EXAMPLE: {example}", layout, indent)
    if passage.examples:
        lines.append("")
    yield from lines
