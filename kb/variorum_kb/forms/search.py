"""The JSON of `cr search` and `cr resolve`, as docs/json.md promises it."""

from typing import TypedDict


class HitJson(TypedDict):
    """A provision that answers a query.

    `number` is null in the glossary, where `heading` is the term; `now` is the number, or
    "glossary: " and the term, that the provision has today, null if it is gone.
    """

    edition: str
    number: str | None
    kind: str
    heading: str
    text: str
    snippet: str
    score: float
    now: str | None
    path: list[str]
    stood: list[list[str]]


ExpandedJson = TypedDict(
    "ExpandedJson", {"from": str, "to": str, "kind": str, "since": str | None, "until": str | None}
)


class SearchJson(TypedDict):
    """What a search found.

    `missing` names words of the query that nothing has.
    """

    query: str
    hits: list[HitJson]
    suggestions: list[str]
    expanded: list[ExpandedJson]
    missing: list[str]
    total: int


class SourceJson(TypedDict):
    """A provision that quoted words may come from.

    `edition` is the last one that prints the words in question, `stood` all runs of editions that
    do; `number`, `heading` and `text` are of that edition, `snippet` is what of the text the quotation
    comes from, in whole sentences, `now` is as in `HitJson`.
    """

    edition: str
    number: str | None
    kind: str
    heading: str
    text: str
    snippet: str
    likeness: float
    stood: list[list[str]]
    now: str | None


class ResolveJson(TypedDict):
    """Where quoted words come from.

    `status` is "resolved", "ambiguous" or "unknown"; `total` counts the sources, of which ten are named
    at most; `number_fits` says whether the number that
    was given bears these words, `edition_fits` whether the edition that was given prints them, each
    null without one.
    """

    quotation: str
    status: str
    sources: list[SourceJson]
    total: int
    number_fits: bool | None
    edition_fits: bool | None
