"""Run `cr` in this process, as the shell would: arguments and standard input to output and exit code."""

import io
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import pytest
from click._termui_impl import ProgressBar

from variorum.cli.start import run as run_command


class _Stream(io.TextIOWrapper):
    """A stream in memory that may pass for a terminal."""

    def __init__(self, buffer: BinaryIO, *, is_terminal: bool = False) -> None:
        # A terminal's lines are as long as COLUMNS says, since there is no device to ask.
        super().__init__(buffer, encoding="utf-8", newline="", write_through=True)
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal

    @property
    def written(self) -> bytes:
        """Return all bytes that were written."""
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue()


@dataclass(frozen=True)
class Result:
    """What a command wrote, and its exit code."""

    out: str
    err: str
    code: int


def run(
    arguments: Sequence[str],
    *,
    folder: Path | None = None,
    settings: Mapping[str, str] | None = None,
    given: bytes | BinaryIO = b"",
) -> Result:
    """Run `cr` in a folder with some environment variables and standard input; COLUMNS makes it a coloured terminal."""
    settings = settings or {}
    is_terminal = "COLUMNS" in settings
    out, err = (_Stream(io.BytesIO(), is_terminal=is_terminal) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        for name in ("NO_COLOR", "COLUMNS", "PAGER", "CR_PAGER"):
            patch.delenv(name, raising=False)
        for name, value in {"CR_PAGER": "", **settings}.items():
            patch.setenv(name, value)
        if folder:
            patch.chdir(folder)
        # A bar shows how much time is left once a second has passed, which depends on the machine.
        never = property(lambda _: False, lambda _, __: None)
        patch.setattr(ProgressBar, "eta_known", never, raising=False)
        patch.setattr(
            sys, "stdin", _Stream(io.BytesIO(given) if isinstance(given, bytes) else given)
        )
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        code = run_command(arguments)
    return Result(out.written.decode(), err.written.decode(), code)


def environment() -> dict[str, str]:
    """Return the environment of a command in a process of its own: `cr` on the path, fixed dates."""
    scripts = str(Path(sys.executable).parent)
    who = {"NAME": "Ada", "EMAIL": "ada@example.org", "DATE": "2008-07-01T12:00:00+0000"}
    git = {f"GIT_{role}_{key}": who[key] for role in ("AUTHOR", "COMMITTER") for key in who}
    return {
        **os.environ,
        **git,
        "PATH": os.pathsep.join([scripts, os.environ["PATH"]]),
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_GLOBAL": os.devnull,
    }
