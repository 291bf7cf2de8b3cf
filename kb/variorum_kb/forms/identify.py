"""The JSON of `cr identify`, as docs/json.md describes it."""

from typing import TypedDict

from variorum_kb.forms.values import Chance, Count, Label, Piece, Place, Supplied, Words


class QuotedJson(TypedDict):
    """A provision that a document quotes."""

    number: str | None
    headword: str | None
    supplied: list[Supplied]
    editions: Count
    line: Place | None


class CandidateJson(TypedDict):
    """An edition that a document may come from."""

    edition: Label
    doubts: list[Words]
    matched: Place
    of: Place


class DifferenceJson(TypedDict):
    """A quoted provision that an edition has with other words, or not at all."""

    edition: Label
    number: str | None
    stands: str | None
    likeness: Chance
    pieces: list[Piece]


IdentifyJson = TypedDict(
    "IdentifyJson",
    {
        "layout": Words,
        "provisions": list[QuotedJson],
        "candidates": list[CandidateJson],
        "from": Label | None,
        "to": Label | None,
        "agrees": bool,
        "differences": list[DifferenceJson],
        "evidence": list[str],
    },
)
