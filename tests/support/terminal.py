"""Run `cr` on a terminal."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

COMMAND = (str(Path(sys.executable).parent / "cr"),)

needs_terminal = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")


def run_on_terminal(
    command: Sequence[str], settings: Mapping[str, str], *, columns: int = 80, rows: int = 24
) -> str:
    """Run a command on a terminal of a given size; return its output, with LF as line ends.

    Args:
        command: The program and its arguments.
        settings: Added to the environment, without its variables about colour, width and paging.
    """
    import termios  # noqa: PLC0415 - not on Windows

    ours = {"NO_COLOR", "COLUMNS", "PAGER", "CR_PAGER", "TERM", "LESS"}
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    master, slave = os.openpty()
    termios.tcsetwinsize(slave, (rows, columns))
    with subprocess.Popen(
        command,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**environment, "TERM": "xterm", **settings},
    ) as process:
        os.close(slave)
        written = b"".join(iter(lambda: _read(master), b""))
        process.wait()
    os.close(master)
    return written.decode().replace("\r\n", "\n")


def _read(master: int) -> bytes:
    try:
        return os.read(master, 65536)
    except OSError:  # Linux raises this when the other end is closed
        return b""
