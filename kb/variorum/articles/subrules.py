"""Finds the subrules of one rule that the paragraphs of an article discuss in order.

An article about a rule follows its order. So each paragraph is compared with every sentence of the
rule and its subrules by the words that tell these apart. The best path through all paragraphs
counts. Staying on a subrule or going to the next sentence is likelier than a leap.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from variorum.articles.topics import EVERYDAY_STEMS, EditionTopics, Feature, features_of
from variorum.text import sentences_of

# Rough weights, not fitted. The first sentence of a paragraph tells its topic best. The order of
# the rule is worth less than one word unique to a subrule.
_LEAD, _STAYS, _NEXT, _PAIR = 1.5, 1.5, 1.5, 0.7
_LEAST, _SURE_BY = 6.0, 0.8
# A word in a larger share of the subrules does not distinguish them.
_SPECIFIC, _FEWEST_SPECIFIC = 0.35, 1
_MOST_SENTENCES = 40


class DiscussedSubrule(NamedTuple):
    """A subrule that a paragraph discusses.

    Attributes:
        number: As the edition prints it.
        chance: By its lead over every other subrule, from 0.5 to 1.
        shared: The words that both share, weightiest first.
        words: The sentence of the paragraph that discusses it.
    """

    number: str
    chance: float
    shared: tuple[str, ...]
    words: str


class _Unit(NamedTuple):
    """A sentence of the rule or of one of its subrules."""

    number: str
    features: frozenset[Feature]


class _Rule:
    """The sentences of a rule and its subrules, with the weights of their words."""

    def __init__(self, sentences: Sequence[tuple[str, str]]) -> None:
        self.units = [_Unit(number, frozenset(features_of(text))) for number, text in sentences]
        self._spread = Counter(feature for unit in self.units for feature in unit.features)
        held: dict[Feature, set[str]] = {}
        for unit in self.units:
            for feature in unit.features:
                held.setdefault(feature, set()).add(unit.number)
        numbers = len({unit.number for unit in self.units})
        most = max(2, _SPECIFIC * numbers)
        self._specific = {
            feature for feature, numbers_with in held.items() if len(numbers_with) <= most
        }

    def worth(self, feature: Feature) -> float:
        """Return the weight of a feature: higher if fewer sentences have it."""
        seen = self._spread[feature]
        rarity = math.log(1 + (len(self.units) - seen + 0.5) / (seen + 0.5))
        return rarity * (_PAIR if " " in feature else 1)

    def is_specific(self, feature: Feature) -> bool:
        """Say whether a word distinguishes the subrules."""
        return feature in self._specific and not EVERYDAY_STEMS.issuperset(feature.split())


@dataclass
class _DiscussedText:
    """A paragraph compared with all sentences of a rule."""

    rule: _Rule
    sentences: Sequence[str]

    @cached_property
    def features(self) -> Sequence[Mapping[Feature, tuple[int, str]]]:
        return [features_of(sentence) for sentence in self.sentences[:_MOST_SENTENCES]]

    def points(self, unit: _Unit) -> tuple[float, int]:
        """Return the points and the place of the sentence that shares most with a unit."""
        best, where = 0.0, 0
        for place, features in enumerate(self.features):
            shared = [feature for feature in features if feature in unit.features]
            if sum(map(self.rule.is_specific, shared)) < _FEWEST_SPECIFIC:
                continue
            points = sum(map(self.rule.worth, shared)) * (_LEAD if place == 0 else 1)
            if points > best:
                best, where = points, place
        return best, where

    def shared(self, unit: _Unit, place: int) -> tuple[str, ...]:
        """Return the words that a sentence shares with a unit, weightiest first."""
        features = self.features[place]
        shared = [feature for feature in features if feature in unit.features]
        order = sorted(shared, key=lambda feature: (-self.rule.worth(feature), feature))
        return tuple([features[feature][1] for feature in order])


def find_subrules(
    texts: Sequence[str], subjects: EditionTopics, family: str
) -> list[DiscussedSubrule | None]:
    """Return the subrule that each paragraph discusses; None without a best subrule."""
    rule = _Rule(subjects.sentences_below(family))
    paragraphs = [_DiscussedText(rule, sentences_of(text)) for text in texts]
    table = [[paragraph.points(unit) for unit in rule.units] for paragraph in paragraphs]
    path = _best_path([[points for points, _ in row] for row in table], rule.units)
    discussed: list[DiscussedSubrule | None] = []
    for paragraph, row, (chosen, points) in zip(paragraphs, table, path, strict=True):
        if chosen is None:
            discussed.append(None)
            continue
        unit = rule.units[chosen]
        scored = list(zip(row, rule.units, strict=True))
        second = max(
            [best for (best, _), rival in scored if rival.number != unit.number], default=0.0
        )
        sure = 1 / (1 + math.exp(-_SURE_BY * (points - second)))
        # Which sentence of the subrule matches best.
        here = [(best, place, own) for (best, place), own in scored if own.number == unit.number]
        _, place, sentence = max(here, key=lambda match: match[0])
        if not discussed and place > 0:
            discussed.append(None)  # an article begins with its whole rule
            continue
        shared = paragraph.shared(sentence, place)
        discussed.append(DiscussedSubrule(unit.number, sure, shared, paragraph.sentences[place]))
    return discussed


def _best_path(
    table: Sequence[Sequence[float]], units: Sequence[_Unit]
) -> list[tuple[int | None, float]]:
    """Return the unit of each paragraph on the best path, with its points."""
    count = len(units)
    # The last state stands for a paragraph about no unit.
    totals = [0.0] * count + [0.0]
    steps: list[list[tuple[int, float]]] = []
    for row in table:
        gained = [max(points - _LEAST, -_LEAST) for points in row] + [0.0]
        here: list[float] = []
        back: list[tuple[int, float]] = []
        best_of_all = max(range(count + 1), key=totals.__getitem__)
        for place in range(count + 1):
            choices = [(totals[best_of_all], best_of_all, 0.0)]
            for before in range(count) if place < count else ():
                bonus = _bonus(units, before, place)
                if bonus:
                    choices.append((totals[before] + bonus, before, bonus))
            total, before, bonus = max(choices)
            here.append(total + gained[place])
            back.append((before, bonus))
        totals = here
        steps.append(back)
    path: list[tuple[int | None, float]] = []
    place = max(range(count + 1), key=totals.__getitem__)
    for row, back in zip(reversed(table), reversed(steps), strict=True):
        before, bonus = back[place]
        is_none = place == count or not row[place]
        path.append((None, 0.0) if is_none else (place, row[place] + bonus))
        place = before
    return path[::-1]


def _bonus(units: Sequence[_Unit], before: int, place: int) -> float:
    stays = units[before].number == units[place].number
    return _STAYS * stays + _NEXT * (place == before + 1)
