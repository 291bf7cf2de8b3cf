"""The library's answer to a question in plain words; docs/json.md describes each field."""

from dataclasses import dataclass

from variorum.answer import Answer
from variorum.records.ask import (
    AskedCardJson,
    AskJson,
    PassageTextJson,
    ReasonJson,
    RulePassageJson,
)


@dataclass(frozen=True)
class Reason(Answer[ReasonJson]):
    """Why a passage answers a question."""

    kind: str
    words: list[str]
    card: str | None


@dataclass(frozen=True)
class PassageText(Answer[PassageTextJson]):
    """A subrule that is shown with its rule."""

    number: str
    text: str


@dataclass(frozen=True)
class RulePassage(Answer[RulePassageJson]):
    """A rule that answers a question, with its subrules that also answer it."""

    number: str
    heading: str
    path: list[str]
    text: str
    now: str | None
    subrules: list[PassageText]
    why: list[Reason]
    score: float


@dataclass(frozen=True)
class AskedCard(Answer[AskedCardJson]):
    """A card that a question names."""

    name: str
    written: str
    misspelt: bool
    others: list[str]


@dataclass(frozen=True)
class Passages(Answer[AskJson]):
    """The passages that answer a question, the best first."""

    question: str
    edition: str
    doubts: list[str]
    has_cards: bool
    cards: list[AskedCard]
    passages: list[RulePassage]
