"""A number that some edition printed, as data/rule/NUMBER.json of the website has it."""

from typing import Annotated, TypedDict

from variorum_kb.forms.lineage import HistoryJson, NowJson
from variorum_kb.forms.values import Constraint, Label, NumberedKind, Words

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
