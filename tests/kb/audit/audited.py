"""Folders of citations for tests of `cr audit`."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from variorum_kb.cli.main import main
from variorum_kb.forms.audit import AuditFindingJson

GIT = shutil.which("git") or ""
Cr = Callable[..., Result]
FINDING: AuditFindingJson = {
    "file": "in/a.txt",
    "line": 3,
    "column": 5,
    "end_line": 3,
    "end_column": 13,
    "cited": "CR 300.1",
    "number": "300.1",
    "last": None,
    "as_of": "1999-05-14",
    "status": "another provision",
    "heirs": [["500.1"]],
    "confidence": 1.0,
    "since": None,
    "was": "General",
    "now_means": "Boats",
    "why": "",
    "meanings": [],
    "sure": True,
    "pinned": False,
    "rewrite": "CR 500.1",
}


def audit(*arguments: str, stdin: str | bytes = "") -> Result:
    """Run `cr audit`."""
    return CliRunner().invoke(main, ["audit", *arguments], input=stdin)


def audit_in(folder: Path, base: Path, monkeypatch: pytest.MonkeyPatch) -> Cr:
    """Return the command in a folder, on a base, without the user's own git settings."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("VARIORUM_KB", str(base))
    monkeypatch.chdir(folder)
    return audit


def write(files: dict[str, str | bytes]) -> None:
    """Write files below the current folder."""
    for name, data in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(data.encode() if isinstance(data, str) else data)


def git(*arguments: str) -> bytes:
    """Run git in the current folder."""
    who = {
        f"GIT_{role}_{item}": value
        for role in ("AUTHOR", "COMMITTER")
        for item, value in (("NAME", "Nobody"), ("EMAIL", "n@example.org"))
    }
    return subprocess.run(
        [GIT, *arguments], check=True, capture_output=True, env=os.environ | who
    ).stdout


def files() -> dict[str, bytes]:
    """Return the files of the current folder."""
    return {str(path): path.read_bytes() for path in Path().rglob("*") if path.is_file()}
