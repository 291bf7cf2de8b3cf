"""The website's JSON file of a number or headword, and the table of all numbers."""

from typing import Annotated, Literal

from msgspec import Meta, field

from variorum.records.answer import Answer
from variorum.records.lineage import Named, Whereabouts
from variorum.records.values import Chance, ChangeClass, Label, StepKind, Words


class PrintedRun(Answer):
    """The editions in which a provision had a number; `to` is None if it still has it."""

    from_: Label
    to: Label | None


class Successor(Answer):
    """A provision that took over words of a removed one."""

    how: Words
    edition: Label
    number: str | None
    term: str | None


class PastReading(Named):
    """A period in which a provision kept the same number and words."""

    from_: Label
    to: Label | None
    heading: str
    kinds: list[StepKind]
    class_: ChangeClass


class Bearer(Answer):
    """A provision that has had the number.

    `history` is None if it is in the JSON file of another number. That number is `now` or, for a
    removed provision, `last`.
    """

    address: Words
    kind: Words
    heading: str
    text: str
    runs: Annotated[list[PrintedRun], Meta(min_length=1)]
    now: Named | None
    last: Whereabouts | None
    heirs: list[Successor]
    history: list[PastReading] | None


class NumberBearers(Answer):
    """A number or headword that has been printed, and the provisions that have had it, latest first."""

    number: Words | None
    term: Words | None
    bearers: list[Bearer]


class TableBearer(Answer):
    """A provision that had a number from edition `first` to `last`, and its numbers `now`.

    `confidence` is the chance that `now` is right. `read` lists the editions in which people decided
    a step.
    """

    first: Label
    last: Label
    now: list[Words]
    kinds: list[StepKind]
    confidence: Chance
    read: list[Label] = field(default_factory=list)


class NumberedBearer(Answer):
    """A line of `cr export --crosswalk --jsonl`."""

    number: Words
    first: Label
    last: Label
    now: list[Words]
    kinds: list[StepKind]
    confidence: Chance
    read: list[Label] = field(default_factory=list)


class NumberTable(Answer):
    """Every number ever printed, the provisions that have had it, and their numbers in one edition."""

    format: Literal["variorum-crosswalk"]
    version: Literal[1]
    edition: Label
    editions: list[Label]
    numbers: dict[Words, Annotated[list[TableBearer], Meta(min_length=1)]]
