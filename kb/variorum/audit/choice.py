"""Ranks the rules that a sentence may mean, and doubts the rule that it cites.

A conditional logit scores each rule by the words of the sentence and by its place; another weighs
the best of them against the cited rule.
"""

import math
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from variorum.audit.fitted_doubt import CHOICE_WEIGHTS, DOUBT_WEIGHTS
from variorum.audit.numbers import Citation
from variorum.audit.rules import RuleWords, SentenceWords
from variorum.audit.sentences import Sentence
from variorum.rule_numbers import stem_of

CHOICE_NAMES = (
    *("fit", "opens with its name", "covered", "rare", "number once", "rule once"),
    *("section once", "section", "chapter", "next rule", "letters", "letters added", "letter a"),
    *("suffix", "first rule"),
)
# The most rules that a finding names.
MOST_NAMED = 5
# Each fit is divided by the best fit, but at least by this, so that a poor best fit scores low.
_LEAST_FIT = 8.0
# From this chance on, the cited rule does not say what the sentence says. Measured: finds three
# quarters of the citations that people corrected, and reports one in eighty of the corrected lines;
# docs/audit.md.
_ANOTHER_MEANT = 0.13
# The most by which a rule near the cited one leads all others, as a feature that counts 18 in log
# odds: a bound that saves ranking rules. By hand: the result for the 101 corrections is the same
# without it.
_FAMILY_AHEAD = 0.15
# Likewise: a few common words hardly fit a rule this well.
_FITS_A_RULE = 12.0
# A cited rule says what the sentence says if it has this much of the weight of its words.
_PLAINLY_SAID = 0.6
# Sections whose rules are keywords; a sentence that explains a keyword names it.
_KEYWORD_SECTIONS = ("701", "702")
_MOST_NAME, _MOST_BESIDE, _MOST_AHEAD, _MOST_FIT = 7.0, 3, 18.0, 30.0
# A single word is too little evidence, unless it is in a heading.
_FEWEST = 2
# A citation explains others of the same rule within this many characters.
_NEAR = 900

Features = tuple[float, ...]


class CitedNumber(NamedTuple):
    """A cited number, and the number of its provision in the edition whose words are compared.

    `once` are today's numbers of other provisions that have had it, `sections` those of the sections
    that have had its section's number.
    """

    number: str
    today: str
    once: Collection[str] = ()
    sections: Collection[str] = ()


class Doubt(NamedTuple):
    """The chance that a sentence means another rule than it cites, and the likeliest of these."""

    chance: float
    likeliest: tuple[str, ...]


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
        self._fits = rules.fits(self.words)
        self._most = max(_LEAST_FIT, self._fits.most)
        self._opened = rules.begun_with.get(sentence.stems.opening, frozenset[int]())
        self._places = _places(rules, cited)

    @cached_property
    def ranked(self) -> list[tuple[float, str]]:
        """Return the candidates, likeliest first: the logarithm of the odds against each, its number."""
        rules, fit = self._rules, self._fits.of
        places = {*self._fits.best}
        places.update(rules.places[number] for number in self._cited.once if number in rules.places)
        for section in self._places.sections:
            places.update(place for place in rules.by_section.get(section, ()) if fit[place])
        places.discard(rules.places.get(self._cited.today, -1))
        return sorted([(-self._score(place), rules.listed[place].number) for place in places])

    @property
    def named(self) -> tuple[str, ...]:
        """Return the likeliest rules, as many as a finding names."""
        return tuple([number for _, number in self.ranked[:MOST_NAMED]])

    @property
    def features(self) -> dict[str, Features]:
        """Return the features of each candidate rule, in the order of CHOICE_NAMES."""
        places = self._rules.places
        return {
            number: (*self._by_words(places[number]), *self._places.of(places[number]))
            for _, number in self.ranked
        }

    def fit(self, number: str) -> float:
        """Return how well a rule fits the sentence, from 0 to 1."""
        return self._fits.of[self._rules.places[number]] / self._most

    def own(self, numbers: Collection[str]) -> float:
        """Return the highest score by words among some rules."""
        rules, weights = self._rules, self._weights
        scores = [
            _dot(self._by_words(rules.places[number]), weights)
            for number in numbers
            if number in rules.places
        ]
        return max(scores, default=weights[2] * rules.covered(self.words, self._cited.today))

    def _by_words(self, place: int) -> Features:
        return (
            self._fits.of[place] / self._most,
            float(place in self._opened),
            self._rules.covered(self.words, self._rules.listed[place].number),
            self._fits.rare.get(place, 0.0),
        )

    def _score(self, place: int) -> float:
        by_words = self._by_words(place)
        return _dot(by_words, self._weights) + self._places.score(place, self._weights[4:])


