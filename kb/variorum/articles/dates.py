"""Dates articles by the day they state, their quotations, their words and their numbers."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.articles.dating_by_words import Dating, Used, date_by_words
from variorum.citations import find_references

# The beginning dates an article as well as the whole text.
_READ_FOR_DATE = 30_000
_MOST_SHOWN = 5
# People write about an edition so many days before it comes into force.
_AHEAD = 60


class Time(NamedTuple):
    """The editions that prose is about.

    Attributes:
        first: The first edition that it can be about.
        last: The last one; all editions are between both if nothing tells its time.
        place: The edition to whose rules it is linked.
        evidence: In our words.
        is_dated: Whether anything tells its time.
        is_worded: Whether its words do.
        own: How many phrases unique to the rules it has.
    """

    first: int
    last: int
    place: int
    evidence: tuple[str, ...]
    is_dated: bool
    is_worded: bool
    own: int


def time_of(
    base: KnowledgeBase, texts: Sequence[str], day: date | None, quoted: Sequence[int]
) -> Time:
    """Say when an article was written.

    A stated day decides; the article's words confirm or contradict it. Without a stated day, the
    best evidence is the editions that have its quotations, then words, then cited numbers.
    """
    words = date_by_words(base, "\n".join(texts)[:_READ_FOR_DATE])
    time = _proven_time(base, texts, words, quoted) if day is None else _stated(base, day, words)
    return time._replace(is_worded=words.is_dated, own=words.own)


def _proven_time(
    base: KnowledgeBase, texts: Sequence[str], words: Dating, quoted: Sequence[int]
) -> Time:
    """Say when an article that states no day was written."""
    last = len(base.editions) - 1
    every = (2 << last) - 1
    left, evidence = sum([1 << place for place in set(quoted)]) or every, list[str]()
    cited = [hint for hint in _cited(base, texts) if hint[0] != every]
    for hints in ([*_hints_of_words(base, words)], cited):
        together = left
        for editions, _ in hints:
            together &= editions
        if hints and together:
            left = together
            evidence += list(dict.fromkeys([why for _, why in hints]))[:_MOST_SHOWN]
    if left == every:
        return Time(0, last, last, ("nothing that tells its time",), False, False, 0)
    end = left.bit_length() - 1
    return Time((left & -left).bit_length() - 1, end, end, tuple(evidence), True, False, 0)


def _cited(base: KnowledgeBase, texts: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the editions that have each cited number, as bits, and the evidence."""
    for number in dict.fromkeys([cited.first for text in texts for cited in find_references(text)]):
        editions = 0
        for first, last in base.texts.stood(base.texts.bearers(number)) if "." in number else ():
            editions |= (2 << last) - (1 << first)
        if editions:
            yield editions, f"cites {number}: {_names(base, editions)} it"


def _hints_of_words(base: KnowledgeBase, words: Dating) -> Iterator[tuple[int, str]]:
    """Yield all editions that fit the words, as bits, with each line of evidence."""
    last = len(base.editions) - 1 if words.last is None else words.last
    for line in (*_came(base, words), *_went(base, words)):
        yield (2 << last) - (1 << (words.first or 0)), line


def _names(base: KnowledgeBase, bits: int) -> str:
    """Return editions, given as bits, in words."""
    first, last = (bits & -bits).bit_length() - 1, bits.bit_length() - 1
    if first == last:
        return f"the edition of {_label(base, first)} has"
    return f"editions from {_label(base, first)} to {_label(base, last)} have"


def _stated(base: KnowledgeBase, day: date, words: Dating) -> Time:
    place = max([e.place for e in base.editions if e.effective <= day], default=None)
    if place is None:
        end = len(base.editions) - 1
        return Time(0, end, 0, (f"says it is of {day}, before the first edition",), False, False, 0)
    last = place
    evidence = [f"says it is of {day}: the edition of {base.editions[place].label} was in force"]
    if words.first is not None and words.first > place:
        evidence += ["its words are later than that:", *_came(base, words)]
        is_soon = (base.editions[place + 1].effective - day).days <= _AHEAD
        last = place + 1 if is_soon else place
    elif words.last is not None and words.last < place:
        evidence += ["its words are older than that:", *_went(base, words)]
    return Time(place, last, last, tuple(evidence), True, False, 0)


def _came(base: KnowledgeBase, words: Dating) -> list[str]:
    shown = _shown(words.came)
    return [f"“{use.words}” is common from {_label(base, use.first)} on" for use in shown]


def _went(base: KnowledgeBase, words: Dating) -> list[str]:
    shown = _shown(words.went)
    return [f"“{use.words}” is common up to {_label(base, use.last)}" for use in shown]


def _shown(proof: Sequence[Used]) -> list[Used]:
    return sorted(proof, key=lambda use: (-use.weight, use.words))[:_MOST_SHOWN]


def _label(base: KnowledgeBase, place: int) -> str:
    return base.editions[place].label
