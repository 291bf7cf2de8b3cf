"""Reads prose about rules: its head and foot, and its quotations."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from variorum_kb.references.find import Reference, find_references
from variorum_kb.sources.reading.markup.shown_lines import Line
from variorum_kb.sources.reading.page_signs import role_of
from variorum_kb.sources.reading.passages.passages import LineRole, Quotation, Stated
from variorum_kb.text.days import find_day
from variorum_kb.text.sentences import ends_marked_sentence, has_sentence_end

_QUOTED = re.compile(r"“(?P<a>[^“”]{1,2000})”|(?<!\w)\"(?P<b>[^\"]{1,2000})\"(?!\w)")
_FEWEST_WORDS = 5
_NEAR = 60
# A number after a quotation that ends a sentence belongs to it behind such a sign.
_OPENS_ASIDE = frozenset("([-–—,;")
_NAME = r"[A-Z][\w.'’-]*(?: (?:[A-Z][\w.'’-]*|de|van|von|der|da|la|le)){1,3}"
_BYLINE = re.compile(
    r"(?:(?i:by|written by|author:?|posted by|contributed by)\s+)(?P<name>[A-Z][\w.'’ -]{1,60})"
    r"(?:[,|–—(].{0,80})?"
)
_SIGNED = re.compile(
    rf"(?:[-–—~]\s*)?{_NAME}"
    r"(?:,? .{0,80}\b(?:[Jj]udge|[Ee]ditor|[Aa]uthor|[Mm]anager|NetRep)\b.{0,60})?"
)
_FROM_WIKI = re.compile(r"From (?P<name>.{2,40}\bWiki\b.{0,20})")
_REVISED = re.compile(
    r"(?:Revision as of|This page was last (?:edited|modified)|Posted|Published)\b.*"
)
_UPDATED = re.compile(
    r"\W*(?:(?:this|the) (?:page|file|document|site|list) (?:was |is )?)?(?:last |date )?"
    r"(?:updated?|modified|revised|edited|changed|revision|posted|published|written|date|version)\b",
    re.IGNORECASE,
)
_NAVIGATION = re.compile(
    r"(?:Jump to\b.*|Navigation menu|Retrieved from .*|Categor(?:y|ies):.*|Content is available .*"
    r"|Advertisement|Sign [Ii]n|Log in|\[edit\]|Contents ?\[hide\]|Back to (?:the )?top|Share.{0,20})"
)
_REFERENCES = re.compile(r"(?:References|Notes|External links|See also)(?: ?\[edit.*)?")
_LONGEST_LINE, _LONGEST_TITLE = 100, 120


@dataclass(slots=True)
class Matter:
    """The metadata of a page.

    Attributes:
        roles: The role of each paragraph, by place.
    """

    roles: dict[int, LineRole]
    title: str = ""
    author: str = ""
    source: str = ""
    dated: Stated | None = None


def find_quotations(text: str) -> tuple[Quotation, ...]:
    """Return the texts between quotation marks that are long enough to look up.

    >>> text = 'Rule 101.2 says, "A keeper trims the wick each dusk."'
    >>> [(text[q.start : q.end], q.number) for q in find_quotations(text)]
    [('A keeper trims the wick each dusk.', '101.2')]
    """
    references = find_references(text)
    matches = [(match, "a" if match["a"] else "b") for match in _QUOTED.finditer(text)]
    return tuple(
        [
            Quotation(match.start(name), match.end(name), _cited_near(text, match, references))
            for match, name in matches
            if len(match[name].split()) >= _FEWEST_WORDS
        ]
    )


def _cited_near(text: str, quotation: re.Match[str], references: Sequence[Reference]) -> str:
    """Return the number that a sentence cites for its quotation.

    The nearest number before the quotation counts, else a number after it. After a quotation that
    ends a sentence, the number must be in brackets. Return "" if there is none.
    """
    start, end = quotation.span()
    before = [
        reference
        for reference in references
        if start - _NEAR <= reference.start and reference.end <= start
    ]
    if before and not has_sentence_end(text, before[-1].end, start):
        return before[-1].first
    behind = next(
        (reference for reference in references if end <= reference.start < end + _NEAR), None
    )
    if behind is None or has_sentence_end(text, end, behind.start):
        return ""
    is_apart = text[end - 2] in ".!?" and text[end:].lstrip()[:1] not in _OPENS_ASIDE
    return "" if is_apart else behind.first


def find_wiki_matter(blocks: Sequence[Line]) -> Matter:
    """Find the frame of a wiki page: the wiki's name, the revision, references."""
    matter = Matter({})
    in_references = False
    for block in blocks:
        if role_of(block) is not None:
            continue
        text = block.text
        from_wiki = _FROM_WIKI.fullmatch(text)
        is_headline = block.is_headline or (
            block.after_blank and len(text.split()) < _FEWEST_WORDS and text[0].isalpha()
        )
        if from_wiki:
            matter.source = from_wiki["name"]
            matter.roles[block.place] = LineRole.NAVIGATION
            before = [
                earlier for earlier in blocks[: block.place] if earlier.place not in matter.roles
            ]
            _title(matter, before)
        elif _REVISED.fullmatch(text) and find_day(text):
            matter.roles[block.place] = LineRole.DATE
            matter.dated = matter.dated or Stated(text, find_day(text), block.number)
        elif _NAVIGATION.fullmatch(text):
            matter.roles[block.place] = LineRole.NAVIGATION
        elif _REFERENCES.fullmatch(text):
            in_references = True
            matter.roles[block.place] = LineRole.REFERENCES
        elif in_references and is_headline and not ends_marked_sentence(text):
            in_references = False
        elif in_references:
            matter.roles[block.place] = LineRole.REFERENCES
    return matter


