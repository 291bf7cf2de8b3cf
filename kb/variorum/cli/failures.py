"""How a command prints its failure: a line and, with `--json`, one object of a fixed form."""

import itertools
import sys

from variorum.errors import INPUT_OUTPUT, NotFoundError, VariorumError
from variorum.records.answer import json_text
from variorum.records.failure import Failure, FailureReport
from variorum.terminal import shows_tracebacks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


_JSON, _LINES = "json", "jsonl"


class NoAnswerError(NotFoundError):
    """No answer was found, but JSON output has details.

    Attributes:
        answer: The details, in the form of the command's JSON.
    """

    def __init__(
        self,
        message: str,
        answer: object,
        *,
        heirs: "Sequence[str]" = (),
        near: "Sequence[str]" = (),
        kind: str = NotFoundError.kind,
    ) -> None:
        super().__init__(message, heirs=heirs, near=near)
        self.answer, self.kind = answer, kind


def form_wanted(arguments: "Sequence[str]") -> str:
    """Return the output format that arguments ask for: "json", "jsonl" or "".

    >>> form_wanted(["lint", "--json", "--nonsense"])
    'json'
    >>> form_wanted(["search", "--", "--json"])
    ''
    """
    options = list(arguments[: arguments.index("--")] if "--" in arguments else arguments)
    if "--jsonl" in options:
        return _LINES
    pairs = itertools.pairwise(options)
    if "--json" in options or "--format=json" in options or ("--format", "json") in pairs:
        return _JSON
    return ""


def error_json(error: VariorumError) -> Failure:
    """Return the JSON of an error of the program."""
    if not isinstance(error, NotFoundError):
        return Failure(error.kind, str(error), error.exit_code)
    return Failure(
        error.kind,
        str(error),
        error.exit_code,
        last_edition=error.last_edition or None,
        last_words=error.last_words or None,
        heirs=list(error.heirs),
        near=list(error.near),
        answer=error.answer if isinstance(error, NoAnswerError) else None,
    )


def explained(error: VariorumError) -> str:
    """Return the line of an error; with `--debug`, also its traceback."""
    if not shows_tracebacks():
        return str(error)
    import traceback

    return f"{error}\n{''.join(traceback.format_exception(error)).rstrip()}"


def system_message(error: OSError) -> str:
    """Return the message of an operating system's error; one without a file concerns output."""
    file: object = error.filename
    return f"{'cannot write' if file is None else file}: {error.strerror}"


def fail(failure: Failure, arguments: "Sequence[str]", *, line: str = "") -> int:
    """Print a failure and return its exit code.

    Args:
        failure: What to print on stdout if JSON was asked for.
        arguments: The arguments of the command, which show whether JSON was asked for.
        line: For stderr.
    """
    if line:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    if form := form_wanted(arguments):
        text = json_text(FailureReport(failure), None if form == _LINES else 1)
        try:
            sys.stdout.write(f"{text}\n")
            sys.stdout.flush()
        except OSError:
            return INPUT_OUTPUT  # there is nowhere left to print to
    return failure.exit_code
