"""Ranks the rules that a wrong citation may mean.

A conditional logit scores each rule by the words of the sentence and by its place.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import compress

from variorum.audit.judging.fitted_doubt import CHOICE_WEIGHTS
from variorum.audit.judging.rule_places import PLACE_NAMES, CitedNumber, Features, RulePlaces
from variorum.audit.judging.rule_words import RuleWords
from variorum.audit.judging.sentence import Sentence

# The features of a rule: its words, its place and the form of its number.
_TEXT_NAMES = ("fit", "opens with its name", "covered", "rare")
CHOICE_NAMES = (*_TEXT_NAMES, *PLACE_NAMES)
# The most rules that a finding names.
MOST_NAMED = 5
# Each fit is divided by the best fit, but at least by this, so that a poor best fit scores low.
_LEAST_FIT = 8.0


# The logarithm of the odds against a candidate rule, up to a constant, and its number.
Candidate = tuple[float, str]


class RuleChoice:
    """Ranks the rules that a citation may mean, by its sentence."""

    def __init__(
        self,
        rules: RuleWords,
        cited: CitedNumber,
        sentence: Sentence,
        weights: Sequence[float] = CHOICE_WEIGHTS,
    ) -> None:
        """Prepare.

        Args:
            rules: The rules of an edition.
            cited: The cited number.
            sentence: The sentence of the citation.
            weights: The weights of the features, in the order of CHOICE_NAMES.
        """
        self._rules = rules
        self._cited = cited
        self.words = rules.sentence_words(sentence)
        self._fits = rules.fits(self.words)
        self._most = max(_LEAST_FIT, self._fits.most)
        self._opened = rules.begun_with.get(sentence.stems.opening, frozenset[int]())
        self._text_weights = weights[: len(_TEXT_NAMES)]
        self._by_share = self._text_weights[_TEXT_NAMES.index("covered")]
        self._places = _places(rules, cited, tuple(weights[len(_TEXT_NAMES) :]))

    def _candidates(self) -> set[int]:
        """Return the places of the candidate rules, without the cited one."""
        rules, fit = self._rules, self._fits.of
        once = [rules.places[number] for number in self._cited.once if number in rules.places]
        candidates = {*self._fits.best, *once}
        for section in self._places.sections:
            of_section = rules.by_section.get(section, [])
            candidates.update(compress(of_section, map(fit.__getitem__, of_section)))
        candidates.discard(rules.places.get(self._cited.today, -1))
        return candidates

    @cached_property
    def ranked(self) -> list[Candidate]:
        """Return the candidate rules, likeliest first, without the cited one."""
        places = self._candidates()
        by_words, by_place = self._by_words(places), self._places.scores(places)
        shares = self._rules.shares(self.words, places)
        return sorted(
            [
                (-(score + by_place[place] + self._by_share * shares[place]), number)
                for place, number, score in by_words
            ]
        )

    @property
    def named(self) -> tuple[str, ...]:
        """Return the likeliest rules, as many as a finding names."""
        return tuple([number for _, number in self.ranked[:MOST_NAMED]])

    def fit(self, number: str) -> float:
        """Return how well a rule fits the sentence, from 0 to 1."""
        return self._fits.of[self._rules.places[number]] / self._most

    def own(self, numbers: Iterable[str]) -> float:
        """Return the highest score by words among some rules."""
        rules, by_share = self._rules, self._by_share
        known = [rules.places[number] for number in numbers if number in rules.places]
        shares = rules.shares(self.words, known)
        scores = [score + by_share * shares[place] for place, _, score in self._by_words(known)]
        return max(scores, default=by_share * rules.share(self.words, self._cited.today))

    @property
    def features(self) -> dict[str, Features]:
        """Return the features of each candidate rule, in the order of CHOICE_NAMES."""
        places = self._rules.places
        return {
            number: (
                *self._text_features(places[number]),
                *self._places.features(places[number]),
            )
            for _, number in self.ranked
        }

    def _by_words(self, places: Iterable[int]) -> list[tuple[int, str, float]]:
        """Return the scores of rules by the words of the sentence.

        Each item is a rule's place, number and score. The caller adds the share of words, which
        `RuleWords` computes for many rules at once.
        """
        by_fit, by_opening, _, by_rarity = self._text_weights
        fit, most, rare, listed = self._fits.of, self._most, self._fits.rare, self._rules.listed
        scored: list[tuple[int, str, float]] = []
        for place in places:
            score = fit[place] / most * by_fit
            if place in self._opened:
                score += by_opening
            if place in rare:
                score += rare[place] * by_rarity
            scored.append((place, listed[place].number, score))
        return scored

    def _text_features(self, place: int) -> Features:
        return (
            self._fits.of[place] / self._most,
            float(place in self._opened),
            self._rules.share(self.words, self._rules.listed[place].number),
            self._fits.rare.get(place, 0.0),
        )


@lru_cache(maxsize=200)
def _places(rules: RuleWords, cited: CitedNumber, weights: tuple[float, ...]) -> RulePlaces:
    """Return the scores of rules by their places, from a cache if recent."""
    return RulePlaces(rules, cited, weights)
