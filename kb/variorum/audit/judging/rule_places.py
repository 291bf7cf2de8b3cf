"""Scores a rule by its place and the form of its number, given a wrongly cited number."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from variorum.audit.judging.rule_words import Rule, RuleWords
from variorum.rule_numbers import stem_of

PLACE_NAMES = (
    *("number once", "rule once", "section once", "section", "chapter", "next rule"),
    *("letters", "letters added", "letter a", "suffix", "first rule"),
)
_ONCE, _RULE_ONCE, _SECTION, _, _CHAPTER, _NEXT = range(6)
_LETTERS, _ADDED, _FIRST_LETTER, _SUFFIX, _FIRST = range(6, 11)

Features = tuple[float, ...]


class CitedNumber(NamedTuple):
    """A cited number and its facts.

    Attributes:
        number: The cited number.
        today: The number of the cited provision in the edition whose words are compared.
        once: Today's numbers of other provisions that have had the cited number.
        sections: Today's numbers of the sections that have had the cited section's number.
        also: Stems of words that the cited provision used to have.
    """

    number: str
    today: str
    once: Collection[str] = ()
    sections: Collection[str] = ()
    also: Collection[str] = ()


class RulePlaces:
    """Scores the places of rules, given a cited number.

    Attributes:
        sections: The cited section, those in `CitedNumber.sections`, and those of the numbers in
            `CitedNumber.once`.
    """

    def __init__(self, rules: RuleWords, cited: CitedNumber, weights: Sequence[float]) -> None:
        """Prepare.

        Args:
            rules: The rules of an edition.
            cited: The cited number.
            weights: The weights of the features, in the order of PLACE_NAMES.
        """
        self._rules = rules.listed
        self._once = cited.once
        self._weights = weights
        self._like = rules.like(cited.number)
        self._rules_once = {stem_of(number) for number in cited.once}
        self.sections = {cited.number[:3], *cited.sections, *[number[:3] for number in cited.once]}
        self._scores: dict[int, float] = {}
        self._of_sections = {
            section: _weighed(self._section_features(section), weights[_SECTION:])
            for section in self.sections
        }

    def scores(self, places: Iterable[int]) -> Mapping[int, float]:
        """Score the rules at these places; return all scores so far, by place."""
        for place in places:
            if place not in self._scores:
                self._scores[place] = self._score(self._rules[place])
        return self._scores

    def _score(self, rule: Rule) -> float:
        like, weights = self._like, self._weights
        score = self._of_sections.get(rule.section)
        if score is None:
            score = weights[_CHAPTER] if rule.section[0] == like.section[0] else 0.0
        by_letters = weights[_LETTERS] if rule.letters == like.letters else 0.0
        if rule.letters and not like.letters:
            by_letters += weights[_ADDED]
        if rule.letters == "a":
            by_letters += weights[_FIRST_LETTER]
        score += by_letters
        if rule.suffix == like.suffix:
            score += weights[_SUFFIX]
        if rule.suffix == "1":
            score += weights[_FIRST]
        if rule.section == like.section and rule.rule - like.rule in {1, -1}:
            score += weights[_NEXT]
        if rule.number in self._once:
            score += weights[_ONCE]
        elif rule.stem in self._rules_once:
            score += weights[_RULE_ONCE]
        return score

    def features(self, place: int) -> Features:
        """Return the features of a rule, in the order of PLACE_NAMES."""
        rule = self._rules[place]
        return (
            *self._once_features(rule),
            *self._section_features(rule.section),
            float(rule.section == self._like.section and abs(rule.rule - self._like.rule) == 1),
            *self._letter_features(rule.letters),
            float(rule.suffix == self._like.suffix),
            float(rule.suffix == "1"),
        )

    def _once_features(self, rule: Rule) -> Features:
        is_once = rule.number in self._once
        return float(is_once), float(not is_once and rule.stem in self._rules_once)

    def _section_features(self, section: str) -> Features:
        own = self._like.section
        return (
            float(section in self.sections),
            float(section == own),
            float(section[0] == own[0]),
        )

    def _letter_features(self, letters: str) -> Features:
        own = self._like.letters
        return float(letters == own), float(bool(letters) and not own), float(letters == "a")


def _weighed(features: Features, weights: Sequence[float]) -> float:
    return sum(
        [feature * weight for feature, weight in zip(features, weights, strict=False) if feature]
    )
