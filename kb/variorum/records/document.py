"""What documents that are no editions quote, announce or discuss; see docs/json.md."""

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
    Sha256,
    Supplied,
    Words,
    one_of,
)

PageSort = Annotated[str, one_of("edition", "excerpt", "bulletin", "commentary", "nothing")]
PassageVerdict = Annotated[
    str, one_of("agrees", "agrees elsewhere", "differs", "announced", "unknown", "commentary")
]
ClaimVerdict = Annotated[
    str, one_of("confirmed (words)", "confirmed (number)", "contradicted", "unknown")
]


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
    verdict: PassageVerdict
    editions: list[Run]
    stands: Words | None
    is_part: bool
    likeness: Chance
    pieces: list[Piece]
    claims: list[Claim]
    line: Place | None


# A document of its own ----------------------------------------------------------------------------


class EditionCandidate(Answer):
    """An edition that has some of what a document quotes."""

    edition: Label
    doubts: list[Words]
    matched: Count
    of: Place


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


# A document of the base ---------------------------------------------------------------------------


class WitnessName(Answer):
    """The title and origin of a witness."""

    sha256: Sha256
    kind: str
    title: str
    author: str
    dated: Day | None


class Attestation(QuotedProvision):
    """A passage of a witness: what it quotes, announces or discusses, and how the editions compare."""

    witness: WitnessName
    words: str
    edition: Label | None
    former: str | None
    confidence: Chance
    evidence: list[str]


class Witness(WitnessName):
    """A document that is not an edition, and how much of it the editions confirm."""

    from_: Label | None
    to: Label | None
    matched: Count
    of: Count
    passages: Count
    evidence: list[str]


class Announcement(WitnessName):
    """What a bulletin says beside the number of a changed rule, shortened."""

    words: str
