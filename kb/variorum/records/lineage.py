"""The forms of answers about time, as docs/json.md promises them."""

from typing import Annotated, NotRequired, TypedDict

from msgspec import Meta

from variorum.records.values import (
    Chance,
    ChangeClass,
    Count,
    Label,
    Piece,
    StepKind,
    SubruleSort,
    Words,
    one_of,
)
from variorum.records.witness import Announcement, Attestation


class NowJson(TypedDict):
    """A provision's name in an edition: a glossary entry has a `term`, any other a `number`."""

    edition: Label
    number: str | None
    term: str | None


# "from" is a reserved word in Python.
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
    """How people who read both editions decided a step."""

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
        "announced": list[Announcement],
    },
)


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


# "from" is a reserved word in Python.
SubruleStepJson = TypedDict(
    "SubruleStepJson",
    {
        "sort": SubruleSort,
        "from": str | None,
        "to": list[str],
        "kinds": list[StepKind],
        "class": ChangeClass,
        "confidence": Chance,
        "way": Annotated[str, one_of("", "in", "out")],
        "now": NowJson | None,
        "words": list[Piece],
        "examples": list[Count],
    },
)


class SubrulesChangedJson(TypedDict):
    """An edition's changes to subrules; `number` or `term` is the name of the provision above them."""

    edition: Label
    number: str | None
    term: str | None
    provisions: Count
    counts: dict[SubruleSort, Count]
    changes: list[SubruleStepJson]


class SubruleNowJson(TypedDict):
    """A subrule: the last `number` it had below the provision, and its name `now`."""

    number: str
    heading: str
    now: NowJson | None


class SubrulesJson(TypedDict):
    """The history of everything below a provision; `last` lists the subrules of its last edition."""

    last: list[SubruleNowJson]
    editions: list[SubrulesChangedJson]


class HistoryJson(TypedDict):
    """The history of a provision; `subrules` is null if it never had any."""

    now: NowJson | None
    readings: Annotated[list[ReadingJson], Meta(min_length=1)]
    steps: list[StepJson]
    others: list[OtherBearerJson]
    witnesses: list[Attestation]
    doubts: dict[Label, list[Words]]
    subrules: SubrulesJson | None


class ReadStepJson(ReadJson):
    """How people decided the step into an edition."""

    edition: Label


class CrosswalkRowJson(TypedDict):
    """A number of one edition, and what its provision is called in another edition."""

    old: str | None
    new: list[str]
    kinds: list[StepKind]
    confidence: Chance
    read: list[ReadStepJson]


class WhereJson(CrosswalkRowJson):
    """A number of `edition`, and what its provision is called in another edition.

    `asked` is the number in the question. `others` are other provisions that have had it.
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
    """Another provision that has the number in one of the two compared editions.

    `edition` is that edition; `elsewhere` is the provision's number in the other one, or null.
    """

    edition: Label
    number: str
    gist: str
    elsewhere: str | None


# "from" is a reserved word in Python.
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
    """What changed between two editions, in all provisions or in one `subject`.

    Only `cr changes` has `announced`. Only a comparison of a number or term has a `subject`.
    """

    summary: DiffSummaryJson
    changes: list[ChangeJson]
    subject: NotRequired[DiffSubjectJson]
    announced: NotRequired[list[Attestation]]


class WordJson(TypedDict):
    """A word, with the spaces after it, and the edition that added it."""

    text: Words
    since: Label


class BlamedJson(TypedDict):
    """When each word of a provision was added."""

    number: str | None
    term: str | None
    heading: list[WordJson]
    words: list[WordJson]
    examples: Count


class BlameJson(BlamedJson):
    """When each word of a provision and of its subrules was added."""

    edition: Label
    doubts: list[Words]
    subrules: list[BlamedJson]
