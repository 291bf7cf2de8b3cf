"""The JSON of a command that fails, as docs/json.md describes it."""

from typing import Annotated, TypedDict

from variorum_kb.forms.identify import IdentifyJson
from variorum_kb.forms.lineage import WhereJson
from variorum_kb.forms.search import ResolveJson, SearchJson
from variorum_kb.forms.values import Constraint, Label, Words

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

    `last_edition` is the last that printed what was asked for, and `last_words` what it said;
    `heirs` continue it, and `near` is like it. `answer` is what the command found all the same, in
    its own form.
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
    """What a command prints that fails."""

    error: ErrorJson
