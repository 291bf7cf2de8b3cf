"""Documents that are not editions, and what they attest; see docs/json.md."""

from typing import Literal

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
)
from variorum.records.identify import Claim


class WitnessName(Answer):
    """The title and origin of a witness."""

    sha256: Sha256
    kind: str
    title: str
    author: str
    dated: Day | None


class Attestation(Answer):
    """A passage of a witness, and how it compares with the editions."""

    witness: WitnessName
    verdict: Literal["agrees", "agrees elsewhere", "differs", "announced", "unknown", "commentary"]
    number: str | None
    headword: str | None
    supplied: Supplied | None
    words: str
    line: Place | None
    edition: Label | None
    stands: str | None
    former: str | None
    editions: list[Run]
    likeness: Chance
    confidence: Chance
    claims: list[Claim]
    evidence: list[str]
    pieces: list[Piece]


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
