"""The words around citations: the weighted words of the sentence, and what stands right beside."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from variorum.audit.grammar import Citation
from variorum.words import IN_PROGRAMS, stem_of

_AFTER, _BEFORE = 240, 160
# So many citations of a line, on either side, are beside one.
_NEIGHBOURS = 12
# A program's name may join words: "FlashBack" is flash, back and flashback.
_WORD = re.compile(r"[A-Za-z]+(?:['’]t\b)?")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
# Symbols are strong evidence: "{0}", "+1/+1", and the number in "layer 2".
_SYMBOL = re.compile(r"\{[\w/]{1,3}\}|[+-]\d/[+-]\d")
_COUNTED = re.compile(r"\b[A-Za-z]{4,12} \d{1,2}(?![\w.])")
# Calls and paths in code: ".to_string()", "Effect::".
_CALL = re.compile(r"\.\w+(?:\(\)|!?\()|\w+::(?=\w)")
# Where a comment or a string begins.
_OPENING = re.compile(r"//+!?|/\*+|(?<!\w)#+(?!\w)|\"\"\"|--")
_MARGIN = re.compile(r"[ \t]*(?P<sign>//[/!]?|\*+(?![/\w])|#+|--|;+|%+)?[ \t]*")
# A comment that begins after a statement.
_BEHIND_CODE = re.compile(r"[;{}),\w\]][ \t]+(?P<sign>//[/!]?|#+)[ \t]")
_SAYS = re.compile(r"[A-Za-z]{3}")
_AND = re.compile(r"\b(?:and|or|rules?|see|also|per|via|CR)\b", re.IGNORECASE)
# In "CR 702.51a / Waterbend: taps", "Waterbend" is a second subject and does not count. A word
# before a number counts: "/ Layer 4".
_SECOND = re.compile(r"\s*/\s*[A-Za-z]+\b(?![ ]\d)")
# The first words after a number weigh most. Words before it and in the next sentence weigh less.
_FIRST, _FIRST_WORDS, _FURTHER = 1.3, 3, 0.6
_ENDED = re.compile(r"[.;]\s+(?=[A-Z`\"(])|(?<=\A[)\]]);\s+")
_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s\"'<>()\[\]{}|]*")
# In a row of a table, the words about a number end with its cell.
_ROW, _CELL = re.compile(r"[ \t]*\|"), re.compile(r"(?<!\\)\|")
# A line that ends so ends a sentence.
_STOPS = {".", ":", ";", "{", ""}


@dataclass(frozen=True, slots=True, eq=False)
class SentenceStems:
    """The stems around a citation, each with a weight; equal texts share an object, a key of caches.

    The opening is the first stem after the citation, or before it if none follows.
    """

    weights: Mapping[str, float]
    opening: str


class Sentence(NamedTuple):
    """The sentence of a citation: its stems, and the other numbers cited in it.

    It is explained if a nearby citation of the same rule names its subject.
    """

    stems: SentenceStems
    beside: tuple[str, ...]
    is_explained: bool = False


def sentences_of(text: str, citations: Sequence[Citation]) -> list[Sentence]:
    """Return the sentence of each citation of a text, in order; those of a list share its words."""
    beside: list[tuple[str, ...]] = []
    start = 0
    for end in range(1, len(citations) + 1):
        is_last = end == len(citations)
        if is_last or text.find("\n", citations[end - 1].end, citations[end].start) >= 0:
            numbers = [citation.first.number for citation in citations[start:end]]
            for place, own in enumerate(numbers):
                near = numbers[max(0, place - _NEIGHBOURS) : place + _NEIGHBOURS]
                beside.append(tuple([number for number in near if number != own]))
            start = end
    return [
        Sentence(stems, beside[place])
        for start, end in lists_of(text, citations)
        for stems in [_stems_around(text, citations, start, end)]
        for place in range(start, end)
    ]


def lists_of(text: str, citations: Sequence[Citation]) -> Iterator[tuple[int, int]]:
    """Yield the place of the first citation of each list, and of the one behind it.

    There are no words between the citations of a list.
    """
    start = 0
    for place in range(1, len(citations) + 1):
        if place == len(citations) or not _is_list(text, citations[place - 1], citations[place]):
            yield start, place
            start = place


def _is_list(text: str, before: Citation, citation: Citation) -> bool:
    if citation.start - before.end > _AFTER:
        return False
    between = text[before.end : citation.start]
    return "\n" not in between.rstrip() and _SAYS.search(_AND.sub("", between)) is None


def _stems_around(text: str, citations: Sequence[Citation], start: int, end: int) -> SentenceStems:
    """Return the stems of the sentence of a list, which may go over several lines of a comment."""
    first, last = citations[start], citations[end - 1]
    left = max(citations[start - 1].end if start else 0, first.start - _BEFORE)
    right = citations[end].start if end < len(citations) else len(text)
    line = text.rfind("\n", left, first.start) + 1
    before = text[max(left, line) : first.start]
    after = _continued(text, max(line, left), last.end, min(right, last.end + _AFTER))
    if _SAYS.search(after) is None and left < line:
        # The sentence may begin in the comment line above.
        above = text.rfind("\n", left, line - 1) + 1
        own, margin = _MARGIN.match(text, line), _MARGIN.match(text, above)
        if above >= left and own and margin and own["sign"] and own["sign"] == margin["sign"]:
            begun = text[margin.end() : line].rstrip()
            if begun[-1:] not in _STOPS:
                before = f"{begun} {_MARGIN.sub('', before, count=1)}"
    return _weighed(_ADDRESS.sub(" ", before), _ADDRESS.sub(" ", after))


def _continued(text: str, line: int, start: int, end: int) -> str:
    stop = text.find("\n", start, end)
    if stop < 0:
        return text[start:end]
    margin = _MARGIN.match(text, line)
    sign = margin["sign"] if margin else None
    if not sign:
        behind = _BEHIND_CODE.search(text, line, start)
        sign = behind["sign"] if behind else None
    while 0 <= stop < end and text[start:stop].rstrip()[-1:] not in _STOPS:
        following = _MARGIN.match(text, stop + 1)
        if following is not None and sign == "*" and not following["sign"]:
            sign = None  # an item of a list, not a comment
        if following is None or following["sign"] != sign:
            break
        next_stop = text.find("\n", stop + 1, end)
        if sign is None:
            # Without a comment sign, only prose continues, in lower case.
            is_prose = text[following.end() : following.end() + 1].islower()
            if not is_prose or text[stop + 1 : next_stop].rstrip()[-1:] in {")", "{", "(", ","}:
                break
        stop = next_stop
    return text[start : stop if stop >= 0 else end]


@lru_cache(maxsize=1024)
def _weighed(before: str, after: str) -> SentenceStems:
    ends = _CELL if _ROW.match(before) else _ENDED
    openings = [opening.end() for opening in _OPENING.finditer(before)]
    before = before[max(openings, default=0) :]
    before = before[before.rfind('"') :] if before.count('"') % 2 else before
    after = _SECOND.sub("", after, count=1) if _SECOND.match(after) else after
    first, *further = ends.split(after, maxsplit=1)
    stems, stems_before, stems_further = [
        stems_of(_CALL.sub(" ", part)) for part in (first, before, *(further or [""]))
    ]
    weights: dict[str, float] = {}
    for place, stem in enumerate(stems):
        weights.setdefault(stem, _FIRST if place < _FIRST_WORDS else 1.0)
    for stem in stems_before:
        weights.setdefault(stem, _FURTHER if stems else 1.0)
    for stem in stems_further:
        weights.setdefault(stem, _FURTHER)
    return SentenceStems(weights, next(iter(stems or stems_before), ""))


def stems_of(text: str) -> list[str]:
    """Return the stems of the telling words of a text.

    >>> stems_of("// FlashBack: allows casting from graveyard")
    ['flash', 'back', 'flashback', 'allow', 'cast', 'graveyard']
    """
    stems: list[str] = []
    for word in _WORD.findall(text):
        stems += _stems(word)
    stems += [match.casefold() for match in _SYMBOL.findall(text)]
    stems += ["".join(match.split()).casefold() for match in _COUNTED.findall(text)]
    return stems


@lru_cache(maxsize=16384)
def _stems(word: str) -> tuple[str, ...]:
    parts = _HUMP.split(word)
    if len(parts) == 2:  # noqa: PLR2004 - two words that may be one
        parts.append(word)
    small = [part.casefold() for part in parts]
    return tuple([stem_of(part) for part in small if part not in IN_PROGRAMS])
