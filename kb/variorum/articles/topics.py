"""Finds the rules of an edition that prose is about, by shared words."""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from variorum.answers.texts import Body, Outline
from variorum.citations import find_references
from variorum.model import Kind
from variorum.rule_numbers import SECTION, stem_of
from variorum.text import sentences_of, words_of
from variorum.words import EVERYDAY, SILENT, topic_of

# The stem of a telling word, or the stems of two consecutive words, joined by a blank.
Feature = str

# Remains of printed numbers, which are resolved instead of compared.
_NUMBER = re.compile(rf"{SECTION}|\d+[a-z]{{1,2}}")
# The usual constants of BM25 weighting (Robertson and others).
_SATURATION, _LENGTH = 1.2, 0.6
# A pair of words weighs less than two words, since each word also counts alone.
_PAIR = 0.7
# This share of the points of all subrules is added to the points of each.
_FAMILY = 0.3
# Words in fewer rules than this count as if they were in this many, because they may occur there by
# chance.
_RAREST = 5
# Features of more texts are weighed only in the best candidates. This is four times as fast.
_COMMON = 300
# The weight of the rarest words, whatever the size of the rulebook.
_USUAL = 5.9
# The weight of examples, which describe single cases and name cards.
_EXAMPLE = 0.4
_NAME = re.compile(r"(?:(?<=[^.!?\s] )|(?<=[\w’'-] ))[A-Z][\w’'-]*|[A-Z][\w’'-]*(?= [A-Z])")
_SECTION = 3
# The weight of a variant's rule for a text that does not name the variant.
_UNNAMED = 0.75
_VARIANT = re.compile(r"\b(?:Variants?|Options?)\b")
_OF_ANY_VARIANT = frozenset(
    map(
        topic_of,
        ["casual", "games", "general", "magic", "option", "player", "rules", "team", "variant"],
    )
)
# Longer texts have too many topics.
_LONGEST_TEXT = 20_000
# The most subrules whose families are considered.
_BEST = 120
# Two rules of different sections say much the same if they share so much of the weight of their
# words; two of one section, whose keywords are described in the same words, need more.
_ALIKE, _SAME = 0.35, 0.9
_KINDS = frozenset([Kind.RULE.value, Kind.SUBRULE.value])
EVERYDAY_STEMS = frozenset(map(topic_of, EVERYDAY))


@lru_cache(maxsize=10_000)  # editions share most texts
def features_of(text: str) -> Mapping[Feature, tuple[int, str]]:
    """Return the features of a text, each with its count and its first printed form.

    >>> features_of("A player leaves the game.")["leav"], features_of("leave it, leave")["leav"]
    ((1, 'leaves'), (2, 'leave'))
    """
    features: dict[Feature, tuple[int, str]] = {}
    for sentence in sentences_of(text):
        words = [word for word in words_of(sentence) if _is_telling(word)]
        stems = [topic_of(word) for word in words]
        rows = list(zip(stems, words, strict=True))
        for (stem, word), (following, next_word) in pairwise(tuple(rows)):
            if stem != following:
                rows.append((f"{stem} {following}", f"{word} {next_word}"))
        for feature, printed in rows:
            count, before = features.get(feature, (0, printed))
            features[feature] = count + 1, before
    return features


def _is_telling(word: str) -> bool:
    return word not in SILENT and len(word) > 1 and not _NUMBER.fullmatch(word)


class TopicCandidate(NamedTuple):
    """The rule of a family that shares most with some words, and its place in the edition."""

    state: int
    number: str
    points: float
    place: int

    @property
    def family(self) -> str:
        """Return the rule that it belongs to."""
        return stem_of(self.number)


class Common(NamedTuple):
    """The words that a text shares with a rule, weightiest first, and the stems of single ones."""

    words: tuple[str, ...]
    stems: frozenset[str]


class _WeighedTexts:
    """Texts, with the weight of each feature in each text."""

    def __init__(
        self, texts: Sequence[Mapping[Feature, float]], rarity: Mapping[Feature, float]
    ) -> None:
        lengths = [sum(text.values()) for text in texts]
        mean = sum(lengths) / max(len(lengths), 1) or 1
        self.texts, self._rarity = texts, rarity
        self._norms = [_SATURATION * (1 - _LENGTH + _LENGTH * length / mean) for length in lengths]

    def weight(self, place: int, feature: Feature) -> float:
        """Return the weight of a feature of a text."""
        count = self.texts[place][feature]
        worth = self._rarity[feature] * (_PAIR if " " in feature else 1)
        return worth * count * (_SATURATION + 1) / (count + self._norms[place])

    def points(self, place: int, times: Mapping[Feature, float]) -> float:
        """Return the points of a text."""
        text, weight = self.texts[place], self.weight
        return sum(
            [weight(place, feature) * by for feature, by in times.items() if feature in text]
        )


