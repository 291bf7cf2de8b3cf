"""Documents that are not editions, and what they attest; see docs/json.md."""

from typing import Literal, TypedDict

from variorum.forms.identify import ClaimJson
from variorum.forms.values import Chance, Count, Day, Label, Piece, Place, Run, Sha256, Supplied


class WitnessNameJson(TypedDict):
    """The title and origin of a witness."""

    sha256: Sha256
    kind: str
    title: str
    author: str
    dated: Day | None


class AttestationJson(TypedDict):
    """A passage of a witness, and how it compares with the editions."""

    witness: WitnessNameJson
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
    claims: list[ClaimJson]
    evidence: list[str]
    pieces: list[Piece]


WitnessJson = TypedDict(
    "WitnessJson",
    {
        "sha256": Sha256,
        "kind": str,
        "title": str,
        "author": str,
        "dated": Day | None,
        "from": Label | None,
        "to": Label | None,
        "matched": Count,
        "of": Count,
        "passages": Count,
        "evidence": list[str],
    },
)


class AnnouncedJson(WitnessNameJson):
    """What a bulletin says beside the number of a changed rule, shortened."""

    words: str