class _Places:
    """The features of rules by their places and the forms of their numbers, given a cited number."""

    def __init__(self, rules: RuleWords, cited: CitedNumber) -> None:
        self._rules, self._once = rules, cited.once
        self._like = rules.like(cited.number)
        self._rules_once = {stem_of(number) for number in cited.once}
        self.sections = {cited.number[:3], *cited.sections, *[number[:3] for number in cited.once]}
        self._scores: dict[int, float] = {}

    def of(self, place: int) -> Features:
        """Return the features of a rule, in the order of CHOICE_NAMES, without those by words."""
        rule, like = self._rules.listed[place], self._like
        is_once = rule.number in self._once
        is_here = rule.section == like.section
        return (
            float(is_once),
            float(not is_once and rule.stem in self._rules_once),
            float(rule.section in self.sections),
            float(is_here),
            float(rule.section[0] == like.section[0]),
            float(is_here and abs(rule.rule - like.rule) == 1),
            float(rule.letters == like.letters),
            float(bool(rule.letters) and not like.letters),
            float(rule.letters == "a"),
            float(rule.suffix == like.suffix),
            float(rule.suffix == "1"),
        )

    def score(self, place: int, weights: Sequence[float]) -> float:
        if place not in self._scores:
            self._scores[place] = _dot(self.of(place), weights)
        return self._scores[place]


@lru_cache(maxsize=200)
def _places(rules: RuleWords, cited: CitedNumber) -> _Places:
    return _Places(rules, cited)


def _dot(features: Features, weights: Sequence[float]) -> float:
    return sum([feature * weight for feature, weight in zip(features, weights, strict=False)])


def doubt_about(rules: RuleWords, cited: CitedNumber, sentence: Sentence) -> Doubt | None:
    """Return the doubt about a cited rule; None if the sentence may mean it."""
    words = rules.sentence_words(sentence)
    known = _doubtful_features(rules, cited, sentence, words)
    if known is None:
        return None
    choice = RuleChoice(rules, cited, sentence)
    if not choice.ranked or rules.by_number[choice.named[0]].parent == cited.today:
        return None  # citing a rule includes its subrules
    if sentence.is_explained and _is_chance(rules, cited, choice):
        return None
    chance = _chance((*known, *likely_features(rules, cited, choice)))
    is_about = rules.fits(words).most >= _FITS_A_RULE or _names_one(rules, choice)
    return Doubt(chance, choice.named) if chance >= _ANOTHER_MEANT and is_about else None


def _doubtful_features(
    rules: RuleWords, cited: CitedNumber, sentence: Sentence, words: SentenceWords
) -> Features | None:
    """Return the cheap features; None if no other rule can be meant.

    Ranking the other rules takes far longer.
    """
    names_any = not rules.headings.isdisjoint(words.weights)
    if len(words.weights) < _FEWEST and not names_any:
        return None
    known = known_features(rules, cited, sentence, words)
    # The most that another rule can add.
    most = (1.0, 1.0, 1.0 - _FAMILY_AHEAD, 1.0, 1.0, float(bool(cited.sections)))
    if known is None or _chance((*known, *most)) < _ANOTHER_MEANT:
        return None
    may_name = names_any and rules.names_a_heading(words)
    return known if may_name or rules.fits(words).most >= _FITS_A_RULE else None


def _names_one(rules: RuleWords, choice: RuleChoice) -> bool:
    """Say whether a sentence names a heading of one of the likeliest rules."""
    return any(
        all(stem in choice.words.weights for stem in name)
        for number in choice.named
        for name in rules.names(number)
    )


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
        if _is_named(rules, number, sentence.stems.weights):
            explaining.setdefault(stem_of(number), []).append(citation.start)
    explained: list[Sentence] = []
    for citation, sentence in zip(citations, sentences, strict=True):
        starts = explaining.get(stem_of(citation.first.number), [])
        place = bisect_left(starts, citation.start - _NEAR)
        is_near = place < len(starts) and starts[place] <= citation.start + _NEAR
        explained.append(sentence._replace(is_explained=is_near))
    return explained


