"""The named types of the values in the JSON forms.

`Meta` limits a value in a JSON Schema beyond its type; Python ignores it.
"""

from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from variorum.rows import CHANGE_CLASSES, STEP_KINDS, SUBRULE_SORTS


def one_of(*choices: str | int) -> Meta:
    """Return the limit to some values.

    Unlike `Literal`, it lets a type checker accept what was read from a base.
    """
    return Meta(extra_json_schema={"enum": [*choices]})


# Dates, numbers and words -------------------------------------------------------------------------

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


class Piece(NamedTuple):
    """A piece of a word diff: "=" for words that stayed, "-" for removed ones, "+" for added ones."""

    sign: Annotated[str, one_of("=", "-", "+")]
    text: Words


# Closed choices -----------------------------------------------------------------------------------

ProvisionKind = Annotated[str, one_of("chapter", "section", "rule", "subrule", "glossary")]
NumberedKind = Annotated[str, one_of("chapter", "section", "rule", "subrule")]
StepKind = Annotated[str, one_of(*STEP_KINDS)]
ChangeClass = Annotated[str, one_of(*CHANGE_CLASSES)]
SubruleSort = Annotated[str, one_of(*SUBRULE_SORTS)]
CitationStatus = Annotated[str, one_of("resolved", "dangling")]
CitationPart = Annotated[str, one_of("text", "heading")]
Supplied = Annotated[str, one_of("number", "headword")]
Condition = Literal["sound", "repaired", "lossy"]
