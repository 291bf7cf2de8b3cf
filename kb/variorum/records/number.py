"""The website's JSON file of a number or headword, and the table of all numbers."""

from typing import Annotated, Literal, NotRequired, TypedDict

from msgspec import Meta

from variorum.records.lineage import NowJson
from variorum.records.values import Chance, ChangeClass, Label, StepKind, Words

# "from" is a reserved word in Python.
RunJson = TypedDict("RunJson", {"from": Label, "to": Label | None})


class TodayJson(TypedDict):
    """A provision's name today: a glossary entry has a `term`, any other a `number`."""

    number: str | None
    term: str | None


class HeirJson(TypedDict):
    """A provision that took over words of a removed one."""

    how: Words
    edition: Label
    number: str | None
    term: str | None


# "from" again.
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
    """A provision that has had the number.

    `history` is null if it is in the JSON file of another number. That number is `now` or, for a
    removed provision, `last`.
    """

    address: Words
    kind: Words
    heading: str
    text: str
    runs: Annotated[list[RunJson], Meta(min_length=1)]
    now: TodayJson | None
    last: NowJson | None
    heirs: list[HeirJson]
    history: list[PastReadingJson] | None


class NumberJson(TypedDict):
    """A number or headword that has been printed, and the provisions that have had it, latest first."""

    number: Words | None
    term: Words | None
    bearers: list[BearerJson]


class TableBearerJson(TypedDict):
    """A provision that had a number from edition `first` to `last`, and its numbers `now`.

    `confidence` is the chance that `now` is right. `read` lists the editions in which people decided
    a step; it is left out if there are none.
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
    """Every number ever printed, the provisions that have had it, and their numbers in one edition."""

    format: Literal["variorum-crosswalk"]
    version: Literal[1]
    edition: Label
    editions: list[Label]
    numbers: dict[Words, Annotated[list[TableBearerJson], Meta(min_length=1)]]
