"""Runs git, and turns its failures into errors."""

from typing import TYPE_CHECKING

from variorum.errors import NotReadableError
from variorum.git import Git, Repository

if TYPE_CHECKING:
    from subprocess import CompletedProcess


def output_of(git: Git, repository: Repository, *arguments: str) -> bytes:
    """Return what git prints.

    Raises:
        NotReadableError: Git fails.
    """
    done = git.run(repository, *arguments)
    if done.returncode:
        raise failure_of(arguments[0], done)
    return done.stdout


def failure_of(command: str, done: "CompletedProcess[bytes]") -> NotReadableError:
    """Return the error for a failed command, with the first line of git's message."""
    message = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
    return NotReadableError(f"git {command}: {message}")
