"""The wheel, installed in a folder of its own, is complete and works; what is installed is pinned."""

import importlib.metadata
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = {
    "variorum": "kb",
    "variorum_crawler": "crawler",
    "variorum_site": "site",
}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel, install it in a folder of its own, and return the folder."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / "dist")]
    subprocess.run(build, check=True, cwd=ROOT, capture_output=True)
    (wheel,) = (folder / "dist").iterdir()
    install = [str(Path(sys.executable).with_name("uv")), "pip", "install", "--quiet", "--offline"]
    options = ["--python", sys.executable, "--no-deps", "--target", str(folder / "installed")]
    subprocess.run([*install, *options, str(wheel)], check=True, capture_output=True)
    return folder / "installed"


def cr(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the command of an installed wheel as a user."""
    environment = {**os.environ, "PYTHONPATH": str(folder), **variables}
    command = [sys.executable, "-P", str(folder / "bin" / "cr"), *arguments]
    return subprocess.run(
        command, check=False, capture_output=True, encoding="utf-8", env=environment, cwd=folder
    )


def test_installed_command(installed: Path) -> None:
    """`cr` of the wheel says its version and help, refuses wrong usage and shows the tour."""
    version, usage, wrong = cr(installed, "--version"), cr(installed, "--help"), cr(installed, "-x")

    assert (version.returncode, version.stderr) == (0, "")
    assert importlib.metadata.version("variorum") in version.stdout
    assert (usage.returncode, usage.stderr) == (0, "")
    assert re.match(r"usage: cr\b", usage.stdout, re.IGNORECASE)
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "-x" in wrong.stderr
    demo = cr(installed, "demo")
    assert demo.returncode == 0
    assert "705" in demo.stdout


def test_installed_command_knows_real_numbers(installed: Path, tmp_path: Path) -> None:
    """One command after the installation shows where an old number went."""
    nowhere = {"VARIORUM_KB": str(tmp_path), "VARIORUM_CACHE": str(tmp_path)}
    answer = cr(installed, "where", "600.4a", **nowhere)

    assert (answer.returncode, "800.4a" in answer.stdout) == (0, True)


def test_wheel_holds_every_file_and_no_other(installed: Path) -> None:
    """The wheel has each file of the packages, with data and types, and no test."""
    for package, folder in PACKAGES.items():
        expected, found = (
            {
                path.relative_to(root / package).as_posix()
                for path in (root / package).rglob("*")
                if path.is_file() and "__pycache__" not in path.parts
            }
            for root in (ROOT / folder, installed)
        )
        assert found == expected
        assert "py.typed" in found


def test_wheel_holds_man_pages_licence_and_notice(installed: Path) -> None:
    """`man` finds the pages of `cr` where the wheel is installed."""
    pages = {path.name for path in (installed / "share" / "man" / "man1").iterdir()}
    (information,) = installed.glob("variorum-*.dist-info")

    assert {"cr.1", "cr-show.1", "cr-kb-documents.1"} <= pages
    assert {"LICENSE", "NOTICE"} <= {path.name for path in information.rglob("*")}


def test_only_pinned_versions_with_hashes_are_installed() -> None:
    """Each distribution but the environment's own has the version, and bytes, of constraints.txt."""
    text = (ROOT / "constraints.txt").read_text("utf-8")
    pins = re.findall(r"^([a-z0-9-]+)==([^ ]+).*\\\n +--hash=sha256:", text, re.MULTILINE)
    by_name = {
        re.sub(r"[-_.]+", "-", distribution.name).lower(): distribution.version
        for distribution in importlib.metadata.distributions()
    }
    for own in ("variorum", "pip", "setuptools"):
        by_name.pop(own, None)

    assert by_name == {name: dict(pins).get(name, "not pinned") for name in by_name}
    assert len(pins) == len(re.findall(r"^\w", text, re.MULTILINE))
