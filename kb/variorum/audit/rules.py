"""The words and headings of an edition's rules, and how well each rule fits a sentence."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

from variorum.audit.sentences import Sentence, SentenceStems, stems_of
from variorum.citations import find_references
from variorum.rows import text_of
from variorum.rule_numbers import RuleNumber, letters_of, stem_of
from variorum.words import family_of

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.rows import EditionRow

# Commoner words are not used to look up rules.
_LEAST_RARITY = 1.2
# The rarity of a word that only one rule has, in an edition of any size, and the least rarity of a
# rare word.
_RAREST, _RARE = 7.0, 4.5
# The most rules that are ranked, and the most words of a sentence that are looked up.
_CANDIDATES, _TELLING = 16, 12
# Weights of a term as in BM25.
_SATURATION, _LENGTH = 1.2, 0.5
# A word in a rule's heading, or in a heading above it, counts as this many occurrences in the text.
_HEADING, _HEADING_ABOVE = 3.0, 1.0
# If the sentence also cites another rule that has a word, the word keeps this share of its weight.
_EXPLAINED = 0.35
# A few common words hardly fit a rule this well.
_FITS_A_RULE = 12.0
# How many sentences are cached.
_REMEMBERED = 60


class Rule(NamedTuple):
    """A section, rule or subrule of the edition, with the stems of its heading and text, each once.

    `stem` is its number without letters, `rule` the 52 of 702.52a, -2 of a section; `parent` is the
    number above it.
    """

    number: str
    stem: str
    rule: int
    letters: str
    parent: str
    heading: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


def rule_like(number: str, heading: Iterable[str] = (), words: Iterable[str] = ()) -> Rule:
    """Return the rule of a number."""
    stem, letters = stem_of(number), letters_of(number)
    parent = stem if letters else number.partition(".")[0] if "." in number else ""
    return Rule(number, stem, int(stem[4:] or -2), letters, parent, tuple(heading), tuple(words))


class Fits(NamedTuple):
    """How well rules fit a sentence, by their places: 0 without a common word.

    The best come first, of which the first has the `most`. Rules with rare words of the sentence
    have the rarity of the rarest, from 0 to 1.
    """

    of: Sequence[float]
    best: Sequence[int]
    most: float
    rare: Mapping[int, float]


@dataclass(slots=True, eq=False)
class SentenceWords:
    """The words of a sentence that occur in rules, with their weights; how rules fit."""

    weights: Mapping[str, float]
    total: float
    fits: Fits | None = None


class RuleWords:
    """The words of an edition's rules; a rule's place is its index in `rules`."""

    def __init__(self, base: "KnowledgeBase", edition: "EditionRow") -> None:
        # Of a number printed twice, the last rule counts.
        rules: dict[str, Rule] = {}
        self._called: dict[str, list[tuple[str, ...]]] = {}
        counts: dict[str, Counter[str]] = {}
        for subject in base.provisions(edition):
            state = subject.state
            if state.kind == "glossary":
                cited = {number.first for number in find_references(text_of(state.body))}
                name = tuple(stems_of(state.heading))
                for number in cited if name and len(cited) == 1 else ():
                    self._called.setdefault(number, []).append(name)
            elif state.number and RuleNumber.read(state.number) is not None:
                counts[state.number] = Counter(stems_of(text_of(state.body)))
                heading = stems_of(state.heading)
                rules[state.number] = rule_like(state.number, heading, counts[state.number])
        self.rules = list(rules.values())
        self.places = {rule.number: place for place, rule in enumerate(self.rules)}
        self._below: dict[str, list[str]] = {}
        self.by_section: dict[str, list[int]] = {}
        held: dict[str, set[str]] = {}
        for place, rule in enumerate(self.rules):
            self._below.setdefault(rule.parent, []).append(rule.number)
            self.by_section.setdefault(rule.number[:3], []).append(place)
            held.setdefault(rule.stem, set()).update(rule.words, rule.heading)
        self._headings: dict[str, list[set[str]]] = {}
        for name in dict.fromkeys(rule.heading for rule in self.rules if rule.heading):
            self._headings.setdefault(name[0], []).append({*name})
        # The rarity of each stem, at most 7: a logarithm of how few rules have it.
        scale = _RAREST / math.log(max(2, len(held)))
        times = Counter(stem for stems in held.values() for stem in stems)
        self._rarity = {stem: scale * math.log(len(held) / n) for stem, n in times.items()}
        # The places of the rules whose nearest heading begins with each stem.
        self.begun_with: dict[str, set[int]] = {}
        for place, rule in enumerate(self.rules):
            for name in self.names(rule.number)[:1]:
                self.begun_with.setdefault(name[0], set()).add(place)
        self._postings = self._posted(list(counts.values()))
        self._around: dict[str, frozenset[str]] = {}
        self._words = lru_cache(_REMEMBERED)(self._weighted)

    def _posted(
        self, counts: Sequence[Counter[str]]
    ) -> dict[str, tuple[Sequence[int], Sequence[float]]]:
        """Return the places of the rules that have each stem, and its weight in each."""
        mean = sum([count.total() for count in counts]) / max(1, len(counts))
        posted: dict[str, tuple[list[int], list[float]]] = {}
        same: dict[float, float] = {}
        for place, (rule, count) in enumerate(zip(self.rules, counts, strict=True)):
            above = {stem for name in self.names(rule.parent) for stem in name}
            length = 1 - _LENGTH + _LENGTH * count.total() / mean
            for stem in {*rule.words, *rule.heading, *above}:
                n = count[stem] + (
                    _HEADING if stem in rule.heading else _HEADING_ABOVE * (stem in above)
                )
                weight = n * (_SATURATION + 1) / (n + _SATURATION * length)
                places, weights = posted.setdefault(stem, ([], []))
                places.append(place)
                weights.append(same.setdefault(weight, weight))  # equal ones share an object
        return dict(posted)

    def _chain(self, number: str) -> Iterable[Rule]:
        while number:
            place = self.places.get(number)
            rule = self.rules[place] if place is not None else rule_like(number)
            if place is not None:
                yield rule
            number = rule.parent

    def names(self, number: str) -> list[tuple[str, ...]]:
        """Return the stems of a number's heading and of the headings above it, nearest first."""
        return [rule.heading for rule in self._chain(number) if rule.heading]

    def titles(self, number: str) -> list[tuple[str, ...]]:
        """Return the stems of a number's nearest heading, and of the headwords that lead to it alone."""
        return [*self.names(number)[:1], *self._called.get(number, ())]

    def is_named(self, number: str, weights: Mapping[str, float]) -> bool:
        """Say whether words have the nearest heading of a number."""
        return any(weights.keys() >= {*name} for name in self.names(number)[:1])

    def names_any(self, weights: Mapping[str, float]) -> bool:
        """Say whether words have the whole heading of any rule."""
        stems = weights.keys()
        begun = [self._headings[stem] for stem in stems if stem in self._headings]
        return any(heading <= stems for headings in begun for heading in headings)

    def fits_a_rule(self, words: SentenceWords) -> bool:
        """Say whether words fit some rule better than a few common ones would."""
        return self.fits(words).most >= _FITS_A_RULE

    def family(self, number: str) -> list[str]:
        """Return a number, its subrules, and the number above it."""
        above = rule_like(number).parent if number in self.places else ""
        return [number, *self._below.get(number, ()), *([above] if above else [])]

    def nearest_above(self, number: str) -> str:
        """Return the rule that a number would belong to, or its section; "" if there is neither."""
        return next((rule.number for rule in self._chain(rule_like(number).parent)), "")

    def around(self, number: str) -> frozenset[str]:
        """Return the stems of a rule, of its subrules, and of the rule above it; of a whole section."""
        if number not in self._around:
            below = [self.places[each] for each in self._below.get(number, ())]
            stems: set[str] = set()
            for place in below if "." in number else self.by_section.get(number, ()):
                stems.update(self.rules[place].words, self.rules[place].heading)
            for rule in self._chain(number):
                stems.update(rule.heading, rule.words if "." in rule.number else ())
            self._around[number] = frozenset(stems)
        return self._around[number]

    def sentence_words(self, sentence: Sentence, *, alone: bool = False) -> SentenceWords:
        """Return the words of a sentence that occur in rules.

        Words of another rule that it also cites count less, unless the citation is taken alone.
        Sentences recur in many files of a project, so results are cached.
        """
        explained = frozenset[str]() if alone else self.explained(sentence)
        return self._words(sentence.stems, explained)

    def _weighted(self, stems: SentenceStems, explained: Collection[str]) -> SentenceWords:
        weights: dict[str, float] = {}
        for stem, weight in stems.weights.items():
            # "Regeneration" counts as the verb that it is made from.
            known = stem if stem in self._rarity else family_of(stem)
            rarity = self._rarity.get(known, 0.0)
            if rarity > 0:
                own = weight * rarity * (_EXPLAINED if known in explained else 1.0)
                weights[known] = max(weights.get(known, 0.0), own)
        return SentenceWords(weights, sum(weights.values()))

    def explained(self, sentence: Sentence) -> frozenset[str]:
        """Return the words of a sentence that belong to other rules cited beside it."""
        if not sentence.beside:
            return frozenset()
        words = self.sentence_words(sentence, alone=True).weights
        around = [self.around(number) for number in set(sentence.beside)]
        return frozenset([stem for stem in words if any(stem in stems for stems in around)])

    def covered(self, words: SentenceWords, number: str) -> float:
        """Return the share of a sentence's words that a rule or the rules around it have."""
        if not words.total:
            return 1.0
        around = self.around(number)
        return sum([value for stem, value in words.weights.items() if stem in around]) / words.total

    def fits(self, words: SentenceWords) -> Fits:
        """Return how well each rule fits the rarest words of a sentence."""
        if words.fits is None:
            fit, rare = [0.0] * len(self.rules), dict[int, float]()
            found: set[int] = set()
            heaviest = sorted([(w, s) for s, w in words.weights.items()], reverse=True)[:_TELLING]
            for value, stem in heaviest:
                if (rarity := self._rarity[stem]) < _LEAST_RARITY:
                    continue
                places, weights = self._postings[stem]
                found.update(places)
                for place, weight in zip(places, weights, strict=True):
                    fit[place] += value * weight
                if rarity > _RARE:
                    share = (rarity - _RARE) / (_RAREST - _RARE) * min(1.0, value / rarity)
                    for place in places:
                        rare[place] = max(rare.get(place, 0.0), share)
            fitting = nlargest(_CANDIDATES, [(fit[place], place) for place in found])
            best = [place for _, place in fitting]
            words.fits = Fits(fit, best, fit[best[0]] if best else 0.0, rare)
        return words.fits

    def fit(self, words: SentenceWords, number: str) -> float:
        """Return how well a rule fits; 0 if the edition lacks the number."""
        place = self.places.get(number)
        return self.fits(words).of[place] if place is not None else 0.0
