"""The answers of `cr search`, `cr identify "words"`, `cr ask`, `cr card` and `cr kb cards`."""

from typing import Annotated

from msgspec import Meta

from variorum.records.answer import (
    Answer,
    Chance,
    Count,
    Day,
    Label,
    ProvisionKind,
    Run,
    Words,
    one_of,
)


class Hit(Answer):
    """A provision that answers a query.

    A glossary entry has null as `number`, and the term as `heading`. `now` is the number today, or
    "glossary: " and the term; null if removed. `last` equals `now`; if `now` is null, it is the last
    name that the provision had.
    """

    edition: Label
    doubts: list[Words]
    number: Words | None
    kind: ProvisionKind
    heading: str
    text: str
    snippet: Words
    score: Annotated[float, Meta(ge=0)]
    now: Words | None
    last: Words
    path: list[Words]
    stood: list[Run]


class Expansion(Answer):
    """Other words that were searched for as well."""

    from_: Words
    to: Words
    kind: Annotated[str, one_of("era, abbreviation, players")]
    since: Day | None
    until: Day | None


class SearchResult(Answer):
    """What a search found.

    `missing` lists words of the query that no rule contains.
    """

    query: Words
    hits: list[Hit]
    suggestions: list[Words]
    expanded: list[Expansion]
    missing: list[Words]
    total: Count


# A number, or "glossary: " and a headword, and a run of editions that print words under it.
NumberRun = tuple[Words, Label, Label]


class Source(Answer):
    """A provision that quoted words may come from.

    `edition` is the last one that prints the words, and `number`, `heading` and `text` are those of
    that edition; `snippet` has its quoted sentences. `numbers` has each name with these words, its
    first and its last edition. `now` is as in a hit of `cr search`.
    """

    edition: Label
    doubts: list[Words]
    number: Words | None
    kind: ProvisionKind
    heading: str
    text: Words
    snippet: Words
    likeness: Chance
    numbers: list[NumberRun]
    now: Words | None


class Resolution(Answer):
    """Where quoted words come from.

    `total` counts all sources; at most ten are listed. `number_fits` says whether the given number
    has had these words, or is null if none was given. `edition_fits` says the same of the edition.
    """

    quotation: Words
    status: Annotated[str, one_of("resolved, ambiguous, unknown")]
    sources: list[Source]
    total: Count
    number_fits: bool | None
    edition_fits: bool | None


# Questions and cards ------------------------------------------------------------------------------


class Reason(Answer):
    """Why a passage answers a question.

    `kind` says where the reason comes from: the text of a card ("keyword", "action", "printed"), a
    ruling on a card ("ruling"), or the question ("heading", "words"). It is "learnt" if judges often
    cite the rule when a question has these words. `words` led to the rule; `card` is the card's name.
    """

    kind: Annotated[str, one_of("keyword, action, heading, words, printed, ruling, learnt")]
    words: list[Words]
    card: Words | None


class PassageText(Answer):
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
    reason: Annotated[str, one_of("keyword, type, counter, action, cost, ability, layout, token")]
    words: Words


class RulingCitation(Answer):
    """A number that a ruling cites, as of the ruling's day; `now` is null if removed or unknown."""

    number: Words
    edition: Label | None
    now: Words | None


class RulingOnCard(Answer):
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
