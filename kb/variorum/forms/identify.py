"""The JSON of `cr identify FILE`, as docs/json.md describes it."""

from typing import Annotated, TypedDict

from variorum.forms.values import (
    Chance,
    Constraint,
    Count,
    Day,
    Label,
    Piece,
    Place,
    Run,
    Supplied,
    Words,
)

PageSort = Annotated[
    str, Constraint("enum", ("edition", "excerpt", "bulletin", "commentary", "nothing"))
]
QuoteVerdict = Annotated[str, Constraint("enum", ("agrees", "agrees elsewhere", "differs"))]
ClaimVerdict = Annotated[
    str, Constraint("enum", ("confirmed (words)", "confirmed (number)", "contradicted", "unknown"))
]


class CandidateJson(TypedDict):
    """An edition that has some of what a document quotes."""

    edition: Label
    doubts: list[Words]
    matched: Count
    of: Place


class ClaimJson(TypedDict):
    """A day that a document gives for words, and what the editions say of it."""

    words: Words
    day: Day
    verdict: ClaimVerdict
    edition: Label | None
    words_since: Label | None
    number_since: Label | None


class QuotedJson(TypedDict):
    """A provision that a document quotes; `stands` names it in the edition it is compared with."""

    number: str | None
    headword: str | None
    supplied: Supplied | None
    verdict: QuoteVerdict
    editions: list[Run]
    stands: Words
    is_part: bool
    likeness: Chance
    pieces: list[Piece]
    claims: list[ClaimJson]
    line: Place


class StatedJson(TypedDict):
    """A day that a document states; `fits` if the edition in force then has its words."""

    day: Day
    words: Words
    fits: bool | None


class AnnouncedJson(TypedDict):
    """The edition that a bulletin announces, and how many of its entries name what that changed."""

    edition: Label
    confirmed: Count
    entries: Count


class DiscussedJson(TypedDict):
    """A rule that a paragraph of prose discusses, as an edition names it, and some words of it."""

    line: Place
    rule: Words
    edition: Label
    confidence: Chance
    words: Words


IdentifyJson = TypedDict(
    "IdentifyJson",
    {
        "kind": PageSort,
        "edition": Label | None,
        "from": Label | None,
        "to": Label | None,
        "candidates": list[CandidateJson],
        "passages": list[QuotedJson],
        "stated": list[StatedJson],
        "announces": AnnouncedJson | None,
        "discusses": list[DiscussedJson],
        "evidence": list[Words],
    },
)
