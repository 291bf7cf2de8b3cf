"""Search input that is not only a query."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result


@pytest.fixture(scope="module")
def folder(indexed: Path) -> Path:
    """Return the folder of the base."""
    return indexed


def test_signs_that_move_a_terminal(cr: Callable[..., Result]) -> None:
    """Messages quote a query in short, with its control characters escaped."""
    result = cr("search", f"xyl\x1b[31m{'o' * 500}")

    assert result.exit_code == 1
    assert "\x1b" not in result.stderr
    assert result.stderr.startswith(r"cr: xyl\u001b[31mooo")
    assert "o… nothing found" not in result.stderr
    assert all(len(line) < 300 for line in result.stderr.splitlines())


def test_error_range(cr: Callable[..., Result]) -> None:
    """A range is not a query; the message names the command that shows it."""
    result = cr("search", "508.1d-f")

    assert result.exit_code == 2
    assert "508.1d-f: a range; cr 508.1d-f shows its rules" in result.stderr


def test_error_range_backwards(cr: Callable[..., Result]) -> None:
    """The suggested range begins with the earlier end."""
    result = cr("search", "508.1f-d")

    assert result.exit_code == 2
    assert "508.1f-d: a range; cr 508.1d-508.1f shows its rules" in result.stderr


def test_values_are_no_options(cr: Callable[..., Result]) -> None:
    """A value with a minus is a word of the query; an option's value is unchanged."""
    value, option = cr("search", "-1/-1"), cr("search", "boat", "--limit", "-1")

    assert value.exit_code in {0, 1}
    assert "No such option" not in value.stderr
    assert option.exit_code == 2
    assert "-1 is not in the range" in option.stderr
