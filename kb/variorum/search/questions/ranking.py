"""Ranks the rules that may answer a question."""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import NamedTuple

from variorum.search.questions.features import QuestionEvidence, evidence_for
from variorum.search.questions.index import QuestionIndex
from variorum.search.questions.story import Story, signs_of
from variorum.search.questions.weights import QuestionWeights

# A subrule with this share of the points of a rule's best subrule is shown beside it.
_SUBRULE_SHOWN = 0.6

# When subrules of a rule are compared, the words of the question weigh 1. These are the weights of
# the cards' words and of usual answers.
_PRINTED, _USUAL = 0.4, 0.15
_MOST_SHOWN = 3


class RankedRule(NamedTuple):
    """A rule that may answer a question.

    Attributes:
        place: Its place in the index.
        score: Its score, to be compared only within the same question.
        parts: What each feature adds to the score, and "learnt" and "usual".
        signs: What each sign adds to the score, the greatest first.
    """

    place: int
    score: float
    parts: Mapping[str, float]
    signs: Sequence[tuple[str, float]]


class Ranking(NamedTuple):
    """The best rules for a question, and the features of all rules."""

    best: list[RankedRule]
    evidence: QuestionEvidence


def rank(story: Story, index: QuestionIndex, weights: QuestionWeights, most: int) -> Ranking:
    """Return the rules that answer a question best.

    Args:
        story: The question.
        index: The index of the edition.
        weights: The weights of features and signs.
        most: How many rules are wanted.
    """
    evidence = evidence_for(story, index)
    usual = _usual(index, weights)
    learnt = _learnt(story, index, weights)
    totals = [much + sum(signs.values()) for much, signs in zip(usual, learnt, strict=True)]
    for name, weight in weights.features.items():
        for place, value in enumerate(evidence.features[name]):
            if value:
                totals[place] += weight * value
    places = sorted(range(len(totals)), key=lambda place: (-totals[place], place))
    best: list[RankedRule] = []
    for place in places[:most]:
        parts = {
            name: weight * evidence.features[name][place]
            for name, weight in weights.features.items()
            if evidence.features[name][place]
        }
        parts |= {"learnt": sum(learnt[place].values()), "usual": usual[place]}
        signs = sorted(learnt[place].items(), key=lambda sign: (-sign[1], sign[0]))
        best.append(RankedRule(place, totals[place], parts, signs))
    return Ranking(best, evidence)


def _usual(index: QuestionIndex, weights: QuestionWeights) -> list[float]:
    """Return the weight of each rule as a usual answer, whatever the question."""
    usual = [weights.sections.get(section, 0.0) for section in index.sections]
    for number, weight in weights.rules.items():
        place = _place(number, index)
        if place is not None:
            usual[place] += weight
    return usual


def _place(number: str, index: QuestionIndex) -> int | None:
    """Return the place of a rule by its number in the weights."""
    return index.place_of.get(index.moved.get(number, number))


def _learnt(story: Story, index: QuestionIndex, weights: QuestionWeights) -> list[dict[str, float]]:
    """Return the weights that the signs of a question add to each rule."""
    learnt: list[dict[str, float]] = [{} for _ in index.rules]
    signs = signs_of(story)
    share = 1 / sqrt(max(1, len(signs)))
    for sign in signs:
        for number, weight in weights.spoken_for(sign):
            if "." in number:
                place = _place(number, index)
                places = [] if place is None else [place]
            else:
                places = index.in_section.get(number, [])
            for place in places:
                learnt[place][sign] = learnt[place].get(sign, 0.0) + weight * share
    return learnt


def shown_texts(
    place: int, ranking: Ranking, index: QuestionIndex, weights: QuestionWeights
) -> list[int]:
    """Return the places of a rule's texts that answer best, in printed order."""
    evidence = ranking.evidence
    points = {
        text: evidence.texts[text]
        + (_PRINTED * evidence.printed[text] if evidence.printed else 0.0)
        for text in index.below[place]
    }
    most = max(points.values(), default=0.0) or 1.0
    for text, much in list(points.items()):
        usual = weights.subrules.get(index.former(index.texts[text]), 0.0)
        points[text] = much / most + _USUAL * usual
    ranked = sorted(points, key=lambda text: (-points[text], text))[:_MOST_SHOWN]
    least = _SUBRULE_SHOWN * points[ranked[0]] if ranked else 0.0
    return sorted([text for text in ranked if points[text] >= least])
