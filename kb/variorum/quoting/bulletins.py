"""Bulletins: pages that announce what an edition changes, an entry below each number or headword.

No grammar is needed. A number or a headword that heads a paragraph is announced; the step near the
stated day that changed most of what is announced is the bulletin's.
"""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from variorum.quoting.page import Page, words_of
from variorum.quoting.texts import PrintedTexts

# A page with fewer entries announces no edition. So much of what a bulletin announces was changed; of
# any other step's bulletin it is less than half.
_FEWEST_ENTRIES, _CHANGED = 5, 0.6
# A bulletin appears a few days after its edition, or up to some weeks before one of this base.
_NEAR = range(-30, 91)
# What heads a line: some numbers, as in "409.1c & 409.1d" or "702.9-702.11"; or all of its words.
_NUMBER = re.compile(r"[1-9]\d\d\.\d{1,3}[a-zA-Z]{0,2}\b|[1-9]\d\d\b|[1-9]\b(?!\.\d)")
_LISTED = r"[ \t*_.,;:&+()/>–—→-]*(?:and|or|through|to|new|old|formerly|was|now)?[ \t*_(]*"
_HEAD = re.compile(
    rf"^[^\w\n]*(?:(?:CR|Rule) ?)?(?P<numbers>(?:{_NUMBER.pattern})(?:{_LISTED}(?:{_NUMBER.pattern}))*)"
    r"|^[^\w\n]*(?P<words>\w(?:[^\n]*\w)?)\W*$",
    re.MULTILINE,
)


class BulletinEntry(NamedTuple):
    """What a bulletin says below numbers or a headword; its names are these, a headword's words folded."""

    names: tuple[str, ...]
    printed: str
    line: int
    words: str

    def is_among(self, changed: Container[str]) -> bool:
        """Return whether any of its names is among those of what a step changed."""
        return any(name in changed for name in self.names)


def entries_of(
    page: Page, quoted: Container[int | None], known: PrintedTexts
) -> Iterator[BulletinEntry]:
    """Yield the entries of a page but for the lines that begin with rules that it quotes."""
    heads: list[tuple[int, int, tuple[str, ...]]] = []
    for head in _HEAD.finditer(page.text):
        names = tuple([name.lower() for name in _NUMBER.findall(head["numbers"] or "")])
        folded = tuple(words_of(head["words"] or ""))
        if names or folded in known.headwords:
            heads.append(
                (*head.span("numbers" if names else "words"), names or (" ".join(folded),))
            )
    for (start, end, names), (after, *_) in pairwise([*heads, (len(page.text), 0, ())]):
        line = page.text.count("\n", 0, start) + 1
        if line not in quoted:
            yield BulletinEntry(names, page.text[start:end], line, page.text[end:after])


def announced_step(
    entries: Sequence[BulletinEntry],
    stated: Sequence[date],
    changed: Mapping[int, Container[str]],
    days: Sequence[date],
) -> int | None:
    """Return the place of the edition that the entries of a page announce; None if it is no bulletin.

    By the place of the edition that made them, the changes are the numbers and headwords whose
    words or number changed, those before and those after.
    """
    counts = {
        place: sum(entry.is_among(changed[place]) for entry in entries)
        for place in sorted(changed)
        if any((days[place] - day).days in _NEAR for day in stated)
    }
    best = max(counts, key=counts.__getitem__, default=None)
    is_one = best is not None and counts[best] >= max(_CHANGED * len(entries), 1)
    return best if is_one and len(entries) >= _FEWEST_ENTRIES else None
