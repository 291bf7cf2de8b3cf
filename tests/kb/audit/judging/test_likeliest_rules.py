"""The ranking of the rules that a sentence may mean."""

from operator import mul

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.audit.citations.find import CitationFinder
from variorum_kb.audit.judging.fitted_doubt import CHOICE_WEIGHTS
from variorum_kb.audit.judging.likeliest_rules import RuleChoice
from variorum_kb.audit.judging.rule_places import CitedNumber
from variorum_kb.audit.judging.rule_words import RuleWords
from variorum_kb.audit.judging.sentence import sentences_of


@pytest.mark.parametrize(
    "cited",
    [
        CitedNumber("702.3a", "702.3a"),
        CitedNumber(
            "702.3", "702.3", once=frozenset({"601.1", "704.5"}), sections=frozenset({"400"})
        ),
        CitedNumber("119.9b", "119.9b", once=frozenset({"119.1b"})),
        CitedNumber("704.2", "704.2", sections=frozenset({"119", "702"})),
        CitedNumber("401", "401", once=frozenset({"119.1"})),
    ],
)
@pytest.mark.parametrize(
    "words", ["each flame begins at 20", "Gleam: damage before boats", "a stowaway leaves", "of it"]
)
def test_scores(base: KnowledgeBase, cited: CitedNumber, words: str) -> None:
    """A rule's score is the weighted sum of its features, and the best score is first."""
    text = f"CR {cited.number}: {words}"
    (sentence,) = sentences_of(text, list(CitationFinder().find(text)))
    choice = RuleChoice(RuleWords(base, base.edition("latest")), cited, sentence)

    scores = [-against for against, _ in choice.ranked]

    assert cited.today not in choice.features
    assert scores == sorted(scores, reverse=True)
    assert scores == pytest.approx(
        [sum(map(mul, choice.features[number], CHOICE_WEIGHTS)) for _, number in choice.ranked]
    )
