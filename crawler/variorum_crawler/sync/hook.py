"""Run the user's command when there is a new edition."""

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from variorum.errors import VariorumError


class HookError(VariorumError):
    """The user's command could not be started, or failed."""


def split_command(command: str) -> tuple[str, ...]:
    """Return the words of a command, quoted as in a shell; no shell runs them.

    Raises:
        HookError: A quotation is not closed, or there are no words.
    """
    try:
        words = tuple(shlex.split(command, posix=sys.platform != "win32"))
    except ValueError as error:
        raise HookError(f"{command}: not a command: {error}") from None
    if not words:
        raise HookError("the hook is empty")
    return words


def run_hook(command: str, folder: Path, labels: Sequence[str]) -> None:
    """Run the user's command; its output goes to stderr.

    The command finds the new editions, newest last, in VARIORUM_NEW, and the base's folder in
    VARIORUM_KB.

    Raises:
        HookError: The command cannot be started, or fails.
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
