"""The weighted words of a citation's sentence."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from variorum.audit.citations.number_lists import Citation
from variorum.words import IN_PROGRAMS, family_of, stem_of

_AFTER, _BEFORE = 240, 160
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
ADDRESS = re.compile(r"(?:https?://|www\.)[^\s\"'<>()\[\]{}|]*")
# In a row of a table, the words about a number end with its cell.
_ROW, _CELL = re.compile(r"[ \t]*\|"), re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True, eq=False)
class SentenceStems:
    """The words around a citation.

    Equal texts share an object, so that caches can use it as a key.

    Attributes:
        weights: The stems, each with a weight.
        opening: The first stem after the citation; the first stem before it if none follows.
    """

    weights: Mapping[str, float]
    opening: str


class Sentence(NamedTuple):
    """The sentence of a citation.

    Attributes:
        stems: The stems of its words.
        beside: The other numbers cited in it.
        is_explained: Whether a nearby citation of the same rule names its subject.
    """

    stems: SentenceStems
    beside: tuple[str, ...]
    is_explained: bool = False


def sentences_of(text: str, citations: Sequence[Citation]) -> list[Sentence]:
    """Return the sentence of each citation of a text.

    Citations of one list ("CR 701.15a / CR 701.35a: Goad and detain") share its words.

    Args:
        text: The whole text.
        citations: In order.
    """
    sentences: list[Sentence] = []
    place = 0
    while place < len(citations):
        end = place + 1
        while end < len(citations) and is_list(text, citations[end - 1], citations[end]):
            end += 1
        sentences += _shared(text, citations, place, end)
        place = end
    return sentences


def is_list(text: str, before: Citation, after: Citation) -> bool:
    """Say whether there are no words between two citations."""
    between = text[before.end : after.start]
    if len(between) > _AFTER or "\n" in between.rstrip():
        return False
    return _SAYS.search(_AND.sub("", between)) is None


def _shared(text: str, citations: Sequence[Citation], place: int, end: int) -> Iterable[Sentence]:
    """Yield the sentence of the citations of one list."""
    first, last = citations[place], citations[end - 1]
    left = max(citations[place - 1].end if place else 0, first.start - _BEFORE)
    right = citations[end].start if end < len(citations) else len(text)
    line = text.rfind("\n", left, first.start) + 1
    before = text[max(left, line) : first.start]
    after = _continued(text, max(line, left), last.end, min(right, last.end + _AFTER))
    if _SAYS.search(after) is None:
        above = _begun_above(text, line, left)
        before = above + _MARGIN.sub("", before, count=1) if above else before
    stems = _weighed(ADDRESS.sub(" ", before), ADDRESS.sub(" ", after))
    beside = _on_line(citations, place, end, text)
    for citation in citations[place:end]:
        others = tuple([number for number in beside if number != citation.first.number])
        yield Sentence(stems, others)


def _on_line(citations: Sequence[Citation], place: int, end: int, text: str) -> list[str]:
    """Return the numbers that the lines of a list cite."""
    begin = place
    while begin and "\n" not in text[citations[begin - 1].end : citations[begin].start]:
        begin -= 1
    while end < len(citations) and "\n" not in text[citations[end - 1].end : citations[end].start]:
        end += 1
    return [citation.first.number for citation in citations[begin:end]]


def _continued(text: str, line: int, start: int, end: int) -> str:
    """Return the text after a citation, to the end of its sentence or comment."""
    stop = text.find("\n", start, end)
    if stop < 0:
        return text[start:end]
    sign = _sign_of(text, line, start)
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


def _sign_of(text: str, line: int, start: int) -> str | None:
    """Return the comment sign of the comment at a place."""
    margin = _MARGIN.match(text, line)
    if margin is not None and margin["sign"]:
        return margin["sign"]
    behind = _BEHIND_CODE.search(text, line, start)
    return behind["sign"] if behind else None


def _begun_above(text: str, line: int, left: int) -> str:
    """Return the comment line above if the sentence begins there."""
    above = text.rfind("\n", 0, max(0, line - 1)) + 1
    own, margin = _MARGIN.match(text, line), _MARGIN.match(text, above)
    begun = text[margin.end() : line].rstrip() if margin and left <= above < line else ""
    if own is None or margin is None or not own["sign"] or own["sign"] != margin["sign"]:
        return ""
    return f"{begun} " if begun[-1:] not in {".", ":", ";", "{", ""} else ""


@lru_cache(maxsize=1024)
def _weighed(before: str, after: str) -> SentenceStems:
    """Return the stems around a citation with their weights."""
    ends = _CELL if _ROW.match(before) else _ENDED
    before = opening_of(before)
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


def opening_of(before: str) -> str:
    """Return the text before a citation in its own comment or string."""
    openings = [opening.end() for opening in _OPENING.finditer(before)]
    before = before[max(openings, default=0) :]
    return before[before.rfind('"') :] if before.count('"') % 2 else before


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
