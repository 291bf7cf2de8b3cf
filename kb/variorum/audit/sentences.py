"""The words around citations: the weighted words of the sentence, and what stands right beside."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from variorum.audit.numbers import Citation
from variorum.words import IN_PROGRAMS, family_of, stem_of

_AFTER, _BEFORE = 240, 160
# So many citations of a line, on either side, are beside one.
_NEIGHBOURS = 12
# A program's name may join words: "FlashBack" is flash, back and flashback.
_WORD = re.compile(r"[A-Za-z]+(?:['’]t\b)?")
# Symbols are strong evidence: "{0}", "+1/+1", and the number in "layer 2".
_SYMBOL = re.compile(r"\{[\w/]{1,3}\}|[+-]\d/[+-]\d")
_COUNTED = re.compile(r"\b[A-Za-z]{4,12} \d{1,2}(?![\w.])")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
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
_BESIDE = re.compile(r"\s*/\s*[A-Za-z]+\b(?![ ]\d)")
# The first words after a number weigh most. Words before it and in the next sentence weigh less.
_FIRST, _FIRST_WORDS, _FURTHER = 1.3, 3, 0.6
_ENDED = re.compile(r"[.;]\s+(?=[A-Z`\"(])|(?<=\A[)\]]);\s+")
_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s\"'<>()\[\]{}|]*")
# In a row of a table, the words about a number end with its cell.
_ROW, _CELL = re.compile(r"[ \t]*\|"), re.compile(r"(?<!\\)\|")
_BLANK = re.compile(r"\n[^\w\n]*\n")
# Words after this sign are about the number before it.
_LEADS_ON = re.compile(r"[)\]\"'`”’.*_]{0,3}[ \t]?(?:[:=—–-]|[\"“‘(\[])")


@dataclass(frozen=True, slots=True, eq=False)
class SentenceStems:
    """The stems around a citation, each with a weight; equal texts share an object, a key of caches.

    The opening is the first stem after the citation, or before it if none follows.
    """

    weights: Mapping[str, float]
    opening: str


class Sentence(NamedTuple):
    """The sentence of a citation: its stems, and the other numbers cited in it.

    It is explained if a nearby citation of the same rule names its subject. `before` and `after` are
    the words on both sides, up to the neighbouring citations.
    """

    stems: SentenceStems
    beside: tuple[str, ...]
    before: str = ""
    after: str = ""
    is_explained: bool = False


def sentences_of(text: str, citations: Sequence[Citation]) -> list[Sentence]:
    """Return the sentence of each citation of a text, in order; those of a list share its words."""
    line_of: list[tuple[int, int]] = []
    for start, end in _groups(text, citations, _is_on_line):
        line_of += [(start, end)] * (end - start)
    sentences: list[Sentence] = []
    for start, end in lists_of(text, citations):
        stems = _stems_around(text, citations, start, end)
        for place in range(start, end):
            first, last = line_of[place]
            near = citations[max(first, place - _NEIGHBOURS) : min(last, place + _NEIGHBOURS)]
            own = citations[place].first.number
            others = [each.first.number for each in near if each.first.number != own]
            sentences.append(Sentence(stems, tuple(others), *_beside(text, citations, place)))
    return sentences


def lists_of(text: str, citations: Sequence[Citation]) -> Iterator[tuple[int, int]]:
    """Yield the place of the first citation of each list, and of the one behind it."""
    return _groups(text, citations, _is_list)


def _groups(
    text: str, citations: Sequence[Citation], are_joined: Callable[[str], bool]
) -> Iterator[tuple[int, int]]:
    start = 0
    for place in range(1, len(citations) + 1):
        if place < len(citations):
            between = text[citations[place - 1].end : citations[place].start]
            if are_joined(between):
                continue
        yield start, place
        start = place


def _is_on_line(between: str) -> bool:
    return "\n" not in between


def _is_list(between: str) -> bool:
    """Say whether there are no words between two citations."""
    if len(between) > _AFTER or "\n" in between.rstrip():
        return False
    return _SAYS.search(_AND.sub("", between)) is None


def _beside(text: str, citations: Sequence[Citation], place: int) -> tuple[str, str]:
    """Return the words on both sides of a citation, up to its neighbours or a blank line."""
    own = citations[place]
    left = citations[place - 1].end if place else 0
    right = citations[place + 1].start if place + 1 < len(citations) else len(text)
    begin = max(left, own.start - _BEFORE)
    if begin == left and left and _LEADS_ON.match(text, left):
        begin = text.rfind("\n", begin, own.start) + 1 or own.start
    before = _ADDRESS.sub("", text[begin : own.start])
    after = _ADDRESS.sub("", text[own.end : min(right, own.end + _AFTER)])
    blanks = list(_BLANK.finditer(before))
    blank = _BLANK.search(after)
    before = before[blanks[-1].end() :] if blanks else before
    return before, after[: blank.start()] if blank else after


def _stems_around(text: str, citations: Sequence[Citation], start: int, end: int) -> SentenceStems:
    """Return the stems of the sentence of a list."""
    first, last = citations[start], citations[end - 1]
    left = max(citations[start - 1].end if start else 0, first.start - _BEFORE)
    right = citations[end].start if end < len(citations) else len(text)
    line = text.rfind("\n", left, first.start) + 1
    before = text[max(left, line) : first.start]
    after = _continued(text, max(line, left), last.end, min(right, last.end + _AFTER))
    if _SAYS.search(after) is None:
        above = _begun_above(text, line, left)
        before = above + _MARGIN.sub("", before, count=1) if above else before
    return _weighed(_ADDRESS.sub(" ", before), _ADDRESS.sub(" ", after))


def _continued(text: str, line: int, start: int, end: int) -> str:
    """Return the text after a citation, to the end of its sentence or comment."""
    stop = text.find("\n", start, end)
    if stop < 0:
        return text[start:end]
    margin = _MARGIN.match(text, line)
    sign = margin["sign"] if margin else None
    if not sign:
        behind = _BEHIND_CODE.search(text, line, start)
        sign = behind["sign"] if behind else None
    while 0 <= stop < end and text[start:stop].rstrip()[-1:] not in {".", ":", ";", "{", ""}:
        following = _MARGIN.match(text, stop + 1)
        if following is not None and sign == "*" and not following["sign"]:
            sign = None  # an item of a list, not a comment
        if following is None or following["sign"] != sign:
            break
        # Without a comment sign, only prose continues in lower case.
        if sign is None and not text[following.end() : following.end() + 1].islower():
            break
        next_stop = text.find("\n", stop + 1, end)
        if sign is None and text[stop + 1 : next_stop].rstrip()[-1:] in {")", "{", "(", ","}:
            break
        stop = next_stop
    return text[start : stop if stop >= 0 else end]


def _begun_above(text: str, line: int, left: int) -> str:
    """Return the comment line above if the sentence begins there."""
    above = text.rfind("\n", left, max(0, line - 1)) + 1
    own, margin = _MARGIN.match(text, line), _MARGIN.match(text, above)
    begun = text[margin.end() : line].rstrip() if margin and left <= above < line else ""
    if own is None or margin is None or not own["sign"] or own["sign"] != margin["sign"]:
        return ""
    return f"{begun} " if begun[-1:] not in {".", ":", ";", "{", ""} else ""


@lru_cache(maxsize=1024)
def _weighed(before: str, after: str) -> SentenceStems:
    """Return the stems around a citation with their weights."""
    ends = _CELL if _ROW.match(before) else _ENDED
    openings = [opening.end() for opening in _OPENING.finditer(before)]
    before = before[max(openings, default=0) :]
    before = before[before.rfind('"') :] if before.count('"') % 2 else before
    after = _BESIDE.sub("", after, count=1) if _BESIDE.match(after) else after
    ended = ends.search(after)
    first, further = (after[: ended.start()], after[ended.end() :]) if ended else (after, "")
    weights: dict[str, float] = {}
    stems = stems_of(_CALL.sub(" ", first))
    for place, stem in enumerate(stems):
        weight = _FIRST if place < _FIRST_WORDS else 1.0
        weights[stem] = max(weights.get(stem, 0.0), weight)
    stems_before = stems_of(_CALL.sub(" ", before))
    for stem in stems_before:
        weights.setdefault(stem, _FURTHER if stems else 1.0)
    for stem in stems_of(_CALL.sub(" ", further)):
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


@lru_cache(maxsize=16384)
def noun_stem(stem: str) -> str:
    """Return the stem of the verb that a noun is made from: "regenerate" for "regeneration"."""
    return family_of(stem)
