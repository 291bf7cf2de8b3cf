"""The JSON of a command that fails, as docs/json.md describes it."""

from typing import Annotated, TypedDict

from variorum.forms.identify import IdentifyJson
from variorum.forms.lineage import WhereJson
from variorum.forms.search import ResolveJson, SearchJson
from variorum.forms.values import Constraint, Label, Words

FailureKind = Annotated[
    str,
    Constraint(
        "enum",
        (
            "not found",
            "no edition",
            "ambiguous",
            "refused document",
            "failed",
            "wrong usage",
            "input or output",
            "archive",
            "no base",
            "base of another version",
            "busy base",
            "damaged base",
            "interrupted",
        ),
    ),
]
ExitCode = Annotated[int, Constraint("enum", (1, 2, 3, 130))]
AnswerJson = SearchJson | ResolveJson | IdentifyJson | list[WhereJson]


class ErrorJson(TypedDict):
    """What went wrong.

    `last_edition` is the last that printed the provision asked for, and `last_words` its words
    there. `heirs` continue it; `near` are names that may have been meant. `answer` is null, or the
    command's own form with what it did find.
    """

    kind: FailureKind
    message: Words
    exit_code: ExitCode
    last_edition: Label | None
    last_words: Words | None
    heirs: list[Words]
    near: list[Words]
    answer: AnswerJson | None


class FailureJson(TypedDict):
    """The output of a command that fails."""

    error: ErrorJson
