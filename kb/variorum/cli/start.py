"""The start of `cr` as a process of its own."""

import gc
import os
import sys
from typing import TYPE_CHECKING, cast

from variorum.cli.failures import fail
from variorum.cli.main import CLOSED_PIPE, safely
from variorum.cli.main import main as commands
from variorum.errors import INPUT_OUTPUT

if TYPE_CHECKING:
    from io import TextIOWrapper


def process() -> None:
    """Run the command as a process of its own, and end without unloading what it imported."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # the stream was closed
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
    code = 0
    try:
        main()
    except SystemExit as end:
        if end.code and not isinstance(end.code, int):
            raise
        code = end.code or 0
    except KeyboardInterrupt as stopped:
        code = fail(stopped, sys.argv[1:])
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        code = code or CLOSED_PIPE
    except OSError:
        code = code or INPUT_OUTPUT  # the answer could not be written
    os._exit(code)


def main() -> None:
    """Run the command that the arguments name, and exit with its exit code."""
    # Imports and short answers leave no garbage worth collecting; a long build still collects.
    gc.set_threshold(500_000)
    for stream in (sys.stdout, sys.stderr):
        # Redirected output is UTF-8 on every platform, so that scripts can rely on it.
        # The name of a file may have bytes that are not text; they are printed escaped.
        is_unicode = stream.isatty() and stream.encoding != "ascii"
        encoding = stream.encoding if is_unicode else "utf-8"
        cast("TextIOWrapper", stream).reconfigure(encoding=encoding, errors="backslashreplace")
    # This also covers tracebacks, which Python prints after the command has ended.
    sys.stdout, sys.stderr = map(safely, (sys.stdout, sys.stderr))
    commands(sys.argv[1:], prog_name="cr")
