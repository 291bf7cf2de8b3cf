"""What a bulletin says of itself: its title, who wrote it when, and of which sets it speaks."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date

from variorum_kb.facts.editions import known_editions
from variorum_kb.sources.reading.announcements import read_heading
from variorum_kb.sources.reading.dates import find_day
from variorum_kb.sources.reading.paragraphs import PageBlock
from variorum_kb.sources.reading.passages import Stated
from variorum_kb.text.months import MONTHS
from variorum_kb.text.sentences import ends_marked_sentence

_BYLINE = re.compile(
    r"(?:^|[.|]\s+|\d\s+)(?:written\s+)?[Bb]y\s+(?P<name>[A-Z][\w.'’ -]{1,50}?)\.?$"
)
_SOURCE = re.compile(r"source:\s*(?P<words>[^\n(]{3,200})")
_MONTH = re.compile(rf"\b(?P<month>{'|'.join(MONTHS)})\s+(?P<year>(?:19|20)\d\d)\b", re.IGNORECASE)
_EFFECT = re.compile(r"\b(?:into effect|take effect|in effect|effective)\b", re.IGNORECASE)
_SAYS_CHANGES = re.compile(
    r"\brules?\s+(?:changes?|updates?)\b|\bupdate\s+bulletin\b|\bchanges\s+(?:to|in)\s+the\s+(?:\w+\s+)?rules\b",
    re.IGNORECASE,
)
_LONGEST_TITLE, _LONGEST_BYLINE = 150, 100
_HEAD = 8
_WORDS_OF_A_DAY = 4


@dataclass(frozen=True, slots=True)
class BulletinMatter:
    """What a bulletin says of itself.

    Attributes:
        title: As printed; "" without one.
        author: As printed; "" without one.
        source: Where it says it comes from; "" without.
        dated: When it says it was written: a day, or a month without one.
        effective: The words that say when the changes take effect; "" without.
        sets: Names of sets in its title, or else in its first paragraphs, longest first.
        roles: The places of paragraphs that are title, author or date.
    """

    title: str = ""
    author: str = ""
    source: str = ""
    dated: Stated | None = None
    effective: str = ""
    sets: tuple[str, ...] = ()
    roles: frozenset[int] = field(default_factory=frozenset[int])


def says_changes(title: str) -> bool:
    """Say whether a title is that of changes to rules.

    >>> says_changes("July 2009 Update Bulletin"), says_changes("Of lamps")
    (True, False)
    """
    return _SAYS_CHANGES.search(title) is not None


def find_title(head: Sequence[PageBlock]) -> int:
    """Return the place of the title: a line that says what the page is, else the first headline."""
    free = [(place, block) for place, block in enumerate(head) if not read_heading(block.text)]
    lines = [place for place, block in free if not ends_marked_sentence(block.text)]
    saying = [place for place in lines if says_changes(head[place].text)]
    return next(iter([*saying, *[place for place, block in free if block.is_headline]]), 0)


def find_matter(
    texts: Sequence[str], lines: Sequence[int], hidden: Iterable[str], titled: int = 0
) -> BulletinMatter:
    """Find it in the paragraphs of a page.

    Args:
        texts: The paragraphs.
        lines: The number of the first line of each.
        hidden: Comments of the page: they may name the source, and the day in its address.
        titled: The place of the paragraph that is its title if anything is.
    """
    comments = " ".join(hidden)
    source = _SOURCE.search(comments)
    head = list(zip(texts, lines, strict=True))[:_HEAD]
    is_titled = len(head) > titled and len(head[titled][0]) <= _LONGEST_TITLE
    title = head[titled][0] if is_titled and not read_heading(head[titled][0]) else ""
    bylines = [(place, m) for place, (text, _) in enumerate(head) if (m := _byline(text))]
    days = [
        (place, Stated(text, day, line))
        for place, (text, line) in enumerate(head)
        if len(text) <= _LONGEST_BYLINE and (day := find_day(text))
    ]
    dated = days[0][1] if days else _dated(title, comments, lines)
    return BulletinMatter(
        title=title,
        author=bylines[0][1]["name"].strip() if bylines else "",
        source=source["words"].strip() if source else "",
        dated=dated,
        effective=next((text[:200] for text in texts if _EFFECT.search(text)), ""),
        sets=_sets(title) or _sets(" ".join(text for text, _ in head if not text[:1].isdigit())),
        roles=frozenset([*([titled] if title else []), *(place for place, _ in (*bylines, *days))]),
    )


def _byline(text: str) -> re.Match[str] | None:
    return _BYLINE.search(text) if len(text) <= _LONGEST_BYLINE else None


def is_own_line(text: str) -> bool:
    """Say whether a line of a page's head is nothing but its author or its day.

    >>> is_own_line("By Ada Lantern"), is_own_line("Rules of May 3, 2017")
    (True, False)
    """
    if text[:3].casefold() == "by " and _byline(text):
        return True
    return find_day(text) is not None and len(text.split()) <= _WORDS_OF_A_DAY


def _dated(title: str, comments: str, lines: Sequence[int]) -> Stated | None:
    day = find_day(comments)
    if day:
        return Stated(day.isoformat(), day)
    month = find_month(title)
    return Stated(title, None, lines[0]) if month and lines else None


def find_month(text: str) -> date | None:
    """Return the first day of the first month that a text names; None where it names none.

    >>> find_month("April 2009 Update Bulletin")
    datetime.date(2009, 4, 1)
    """
    match = _MONTH.search(text)
    if match is None:
        return None
    return date(int(match["year"]), MONTHS.index(match["month"].casefold()) + 1, 1)


def _sets(text: str) -> tuple[str, ...]:
    """Return the names of sets in a text, none that is part of a longer one."""
    names = sorted(
        {edition.set_name for edition in known_editions().values()}, key=lambda n: (-len(n), n)
    )
    named: list[str] = []
    for name in names:
        is_there = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
        if is_there and not any(name in longer for longer in named):
            named.append(name)
    return tuple(named)
