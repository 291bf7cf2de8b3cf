"""How a command prints its failure: a line and, with `--json`, one object of a fixed form."""

import itertools
import sys
import traceback
from collections.abc import Sequence

import click

from variorum.errors import INPUT_OUTPUT, INTERRUPTED, WRONG_USAGE, NotFoundError, VariorumError
from variorum.records.answer import json_text
from variorum.records.upkeep import Failure, FailureReport
from variorum.terminal import shows_tracebacks

_JSON, _LINES = "json", "jsonl"


def form_wanted(arguments: Sequence[str]) -> str:
    """Return the output format that arguments ask for: "json", "jsonl" or "".

    >>> form_wanted(["lint", "--json", "--nonsense"]), form_wanted(["search", "--", "--json"])
    ('json', '')
    """
    options = list(arguments[: arguments.index("--")] if "--" in arguments else arguments)
    if "--jsonl" in options:
        return _LINES
    pairs = itertools.pairwise(options)
    is_json = "--json" in options or "--format=json" in options or ("--format", "json") in pairs
    return _JSON if is_json else ""


def explained(error: VariorumError) -> str:
    """Return the line of an error; with `--debug`, also its traceback."""
    if not shows_tracebacks():
        return "\n  ".join([str(error), *error.also])
    return f"{error}\n{''.join(traceback.format_exception(error)).rstrip()}"


def failure_of(error: BaseException) -> tuple[Failure, str]:
    """Return how a command failed, and its line on stderr; raise a bug again."""
    if isinstance(error, NotFoundError):
        failure = Failure(
            error.kind,
            str(error),
            error.exit_code,
            last_edition=error.last_edition or None,
            last_words=error.last_words or None,
            heirs=list(error.heirs),
            near=list(error.near),
            answer=getattr(error, "answer", None),
        )
        return failure, explained(error)
    if isinstance(error, VariorumError):
        return Failure(error.kind, str(error), error.exit_code), explained(error)
    if isinstance(error, UnicodeEncodeError):  # only names of files may have such bytes
        error = click.UsageError("an argument has bytes that are no text")
    if isinstance(error, click.ClickException):
        error.show()
        kind = "wrong usage" if error.exit_code == WRONG_USAGE else "failed"
        return Failure(kind, error.format_message(), error.exit_code), ""
    if isinstance(error, click.Abort | KeyboardInterrupt):
        return Failure("interrupted", "interrupted", INTERRUPTED), "interrupted"
    if isinstance(error, OSError) and error.strerror:
        # An error without a file concerns output.
        file = "cannot write" if error.filename is None else error.filename
        message = f"{file}: {error.strerror}"
        return Failure("input or output", message, INPUT_OUTPUT), message
    raise error


def fail(error: BaseException, arguments: Sequence[str]) -> int:
    """Print a failure, on stdout if JSON was asked for, and return its exit code."""
    failure, line = failure_of(error)
    if line:
        sys.stderr.write(f"cr: {line}\n")
        sys.stderr.flush()
    if form := form_wanted(arguments):
        text = json_text(FailureReport(failure), None if form == _LINES else 1)
        try:
            sys.stdout.write(f"{text}\n")
            sys.stdout.flush()
        except OSError:
            return INPUT_OUTPUT  # there is nowhere left to print to
    return failure.exit_code
