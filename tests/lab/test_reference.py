"""The reference of the command: docs/cli.md and the man pages."""

import shutil
import subprocess
from pathlib import Path

import pytest

from lab.reference.generate import MANUAL, ROOT, files, write
from variorum_kb.cli.command_table import COMMANDS


@pytest.mark.slow
def test_reference_is_up_to_date(tmp_path: Path) -> None:
    """docs/cli.md and the man pages are the output of `make reference`."""
    stale = tmp_path / MANUAL / "cr-no-more.1"
    stale.parent.mkdir(parents=True)
    stale.touch()
    (tmp_path / "docs").mkdir()

    write(tmp_path)

    made = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.*") if path.is_file())
    assert made == sorted(files())
    assert sorted((ROOT / MANUAL).iterdir()) == sorted(
        ROOT / path for path in made if path.suffix == ".1"
    )
    wrong = [
        str(name) for name in made if (ROOT / name).read_bytes() != (tmp_path / name).read_bytes()
    ]
    assert wrong == [], "run `make reference`"


def test_every_command_has_its_page() -> None:
    """Each command has a section in docs/cli.md and a man page."""
    written = files()

    for name in COMMANDS:
        assert f"\n### cr {name}\n" in written[Path("docs/cli.md")]
        assert f".SH NAME\ncr\\-{name} \\- " in written[MANUAL / f"cr-{name}.1"]
        assert f"cr\\-{name}(1)" in written[MANUAL / "cr.1"]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_man_pages_are_well_formed() -> None:
    """groff prints every man page without a warning."""
    for path in sorted((ROOT / MANUAL).iterdir()):
        done = subprocess.run(
            ["groff", "-man", "-Kutf8", "-Tutf8", "-ww", "-z", str(path)],  # noqa: S607 - whichever is installed
            capture_output=True,
            check=True,
            encoding="utf-8",
        )
        assert done.stderr == "", path.name
