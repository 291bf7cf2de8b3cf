"""Finds the signs on a page that tell its kind."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from variorum_kb.reading import layouts as official
from variorum_kb.rule_numbers import SECTION
from variorum_kb.sources.reading.exports import is_export
from variorum_kb.sources.reading.markup.shown_lines import Line, ShownText
from variorum_kb.sources.reading.passages.openers import (
    Opening,
    find_stamp,
    is_titled,
    open_headed,
    open_lettered,
    open_numbered,
    open_point,
    take_claims,
    without_bullet,
)
from variorum_kb.sources.reading.passages.passages import LineRole, Markup
from variorum_kb.text.sentences import rough_sentences

_HTML = re.compile(r"<!doctype html|<html[\s>]|<body[\s>]", re.IGNORECASE)
_TAGS = re.compile(
    r"</?(?:p|div|br|li|ul|ol|dl|dt|dd|table|tr|td|a|b|strong|em|h[1-6]|span|pre)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_WIKITEXT = re.compile(
    r"\{\{\s*(?:CR|Comp)|\[\[[^\[\]\n]+\]\]|'''[^'\n]+'''|^==+[^=\n]+==+\s*$", re.MULTILINE
)
_MARKDOWN = re.compile(r"^#{1,6} \S|^(?:[-*>] )?\*\*[^*\n]+\*\*|^---$", re.MULTILINE)
_INLINE_TAG = re.compile(r"</?(?:a|br|b|em|strong|span)\b", re.IGNORECASE)
_FEWEST_TAGS, _FEWEST_SIGNS = 4, 2
# The "I" of "Rules 409.1b-i", "the numeral I" and "the vowels are A, E, I, O, U" is no person.
_PERSONAL = re.compile(
    r"(?<![-–])(?<!numeral )\bI\b(?!, O\b)(?:['’](?:m|ve|d|ll)\b)?"
    r"|\b(?:my|we|we['’](?:re|ll|ve)|our|us|let['’]s)\b|\w\?(?:\s|$)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"“[^”]{0,600}”|\"[^\"]{0,600}\"")
_FROM_WIKI = re.compile(r"From .{2,40}\bWiki\b.{0,20}")
_WORD = re.compile(r"(?<!\S)[^\w\s]*[^\W\d_]+(?:['’-][^\W\d_]+)*[^\w\s]*(?!\S)")
# An edition may lack some of these: "1. First Things" is another name of the first chapter.
_LANDMARKS = frozenset(["1. Game Concepts", "100. General", "Credits", "Glossary"])
_FEWEST_LANDMARKS = 3
_SENTENCE = 5
_SECTION = re.compile(SECTION)

_PAGEFUL = 250
_FEWEST_BELOW = 6
# One in this many paragraphs of rules may address readers, such as a question in an example.
_RARELY = 12


@dataclass(slots=True)
class PageSigns:
    """Signs on a page by which its layout is chosen.

    Attributes:
        numbered: Paragraphs that begin with the number of a rule.
        dashed: The numbered paragraphs with a dash after the number.
        lettered: Paragraphs that begin with a number such as A.1.3.
        claims: Notes in brackets that name a day.
        releases: Sentences that name a release of rulings.
        quoted: Sentences that name the quoted edition, in the form that wikis use.
        wiki: Lines that only wikis have.
        headings: Headings with a number.
        sections: Headings with the number of a section.
        sentences: Paragraphs of at least five words.
        prose: Words in paragraphs that open no passage.
        words: All words.
        personal: Paragraphs that address readers.
        anchored: Numbers that are targets of links.
        first: The first words of the document proper.
    """

    numbered: int = 0
    dashed: int = 0
    lettered: int = 0
    claims: int = 0
    releases: int = 0
    quoted: int = 0
    wiki: int = 0
    headings: int = 0
    sections: int = 0
    sentences: int = 0
    prose: int = 0
    words: int = 0
    personal: int = 0
    anchored: int = 0
    first: str = ""

    @property
    def counted(self) -> int:
        """Return how many paragraphs begin with the number of a rule or heading."""
        return self.numbered + self.headings

    @property
    def is_cut(self) -> bool:
        """Say whether the document proper begins in the middle of a sentence."""
        return begins_inside(self.first)

    @property
    def is_spoken(self) -> bool:
        """Say whether enough sentences address readers."""
        return bool(self.personal) and self.personal * _RARELY >= self.sentences


def markup_of(text: str) -> Markup:
    """Return the markup of a document."""
    if is_export(text):
        return Markup.JSON
    glance = text[:200_000]
    if _HTML.search(glance[:5000]):
        return Markup.HTML
    signs = len(_WIKITEXT.findall(glance))
    if signs >= _FEWEST_SIGNS or re.search(r"\{\{\s*CR\s*[|}]", glance):
        return Markup.WIKITEXT
    tags = _TAGS.findall(glance)
    if len(_MARKDOWN.findall(glance)) >= _FEWEST_SIGNS:
        # Markdown uses HTML for anchors and line breaks.
        tags = [tag for tag in tags if not _INLINE_TAG.match(tag)]
    return Markup.HTML if len(tags) >= _FEWEST_TAGS else Markup.PLAIN


def look_at(shown_text: ShownText, blocks: Sequence[Line]) -> PageSigns:
    """Return the signs of a document's paragraphs."""
    look, is_below, number = PageSigns(), False, ""
    for block in blocks:
        if block.role is not None:
            look.quoted += block.tag in {"stamp", "glossary"}
            continue
        text = without_bullet(block.text)
        words = len(text.split())
        look.words += words
        look.sentences += len(_WORD.findall(text)) >= _SENTENCE
        if not block.is_headline and any(map(str.isalnum, text)):
            look.first = look.first or text
        opening = open_numbered(text) or open_point(text, number)
        number = opening.number if opening else number
        if not _count_opening(look, text, opening, shown_text) and not is_below:
            look.prose += words
            _count_personal(look, text, words)
        is_below = _is_number(text)
        look.claims += sum(claim.day is not None for claim in take_claims(text)[1])
        _count_stamp(look, text, block.number)
    if look.numbered == 1 and ends_citation(blocks):
        look.numbered = 0
    return look


