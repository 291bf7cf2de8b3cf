"""Which rules may be meant by a citation that names another, the likeliest first.

A conditional logit: what the words of the sentence say for each rule, and what its place says.
"""

import math
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import NamedTuple

from variorum_kb.audit.fitted_doubt import CHOICE_WEIGHTS
from variorum_kb.audit.rule_words import Rule, RuleWords, stem_number
from variorum_kb.audit.sentence import Sentence

# What speaks for a rule: its words, then its place and the form of its number.
_TEXT_NAMES = ("fit", "opens with its name", "covered", "rare")
_COVERED = _TEXT_NAMES.index("covered")
_PLACE_NAMES = (
    *("number once", "rule once", "section once", "section", "chapter", "next rule"),
    *("letters", "letters added", "suffix", "letter a", "first rule"),
)
CHOICE_NAMES = (*_TEXT_NAMES, *_PLACE_NAMES)
# What fits best of few words fits no better than this.
_LEAST_FIT = 8.0

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


class Candidate(NamedTuple):
    """A rule that may be meant.

    Attributes:
        score: The logarithm of the odds that it is, but for a constant.
        number: Of the rule.
    """

    score: float
    number: str


class RuleChoice:
    """Ranks the rules that a citation may mean by the sentence it stands in."""

    def __init__(
        self,
        words: RuleWords,
        cited: CitedNumber,
        sentence: Sentence,
        weights: Sequence[float] = CHOICE_WEIGHTS,
    ) -> None:
        """Prepare.

        Args:
            words: Of the rules of an edition.
            cited: The number.
            sentence: In which it stands.
            weights: By what its features count, in the order of CHOICE_NAMES.
        """
        self._words = words
        self._cited = cited
        self._opening = sentence.opening
        self._like = words.like(cited.number)
        self._rule = _rule_of(self._like)
        self._sections = {cited.number[:3], *cited.sections, *[one[:3] for one in cited.once]}
        self._rules_once = {stem_number(one) for one in cited.once}
        self._text_weights = weights[: len(_TEXT_NAMES)]
        self._place_weights = weights[len(_TEXT_NAMES) :]
        self.told = words.words(sentence)
        self._fits = words.fits(self.told)
        self._most = max([_LEAST_FIT, *[self._fits.of[one] for one in self._fits.best[:1]]])
        self._opened = words.begun_with.get(self._opening, frozenset[str]())
        # Nearly all that is said of a rule is said again of the next citations of the number.
        self._place_scores = words.place_scores(
            (cited.number, frozenset(cited.once), frozenset(cited.sections), tuple(weights))
        )

    @cached_property
    def _numbers(self) -> set[str]:
        """Return the numbers of the rules that may be meant, without the cited one."""
        fits, words = self._fits, self._words
        found = {*fits.best, *[one for one in self._cited.once if one in words.rules]}
        for section in self._sections:
            found.update([one for one in words.by_section.get(section, ()) if one in fits.of])
        return found - {self._cited.today}

    @cached_property
    def ranked(self) -> list[Candidate]:
        """Return the rules that may be meant, the likeliest first, without the cited one."""
        found = [Candidate(self.said_by(one) + self._place_of(one), one) for one in self._numbers]
        return sorted(found, key=_by_score)

    def between(self, stem: str) -> tuple[float, float]:
        """Return what bounds the scores of the rules, which spares ranking them.

        The logarithm of the odds of all together is at most the first, and the best score of those
        without the stem at least the second.

        Args:
            stem: Of the number cited, without its letters.
        """
        covered, rules = self._text_weights[_COVERED], self._words.rules
        least = [(self.said_by(one, 0.0) + self._place_of(one), one) for one in self._numbers]
        best = max(least, default=(0.0, ""))[0]
        odds = best + covered + math.log(max(1, sum([math.exp(one - best) for one, _ in least])))
        return odds, max([one for one, number in least if rules[number].stem != stem], default=best)

    @property
    def most(self) -> float:
        """Return a score that all rules together hardly exceed, which spares ranking them."""
        fit, opens, covered, rare = self._text_weights
        by = dict(zip(_PLACE_NAMES, self._place_weights, strict=True))
        rarest = max(self._fits.rare.values(), default=0.0)
        is_name = self._opening in self._words.first_stems
        # Of "letter a" and "first rule", and of "next rule" and "suffix", one alone can hold.
        apart = min(by["letter a"], by["first rule"]) + min(by["next rule"], by["suffix"])
        before = by["rule once"] + (0.0 if self._cited.once else by["number once"])
        place = sum(by.values()) - apart - before
        return fit + opens * is_name + covered + rare * rarest + place

    @property
    def features(self) -> dict[str, Features]:
        """Return what speaks for each rule that may be meant, in the order of CHOICE_NAMES."""
        return {
            one.number: (*self._text_features(one.number), *self._place_features(one.number))
            for one in self.ranked
        }

    def said_by(self, number: str, covered: float | None = None) -> float:
        """Return what the words of the sentence say for a rule.

        Args:
            number: Of the rule.
            covered: The share of the words that it has, if that is not to be looked up.
        """
        fit, opens, share, rare = self._text_features(number, covered)
        by_fit, by_opening, by_share, by_rarity = self._text_weights
        return fit * by_fit + opens * by_opening + share * by_share + rare * by_rarity

    def _place_of(self, number: str) -> float:
        if number not in self._place_scores:
            score = _weighed(self._place_features(number), self._place_weights)
            self._place_scores[number] = score
        return self._place_scores[number]

    def _text_features(self, number: str, covered: float | None = None) -> Features:
        return (
            self._fits.of.get(number, 0.0) / self._most,
            float(number in self._opened),
            self._words.covered(self.told, number) if covered is None else covered,
            self._fits.rare.get(number, 0.0),
        )

    def _place_features(self, number: str) -> Features:
        """Return what the place of a rule and the form of its number say for it."""
        rule, like, cited = self._words.rules[number], self._like, self._cited
        is_near = number[:3] == cited.number[:3]
        return (
            float(number in cited.once),
            float(rule.stem in self._rules_once and number not in cited.once),
            float(number[:3] in self._sections),
            float(is_near),
            float(number[0] == cited.number[0]),
            float(is_near and abs(_rule_of(rule) - self._rule) == 1),
            float(rule.letters == like.letters),
            float(bool(rule.letters) and not like.letters),
            float(rule.suffix == like.suffix),
            float(rule.letters == "a"),
            float(rule.suffix == "1"),
        )


def _by_score(candidate: Candidate) -> tuple[float, str]:
    return -candidate.score, candidate.number


def _weighed(features: Features, weights: Sequence[float]) -> float:
    return sum([one * by for one, by in zip(features, weights, strict=False) if one])


def _rule_of(rule: Rule) -> int:
    """Return the 52 of 702.52a; -2 of a section."""
    place = rule.stem.partition(".")[2]
    return int(place) if place else -2
