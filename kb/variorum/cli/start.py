"""The start of `cr` as a process of its own."""

import gc
import os
import sys


def process() -> None:
    """Run the command, and end without unloading what it imported."""
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
    except KeyboardInterrupt:
        from variorum.cli.failures import fail
        from variorum.errors import INTERRUPTED
        from variorum.records.failure import Failure

        failure = Failure("interrupted", "interrupted", INTERRUPTED)
        code = fail(failure, sys.argv[1:], line="cr: interrupted")
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        from variorum.errors import INPUT_OUTPUT

        sys.exit(code or INPUT_OUTPUT)  # the answer could not be written
    os._exit(code)


def main() -> None:
    """Run the command that the arguments name."""
    # Imports and short answers leave no garbage worth collecting; a long build still collects.
    gc.set_threshold(500_000)
    from variorum.cli.main import run

    run(sys.argv[1:])