def _title(matter: Matter, before: Sequence[Line]) -> None:
    last = next((block for block in reversed(before) if role_of(block) is None), None)
    if last is not None and len(last.text) <= _LONGEST_TITLE:
        matter.title = last.text
        matter.roles[last.place] = LineRole.TITLE


def find_page_matter(blocks: Sequence[Line]) -> Matter:
    """Find the day on which a page of quoted rules says it was written or updated."""
    matter = Matter({})
    for block in blocks:
        text = block.text
        is_line = role_of(block) in {None, LineRole.DATE} and len(text) <= _LONGEST_LINE
        day = find_day(text) if is_line and _UPDATED.match(text) else None
        if day is not None:
            matter.roles[block.place] = LineRole.DATE
            matter.dated = matter.dated or Stated(text, day, block.number)
    return matter


def find_article_matter(blocks: Sequence[Line]) -> Matter:
    """Find an article's title, author and date in its first and last lines."""
    matter = Matter({})
    own = [block for block in blocks if role_of(block) is None]
    marked = next((block.text for block in blocks if role_of(block) is LineRole.AUTHOR), "")
    byline = _BYLINE.fullmatch(marked)
    matter.author = byline["name"].strip() if byline else ""
    head, foot = own[:4], own[4:][-3:]
    if len(own) > 1 and _is_title(own[0], own[1]):
        matter.title = own[0].text
        matter.roles[own[0].place] = LineRole.TITLE
        head = head[1:]
    for block in (*head, *foot):
        text = block.text
        if len(text) > _LONGEST_LINE or block.place in matter.roles:
            continue
        byline = _BYLINE.fullmatch(text)
        signed = None if block in head else _SIGNED.fullmatch(text)
        day = find_day(text)
        if (byline or signed) and not matter.author:
            matter.author = byline["name"].strip() if byline else text
            matter.roles[block.place] = LineRole.AUTHOR
        if day and len(text.split()) <= 10 and not matter.dated:  # noqa: PLR2004
            matter.dated = Stated(text, day, block.number)
            matter.roles.setdefault(block.place, LineRole.DATE)
    return matter


def _is_title(block: Line, following: Line) -> bool:
    if not any(map(str.isalpha, block.text)):
        return False  # a count of votes
    if block.is_headline:
        return True
    return len(block.text) <= _LONGEST_TITLE and (
        len(following.text) > 2 * len(block.text) or not ends_marked_sentence(block.text)
    )