def _is_chance(rules: RuleWords, cited: CitedNumber, choice: RuleChoice) -> bool:
    """Say whether the likeliest rule is not the cited rule and the sentence does not name it."""
    number = choice.named[0]
    is_other = stem_of(number) != stem_of(cited.today)
    return is_other and not _is_named(rules, number, choice.words.weights)


def _is_named(rules: RuleWords, number: str, words: Mapping[str, float]) -> bool:
    """Say whether a sentence names the nearest heading of a rule."""
    name = next(iter(rules.names(number)), ())
    return bool(name) and all(stem in words for stem in name)


def _chance(features: Features) -> float:
    total = sum(
        [feature * weight for feature, weight in zip((1.0, *features), DOUBT_WEIGHTS, strict=True)]
    )
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


def likeliest(rules: RuleWords, cited: CitedNumber, sentence: Sentence) -> tuple[str, ...]:
    """Return candidates for a number that an edition lacks.

    If the words do not decide, return its last meaning and the rule above it.
    """
    choice = RuleChoice(rules, cited, sentence)
    if choice.words.weights and choice.ranked:
        return choice.named
    stem = stem_of(cited.number)
    near = (stem, f"{stem}a", *sorted(cited.once))
    return tuple(
        [number for number in near if number in rules.by_number and number != cited.number][
            :MOST_NAMED
        ]
    )


def beside_heir(rules: RuleWords, cited: CitedNumber, sentence: Sentence, heir: str) -> list[str]:
    """Return an heir's rule and its subrules, the likeliest first."""
    stem = stem_of(heir)
    ranked = RuleChoice(rules, cited, sentence).ranked
    return [number for _, number in ranked if rules.by_number[number].stem == stem]


def known_features(
    rules: RuleWords, cited: CitedNumber, sentence: Sentence, words: SentenceWords
) -> Features | None:
    """Return the cheap features; None if the rule plainly fits."""
    also = [rules.throughout(cited.today)] if "." not in cited.today else []
    covered = rules.covered(words, cited.today, *also)
    if covered >= _PLAINLY_SAID:
        return None
    is_keyword = float(cited.today[:3] in _KEYWORD_SECTIONS or cited.today.startswith("111.10"))
    return (
        is_keyword,
        is_keyword * (1.0 - covered),
        min(len(sentence.beside), _MOST_BESIDE) / _MOST_BESIDE,
        float(any(name[0] == sentence.stems.opening for name in rules.names(cited.today)[:1])),
    )


def likely_features(rules: RuleWords, cited: CitedNumber, choice: RuleChoice) -> Features:
    """Return the features that compare the cited rule with the likeliest other rules."""
    stem = stem_of(cited.today)
    own = choice.own(rules.family(cited.today))
    least, best = choice.ranked[0]
    total = math.log(sum([math.exp(least - against) for against, _ in choice.ranked])) - least
    others = (-against for against, number in choice.ranked if rules.by_number[number].stem != stem)
    return (
        min(rules.fits(choice.words).most, _MOST_FIT) / _MOST_FIT,
        *[_ahead(score, own) for score in (total, next(others, -least))],
        _name_weight(rules, best, choice.words.weights),
        choice.fit(best),
        float(best[:3] in cited.sections),
    )


def _ahead(score: float, own: float) -> float:
    """Return the lead of the best other rule over the cited rule, at most 1."""
    return min(score - own, _MOST_AHEAD) / _MOST_AHEAD


def _name_weight(rules: RuleWords, number: str, words: Mapping[str, float]) -> float:
    """Return the rarity, from 0 to 1, of the rule's heading that a sentence names."""
    weights = [
        sum([words[stem] for stem in name]) / math.sqrt(len(name))
        for name in rules.names(number)
        if all(stem in words for stem in name)
    ]
    return min(max(weights, default=0.0), _MOST_NAME) / _MOST_NAME
