"""A number or headword that some edition printed, as the website has it for programs."""

from typing import Annotated, Literal, NotRequired, TypedDict

from variorum_kb.forms.lineage import NowJson
from variorum_kb.forms.values import Chance, ChangeClass, Constraint, Label, StepKind, Words

# "from" is no name in Python.
RunJson = TypedDict("RunJson", {"from": Label, "to": Label | None})


class TodayJson(TypedDict):
    """Where a provision stands today; `number` is null of a glossary entry, `term` of all else."""

    number: str | None
    term: str | None


class HeirJson(TypedDict):
    """What took over words of a provision that was removed."""

    how: Words
    edition: Label
    number: str | None
    term: str | None


# As above.
PastReadingJson = TypedDict(
    "PastReadingJson",
    {
        "number": str | None,
        "term": str | None,
        "from": Label,
        "to": Label | None,
        "heading": str,
        "text": str,
        "kinds": list[StepKind],
        "class": ChangeClass,
    },
)


class BearerJson(TypedDict):
    """Who bore a number, and when; `history` is null where the file of `now` or `last` has it."""

    address: Words
    kind: Words
    heading: str
    text: str
    runs: Annotated[list[RunJson], Constraint("minItems", 1)]
    now: TodayJson | None
    last: NowJson | None
    heirs: list[HeirJson]
    history: list[PastReadingJson] | None


class NumberJson(TypedDict):
    """A number or headword that some edition printed, and who bore it, the latest first."""

    number: Words | None
    term: Words | None
    bearers: list[BearerJson]


class TableBearerJson(TypedDict):
    """A provision that bore a number from one edition to another, and what it is in that of the table.

    `confidence` is that of its last edition; `read` names the editions into which readers decided a
    step on the way, and is left out where they decided none.
    """

    first: Label
    last: Label
    now: list[Words]
    kinds: list[StepKind]
    confidence: Chance
    read: NotRequired[list[Label]]


class NumberedBearerJson(TableBearerJson):
    """A line of `cr export --crosswalk --jsonl`."""

    number: Words


class NumberTableJson(TypedDict):
    """Every number ever printed, who bore it when, and what that is in one edition."""

    format: Literal["variorum-crosswalk"]
    version: Literal[1]
    edition: Label
    editions: list[Label]
    numbers: dict[Words, Annotated[list[TableBearerJson], Constraint("minItems", 1)]]
