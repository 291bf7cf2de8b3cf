"""`cr demo`."""

from collections.abc import Callable

from click.testing import CliRunner

from variorum_kb.cli.main import main


def test_demo(golden: Callable[[str, object], None]) -> None:
    """The tour runs without anything but the package and says what it always says."""
    result = CliRunner().invoke(main, ["demo"])

    assert result.exit_code == 0
    golden("demo.txt", result.output)
