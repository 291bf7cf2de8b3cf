"""The forms of answers about time, as docs/json.md promises them."""

from typing import TypedDict

# "=" of words that stayed, "-" of those that went, "+" of those that came; and the words.
Piece = tuple[str, str]


class NowJson(TypedDict):
    """Where a provision stands; `number` is null of a glossary entry, `term` of all else."""

    edition: str
    number: str | None
    term: str | None


# "from" is no name in Python.
ReadingJson = TypedDict(
    "ReadingJson",
    {
        "number": str | None,
        "term": str | None,
        "from": str,
        "to": str | None,
        "heading": str,
        "text": str,
        "class": str,
        "words": list[Piece],
    },
)


class AnnouncedJson(TypedDict):
    """What a bulletin said of a step, in a short quotation."""

    sha256: str
    title: str
    author: str
    dated: str | None
    verdict: str
    words: str
    reason: str | None


StepJson = TypedDict(
    "StepJson",
    {
        "from_edition": str,
        "to_edition": str,
        "from": str | None,
        "to": list[str],
        "kinds": list[str],
        "class": str,
        "confidence": float,
        "evidence": list[str],
        "announced": list[AnnouncedJson],
    },
)


class RunnerUpJson(TypedDict):
    """What else might be the heir."""

    number: str
    points: float


class WhyJson(StepJson):
    """A step with what else might have been."""

    runners_up: list[RunnerUpJson]


OtherBearerJson = TypedDict(
    "OtherBearerJson",
    {
        "from": str,
        "to": str | None,
        "heading": str,
        "text": str,
        "now": NowJson | None,
        "last": NowJson,
    },
)


class WitnessNameJson(TypedDict):
    """What a witness is called by."""

    sha256: str
    layout: str
    title: str
    author: str
    source: str
    dated: str | None


class AttestationJson(TypedDict):
    """A passage of a witness, and what the editions say to it; see docs/json.md."""

    witness: WitnessNameJson
    kind: str
    verdict: str
    number: str | None
    headword: str | None
    words: str
    line: int | None
    edition: str | None
    stands: str | None
    former: str | None
    becomes: str | None
    claimed: str | None
    claimed_by: str | None
    supplied: str | None
    likeness: float
    confidence: float
    evidence: list[str]
    pieces: list[Piece]


WitnessJson = TypedDict(
    "WitnessJson",
    {
        "sha256": str,
        "layout": str,
        "title": str,
        "author": str,
        "source": str,
        "stated": str,
        "dated": str | None,
        "from": str | None,
        "to": str | None,
        "matched": int,
        "of": int,
        "passages": int,
        "evidence": list[str],
    },
)


class HistoryJson(TypedDict):
    """The life of a provision; see docs/json.md."""

    now: NowJson | None
    readings: list[ReadingJson]
    steps: list[StepJson]
    others: list[OtherBearerJson]
    witnesses: list[AttestationJson]


class CrosswalkRowJson(TypedDict):
    """What became of a number."""

    old: str | None
    new: list[str]
    kinds: list[str]
    confidence: float


ChangeJson = TypedDict(
    "ChangeJson",
    {
        "old": str | None,
        "new": str | None,
        "kinds": list[str],
        "class": str,
        "words": list[Piece],
    },
)


class SweepJson(TypedDict):
    """Words that were replaced in many provisions."""

    before: str
    after: str
    provisions: int


class SummaryJson(TypedDict):
    """How much changed between two editions."""

    from_edition: str
    to_edition: str
    provisions: int
    same: int
    moved_only: int
    new: int
    gone: int
    parts: int
    typographic: int
    citation_only: int
    sweep: int
    substantive: int
    words_gone: int
    words_came: int
    sweeps: list[SweepJson]


class DiffJson(TypedDict):
    """What changed between two editions; see docs/json.md."""

    summary: SummaryJson
    changes: list[ChangeJson]


class WordJson(TypedDict):
    """A word, with the blanks behind it, and the edition in which it came in."""

    text: str
    since: str


class BlameJson(TypedDict):
    """Since when each word of a reading stands in its place."""

    number: str | None
    term: str | None
    edition: str
    heading: list[WordJson]
    words: list[WordJson]
