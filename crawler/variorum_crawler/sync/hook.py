"""Run the user's command when there is a new edition."""

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from variorum_kb.errors import VariorumError


class HookError(VariorumError):
    """The user's command could not be run, or failed."""


def split_command(command: str) -> tuple[str, ...]:
    """Return the words of a command, quoted as in a shell; no shell runs them.

    Raises:
        HookError: A quotation does not end, or there are no words.
    """
    try:
        words = tuple(shlex.split(command, posix=sys.platform != "win32"))
    except ValueError as error:
        raise HookError(f"{command}: not a command: {error}") from None
    if not words:
        raise HookError("the hook is empty")
    return words


def run_hook(command: str, folder: Path, labels: Sequence[str]) -> None:
    """Run the user's command; what it prints goes to stderr.

    It finds the new editions, newest last, in VARIORUM_NEW, and the base's folder in VARIORUM_KB.

    Raises:
        HookError: It cannot be run, or fails.
    """
    environment = {
        **os.environ,
        "VARIORUM_NEW": " ".join(labels),
        "VARIORUM_KB": str(folder.absolute()),
    }
    try:
        done = subprocess.run(  # noqa: S603 - the command is the user's own, and no shell reads it
            split_command(command),
            check=False,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=2,
        )
    except OSError as error:
        raise HookError(f"hook {command}: {error.strerror or error}") from None
    if done.returncode:
        raise HookError(f"hook {command}: exit code {done.returncode}")
