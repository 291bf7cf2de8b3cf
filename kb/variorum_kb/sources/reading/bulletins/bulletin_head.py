"""Finds a bulletin's metadata: title, author, date and sets."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from variorum_kb.facts.editions import known_editions
from variorum_kb.sources.reading.bulletins.announcements import read_heading
from variorum_kb.sources.reading.bulletins.bulletin_signs import says_changes
from variorum_kb.sources.reading.markup.shown_lines import Line
from variorum_kb.sources.reading.passages.passages import Stated
from variorum_kb.text.days import find_day, find_month
from variorum_kb.text.sentences import ends_marked_sentence

_BYLINE = re.compile(
    r"(?:^|[.|]\s+|\d\s+)(?:written\s+)?[Bb]y\s+(?P<name>[A-Z][\w.'’ -]{1,50}?)\.?$"
)
_SOURCE = re.compile(r"source:\s*(?P<words>[^\n(]{3,200})")
_EFFECT = re.compile(r"\b(?:into effect|take effect|in effect|effective)\b", re.IGNORECASE)
_LONGEST_TITLE, _LONGEST_BYLINE = 150, 100
# The title is among the first six paragraphs, an author or a day among the first eight.
_TITLED, _HEAD = 6, 8
_WORDS_OF_A_DAY = 4


@dataclass(frozen=True, slots=True)
class BulletinMatter:
    """The metadata of a bulletin.

    Attributes:
        title: As printed; "" if there is none.
        author: As printed; "" if there is none.
        source: The stated source; "" if there is none.
        dated: The stated day, or month without a day.
        effective: The words on when the changes take effect; "" if there are none.
        sets: The names of sets in the title, else in the first paragraphs, longest first.
        roles: The places of the paragraphs with title, author or date.
    """

    title: str = ""
    author: str = ""
    source: str = ""
    dated: Stated | None = None
    effective: str = ""
    sets: tuple[str, ...] = ()
    roles: frozenset[int] = field(default_factory=frozenset[int])


def _find_title(head: Sequence[Line]) -> int:
    """Return the place of the title: a line that announces changes, else the first headline."""
    free = [(place, block) for place, block in enumerate(head) if not read_heading(block.text)]
    lines = [place for place, block in free if not ends_marked_sentence(block.text)]
    saying = [place for place in lines if says_changes(head[place].text)]
    return next(iter([*saying, *[place for place, block in free if block.is_headline]]), 0)


def find_matter(blocks: Sequence[Line], hidden: Iterable[str]) -> BulletinMatter:
    """Find the metadata in the paragraphs of a page, and in its text that is not shown."""
    comments = " ".join(hidden)
    source = _SOURCE.search(comments)
    head = blocks[:_HEAD]
    titled = _find_title(blocks[:_TITLED])
    is_titled = bool(head) and len(head[titled].text) <= _LONGEST_TITLE
    title = head[titled].text if is_titled and not read_heading(head[titled].text) else ""
    bylines = [(place, m) for place, block in enumerate(head) if (m := _byline(block.text))]
    days = [
        (place, Stated(block.text, day, block.number))
        for place, block in enumerate(head)
        if len(block.text) <= _LONGEST_BYLINE and (day := find_day(block.text))
    ]
    dated = days[0][1] if days else _dated(title, comments, blocks)
    return BulletinMatter(
        title=title,
        author=bylines[0][1]["name"].strip() if bylines else "",
        source=source["words"].strip() if source else "",
        dated=dated,
        effective=next((block.text[:200] for block in blocks if _EFFECT.search(block.text)), ""),
        sets=_sets(title)
        or _sets(" ".join(block.text for block in head if not block.text[:1].isdigit())),
        roles=frozenset([*([titled] if title else []), *(place for place, _ in (*bylines, *days))]),
    )


def _byline(text: str) -> re.Match[str] | None:
    return _BYLINE.search(text) if len(text) <= _LONGEST_BYLINE else None


def is_own_line(text: str) -> bool:
    """Say whether a line of a page's head holds only its author or day.

    >>> is_own_line("By Ada Lantern"), is_own_line("Rules of May 3, 2017")
    (True, False)
    """
    if text[:3].casefold() == "by " and _byline(text):
        return True
    return find_day(text) is not None and len(text.split()) <= _WORDS_OF_A_DAY


def _dated(title: str, comments: str, blocks: Sequence[Line]) -> Stated | None:
    day = find_day(comments)
    if day:
        return Stated(day.isoformat(), day)
    return Stated(title, None, blocks[0].number) if find_month(title) else None


def _sets(text: str) -> tuple[str, ...]:
    """Return the names of sets in a text, without those inside a longer name."""
    names = sorted(
        {edition.set_name for edition in known_editions().values()}, key=lambda n: (-len(n), n)
    )
    named: list[str] = []
    for name in names:
        is_there = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
        if is_there and not any(name in longer for longer in named):
            named.append(name)
    return tuple(named)
