"""The reference of the command: docs/cli.md and the man pages."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from lab.reference.generate import MANUAL, markdown, shipped, write


def test_files_of_former_commands_go(tmp_path: Path) -> None:
    """What is made replaces what was made before."""
    stale = tmp_path / MANUAL / "cr-no-more.1"
    stale.parent.mkdir(parents=True)
    stale.touch()

    write(tmp_path, shipped())

    made = {path.relative_to(tmp_path) for path in tmp_path.rglob("*.*") if path.is_file()}
    assert made == set(shipped())


def test_every_command_has_its_page() -> None:
    """Each command has a section in docs/cli.md and a man page."""
    made, page = shipped(), markdown()

    for name in re.findall(r"^### cr (\S+)$", page, re.MULTILINE):
        assert f".SH NAME\ncr\\-{name} \\- " in made[MANUAL / f"cr-{name}.1"]
        assert f"cr\\-{name}(1)" in made[MANUAL / "cr.1"]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_man_pages_are_well_formed(tmp_path: Path) -> None:
    """groff prints every man page without a warning."""
    write(tmp_path, shipped())
    for path in sorted((tmp_path / MANUAL).iterdir()):
        done = subprocess.run(
            ["groff", "-man", "-Kutf8", "-Tutf8", "-ww", "-z", str(path)],  # noqa: S607 - whichever is installed
            capture_output=True,
            check=True,
            encoding="utf-8",
        )
        assert done.stderr == "", path.name
