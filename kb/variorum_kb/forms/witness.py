"""Documents that are not editions, and what they attest; see docs/json.md."""

from typing import Literal, TypedDict

from variorum_kb.forms.values import Chance, Count, Day, Label, Piece, Place, Sha256, Supplied

Verdict = Literal[
    "agrees",
    "differs",
    "confirmed (words)",
    "confirmed (number)",
    "confirmed",
    "contradicted",
    "unknown",
    "ruling",
    "commentary",
]
AnnouncementVerdict = Literal["confirmed", "contradicted", "unknown"]


class WitnessNameJson(TypedDict):
    """The title and origin of a witness."""

    sha256: Sha256
    layout: str
    title: str
    author: str
    source: str
    dated: Day | None


class AttestationJson(TypedDict):
    """A passage of a witness, and how it compares with the editions."""

    witness: WitnessNameJson
    kind: str
    verdict: Verdict
    number: str | None
    headword: str | None
    words: str
    line: Place | None
    edition: Label | None
    stands: str | None
    former: str | None
    becomes: str | None
    claimed: Day | None
    claimed_by: str | None
    supplied: Supplied | None
    likeness: Chance
    confidence: Chance
    evidence: list[str]
    pieces: list[Piece]


WitnessJson = TypedDict(
    "WitnessJson",
    {
        "sha256": Sha256,
        "layout": str,
        "title": str,
        "author": str,
        "source": str,
        "stated": str,
        "dated": Day | None,
        "from": Label | None,
        "to": Label | None,
        "matched": Count,
        "of": Count,
        "passages": Count,
        "evidence": list[str],
    },
)


class AnnouncedJson(TypedDict):
    """What a bulletin said of a step, in a short quotation."""

    sha256: Sha256
    title: str
    author: str
    dated: Day | None
    verdict: AnnouncementVerdict
    words: str
    reason: str | None
