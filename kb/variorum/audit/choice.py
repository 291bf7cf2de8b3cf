"""Ranks the rules that a sentence may mean, and doubts the rule that it cites.

A conditional logit scores each rule by the words of the sentence and by its place; another weighs
the best of them against the cited rule.
"""

import math
from bisect import bisect_left
from collections.abc import Collection, Sequence
from functools import cached_property
from operator import mul
from typing import NamedTuple

from variorum.audit.fitted_doubt import CHOICE_WEIGHTS, DOUBT_WEIGHTS
from variorum.audit.grammar import Citation
from variorum.audit.rules import RuleWords, rule_like
from variorum.audit.sentences import Sentence
from variorum.rule_numbers import stem_of

# The most rules that a finding names.
MOST_NAMED = 5
# Each fit is divided by the best fit, but at least by this, so that a poor best fit scores low.
_LEAST_FIT = 8.0
# From this chance on, it is told that the cited rule hardly says what the sentence says. Measured:
# finds three quarters of the citations that people corrected, and reports one in eighty of the
# corrected lines; docs/audit.md.
_ANOTHER_MEANT = 0.13
# A cited rule says what the sentence says if it has this much of the weight of its words.
_PLAINLY_SAID = 0.6
# Sections whose rules are keywords; a sentence that explains a keyword names it.
_KEYWORDS = ("701", "702", "111.10")
_MOST_NAME, _MOST_BESIDE, _MOST_AHEAD, _MOST_FIT = 7.0, 3, 18.0, 30.0
# A single word is too little evidence, unless it is in a heading.
_FEWEST = 2
# A citation explains others of the same rule within this many characters.
_NEAR = 900

Features = tuple[float, ...]


class CitedNumber(NamedTuple):
    """A cited number, and the number of its provision in the edition whose words are compared.

    `sections` are those that have had its section's number, `had_by` today's numbers of the provisions
    that have had the number.
    """

    number: str
    today: str
    sections: Collection[str]
    had_by: Collection[str]

    @property
    def once(self) -> Collection[str]:
        """Return today's numbers of other provisions that have had the number."""
        return {number for number in self.had_by if number != self.today}


class RuleChoice:
    """Ranks the rules that a citation may mean, by its sentence."""

    def __init__(
        self,
        rules: RuleWords,
        cited: CitedNumber,
        sentence: Sentence,
        weights: Sequence[float] = CHOICE_WEIGHTS,
    ) -> None:
        self._rules, self._cited, self._weights = rules, cited, weights
        self.words = rules.sentence_words(sentence)
        self.fits = rules.fits(self.words)
        self._most = max(_LEAST_FIT, self.fits.most)
        self._opened = rules.begun_with.get(sentence.stems.opening, ())
        self._once, self._like = cited.once, rule_like(cited.number)
        self._rules_once = {stem_of(number) for number in self._once}
        once = [number[:3] for number in self._once]
        self._sections = {cited.number[:3], *cited.sections, *once}

    @cached_property
    def ranked(self) -> list[tuple[float, str]]:
        """Return the candidates, likeliest first: the logarithm of the odds against each, its number."""
        rules, fit = self._rules, self.fits.of
        places = {*self.fits.best}
        places.update(rules.places[number] for number in self._once if number in rules.places)
        for section in self._sections:
            places.update(place for place in rules.by_section.get(section, ()) if fit[place])
        places.discard(rules.places.get(self._cited.today, -1))
        scores = [(_dot(self._features(place), self._weights), place) for place in places]
        return sorted([(-score, rules.rules[place].number) for score, place in scores])

    @property
    def named(self) -> tuple[str, ...]:
        return tuple([number for _, number in self.ranked[:MOST_NAMED]])

    def features(self, number: str) -> Features:
        """Return the features of a candidate, in the order of CHOICE_WEIGHTS."""
        return self._features(self._rules.places[number])

    def _features(self, place: int) -> Features:
        rule, like = self._rules.rules[place], self._like
        is_once, is_here = rule.number in self._once, rule.number[:3] == like.number[:3]
        return (
            *self._by_words(place),
            is_once,
            not is_once and rule.stem in self._rules_once,
            rule.number[:3] in self._sections,
            is_here,
            rule.number[0] == like.number[0],
            is_here and abs(rule.rule - like.rule) == 1,
            rule.letters == like.letters,
            bool(rule.letters) and not like.letters,
            rule.letters == "a",
            rule.number[4:] == like.number[4:],
            rule.number[4:] == "1",
        )

    def _by_words(self, place: int) -> Features:
        return (
            self.fits.of[place] / self._most,
            place in self._opened,
            self._rules.covered(self.words, self._rules.rules[place].number),
            self.fits.rare.get(place, 0.0),
        )

    def _fit(self, number: str) -> float:
        """Return how well a rule fits the words alone, in log odds."""
        return _dot(self._by_words(self._rules.places[number]), self._weights)

    def against(self) -> Features:
        """Return the features that compare the cited rule with the likeliest other rules."""
        rules, cited = self._rules, self._cited
        family = [n for n in rules.family(cited.today) if n in rules.places]
        unknown = self._weights[2] * rules.covered(self.words, cited.today)
        own = max(map(self._fit, family), default=unknown)
        least, best = self.ranked[0]
        total = math.log(sum([math.exp(least - against) for against, _ in self.ranked])) - least
        stem = stem_of(cited.today)
        others = (-against for against, number in self.ranked if stem_of(number) != stem)
        named = [
            sum([self.words.weights[stem] for stem in name]) / math.sqrt(len(name))
            for name in rules.names(best)
            if all(stem in self.words.weights for stem in name)
        ]
        return (
            min(self.fits.most, _MOST_FIT) / _MOST_FIT,
            min(total - own, _MOST_AHEAD) / _MOST_AHEAD,
            min(next(others, -least) - own, _MOST_AHEAD) / _MOST_AHEAD,
            min(max(named, default=0.0), _MOST_NAME) / _MOST_NAME,
            self.fits.of[rules.places[best]] / self._most,
            float(best[:3] in cited.sections),
        )


