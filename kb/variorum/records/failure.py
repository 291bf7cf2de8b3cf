"""The JSON of a command that fails, as docs/json.md describes it."""

from typing import Annotated, Any

from msgspec import field

from variorum.records.answer import Answer
from variorum.records.values import Label, Words, one_of

FailureKind = Annotated[
    str,
    one_of(
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
]
ExitCode = Annotated[int, one_of(1, 2, 3, 130)]


class Failure(Answer, omit_defaults=False):
    """What went wrong.

    `last_edition` is the last that printed the provision asked for, and `last_words` its words
    there. `heirs` continue it; `near` are names that may have been meant. `answer` is null, or the
    command's own form with what it did find.
    """

    kind: FailureKind
    message: Words
    exit_code: ExitCode
    last_edition: Label | None = None
    last_words: Words | None = None
    heirs: list[Words] = field(default_factory=list)
    near: list[Words] = field(default_factory=list)
    answer: Any = None


class FailureReport(Answer):
    """The output of a command that fails."""

    error: Failure
