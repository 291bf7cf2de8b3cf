"""Pairs citations with the words beside them, also if both are lists."""

import re
from collections.abc import Iterator, Sequence

from variorum.audit.citations.number_lists import Citation
from variorum.audit.judging.sentence import is_list, opening_of
from variorum.audit.judging.words_beside import JOINED, SIGNS, Beside, words_beside

_JOINED = re.compile(JOINED)
_SIGNS_BEHIND, _SIGNS_BEFORE = re.compile(SIGNS), re.compile(rf"{SIGNS}\Z")
# The most words of a name in a list. Few names of rules have more.
_MOST_WORDS = 3


def words_beside_each(text: str, citations: Sequence[Citation]) -> list[Beside]:
    """Return the words beside each citation of a text.

    In "CR 701.15a / CR 701.35a: Goad and detain", "Goad" is beside the first number only.

    Args:
        text: The whole text.
        citations: In order.
    """
    left = 0
    beside: list[Beside] = []
    for citation, following in zip(citations, [*citations[1:], None], strict=True):
        right = len(text) if following is None else following.start
        beside.append(words_beside(text, citation.start, citation.end, left, right))
        left = citation.end
    for start, end in _lists(text, citations):
        names = _names(beside[start].before, beside[end - 1].after, end - start)
        listed = "\0".join(names)
        beside[start:end] = [Beside("", name, listed) for name in names] or beside[start:end]
    return beside


def _lists(text: str, citations: Sequence[Citation]) -> Iterator[tuple[int, int]]:
    """Yield the places of the first citation of each list and of the citation after the list."""
    start = 0
    for place in range(1, len(citations) + 1):
        if place == len(citations) or not is_list(text, citations[place - 1], citations[place]):
            if place > start + 1:
                yield start, place
            start = place


def _names(before: str, after: str, count: int) -> list[str]:
    """Return the names after or before a list of numbers, if there is one for each number."""
    behind = _SIGNS_BEHIND.sub("", after, count=1).partition("\n")[0]
    names = _JOINED.split(behind, maxsplit=count - 1)
    if len(names) == count and _are_short(names[:-1]):
        return names
    ahead = opening_of(before.rpartition("\n")[2]).lstrip()
    names = _JOINED.split(_SIGNS_BEFORE.sub("", ahead))
    return names if len(names) == count and _are_short(names) else []


def _are_short(names: Sequence[str]) -> bool:
    return all(name.strip() and len(name.split()) <= _MOST_WORDS for name in names)
