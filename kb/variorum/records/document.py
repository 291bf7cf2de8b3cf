"""What documents that are no editions quote, announce or discuss; see docs/json.md."""

from typing import Annotated

from variorum.records.answer import *

_VERDICTS = "agrees, agrees elsewhere, differs, announced, unknown, commentary"
PassageVerdict = Annotated[str, one_of(_VERDICTS)]
_CLAIMS = "confirmed (words), confirmed (number), contradicted, unknown"
ClaimVerdict = Annotated[str, one_of(_CLAIMS)]


class Claim(Answer):
    """A day that a document gives for words, and what the editions say of it."""

    words: Words
    day: Day
    verdict: ClaimVerdict
    edition: Label | None
    words_since: Label | None
    number_since: Label | None


class WitnessName(Answer):
    """The title and origin of a document."""

    sha256: Sha256
    kind: str
    title: str
    author: str
    dated: Day | None


class Passage(Answer):
    """What a document quotes or says of a provision, `stands` in `edition`, `former` before a change."""

    number: str | None
    headword: str | None
    supplied: Annotated[str, one_of("number, headword")] | None
    verdict: PassageVerdict
    editions: list[Run]
    stands: Words | None
    is_part: bool
    likeness: Chance
    pieces: list[Piece]
    claims: list[Claim]
    line: Place | None
    words: str
    edition: Label | None
    former: str | None
    confidence: Chance
    evidence: list[str]
    witness: WitnessName | None = None


class Witness(WitnessName):
    """A document that is not an edition, and how much of it the editions confirm."""

    edition: Label | None
    from_: Label | None
    to: Label | None
    matched: Count
    of: Count
    evidence: list[str]


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


class DocumentOrigin(Witness):
    """What a document is, which editions it quotes, announces or is about, and its passages."""

    candidates: list[EditionCandidate]
    stated: list[StatedDate]
    passages: list[Passage]
