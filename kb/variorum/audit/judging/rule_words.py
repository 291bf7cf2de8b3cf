"""Finds the rules of an edition that fit a sentence, by their words and headings."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from variorum.audit.judging.rule_fits import RARE, RAREST, Fits, Posting, fits_of, posting_of
from variorum.audit.judging.sentence import Sentence, SentenceStems, noun_stem, stems_of
from variorum.model import RuleNumber
from variorum.rows import text_of
from variorum.rule_numbers import letters_of, stem_of

if TYPE_CHECKING:
    from variorum.answers.editions import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase

# Weights of a term as in BM25.
_SATURATION, _LENGTH = 1.2, 0.5
# A word in a rule's heading, or in a heading above it, counts as this many occurrences in the text.
_HEADING, _HEADING_ABOVE = 3.0, 1.0
# If the sentence also cites another rule that has a word, the word keeps this share of its weight.
_EXPLAINED = 0.35
# How many sentences are cached.
_REMEMBERED = 60


class Rule(NamedTuple):
    """A provision of the edition.

    Attributes:
        number: As printed.
        stem: The number without letters.
        section: The first three digits of the number.
        letters: Its letters.
        suffix: The rest of the number, after the section.
        rule: The 52 of 702.52a; -2 for a section.
        parent: The number of the provision above it; "" for a section.
        heading: The stems of its own heading.
        words: The stems of its text, each once.
    """

    number: str
    stem: str
    section: str
    letters: str
    suffix: str
    rule: int
    parent: str
    heading: tuple[str, ...]
    words: tuple[str, ...]


@dataclass(slots=True, eq=False)
class SentenceWords:
    """The words of a sentence that occur in rules.

    Attributes:
        weights: Their stems, each with its weight.
        total: The sum of the weights.
        fits: How well rules fit them; None until asked for.
    """

    weights: Mapping[str, float]
    total: float
    fits: Fits | None = None


class RuleWords:
    """The words of the rules of an `edition`."""

    def __init__(self, base: "KnowledgeBase", edition: "EditionEntry") -> None:
        self._base = base
        self.edition = edition
        self._counts: dict[str, Counter[str]] = {}
        self._names: dict[str, list[tuple[str, ...]]] = {}
        self._around: dict[str, frozenset[str]] = {}
        self._throughout: dict[str, frozenset[str]] = {}
        self._near: dict[str, bytes] = {}
        self._sentences: dict[tuple[SentenceStems, tuple[str, ...]], SentenceWords] = {}

    @cached_property
    def by_number(self) -> dict[str, Rule]:
        """Return the sections, rules and subrules of the edition by their numbers."""
        rules: dict[str, Rule] = {}
        for subject in self._base.provisions(self.edition):
            state = subject.state
            if not state.number or RuleNumber.read(state.number) is None:
                continue
            counts = Counter(stems_of(text_of(state.body)))
            self._counts[state.number] = counts
            heading = tuple(stems_of(state.heading))
            rules[state.number] = _rule(state.number, heading, tuple(counts))
        return rules

    @cached_property
    def listed(self) -> list[Rule]:
        """Return the rules in order; a rule's place is its index here."""
        return list(self.by_number.values())

    @cached_property
    def _numbers(self) -> list[str]:
        return list(self.by_number)

    @cached_property
    def places(self) -> dict[str, int]:
        """Return the place of each number."""
        return {number: place for place, number in enumerate(self.by_number)}

    def like(self, number: str) -> Rule:
        """Return the rule of a number; if the edition lacks it, a rule without words."""
        return self.by_number.get(number) or _rule(number, (), ())

    @cached_property
    def _below(self) -> dict[str, list[str]]:
        below: dict[str, list[str]] = {}
        for rule in self.by_number.values():
            below.setdefault(rule.parent, []).append(rule.number)
        return below

    @cached_property
    def rarity(self) -> dict[str, float]:
        """Return the rarity of each stem, at most 7: a logarithm of how few rules have it."""
        held: dict[str, set[str]] = {}
        for rule in self.by_number.values():
            held.setdefault(rule.stem, set()).update(rule.words, rule.heading)
        counts = Counter(stem for stems in held.values() for stem in stems)
        scale = RAREST / math.log(max(2, len(held)))
        return {stem: scale * math.log(len(held) / count) for stem, count in counts.items()}

    def has_rare(self, text: str) -> bool:
        """Say whether a text has a word that is rare in the rules."""
        return any(self.rarity.get(stem, 0.0) > RARE for stem in stems_of(text))

    @cached_property
    def by_section(self) -> dict[str, list[int]]:
        """Return the places of the rules of each section."""
        places: dict[str, list[int]] = {}
        for number, place in self.places.items():
            places.setdefault(number[:3], []).append(place)
        return places

    @cached_property
    def begun_with(self) -> dict[str, frozenset[int]]:
        """Return the places of the rules whose nearest heading begins with each stem."""
        begun: dict[str, set[int]] = {}
        for number, place in self.places.items():
            for name in self.names(number)[:1]:
                begun.setdefault(name[0], set()).add(place)
        return {stem: frozenset(places) for stem, places in begun.items()}

    @cached_property
    def _postings(self) -> dict[str, Posting]:
        """Return the rules that have each stem, and its weights there."""
        rules, counts = self.by_number, self._counts
        mean = sum([count.total() for count in counts.values()]) / max(1, len(rules))
        posted: dict[str, list[tuple[int, float]]] = {}
        same: dict[float, float] = {}
        for place, (number, rule) in enumerate(rules.items()):
            above = {stem for higher in self._ancestors(number) for stem in rules[higher].heading}
            length = 1 - _LENGTH + _LENGTH * counts[number].total() / mean
            for stem in sorted({*rule.words, *rule.heading, *above}):
                times: float = counts[number][stem]
                if stem in rule.heading:
                    times += _HEADING
                elif stem in above:
                    times += _HEADING_ABOVE
                weight = times * (_SATURATION + 1) / (times + _SATURATION * length)
                # Equal weights share an object, which saves memory and time.
                posted.setdefault(stem, []).append((place, same.setdefault(weight, weight)))
        counts.clear()
        return {stem: posting_of(places) for stem, places in posted.items()}

    @cached_property
    def headings(self) -> frozenset[str]:
        """Return the stems of all headings."""
        return frozenset(stem for rule in self.by_number.values() for stem in rule.heading)

    @cached_property
    def _headings_from(self) -> dict[str, set[tuple[str, ...]]]:
        """Return the headings that begin with each stem."""
        headings: dict[str, set[tuple[str, ...]]] = {}
        for rule in self.by_number.values():
            if rule.heading:
                headings.setdefault(rule.heading[0], set()).add(rule.heading)
        return headings

    def names_a_heading(self, words: SentenceWords) -> bool:
        """Say whether a sentence has all stems of a heading."""
        return any(
            all(stem in words.weights for stem in heading)
            for first in words.weights
            for heading in self._headings_from.get(first, ())
        )

    def _ancestors(self, number: str) -> Iterable[str]:
        rule = self.by_number.get(number)
        above = rule.parent if rule else _above(number)
        while above in self.by_number:
            yield above
            above = self.by_number[above].parent

    def names(self, number: str) -> list[tuple[str, ...]]:
        """Return the stems of a number's heading and of the headings above it, nearest first."""
        if number not in self._names:
            own = [self.by_number[number]] if number in self.by_number else []
            above = [self.by_number[ancestor] for ancestor in self._ancestors(number)]
            self._names[number] = [rule.heading for rule in (*own, *above) if rule.heading]
        return self._names[number]

    def family(self, number: str) -> list[str]:
        """Return a number, its subrules, and the number above it."""
        above = self.by_number[number].parent if number in self.by_number else ""
        return [number, *self._below.get(number, ()), *([above] if above else [])]

    def nearest_above(self, number: str) -> str:
        """Return the rule that a number would belong to, or its section; "" if there is neither."""
        above = _above(number)
        return above if not above or above in self.by_number else self.nearest_above(above)

    def throughout(self, number: str) -> frozenset[str]:
        """Return the stems of all rules of a section; none if the number is not a section's."""
        if number not in self._throughout:
            below = [self.listed[place] for place in self.by_section.get(number, ())]
            stems = {stem for rule in below for stem in (*rule.words, *rule.heading)}
            self._throughout[number] = frozenset(stems)
        return self._throughout[number]

    def around(self, number: str) -> frozenset[str]:
        """Return the stems of a rule, of its subrules, and of the rule above it."""
        if number not in self._around:
            stems: set[str] = set()
            for near in (number, *self._below.get(number, ())):
                if near in self.by_number:
                    stems.update(self.by_number[near].words, self.by_number[near].heading)
            for near in self._ancestors(number):
                stems.update(self.by_number[near].heading)
                if "." in near:
                    stems.update(self.by_number[near].words)
            self._around[number] = frozenset(stems)
        return self._around[number]

    def sentence_words(self, sentence: Sentence) -> SentenceWords:
        """Return the words of a sentence that occur in rules.

        Results are cached, because sentences recur in many files of a project.
        """
        key = sentence.stems, sentence.beside
        words = self._sentences.get(key)
        if words is None:
            if len(self._sentences) >= _REMEMBERED:
                self._sentences.clear()
            weights = self._weights(sentence)
            words = self._sentences[key] = SentenceWords(weights, sum(weights.values()))
        return words

    def _weights(self, sentence: Sentence) -> dict[str, float]:
        explained: set[str] = set()
        for number in sentence.beside:
            explained |= self.around(number)
        weights: dict[str, float] = {}
        for stem, weight in sentence.stems.weights.items():
            known = stem if stem in self.rarity else noun_stem(stem)
            rarity = self.rarity.get(known, 0.0)
            if rarity > 0:
                share = _EXPLAINED if known in explained else 1.0
                weights[known] = max(weights.get(known, 0.0), weight * rarity * share)
        return weights

    def covered(self, words: SentenceWords, number: str, *also: Collection[str]) -> float:
        """Return the share of a sentence's words that a rule or the rules around it have.

        Args:
            words: The words of a sentence.
            number: The cited number.
            also: Stems that the rule used to have.
        """
        if not words.total:
            return 1.0
        around = (self.around(number), *also)
        held = [
            value for stem, value in words.weights.items() if any(stem in stems for stems in around)
        ]
        return sum(held) / words.total

    def share(self, words: SentenceWords, number: str) -> float:
        """Return the share of a sentence's words that a rule or the rules around it have today."""
        if not words.total:
            return 1.0
        around = self.around(number)
        return sum([value for stem, value in words.weights.items() if stem in around]) / words.total

    def shares(self, words: SentenceWords, places: Collection[int]) -> dict[int, float]:
        """Return the `share` of each of many rules, by their places."""
        if not words.total:
            return dict.fromkeys(places, 1.0)
        held = dict.fromkeys(places, 0.0)
        for stem, value in words.weights.items():
            for place in compress(places, map(self._has_near(stem).__getitem__, places)):
                held[place] += value
        return {place: value / words.total for place, value in held.items()}

    def _has_near(self, stem: str) -> bytes:
        """Return a byte for each rule: 1 if it or a rule around it has the stem, else 0."""
        if stem not in self._near:
            has = bytearray(len(self.listed))
            for place in self._postings[stem].places:
                rule = self.listed[place]
                # A section's words do not apply to all its rules.
                below = self._below.get(rule.number, ()) if rule.rule > 0 else ()
                for number in (rule.number, rule.parent, *below):
                    if number in self.places:
                        has[self.places[number]] = 1
            self._near[stem] = bytes(has)
        return self._near[stem]

    def fits(self, words: SentenceWords) -> Fits:
        """Return how well each rule fits the rarest words of a sentence."""
        if words.fits is None:
            words.fits = fits_of(words.weights, self.rarity, self._postings, self._numbers)
        return words.fits

    def fit(self, words: SentenceWords, number: str) -> float:
        """Return how well a rule fits; 0 if the edition lacks the number."""
        place = self.places.get(number)
        return self.fits(words).of[place] if place is not None else 0.0


def _rule(number: str, heading: tuple[str, ...], words: tuple[str, ...]) -> Rule:
    stem, suffix = stem_of(number), number.partition(".")[2]
    rule = int(stem[4:]) if stem[4:] else -2
    above, letters = _above(number), letters_of(number)
    return Rule(number, stem, stem[:3], letters, suffix, rule, above, heading, words)


def _above(number: str) -> str:
    stem = stem_of(number)
    return stem if stem != number else number.partition(".")[0] if "." in number else ""
