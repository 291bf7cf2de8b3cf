"""The answers of `cr search`, `cr identify "words"`, `cr card` and `cr kb cards`."""

from typing import Annotated

from msgspec import Meta, field

from variorum.records.answer import *

_REASONS = "keyword, type, size, counter, action, cost, ability, layout, token"


class FoundRule(Answer):
    """A provision that was found; of an entry, `number` is null and `heading` the term. `snippet` is why."""

    edition: Label
    doubts: list[Words]
    number: Words | None
    kind: ProvisionKind
    heading: str
    text: str
    snippet: Words


class Hit(FoundRule):
    """A provision that a query finds: its name `now` or null, the chance of that, its `last`, `since` when it has the snippet."""

    score: Annotated[float, Meta(ge=0)]
    now: Words | None
    last: Words
    path: list[Words]
    stood: list[Run]
    since: Label | None
    confidence: Chance


class Expansion(Answer):
    """Other words that were searched for as well; `last` is the last edition that has the user's."""

    from_: Words
    to: Words
    kind: Annotated[str, one_of("era, abbreviation, players")]
    since: Day | None
    until: Day | None
    last: Day | None


class SearchResult(Answer):
    """What a search found; `missing` are words of the query that no rule contains."""

    query: Words
    hits: list[Hit]
    suggestions: list[Words]
    expanded: list[Expansion]
    missing: list[Words]
    total: Count


class Source(FoundRule):
    """A provision that quoted words may come from, as last printed so; `numbers` are its names with them, and when."""

    likeness: Chance
    numbers: list[tuple[Words, Label, Label]]
    now: Words | None
    confidence: Chance


class Resolution(Answer):
    """Where quoted words come from: at most ten of `total` sources; `near` are rules about a paraphrase."""

    quotation: Words
    status: Annotated[str, one_of("resolved, ambiguous, unknown")]
    sources: list[Source]
    total: Count
    number_fits: bool | None
    edition_fits: bool | None
    near: list[Words]


class Reason(Answer):
    """Why a passage answers a question: words of a card's text, of a ruling on it, or of the question."""

    kind: Annotated[str, one_of("keyword, action, heading, words, printed, ruling")]
    words: list[Words]
    card: Words | None


class PassageText(Answer):
    number: Words
    text: str


class RulePassage(Answer):
    """A rule that answers a question, with those of its subrules that do; `now` is as in a hit."""

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
    others: list[Words]


class Passages(Answer):
    """The passages that answer a question; `has_cards` is true if cards were added."""

    question: Words
    edition: Label
    doubts: list[Words]
    has_cards: bool
    cards: list[AskedCard]
    passages: list[RulePassage]
    suggestions: list[Words] = field(default_factory=list)


class CardFace(Answer):
    name: Words
    cost: str
    type_line: str
    text: str
    size: str


class GoverningRule(Answer):
    number: Words
    heading: str
    reason: Annotated[str, one_of(_REASONS)]
    words: Words


class RulingCitation(Answer):
    """A number that a ruling cites, as of the ruling's day; `now` is null if removed or unknown."""

    number: Words
    edition: Label | None
    now: Words | None
    confidence: Chance


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
    """The cards of a base; `newest` is the day of the newest ruling, "" if there is none."""

    cards: Count
    names: Count
    rulings: Count
    newest: str
