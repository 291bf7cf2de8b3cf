"""The named types of the values in the JSON forms.

A `Constraint` limits a value in a JSON Schema beyond its type; Python ignores it.
Each name of this module becomes a definition in the schemas that use it.
"""

from typing import Annotated, Literal, NamedTuple

from variorum.rows import CHANGE_CLASSES, STEP_KINDS, SUBRULE_SORTS


class Constraint(NamedTuple):
    """A keyword of JSON Schema, and what it is set to."""

    keyword: str
    value: str | int | bool | tuple[str, ...] | tuple[int, ...]


# Dates, numbers and words -------------------------------------------------------------------------

Day = Annotated[str, Constraint("pattern", "^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
# An edition: its day, with its issue where the base has several of that day.
Label = Annotated[str, Constraint("pattern", r"^[0-9]{4}-[0-9]{2}-[0-9]{2}(\.[0-9]+)?$")]
Sha256 = Annotated[str, Constraint("pattern", "^[0-9a-f]{64}$")]
Count = Annotated[int, Constraint("minimum", 0)]
# Lines, columns and issues are counted from 1.
Place = Annotated[int, Constraint("minimum", 1)]
Chance = Annotated[float, Constraint("minimum", 0), Constraint("maximum", 1)]
Words = Annotated[str, Constraint("minLength", 1)]
# The first and the last edition of a run.
Run = Annotated[list[Label], Constraint("minItems", 2), Constraint("maxItems", 2)]
# Words of a diff, after a sign: "=" kept, "-" removed, "+" added.
Piece = tuple[Annotated[str, Constraint("enum", ("=", "-", "+"))], Words]

# Closed choices -----------------------------------------------------------------------------------

# Not `Literal`: to Python, a value read from a base is only a string.
ProvisionKind = Annotated[
    str, Constraint("enum", ("chapter", "section", "rule", "subrule", "glossary"))
]
NumberedKind = Annotated[str, Constraint("enum", ("chapter", "section", "rule", "subrule"))]
StepKind = Annotated[str, Constraint("enum", STEP_KINDS)]
ChangeClass = Annotated[str, Constraint("enum", CHANGE_CLASSES)]
SubruleSort = Annotated[str, Constraint("enum", SUBRULE_SORTS)]
CitationStatus = Annotated[str, Constraint("enum", ("resolved", "dangling"))]
CitationPart = Annotated[str, Constraint("enum", ("text", "heading"))]
Supplied = Annotated[str, Constraint("enum", ("number", "headword"))]
Condition = Literal["sound", "repaired", "lossy"]
