"""A number that some edition printed, as data/rule/NUMBER.json of the website has it."""

from typing import Annotated, Literal, NotRequired, TypedDict

from variorum_kb.forms.lineage import HistoryJson, NowJson
from variorum_kb.forms.values import Chance, Constraint, Label, NumberedKind, StepKind, Words

# "from" is no name in Python.
RunJson = TypedDict("RunJson", {"from": Label, "to": Label | None})


class BearerJson(TypedDict):
    """Who bore a number, and when; `history` is null where another file has it."""

    address: Words
    kind: NumberedKind
    heading: str
    text: str
    runs: Annotated[list[RunJson], Constraint("minItems", 1)]
    now: NowJson | None
    last: NowJson
    history: HistoryJson | None


class NumberJson(TypedDict):
    """A number that some edition printed, and who bore it."""

    number: Words
    bearers: Annotated[list[BearerJson], Constraint("minItems", 1)]


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


class NumberTableJson(TypedDict):
    """Every number ever printed, who bore it when, and what that is in one edition."""

    format: Literal["variorum-crosswalk"]
    version: Literal[1]
    edition: Label
    editions: list[Label]
    numbers: dict[Words, Annotated[list[TableBearerJson], Constraint("minItems", 1)]]
