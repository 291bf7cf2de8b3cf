"""The words and headings of an edition's rules, and how well each rule fits a sentence."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

from variorum.audit.sentences import Sentence, SentenceStems, noun_stem, stems_of
from variorum.model import RuleNumber
from variorum.rows import text_of
from variorum.rule_numbers import letters_of, stem_of

if TYPE_CHECKING:
    from variorum.answers.editions import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase

# Commoner words are not used to look up rules.
_LEAST_RARITY = 1.2
# The rarity of a word that only one rule has, in an edition of any size, and the least rarity of a
# rare word.
RAREST, _RARE = 7.0, 4.5
# The most rules that are ranked, and the most words of a sentence that are looked up.
_CANDIDATES, _TELLING = 40, 12
# Weights of a term as in BM25.
_SATURATION, _LENGTH = 1.2, 0.5
# A word in a rule's heading, or in a heading above it, counts as this many occurrences in the text.
_HEADING, _HEADING_ABOVE = 3.0, 1.0
# If the sentence also cites another rule that has a word, the word keeps this share of its weight.
_EXPLAINED = 0.35
# How many sentences are cached.
_REMEMBERED = 60


class Fits(NamedTuple):
    """How well rules fit a sentence, by their places: 0 without a common word.

    The best come first, of which the first has the `most`. Rules with rare words of the sentence
    have the rarity of the rarest, from 0 to 1.
    """

    of: Sequence[float]
    best: Sequence[int]
    most: float
    rare: Mapping[int, float]


class Rule(NamedTuple):
    """A provision of the edition, with the stems of its own heading and of its text, each once.

    `stem` is its number without letters, `suffix` the rest behind the section, `rule` the 52 of
    702.52a, -2 for a section; `parent` is the number above it.
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
    """The words of a sentence that occur in rules."""

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
        return [rule.number for rule in self.listed]

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
    def _postings(self) -> dict[str, tuple[tuple[int, ...], tuple[float, ...]]]:
        """Return the places of the rules that have each stem, and its weight in each."""
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
        return {
            stem: (tuple(place for place, _ in pairs), tuple(weight for _, weight in pairs))
            for stem, pairs in posted.items()
        }

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
        """Return the share of a sentence's words that a rule or the rules around it have."""
        if not words.total:
            return 1.0
        around = self.around(number).union(*also) if also else self.around(number)
        held = [value for stem, value in words.weights.items() if stem in around]
        return sum(held) / words.total

    def fits(self, words: SentenceWords) -> Fits:
        """Return how well each rule fits the rarest words of a sentence."""
        if words.fits is None:
            fit, rare = [0.0] * len(self.listed), dict[int, float]()
            found: set[int] = set()
            heaviest = sorted([(w, s) for s, w in words.weights.items()], reverse=True)[:_TELLING]
            for value, stem in heaviest:
                if (rare_by := self.rarity[stem]) < _LEAST_RARITY:
                    continue
                places, weights = self._postings[stem]
                found.update(places)
                for place, weight in zip(places, weights, strict=True):
                    fit[place] += value * weight
                if rare_by > _RARE:
                    share = (rare_by - _RARE) / (RAREST - _RARE) * min(1.0, value / rare_by)
                    for place in places:
                        rare[place] = max(rare.get(place, 0.0), share)
            numbers = self._numbers
            best = nlargest(_CANDIDATES, found, key=lambda place: (fit[place], numbers[place]))
            words.fits = Fits(fit, best, fit[best[0]] if best else 0.0, rare)
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
