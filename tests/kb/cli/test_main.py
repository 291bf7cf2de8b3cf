"""The table of commands."""

import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from variorum_kb.cli.command_table import COMMANDS
from variorum_kb.cli.main import main


@pytest.mark.parametrize("name", COMMANDS)
def test_commands(name: str) -> None:
    """Every command of the table loads and answers --help; its help opens as the table says."""
    result = CliRunner().invoke(main, [name, "--help"])

    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: main {name}")


def yes(_: object) -> bool:
    """Return True, as for a terminal."""
    return True


@pytest.mark.slow
def test_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    """NO_COLOR turns colours off even if an option forces them."""
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", yes)
    monkeypatch.delenv("NO_COLOR", raising=False)
    coloured = CliRunner().invoke(main, ["demo"]).output
    monkeypatch.setenv("NO_COLOR", "1")
    plain = CliRunner().invoke(main, ["demo"]).output

    assert coloured != plain
    assert click.unstyle(coloured) == plain


def test_error_unknown_option(sample_base: Path) -> None:
    """An unknown option is wrong usage."""
    result = CliRunner().invoke(main, ["705.1", "--nonsense", "--kb", str(sample_base)])

    assert result.exit_code == 2
    assert "No such option" in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell that can close streams")
@pytest.mark.parametrize("command", [["704.5k"], ["editions"]])
def test_nobody_listens(sample_base: Path, command: list[str]) -> None:
    """A command whose output is closed ends without an error."""
    program = "from variorum_kb.cli.start import process; process()"
    line = f'exec "$0" -c "{program}" "$@" >&-'

    done = subprocess.run(
        ["/bin/sh", "-c", line, sys.executable, *command, "--kb", str(sample_base)],
        capture_output=True,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
