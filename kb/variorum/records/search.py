"""The JSON of `cr search` and of `cr identify "words"`, as docs/json.md promises it."""

from typing import Annotated

from msgspec import Meta

from variorum.records.answer import Answer
from variorum.records.values import Chance, Count, Day, Label, ProvisionKind, Run, Words, one_of


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
    kind: Annotated[str, one_of("era", "abbreviation", "players")]
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
    status: Annotated[str, one_of("resolved", "ambiguous", "unknown")]
    sources: list[Source]
    total: Count
    number_fits: bool | None
    edition_fits: bool | None
