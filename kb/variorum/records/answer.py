"""The base of all answers, the named types of their values, and how a record becomes JSON.

`Meta` limits a value in a JSON Schema beyond its type; Python ignores it.
"""

from typing import Annotated, Any, Literal, NamedTuple, dataclass_transform

import msgspec
from msgspec import Meta

from variorum.rows import CHANGE_CLASSES, STEP_KINDS, SUBRULE_SORTS


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Answer(
    msgspec.Struct,
    frozen=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    rename=lambda name: name.rstrip("_"),
):
    """An answer, or a part of one; its fields are the keys of docs/json.md, in their order.

    Names that Python reserves end in an underscore: `from_`, `class_`. Answers outlive the base.
    """

    def as_json(self) -> Any:  # noqa: ANN401 - each record has its own keys
        """Return the answer as dictionaries and lists."""
        return msgspec.to_builtins(self)


def json_text(value: object, indent: int = 0, *, is_compact: bool = False) -> str:
    """Return a record, or dictionaries and lists of them, as JSON; compact means without blanks."""
    try:
        data = msgspec.json.encode(value)
    except UnicodeEncodeError:  # the name of a file may have bytes that are no text
        from json import dumps  # noqa: PLC0415 - hardly ever needed

        return dumps(msgspec.to_builtins(value), ensure_ascii=False, indent=indent or None)
    return (data if is_compact else msgspec.json.format(data, indent=indent)).decode()


def one_of(*choices: str | int) -> Meta:
    """Return the limit to some values; strings may be joined by commas.

    Unlike `Literal`, it lets a type checker accept what was read from a base.
    """
    values = [it for choice in choices for it in str(choice).split(", ")]
    return Meta(extra_json_schema={"enum": values if isinstance(choices[0], str) else [*choices]})


Day = Annotated[str, Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
# An edition: its day, with its issue where the base has several of that day.
Label = Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}(\.[0-9]+)?$")]
Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Count = Annotated[int, Meta(ge=0)]
# Lines, columns and issues are counted from 1.
Place = Annotated[int, Meta(ge=1)]
Chance = Annotated[float, Meta(ge=0, le=1)]
Words = Annotated[str, Meta(min_length=1)]
# The first and the last edition of a run.
Run = Annotated[list[Label], Meta(min_length=2, max_length=2)]

ProvisionKind = Annotated[str, one_of("chapter, section, rule, subrule, glossary")]
StepKind = Annotated[str, one_of(*STEP_KINDS)]
ChangeClass = Annotated[str, one_of(*CHANGE_CLASSES)]
SubruleSort = Annotated[str, one_of(*SUBRULE_SORTS)]
CitationPart = Annotated[str, one_of("text, heading")]
Condition = Literal["sound", "repaired", "lossy"]


class Piece(NamedTuple):
    """A piece of a word diff: "=" for words that stayed, "-" for removed ones, "+" for added ones."""

    sign: Annotated[str, one_of("=", "-", "+")]
    text: Words
