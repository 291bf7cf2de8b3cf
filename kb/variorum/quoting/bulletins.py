"""Bulletins: pages that announce what an edition changes, an entry below each number or headword.

No grammar is needed. A number or a headword that heads a paragraph is announced; the step near the
stated day that changed most of what is announced is the bulletin's.
"""

import re
from collections.abc import Container, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from variorum.quoting.page import Page, find_numbers

# A page with fewer entries announces no edition. So much of what a bulletin announces was changed; of
# any other step's bulletin it is less than half.
_FEWEST_ENTRIES, _CHANGED = 5, 0.6
# A bulletin appears a few days after its edition, or up to some weeks before one of this base.
_NEAR = range(-30, 91)
# Between the numbers of one heading: "409.1c & 409.1d", "702.9-702.11".
_LISTED = re.compile(
    r"[ \t*_.,;:&+()/>–—→-]*(?:and|or|through|to|new|old|formerly|was|now)?[ \t*_(]*"
)


class BulletinEntry(NamedTuple):
    """What a bulletin says below numbers, as printed, or below the words of a headword.

    Its heading begins at the word `start`, its words go from `behind` up to `end`.
    """

    names: tuple[str, ...]
    start: int
    behind: int
    end: int


class BulletinStep(NamedTuple):
    """The step into an edition that a bulletin announces, and the entries that name what it changed."""

    edition: int
    changed: list[BulletinEntry]


def entries_of(
    page: Page, commentary: Sequence[tuple[int, int]], headwords: AbstractSet[tuple[str, ...]]
) -> list[BulletinEntry]:
    """Return the entries in the parts of a page that quote no rule; headwords are folded words."""
    heads: list[BulletinEntry] = []
    for name, start, behind in find_numbers(page):
        before = heads[-1] if heads else None
        if before and _LISTED.fullmatch(page.around(before.behind, start)):
            heads[-1] = before._replace(names=(*before.names, name), behind=behind)
        elif page.begins_line(start):
            heads.append(BulletinEntry((name,), start, behind, behind))
    for start, end in pairwise(filter(page.begins_line, range(len(page.words) + 1))):
        if page.words[start:end] in headwords:
            heads.append(BulletinEntry((" ".join(page.words[start:end]),), start, end, end))
    is_free = {word for start, end in commentary for word in range(start, end)}
    heads = sorted((head for head in heads if head.start in is_free), key=lambda head: head.start)
    ends = [*[head.start for head in heads[1:]], len(page.words)]
    return [head._replace(end=end) for head, end in zip(heads, ends, strict=False)]


def announced_step(
    entries: list[BulletinEntry],
    stated: Sequence[date],
    changed: Mapping[int, Container[str]],
    days: Sequence[date],
) -> BulletinStep | None:
    """Return the step near a stated day that the entries of a page announce; None if it is no bulletin.

    By the place of the edition that made them, the changes are the numbers and headwords whose
    words or number changed, those before and those after.
    """
    steps = [
        BulletinStep(
            place, [entry for entry in entries if any(map(names.__contains__, entry.names))]
        )
        for place, names in sorted(changed.items())
        if any((days[place] - day).days in _NEAR for day in stated)
    ]
    best = max(steps, key=lambda step: len(step.changed), default=None)
    if best is None or len(entries) < _FEWEST_ENTRIES:
        return None
    return best if len(best.changed) >= _CHANGED * len(entries) else None
