"""Computes the features by which rules are ranked for a question."""

from collections.abc import Iterable, Mapping, Sequence
from math import log, sqrt
from typing import NamedTuple

from variorum.cards.titles_of_traits import LAYOUT_TITLES
from variorum.search.questions.index import QuestionIndex, stems_in
from variorum.search.questions.story import Story

FEATURES = (
    "text",  # words of the question in the rule's best text, with examples and headings
    "rule",  # words of the question in the rule and all its subrules
    "asked",  # words of the asking sentences in the rule and its subrules
    "printed",  # words of the cards in the rule and its subrules
    "ruling",  # words of the nearest rulings in the rule and its subrules
    "keyword",  # the rule's heading is a keyword of a card
    "action",  # a card prints the rule's heading
    "named",  # the question has the rule's heading
    "section",  # words of the question in the rule's section
    "layout",  # the rule's section is about a card's layout
    "cited",  # how many rules cite the rule
)


class QuestionEvidence(NamedTuple):
    """The features of all rules of an edition for one question.

    Attributes:
        features: The values, from 0 to 1, of each feature for all rules, by its name.
        texts: How well each rule and subrule matches the words of the question.
        printed: How well each rule and subrule matches the words of the cards.
    """

    features: Mapping[str, Sequence[float]]
    texts: Sequence[float]
    printed: Sequence[float]


def evidence_for(story: Story, index: QuestionIndex) -> QuestionEvidence:
    """Return the features of each rule."""
    asked, printed = dict.fromkeys(story.said, 1.0), dict.fromkeys(story.printed, 1.0)
    texts = index.small.points(asked)
    rules = index.large.points(asked)
    features = {
        "text": _scaled(_best(texts, index)),
        "rule": _scaled(rules),
        "asked": _scaled(index.large.points(dict.fromkeys(story.asked, 1.0))),
        "printed": _scaled(index.large.points(printed)),
        "ruling": _scaled(index.large.points(_ruling_words(story))),
        "keyword": _marked(index, _keyword_rules(story, index)),
        "action": _marked(index, _action_rules(story, index)),
        "named": _marked(index, index.named_in(story.sequence)),
        "section": _scaled(_by_section(rules, index)),
        "layout": _marked(index, _layout_rules(story, index)),
        "cited": _scaled([log(1 + count) for count in index.cited]),
    }
    return QuestionEvidence(features, texts, index.small.points(printed) if printed else ())


def _scaled(points: Sequence[float]) -> Sequence[float]:
    most = max(points, default=0.0)
    return [much / most for much in points] if most > 0 else points


def _best(texts: Sequence[float], index: QuestionIndex) -> list[float]:
    best = [0.0] * len(index.rules)
    for rule, points in zip(index.rule_of, texts, strict=True):
        best[rule] = max(best[rule], points)
    return best


def _by_section(rules: Sequence[float], index: QuestionIndex) -> list[float]:
    """Return for each rule the sum of the three best scores in its section."""
    by: dict[str, list[float]] = {}
    for section, points in zip(index.sections, rules, strict=True):
        by.setdefault(section, []).append(points)
    best = {section: sum(sorted(points)[-3:]) for section, points in by.items()}
    return [best[section] for section in index.sections]


def _ruling_words(story: Story) -> dict[str, float]:
    """Return the stems of the rulings nearest to the question, with their weights."""
    nearest: dict[str, float] = {}
    for nearness, ruling, _ in story.rulings:
        for stem in dict.fromkeys(stems_in(ruling.text)):
            nearest[stem] = nearest.get(stem, 0.0) + nearness
    most = max(nearest.values(), default=0.0)
    return {stem: sqrt(much / most) for stem, much in nearest.items()} if most > 0 else {}


def _marked(index: QuestionIndex, rules: Iterable[int]) -> list[float]:
    marks = [0.0] * len(index.rules)
    for rule in rules:
        marks[rule] = 1.0
    return marks


def _keyword_rules(story: Story, index: QuestionIndex) -> set[int]:
    """Return the rules of the keywords that the cards have."""
    return {
        rule
        for card in story.cards
        for keyword in card.keywords
        for rule in index.named_in(stems_in(keyword))
    }


def _layout_rules(story: Story, index: QuestionIndex) -> list[int]:
    """Return the rules of the sections about the layouts that the cards have."""
    titles = {title for card in story.cards for title in LAYOUT_TITLES.get(card.layout, ())}
    sections = [index.section_of.get(" ".join(stems_in(title)), "") for title in sorted(titles)]
    return [rule for section in sections for rule in index.in_section.get(section, ())]


def _action_rules(story: Story, index: QuestionIndex) -> set[int]:
    """Return the rules whose headings the cards print."""
    return {rule for card in story.cards for rule in index.named_in(stems_in(card.rules_text))}
