"""`cr demo`."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from variorum_kb.cli.main import main

pytestmark = pytest.mark.slow


def test_demo(golden: Callable[[str, object], None]) -> None:
    """The tour needs only the package, and always prints the same."""
    result = CliRunner().invoke(main, ["demo"])

    assert result.exit_code == 0
    golden("demo.txt", result.output)


def test_site(tmp_path: Path) -> None:
    """The tour can also build the website of the sample rulebook."""
    out = tmp_path / "site"

    result = CliRunner().invoke(main, ["demo", "--site", str(out)])

    assert result.exit_code == 0
    assert result.output.splitlines()[-1] == f"open {out / 'index.html'}, or: cr serve {out}"
    assert (out / "rule" / "705.2" / "index.html").is_file()