def ends_citation(blocks: Sequence[Line]) -> bool:
    """Say whether a page begins with the end of a citation ("107.5.") and has no rules below."""
    shown = [block.text for block in blocks if block.role is None]
    if len(shown) < _FEWEST_BELOW or not _is_number(shown[0]):
        return False
    return all(open_numbered(text) is None for text in shown[1:])


def _is_number(text: str) -> bool:
    """Say whether a paragraph is only a number; then its words are the next paragraph."""
    opening = open_numbered(text)
    return opening is not None and not opening.rest


def _count_personal(look: PageSigns, text: str, words: int) -> None:
    """Count paragraphs that address readers; sentences if the page is one paragraph."""
    parts = _speeches(text, words)
    look.personal += sum(_PERSONAL.search(part) is not None for part in parts)
    look.sentences += len(parts) - 1


def _speeches(text: str, words: int) -> list[str]:
    """Return a paragraph, or its sentences if it is as long as a page."""
    shown = _QUOTED.sub("", text)
    return rough_sentences(shown) if words > _PAGEFUL else [shown]


def _count_opening(
    look: PageSigns, text: str, opening: Opening | None, shown_text: ShownText
) -> bool:
    if opening is not None and opening.number[:1].isdigit():
        look.numbered += 1
        look.dashed += opening.is_dashed
        if shown_text.anchors:
            look.anchored += bool(_anchors_of(opening.number) & shown_text.anchors)
        return True
    lettered = open_lettered(text)
    look.lettered += lettered is not None
    headed = open_headed(text)
    if headed is not None:
        look.headings += 1
        look.sections += _SECTION.fullmatch(headed.number) is not None
        look.dashed += headed.is_dashed
    return bool(lettered or headed)


def _anchors_of(number: str) -> set[str]:
    plain = number.replace(".", "")
    forms = {number, plain, number.replace(".", "-"), number.replace(".", "_")}
    return {
        f"{start}{form}" for start in ("", "R", "r", "r-", "rule", "rule-", "cr") for form in forms
    }


def _count_stamp(look: PageSigns, text: str, line: int) -> None:
    stamp = find_stamp(text, line)
    if stamp is not None:
        look.releases += "release" in stamp.stated.words
        look.quoted += stamp.is_whole and "comprehensive rules" in text.casefold()
    look.wiki += bool(_FROM_WIKI.fullmatch(text)) or text.startswith("Jump to navigation")


def is_edition(texts: Sequence[str]) -> bool:
    """Say whether a plain text is an official edition, complete or broken off.

    An edition states an effective date and has rules. It also has most of four headings: those of
    the first chapter, the first section, the glossary and the credits.
    """
    page = official.look_at(texts)
    if not page.dates or not page.rules:
        return False
    lines = {line.strip() for line in texts}
    return len(lines & _LANDMARKS) >= _FEWEST_LANDMARKS


def begins_inside(text: str) -> bool:
    """Say whether a text begins in the middle of a sentence."""
    return text[:1].islower() or text[:1] in {",", ";", ")", ".", "”"}


def is_personal(text: str) -> bool:
    """Say whether a text addresses readers, apart from quotations."""
    parts = _speeches(text, len(text.split()))
    return sum(_PERSONAL.search(part) is not None for part in parts) * _RARELY >= len(parts)


def is_headline(block: Line) -> bool:
    """Say whether a paragraph is the headline of a part of a page."""
    return block.role is None and (block.is_headline or is_titled(block.text))


def role_of(block: Line) -> LineRole | None:
    """Return the role of a paragraph by its markup, or because it has no words."""
    if block.role is None and not any(map(str.isalnum, block.text)):
        return LineRole.BANNER
    return block.role
