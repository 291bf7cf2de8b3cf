"""The man pages."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from lab.reference.generate import MANUAL, shipped, write


def test_files_of_former_commands_go(tmp_path: Path) -> None:
    """What is made replaces what was made before."""
    stale = tmp_path / MANUAL / "cr-no-more.1"
    stale.parent.mkdir(parents=True)
    stale.touch()

    write(tmp_path, shipped())

    made = {path.relative_to(tmp_path) for path in tmp_path.rglob("*.*") if path.is_file()}
    assert made == set(shipped())


def test_every_command_has_its_page() -> None:
    """Each command that `cr(1)` lists has a man page with its name, and the other way round."""
    made = shipped()
    listed = re.findall(
        r"^\.B (cr\S+)\(1\)$", made[MANUAL / "cr.1"].replace("\\-", "-"), re.MULTILINE
    )

    assert {f"{name}.1" for name in listed} == {path.name for path in made} - {"cr.1"}
    for name in listed:
        roff = name.replace("-", "\\-")
        assert f".SH NAME\n{roff} \\- " in made[MANUAL / f"{name}.1"]


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
