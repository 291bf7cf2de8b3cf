"""The JSON of `cr identify FILE`, as docs/json.md describes it."""

from typing import Annotated

from variorum.records.answer import (
    Answer,
    Chance,
    Count,
    Day,
    Label,
    Piece,
    Place,
    Run,
    Supplied,
    Words,
    one_of,
)

PageSort = Annotated[str, one_of("edition", "excerpt", "bulletin", "commentary", "nothing")]
QuoteVerdict = Annotated[str, one_of("agrees", "agrees elsewhere", "differs")]
ClaimVerdict = Annotated[
    str, one_of("confirmed (words)", "confirmed (number)", "contradicted", "unknown")
]


class EditionCandidate(Answer):
    """An edition that has some of what a document quotes."""

    edition: Label
    doubts: list[Words]
    matched: Count
    of: Place


class Claim(Answer):
    """A day that a document gives for words, and what the editions say of it."""

    words: Words
    day: Day
    verdict: ClaimVerdict
    edition: Label | None
    words_since: Label | None
    number_since: Label | None


class QuotedProvision(Answer):
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
    claims: list[Claim]
    line: Place


class StatedDate(Answer):
    """A day that a document states; `fits` if the edition in force then has its words."""

    day: Day
    words: Words
    fits: bool | None


class AnnouncedEdition(Answer):
    """The edition that a bulletin announces, and how many of its entries name what that changed."""

    edition: Label
    confirmed: Count
    entries: Count


class RuleDiscussed(Answer):
    """A rule that a paragraph of prose discusses, as an edition names it, and some words of it."""

    line: Place
    rule: Words
    edition: Label
    confidence: Chance
    words: Words


class DocumentOrigin(Answer):
    """What a document is, and which editions it quotes."""

    kind: PageSort
    edition: Label | None
    from_: Label | None
    to: Label | None
    candidates: list[EditionCandidate]
    passages: list[QuotedProvision]
    stated: list[StatedDate]
    announces: AnnouncedEdition | None
    discusses: list[RuleDiscussed]
    evidence: list[Words]
