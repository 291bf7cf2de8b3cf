"""The table of commands."""

import click
import pytest
from click.testing import CliRunner

from variorum_kb.cli.main import COMMANDS, main


@pytest.mark.parametrize("name", COMMANDS)
def test_commands(name: str) -> None:
    """Every command of the table loads and answers --help; its help opens as the table says."""
    result = CliRunner().invoke(main, [name, "--help"])

    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: main {name}")


def test_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    """NO_COLOR turns colours off even where they are forced."""
    coloured = CliRunner().invoke(main, ["demo"], color=True).output
    monkeypatch.setenv("NO_COLOR", "1")
    plain = CliRunner().invoke(main, ["demo"], color=True).output

    assert coloured != plain
    assert click.unstyle(coloured) == plain


def test_error_unknown_command() -> None:
    """An unknown command is wrong usage."""
    result = CliRunner().invoke(main, ["nonsense"])

    assert result.exit_code == 2
    assert "No such command 'nonsense'" in result.stderr
