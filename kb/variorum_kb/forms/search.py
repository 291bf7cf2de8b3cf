"""The JSON of `cr search` and `cr resolve`, as docs/json.md promises it."""

from typing import Annotated, TypedDict

from variorum_kb.forms.values import (
    Chance,
    Constraint,
    Count,
    Day,
    Label,
    ProvisionKind,
    Run,
    Words,
)


class HitJson(TypedDict):
    """A provision that answers a query.

    `number` is null in the glossary, where `heading` is the term; `now` is its number today, or
    "glossary: " and the term; null if it is gone. `last` is `now`, or the last name that a removed
    provision had.
    """

    edition: Label
    doubts: list[Words]
    number: Words | None
    kind: ProvisionKind
    heading: str
    text: str
    snippet: Words
    score: Annotated[float, Constraint("minimum", 0)]
    now: Words | None
    last: Words
    path: list[Words]
    stood: list[Run]


ExpandedJson = TypedDict(
    "ExpandedJson",
    {
        "from": Words,
        "to": Words,
        "kind": Annotated[str, Constraint("enum", ("era", "abbreviation", "players"))],
        "since": Day | None,
        "until": Day | None,
    },
)


class SearchJson(TypedDict):
    """What a search found.

    `missing` names words of the query that nothing has.
    """

    query: Words
    hits: list[HitJson]
    suggestions: list[Words]
    expanded: list[ExpandedJson]
    missing: list[Words]
    total: Count


class SourceJson(TypedDict):
    """A provision that quoted words may come from.

    `edition` is the last one that prints the words in question, `stood` all runs of editions that
    do; `number`, `heading` and `text` are of that edition, `snippet` is what of the text the quotation
    comes from, in whole sentences, `now` is as in `HitJson`.
    """

    edition: Label
    doubts: list[Words]
    number: Words | None
    kind: ProvisionKind
    heading: str
    text: Words
    snippet: Words
    likeness: Chance
    stood: list[Run]
    now: Words | None


class ResolveJson(TypedDict):
    """Where quoted words come from.

    `status` is "resolved", "ambiguous" or "unknown"; `total` counts the sources, of which ten are named
    at most; `number_fits` says whether the number that
    was given bears these words, `edition_fits` whether the edition that was given prints them, each
    null without one.
    """

    quotation: Words
    status: Annotated[str, Constraint("enum", ("resolved", "ambiguous", "unknown"))]
    sources: list[SourceJson]
    total: Count
    number_fits: bool | None
    edition_fits: bool | None
