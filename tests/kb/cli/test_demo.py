"""`cr demo`."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from variorum_kb.cli.main import main

pytestmark = pytest.mark.slow


def test_demo(golden: Callable[[str, object], None]) -> None:
    """The tour runs without anything but the package and says what it always says."""
    result = CliRunner().invoke(main, ["demo"])

    assert result.exit_code == 0
    golden("demo.txt", result.output)


def test_site(tmp_path: Path) -> None:
    """The website of the sample rulebook can be built along the way."""
    out = tmp_path / "site"

    result = CliRunner().invoke(main, ["demo", "--site", str(out)])

    assert result.exit_code == 0
    assert result.output.splitlines()[-1] == f"open {out / 'index.html'}, or: cr serve {out}"
    assert (out / "rule" / "705.2" / "index.html").is_file()
