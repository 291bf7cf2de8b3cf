"""Dates articles by the day they state, their words, their quotations and their numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.references.find import find_references
from variorum_kb.sources.comparing.articles.dating_by_words import Dating, Eras, Used
from variorum_kb.sources.comparing.articles.prose_quotations import EditionRange, QuotationChecker
from variorum_kb.sources.reading.passages.passages import Partial, Passage

# The beginning dates an article as well as the whole text.
_READ_FOR_DATE = 30_000
_MOST_SHOWN = 5
# In days.
_AHEAD = 60


@dataclass(frozen=True, slots=True)
class Time:
    """The editions that prose is about.

    Attributes:
        span: The editions that it can be about; None if unknown.
        place: The edition to whose provisions it is linked.
        evidence: The evidence, in our words.
        own: The number of phrases unique to the rules that prove the time; None if no words prove
            it.
    """

    span: EditionRange | None
    place: int
    evidence: tuple[str, ...]
    own: int | None = None


@dataclass(frozen=True, slots=True)
class _Hint:
    """A word, number or quotation that only some editions have.

    Attributes:
        editions: The editions, as bits by their places.
        evidence: The evidence, in our words.
    """

    editions: int
    evidence: str


def time_of(base: KnowledgeBase, partial: Partial, prose: Sequence[Passage]) -> Time:
    """Say when an article was written.

    A stated day decides; the article's words confirm or contradict it. Without a stated day, the
    best evidence is rules quoted under their numbers, then words, then cited numbers.
    """
    text = "\n".join([passage.text for passage in prose])[:_READ_FOR_DATE]
    words = Eras(base, text).date()
    stated = next(
        (
            statement.day
            for statement in (partial.dated, partial.edition)
            if statement is not None and statement.day
        ),
        None,
    )
    if stated is not None:
        return _stated_time(base, stated, words)
    return _proven_time(base, prose, words)


def _proven_time(base: KnowledgeBase, prose: Sequence[Passage], words: Dating) -> Time:
    """Say when an article that states no day was written."""
    last = len(base.editions) - 1
    every = (1 << (last + 1)) - 1
    left, evidence = every, list[str]()
    quoted = [hint for hint in _quoted(base, prose) if hint.editions != every]
    cited = [hint for hint in _cited(base, prose) if hint.editions != every]
    for hints in (quoted, _hints_of_words(base, words), cited):
        together = left
        for hint in hints:
            together &= hint.editions
        if hints and together:
            left = together
            evidence += list(dict.fromkeys([hint.evidence for hint in hints]))[:_MOST_SHOWN]
    if left == every:
        return Time(None, last, ("nothing that tells its time",))
    span = EditionRange((left & -left).bit_length() - 1, left.bit_length() - 1)
    return Time(span, span.last, tuple(evidence), _own(words))


def _own(words: Dating) -> int | None:
    return words.own if words.is_dated else None


def _quoted(base: KnowledgeBase, prose: Sequence[Passage]) -> Iterator[_Hint]:
    """Yield the editions that have each quoted text under its number."""
    checker = QuotationChecker(base, base.identifier(), EditionRange(0, len(base.editions) - 1))
    for passage in prose:
        quotations = [
            (quotation.number, passage.text[quotation.start : quotation.end])
            for quotation in passage.quotations
        ]
        for number, words in [(passage.number, passage.text), *quotations]:
            editions = _bits(base, checker.saying(number, words)) if number else 0
            if editions:
                yield _Hint(editions, f"quotes {number} as {_names(base, editions)} it")


def _cited(base: KnowledgeBase, prose: Sequence[Passage]) -> Iterator[_Hint]:
    """Yield the editions that have each cited number."""
    printed = [reference.first for passage in prose for reference in find_references(passage.text)]
    numbers = [*printed, *[passage.number for passage in prose]]
    for number in dict.fromkeys(numbers):
        editions = _bits(base, base.texts.bearers(number)) if "." in number else 0
        if editions:
            yield _Hint(editions, f"cites {number}: {_names(base, editions)} it")


def _hints_of_words(base: KnowledgeBase, words: Dating) -> list[_Hint]:
    """Return a hint for each line of evidence; every hint has all editions that fit the words."""
    first = words.first or 0
    last = len(base.editions) - 1 if words.last is None else words.last
    bits = (1 << (last + 1)) - (1 << first)
    return [_Hint(bits, line) for line in (*_came(base, words), *_went(base, words))]


def _bits(base: KnowledgeBase, states: Sequence[int]) -> int:
    bits = 0
    for first, last in base.texts.stood(states):
        bits |= (1 << (last + 1)) - (1 << first)
    return bits


def _names(base: KnowledgeBase, bits: int) -> str:
    """Return editions, given as bits, in words."""
    first, last = (bits & -bits).bit_length() - 1, bits.bit_length() - 1
    if first == last:
        return f"the edition of {_label(base, first)} has"
    return f"editions from {_label(base, first)} to {_label(base, last)} have"


def _stated_time(base: KnowledgeBase, day: date, words: Dating) -> Time:
    before = [edition.place for edition in base.editions if edition.effective <= day]
    if not before:
        return Time(None, 0, (f"says it is of {day}, before the first edition",))
    place = before[-1]
    evidence = [f"says it is of {day}: the edition of {base.editions[place].label} was in force"]
    if words.first is not None and words.first > place:
        evidence += ["its words are later than that:", *_came(base, words)]
        if (base.editions[place + 1].effective - day).days <= _AHEAD:
            # People write about an edition weeks before it comes into force.
            return Time(EditionRange(place, place + 1), place + 1, tuple(evidence), _own(words))
    elif words.last is not None and words.last < place:
        evidence += ["its words are older than that:", *_went(base, words)]
    return Time(EditionRange(place, place), place, tuple(evidence), _own(words))


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
