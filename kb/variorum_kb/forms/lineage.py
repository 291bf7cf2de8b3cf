"""The forms of answers about time, as docs/json.md promises them."""

from typing import Annotated, NotRequired, TypedDict

from variorum_kb.forms.values import (
    Chance,
    ChangeClass,
    Constraint,
    Count,
    Label,
    Piece,
    StepKind,
    SubruleSort,
    Words,
)
from variorum_kb.forms.witness import AnnouncedJson, AttestationJson


class NowJson(TypedDict):
    """Where a provision stands; `number` is null of a glossary entry, `term` of all else."""

    edition: Label
    number: str | None
    term: str | None


# "from" is no name in Python.
ReadingJson = TypedDict(
    "ReadingJson",
    {
        "number": str | None,
        "term": str | None,
        "from": Label,
        "to": Label | None,
        "heading": str,
        "text": str,
        "examples": Count,
        "class": ChangeClass,
        "words": list[Piece],
    },
)


class ReadJson(TypedDict):
    """How readers of both editions decided a step."""

    readings: str
    reason: str


StepJson = TypedDict(
    "StepJson",
    {
        "from_edition": Label,
        "to_edition": Label,
        "from": str | None,
        "to": list[str],
        "kinds": list[StepKind],
        "class": ChangeClass,
        "confidence": Chance,
        "read": ReadJson | None,
        "evidence": list[str],
        "announced": list[AnnouncedJson],
    },
)


class RunnerUpJson(TypedDict):
    """What else might be the heir."""

    number: str
    points: float


class WhyJson(StepJson):
    """A step with its runners-up."""

    runners_up: list[RunnerUpJson]


OtherBearerJson = TypedDict(
    "OtherBearerJson",
    {
        "from": Label,
        "to": Label | None,
        "heading": str,
        "text": str,
        "now": NowJson | None,
        "last": NowJson,
    },
)


# "from" is no name in Python.
SubruleStepJson = TypedDict(
    "SubruleStepJson",
    {
        "sort": SubruleSort,
        "from": str | None,
        "to": list[str],
        "kinds": list[StepKind],
        "class": ChangeClass,
        "confidence": Chance,
        "way": Annotated[str, Constraint("enum", ("", "in", "out"))],
        "now": NowJson | None,
        "words": list[Piece],
        "examples": list[Count],
    },
)


class SubrulesChangedJson(TypedDict):
    """The changes of an edition in the subrules of a provision, and the provision's name there."""

    edition: Label
    number: str | None
    term: str | None
    provisions: Count
    counts: dict[SubruleSort, Count]
    changes: list[SubruleStepJson]


class SubruleNowJson(TypedDict):
    """A subrule by its last name below its provision, and its place today."""

    number: str
    heading: str
    now: NowJson | None


class SubrulesJson(TypedDict):
    """The life of what stands below a provision; `last` is as the last edition has it."""

    last: list[SubruleNowJson]
    editions: list[SubrulesChangedJson]


class HistoryJson(TypedDict):
    """The life of a provision; `subrules` is null where none ever stood below it."""

    now: NowJson | None
    readings: Annotated[list[ReadingJson], Constraint("minItems", 1)]
    steps: list[StepJson]
    others: list[OtherBearerJson]
    witnesses: list[AttestationJson]
    doubts: dict[Label, list[Words]]
    subrules: SubrulesJson | None


class ReadStepJson(ReadJson):
    """How readers decided the step into an edition."""

    edition: Label


class CrosswalkRowJson(TypedDict):
    """What became of a number."""

    old: str | None
    new: list[str]
    kinds: list[StepKind]
    confidence: Chance
    read: list[ReadStepJson]


class WhereJson(CrosswalkRowJson):
    """What became of a number, and who else bore it.

    `asked` is what it was asked for by, `edition` the one whose number it is.
    """

    asked: Words
    edition: Label
    others: list[OtherBearerJson]


ChangeJson = TypedDict(
    "ChangeJson",
    {
        "old": str | None,
        "new": str | None,
        "kinds": list[StepKind],
        "class": ChangeClass,
        "words": list[Piece],
    },
)


class SweepJson(TypedDict):
    """Words that were replaced in many provisions."""

    before: str
    after: str
    provisions: Count


class DiffSummaryJson(TypedDict):
    """How much changed between two editions."""

    from_edition: Label
    to_edition: Label
    provisions: Count
    same: Count
    moved_only: Count
    new: Count
    gone: Count
    parts: Count
    typographic: Count
    citation_only: Count
    sweep: Count
    substantive: Count
    words_gone: Count
    words_came: Count
    sweeps: list[SweepJson]
    doubts: dict[Label, list[Words]]


class BearerThereJson(TypedDict):
    """Another provision that has the number in one of two editions; `elsewhere`, in the other."""

    edition: Label
    number: str
    gist: str
    elsewhere: str | None


# "from" is no name in Python.
DiffSubjectJson = TypedDict(
    "DiffSubjectJson",
    {
        "asked": str,
        "edition": Label,
        "from": list[str],
        "to": list[str],
        "others": list[BearerThereJson],
        "unchanged_since": Label | None,
    },
)


class DiffJson(TypedDict):
    """What changed between two editions, or in one subject between them.

    `announced` is of one edition's changes alone, `subject` of what a number or term names.
    """

    summary: DiffSummaryJson
    changes: list[ChangeJson]
    subject: NotRequired[DiffSubjectJson]
    announced: NotRequired[list[AttestationJson]]


class WordJson(TypedDict):
    """A word, with the blanks behind it, and the edition in which it came in."""

    text: Words
    since: Label


class BlamedJson(TypedDict):
    """Since when each word of a provision stands in its place."""

    number: str | None
    term: str | None
    heading: list[WordJson]
    words: list[WordJson]
    examples: Count


class BlameJson(BlamedJson):
    """Since when each word of a reading and of its subrules stands in its place."""

    edition: Label
    doubts: list[Words]
    subrules: list[BlamedJson]
