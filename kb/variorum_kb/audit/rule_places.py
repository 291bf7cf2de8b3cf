"""What the place of a rule and the form of its number say for it, where another number is cited."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from variorum_kb.audit.rule_words import Rule, RuleWords, stem_number

PLACE_NAMES = (
    *("number once", "rule once", "section once", "section", "chapter", "next rule"),
    *("letters", "letters added", "letter a", "suffix", "first rule"),
)
_SECTION, _NEXT, _LETTERS, _SUFFIX, _FIRST = 2, 5, 6, 9, 10

Features = tuple[float, ...]


class CitedNumber(NamedTuple):
    """A number as cited, and what is known of it.

    Attributes:
        number: As cited.
        today: The number that its provision has in the edition of the words.
        once: The numbers that its other provisions have there.
        sections: The sections that its section was once.
        also: Further stems that its provision had.
    """

    number: str
    today: str
    once: Collection[str] = ()
    sections: Collection[str] = ()
    also: Collection[str] = ()


class RulePlaces:
    """Weighs the places of rules beside a cited number.

    Attributes:
        sections: Those that its section is or was, and those of what it meant.
    """

    def __init__(self, words: RuleWords, cited: CitedNumber, weights: Sequence[float]) -> None:
        """Prepare.

        Args:
            words: Of the rules of an edition.
            cited: The number.
            weights: By what the features count, in the order of PLACE_NAMES.
        """
        self._rules = words.listed
        self._once = cited.once
        self._weights = weights
        self._like = words.like(cited.number)
        self._rules_once = {stem_number(one) for one in cited.once}
        self.sections = {cited.number[:3], *cited.sections, *[one[:3] for one in cited.once]}
        self._scores: dict[int, float] = {}
        self._of_sections: dict[str, float] = {}
        self._of_letters: dict[str, float] = {}

    def score(self, place: int) -> float:
        """Return what the place of a rule says for it."""
        score = self._scores.get(place)
        if score is None:
            score = self._scores[place] = self._score(self._rules[place])
        return score

    def _score(self, rule: Rule) -> float:
        section, like, weights = rule.number[:3], self._like, self._weights
        if section not in self._of_sections:
            features = self._section_features(section)
            self._of_sections[section] = _weighed(features, weights[_SECTION:])
        if rule.letters not in self._of_letters:
            self._of_letters[rule.letters] = _weighed(
                self._letter_features(rule), weights[_LETTERS:]
            )
        score = self._of_sections[section] + self._of_letters[rule.letters]
        if rule.suffix == like.suffix:
            score += weights[_SUFFIX]
        if rule.suffix == "1":
            score += weights[_FIRST]
        if rule.rule - like.rule in {1, -1} and self._is_next(rule):
            score += weights[_NEXT]
        return score + _weighed(self._once_features(rule), weights) if self._once else score

    def features(self, place: int) -> Features:
        """Return what speaks for a rule, in the order of PLACE_NAMES."""
        rule = self._rules[place]
        return (
            *self._once_features(rule),
            *self._section_features(rule.number[:3]),
            float(self._is_next(rule)),
            *self._letter_features(rule),
            float(rule.suffix == self._like.suffix),
            float(rule.suffix == "1"),
        )

    def _once_features(self, rule: Rule) -> Features:
        is_once = rule.number in self._once
        return float(is_once), float(not is_once and rule.stem in self._rules_once)

    def _section_features(self, section: str) -> Features:
        own = self._like.number[:3]
        return (
            float(section in self.sections),
            float(section == own),
            float(section[0] == own[0]),
        )

    def _is_next(self, rule: Rule) -> bool:
        is_near = rule.number[:3] == self._like.number[:3]
        return is_near and abs(rule.rule - self._like.rule) == 1

    def _letter_features(self, rule: Rule) -> Features:
        letters, own = rule.letters, self._like.letters
        return float(letters == own), float(bool(letters) and not own), float(letters == "a")


def _weighed(features: Features, weights: Sequence[float]) -> float:
    return sum([one * by for one, by in zip(features, weights, strict=False) if one])
