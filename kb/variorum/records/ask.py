"""The JSON of `cr ask`, `cr card` and `cr kb cards`, as docs/json.md promises it."""

from typing import Annotated

from variorum.records.answer import Answer
from variorum.records.values import Count, Day, Label, Words, one_of


class Reason(Answer):
    """Why a passage answers a question.

    `kind` says where the reason comes from: the text of a card ("keyword", "action", "printed"), a
    ruling on a card ("ruling"), or the question ("heading", "words"). It is "learnt" if judges often
    cite the rule in answers to questions with these words. `words` are the words that led to the rule. `card` is the card's name, or null.
    """

    kind: Annotated[
        str,
        one_of("keyword", "action", "heading", "words", "printed", "ruling", "learnt"),
    ]
    words: list[Words]
    card: Words | None


class PassageText(Answer):
    """A subrule that is shown with its rule."""

    number: Words
    text: str


class RulePassage(Answer):
    """A rule that answers a question, with those of its subrules that do.

    `now` is the rule's number today, null if removed. Scores of different questions cannot be
    compared.
    """

    number: Words
    heading: str
    path: list[Words]
    text: str
    now: Words | None
    subrules: list[PassageText]
    why: list[Reason]
    score: float


class AskedCard(Answer):
    """A card that a question names, as it was `written`; `others` may be meant as well."""

    name: Words
    written: Words
    misspelt: bool
    others: list[Words]


class Passages(Answer):
    """The passages that answer a question; `has_cards` is true if cards were added."""

    question: Words
    edition: Label
    doubts: list[Words]
    has_cards: bool
    cards: list[AskedCard]
    passages: list[RulePassage]


class CardFace(Answer):
    """A face of a card, as it is printed."""

    name: Words
    cost: str
    type_line: str
    text: str
    size: str


class GoverningRule(Answer):
    """A rule that applies to a card.

    `reason` names the part of the card because of which the rule applies. `words` are the words of
    that part.
    """

    number: Words
    heading: str
    reason: Annotated[
        str,
        one_of("keyword", "type", "counter", "action", "cost", "ability", "layout", "token"),
    ]
    words: Words


class RulingCitation(Answer):
    """A number that a ruling cites, as of the ruling's day; `now` is null if removed or unknown."""

    number: Words
    edition: Label | None
    now: Words | None


class RulingOnCard(Answer):
    """A ruling on a card."""

    date: Day
    text: Words
    citations: list[RulingCitation]


class CardWithRules(Answer):
    """A card with the rules that apply to it, numbered as in `edition`."""

    name: Words
    layout: Words
    keywords: list[Words]
    faces: list[CardFace]
    edition: Label
    rules: list[GoverningRule]
    rulings: list[RulingOnCard]


class CardTotals(Answer):
    """The cards that were added to a base.

    `newest` is the day of the newest ruling, or an empty string if there are no rulings.
    """

    cards: Count
    names: Count
    rulings: Count
    newest: str