def _dot(features: Features, weights: Sequence[float]) -> float:
    return float(sum(map(mul, features, weights)))


def doubt_about(
    rules: RuleWords, cited: CitedNumber, sentence: Sentence
) -> tuple[float, tuple[str, ...]] | None:
    """Return the chance that a sentence means another rule, and the likeliest; None if it is small."""
    words = rules.sentence_words(sentence)
    names_any = rules.names_any(words.weights)
    is_about = rules.fits_a_rule(words)
    if not names_any and (not is_about or len(words.weights) < _FEWEST):
        return None
    known = known_features(rules, cited, sentence)
    if known is None:
        return None
    choice = RuleChoice(rules, cited, sentence)
    if not choice.ranked or rule_like(choice.named[0]).parent == cited.today:
        return None  # citing a rule includes its subrules
    is_other = stem_of(choice.named[0]) != stem_of(cited.today)
    is_named = rules.is_named(choice.named[0], words.weights)
    is_told = rules.is_named(cited.today, words.weights) or (sentence.is_explained and not is_named)
    if is_other and is_told:
        return None
    chance = _chance((*known, *choice.against()))
    if not is_about and not any(rules.is_named(number, words.weights) for number in choice.named):
        return None
    return None if chance < _ANOTHER_MEANT else (chance, choice.named)


def known_features(rules: RuleWords, cited: CitedNumber, sentence: Sentence) -> Features | None:
    """Return the features of the cited rule alone; None if it plainly fits."""
    covered = rules.covered(rules.sentence_words(sentence), cited.today)
    if covered >= _PLAINLY_SAID:
        return None
    is_keyword = float(cited.today.startswith(_KEYWORDS))
    return (
        is_keyword,
        is_keyword * (1.0 - covered),
        min(len(sentence.beside), _MOST_BESIDE) / _MOST_BESIDE,
        float(any(name[0] == sentence.stems.opening for name in rules.names(cited.today)[:1])),
    )


def _chance(features: Features) -> float:
    total = DOUBT_WEIGHTS[0] + _dot(features, DOUBT_WEIGHTS[1:])
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


def likeliest(rules: RuleWords, cited: CitedNumber, sentence: Sentence) -> tuple[str, ...]:
    """Return candidates for a number that an edition lacks.

    If the words do not decide, return its last meaning and the rule above it.
    """
    choice = RuleChoice(rules, cited, sentence)
    if choice.words.weights and choice.ranked:
        return choice.named
    stem = stem_of(cited.number)
    near = [stem, f"{stem}a", *sorted(cited.once)]
    return tuple([n for n in near if n in rules.places and n != cited.number][:MOST_NAMED])


def with_explained(
    rules: RuleWords, citations: Sequence[Citation], sentences: Sequence[Sentence]
) -> list[Sentence]:
    """Return sentences, marked if a nearby citation of the same rule explains them.

    After "CR 702.2: Gleam", "CR 702.2b" a few lines below is about gleam, whatever its sentence
    says.
    """
    explaining: dict[str, list[int]] = {}
    for citation, sentence in zip(citations, sentences, strict=True):
        number = citation.first.number
        if rules.is_named(number, sentence.stems.weights):
            explaining.setdefault(stem_of(number), []).append(citation.start)
    explained: list[Sentence] = []
    for citation, sentence in zip(citations, sentences, strict=True):
        starts = explaining.get(stem_of(citation.first.number), [])
        place = bisect_left(starts, citation.start - _NEAR)
        is_near = place < len(starts) and starts[place] <= citation.start + _NEAR
        explained.append(sentence._replace(is_explained=is_near) if is_near else sentence)
    return explained
