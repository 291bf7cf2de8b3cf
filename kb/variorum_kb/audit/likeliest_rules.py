"""Which rules may be meant by a citation that names another, the likeliest first.

A conditional logit: what the words of the sentence say for each rule, and what its place says.
"""

import math
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import compress
from typing import NamedTuple

from variorum_kb.audit.fitted_doubt import CHOICE_WEIGHTS
from variorum_kb.audit.rule_places import PLACE_NAMES, CitedNumber, Features, RulePlaces
from variorum_kb.audit.rule_words import RuleWords
from variorum_kb.audit.sentence import Sentence

# What speaks for a rule: its words, then its place and the form of its number.
_TEXT_NAMES = ("fit", "opens with its name", "covered", "rare")
CHOICE_NAMES = (*_TEXT_NAMES, *PLACE_NAMES)
# What fits best of few words fits no better than this.
_LEAST_FIT = 8.0


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
        self.told = words.sentence_words(sentence)
        self._fits = words.fits(self.told)
        self._most = max(_LEAST_FIT, self._fits.most)
        self._opened = words.begun_with.get(sentence.stems.opening, frozenset[int]())
        self._text_weights = weights[: len(_TEXT_NAMES)]
        self._by_share = self._text_weights[_TEXT_NAMES.index("covered")]
        self._places = _places(words, cited, tuple(weights[len(_TEXT_NAMES) :]))

    def _candidates(self) -> set[int]:
        """Return the places of the rules that may be meant, without the cited one."""
        words, fit = self._words, self._fits.of
        once = [words.places[one] for one in self._cited.once if one in words.places]
        found = {*self._fits.best, *once}
        for section in self._places.sections:
            of_section = words.by_section.get(section, [])
            found.update(compress(of_section, map(fit.__getitem__, of_section)))
        found.discard(words.places.get(self._cited.today, -1))
        return found

    @cached_property
    def _without_shares(self) -> list[tuple[float, int]]:
        """Return the rules that may be meant, scored without their shares of the words."""
        place_score, said = self._places.score, self._said
        return [(said(one) + place_score(one), one) for one in self._candidates()]

    @cached_property
    def ranked(self) -> list[Candidate]:
        """Return the rules that may be meant, the likeliest first, without the cited one."""
        found: list[Candidate] = []
        for score, place in self._without_shares:
            number = self._words.listed[place].number
            share = self._words.share(self.told, number)
            found.append(Candidate(score + self._by_share * share, number))
        return sorted(found, key=_by_score)

    def own(self, numbers: Iterable[str]) -> float:
        """Return the most that the words say for one of some rules."""
        places = self._words.places
        least = sorted(
            [(self._said(places[one]) if one in places else 0.0, one) for one in numbers],
            reverse=True,
        )
        most = -math.inf
        for score, number in least:
            if score + self._by_share <= most:
                break
            most = max(most, score + self._by_share * self._words.share(self.told, number))
        return most

    def between(self, stem: str) -> tuple[float, float]:
        """Return what bounds the scores of the rules, which spares ranking them.

        The logarithm of the odds of all together is at most the first, and the best score of those
        without the stem at least the second.

        Args:
            stem: Of the number cited, without its letters.
        """
        listed, by_share = self._words.listed, self._by_share
        total, outside = 0.0, -math.inf
        most = max(self._without_shares, default=(0.0, -1))[0]
        for score, place in self._without_shares:
            least, greatest = score, score + by_share
            if greatest >= most:  # it may be the best
                least += by_share * self._words.share(self.told, listed[place].number)
                greatest = least
            total += math.exp(greatest)
            if least > outside and listed[place].stem != stem:
                outside = least
        return math.log(total or 1.0), outside if outside > -math.inf else most

    @property
    def features(self) -> dict[str, Features]:
        """Return what speaks for each rule that may be meant, in the order of CHOICE_NAMES."""
        places = self._words.places
        return {
            one.number: (
                *self._text_features(places[one.number]),
                *self._places.features(places[one.number]),
            )
            for one in self.ranked
        }

    def _said(self, place: int) -> float:
        """Return what the words of the sentence say for a rule, but for the share that it has."""
        by_fit, by_opening, _, by_rarity = self._text_weights
        score = self._fits.of[place] / self._most * by_fit
        if place in self._opened:
            score += by_opening
        if place in self._fits.rare:
            score += self._fits.rare[place] * by_rarity
        return score

    def _text_features(self, place: int) -> Features:
        return (
            self._fits.of[place] / self._most,
            float(place in self._opened),
            self._words.share(self.told, self._words.listed[place].number),
            self._fits.rare.get(place, 0.0),
        )


@lru_cache(maxsize=200)
def _places(words: RuleWords, cited: CitedNumber, weights: tuple[float, ...]) -> RulePlaces:
    """Return what the places of rules say, much of it for the next citation of the number too."""
    return RulePlaces(words, cited, weights)


def _by_score(candidate: Candidate) -> tuple[float, str]:
    return -candidate.score, candidate.number