class EditionTopics:
    """Finds the rules of an edition that words are about."""

    def __init__(self, outlines: Iterable[Outline], bodies: Mapping[int, Body]) -> None:
        """Weigh the words of an edition's rules, leaving out the glossary."""
        self._outlines = [outline for outline in outlines if outline.kind in _KINDS]
        texts = [_text_features(outline, bodies[outline.key]) for outline in self._outlines]
        self._bodies = bodies
        self._holding: dict[Feature, list[int]] = defaultdict(list)
        for place, text in enumerate(texts):
            for feature in text:
                self._holding[feature].append(place)
        spread = {feature: max(len(places), _RAREST) for feature, places in self._holding.items()}
        many = max(len(texts), _RAREST)
        worth = {
            seen: math.log(1 + (many - seen + 0.5) / (seen + 0.5))
            for seen in {_RAREST, *spread.values()}
        }
        rarity = {
            feature: _USUAL * worth[seen] / worth[_RAREST] for feature, seen in spread.items()
        }
        self._rarity = rarity
        self._own = _WeighedTexts(texts, rarity)
        names = [stem_of(outline.number) for outline in self._outlines]
        self._families = {name: place for place, name in enumerate(dict.fromkeys(names))}
        self._family = [self._families[name] for name in names]
        family_weights: list[dict[Feature, float]] = [defaultdict(float) for _ in self._families]
        for place, text in zip(self._family, texts, strict=True):
            for feature, count in text.items():
                family_weights[place][feature] += count
        self._around = _WeighedTexts(family_weights, rarity)

    def state_of(self, number: str) -> int | None:
        """Return the state with a number; None if the edition lacks it."""
        return next((outline.key for outline in self._outlines if outline.number == number), None)

    def sentences_below(self, family: str) -> list[tuple[str, str]]:
        """Return the sentences of a rule and its subrules with their numbers, without examples."""
        held = [outline for outline in self._outlines if stem_of(outline.number) == family]
        return [
            (outline.number, text)
            for outline in held
            for text in sentences_of(self._bodies[outline.key].text)
        ]

    def rank(self, text: str) -> list[TopicCandidate]:
        """Return the rules that a text may be about, one per family, best first."""
        features = features_of(text[:_LONGEST_TEXT])
        times = {feature: 1 + math.log(count) for feature, (count, _) in features.items()}
        own = self._points(times)
        stems = {feature for feature in features if " " not in feature}
        best: dict[int, tuple[float, int]] = {}
        for place in sorted(own, key=lambda place: (-own[place], place))[:_BEST]:
            family = self._family[place]
            around = self._around.points(family, times)
            points = self._own.points(place, times) + _FAMILY * around
            variant = _variant_of(self._outlines[place].above)
            points *= _UNNAMED if variant and variant.isdisjoint(stems) else 1
            if family not in best or points > best[family][0]:
                best[family] = points, place
        order = sorted(best.values(), key=lambda scored: (-scored[0], scored[1]))
        outlines = self._outlines
        return [
            TopicCandidate(outlines[place].key, outlines[place].number, points, place)
            for points, place in order
        ]

    def _points(self, times: Mapping[Feature, float]) -> Mapping[int, float]:
        """Return the points of each text by rare features; by all features if none is rare."""
        holding, own = self._holding, self._own
        rare = {
            feature: factor
            for feature, factor in times.items()
            if len(holding.get(feature, ())) <= _COMMON
        }
        points: dict[int, float] = defaultdict(float)
        for feature, factor in (rare or times).items():
            for place in holding.get(feature, ()):
                points[place] += own.weight(place, feature) * factor
        return points

    def is_twin(self, candidate: TopicCandidate, second: TopicCandidate) -> bool:
        """Say whether two rules say much the same.

        Two rules of different sections also count if one cites the other.
        The list of state-based actions repeats rules of other sections. Keywords of one section
        share many words, so rules of one section must be more alike.
        """
        if candidate.number[:_SECTION] == second.number[:_SECTION]:
            return self._likeness(candidate, second) >= _SAME
        is_cited = self._cites(candidate, second) or self._cites(second, candidate)
        return is_cited or self._likeness(candidate, second) >= _ALIKE

    def _cites(self, candidate: TopicCandidate, second: TopicCandidate) -> bool:
        references = find_references(self._bodies[candidate.state].text)
        return any(reference.first in {second.number, second.family} for reference in references)

    def _likeness(self, candidate: TopicCandidate, second: TopicCandidate) -> float:
        """Return the share, by weight, of the shorter rule's words that the other rule has."""
        mine, yours = (self._own.texts[each.place].keys() for each in (candidate, second))
        rarity = self._rarity
        least = min(math.fsum([rarity[feature] for feature in each]) for each in (mine, yours))
        return math.fsum([rarity[feature] for feature in mine & yours]) / (least or 1)

    def common(self, candidate: TopicCandidate, text: str) -> Common:
        """Return the words that a text shares with a candidate."""
        features, own = features_of(text[:_LONGEST_TEXT]), self._own
        held = own.texts[candidate.place]
        worth = {
            feature: own.weight(candidate.place, feature) for feature in features if feature in held
        }
        shared = sorted(worth, key=lambda feature: (-worth[feature], feature))
        return Common(
            tuple([features[feature][1] for feature in shared]),
            frozenset([feature for feature in shared if " " not in feature]),
        )


def _text_features(outline: Outline, body: Body) -> dict[Feature, float]:
    """Return the features of a provision; its heading counts twice, its examples little."""
    above = outline.above.partition("\n")[0]
    examples = _NAME.sub(" ", body.examples)
    features: dict[Feature, float] = defaultdict(float)
    for part, factor in ((outline.heading, 2), (above, 1), (body.text, 1), (examples, _EXAMPLE)):
        for feature, (count, _) in features_of(part).items():
            features[feature] += count * factor
    return features


@lru_cache(maxsize=1000)
def _variant_of(above: str) -> frozenset[str]:
    """Return the words that name a variant or option in some headings."""
    *sections, _chapter = above.split("\n")
    if not _VARIANT.search(above):
        return frozenset()
    return frozenset(map(topic_of, words_of(" ".join(sections)))) - _OF_ANY_VARIANT


def telling_of(text: str) -> frozenset[str]:
    """Return the stems of a text's words that only this game has.

    >>> sorted(telling_of("The player leaves the battlefield."))
    ['battlefield']
    """
    return frozenset([stem for stem in features_of(text) if " " not in stem]) - EVERYDAY_STEMS
