"""The user's command after a sync."""

import sys
from pathlib import Path

import pytest

from variorum_crawler.sync.hook import HookError, run_hook

SCRIPT = (
    "import os, sys; print(os.environ['VARIORUM_NEW'], os.environ['VARIORUM_KB'], sys.stdin.read())"
)


@pytest.mark.skipif(sys.platform == "win32", reason="words are quoted otherwise there")
def test_output(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The hook's output goes to stderr; it gets the new editions and the folder, and no input."""
    run_hook(f'"{sys.executable}" -c "{SCRIPT}"', tmp_path, ["2010-01-22", "2022-02-11"])

    assert capfd.readouterr() == ("", f"2010-01-22 2022-02-11 {tmp_path} \n")


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("no-such-program", "hook no-such-program: No such file or directory"),
        ("false", "hook false: exit code 1"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="programs are called otherwise there")
def test_error_hook(tmp_path: Path, command: str, reason: str) -> None:
    """If the command cannot be started, or fails, the error names it and the reason."""
    with pytest.raises(HookError) as caught:
        run_hook(command, tmp_path, [])

    assert str(caught.value) == reason
