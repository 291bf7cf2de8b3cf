"""Answers questions in plain words with passages of the rules, and the reasons for each."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.cards.finder import find_cards
from variorum.cards.store import Cards
from variorum.records.ask import AskedCard, Passages, PassageText, RulePassage
from variorum.search.questions.index import QuestionIndex, index_of
from variorum.search.questions.ranking import RankedRule, Ranking, rank, shown_texts
from variorum.search.questions.reasons import reasons_for
from variorum.search.questions.story import CardMention, Story, understood
from variorum.search.questions.weights import QuestionWeights, fitted_weights

MOST_PASSAGES = 5


class Inquiry(NamedTuple):
    """A question, its edition and the number of passages wanted.

    Attributes:
        question: As the user wrote it.
        on: The designator of an edition; None for the edition in force.
        limit: The most passages.
    """

    question: str
    on: str | None = None
    limit: int = MOST_PASSAGES


class QuestionAnswers:
    """Answers questions from an open base, with the cards beside it if there are any."""

    def __init__(
        self, base: KnowledgeBase, cards: Cards | None, weights: QuestionWeights | None = None
    ) -> None:
        self._base, self._cards = base, cards
        self._weights = weights or fitted_weights()
        self._indexes: dict[str, QuestionIndex] = {}

    def close(self) -> None:
        """Close the file of cards."""
        if self._cards is not None:
            self._cards.close()

    def index(self, edition: EditionEntry) -> QuestionIndex:
        """Return the index of an edition."""
        known = self._indexes.get(edition.label)
        if known is None:
            known = index_of(self._base, edition, self._weights.edition)
            self._indexes[edition.label] = known
        return known

    def mentions(self, question: str) -> list[CardMention]:
        """Return the cards that a question names; none if there are no cards."""
        cards = self._cards
        if cards is None:
            return []
        return [
            CardMention(
                mention.start,
                mention.stop,
                cards.card(mention.card),
                tuple([cards.card(card_id).name for card_id in mention.others]),
                mention.is_misspelt,
            )
            for mention in find_cards(question, cards)
        ]

    def ask(self, inquiry: Inquiry) -> Passages:
        """Return the passages that answer a question best.

        Raises:
            NoEditionError: The designator names no edition.
        """
        edition = self._base.edition(inquiry.on or "current")
        index = self.index(edition)
        mentions = self.mentions(inquiry.question)
        story = understood(inquiry.question, mentions, index)
        ranking = rank(story, index, self._weights, inquiry.limit)
        # A question without a word of the rules has no answer.
        best = ranking.best if any(index.tells(stem) for stem in story.said) or mentions else []
        return Passages(
            question=inquiry.question,
            edition=edition.label,
            doubts=list(edition.doubts),
            has_cards=self._cards is not None,
            cards=list(_cards(inquiry.question, mentions)),
            passages=[self._passage(ranked, ranking, story, index, edition) for ranked in best],
        )

    def _passage(
        self,
        ranked: RankedRule,
        ranking: Ranking,
        story: Story,
        index: QuestionIndex,
        edition: EditionEntry,
    ) -> RulePassage:
        number = index.rules[ranked.place]
        rule = self._base.show(number, edition)[0]
        texts = [
            index.texts[place] for place in shown_texts(ranked.place, ranking, index, self._weights)
        ]
        subrules = [self._base.show(text, edition)[0] for text in texts if text != rule.address]
        now = rule.today
        return RulePassage(
            number=rule.number,
            heading=rule.heading,
            path=[
                f"{subject.number} {subject.heading}" for subject in rule.path() if subject.heading
            ],
            text=rule.text,
            now=now.number if now is not None else None,
            subrules=[PassageText(subrule.number, subrule.text) for subrule in subrules],
            why=reasons_for(ranked, story, index),
            score=round(ranked.score, 3),
        )


def _cards(question: str, mentions: Sequence[CardMention]) -> Iterator[AskedCard]:
    seen: set[str] = set()
    for mention in mentions:
        if mention.card.name not in seen:
            seen.add(mention.card.name)
            written = question[mention.start : mention.stop]
            yield AskedCard(mention.card.name, written, mention.is_misspelt, list(mention.others))
