"""The wheel, installed alone, is complete and works."""

import importlib.metadata
import importlib.util
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
SCRIPTS = Path(sys.executable).parent

# `make test` sets this, since an editable installation has no files of its own to check.
needs_wheel = pytest.mark.skipif(
    os.environ.get("VARIORUM_WHEEL_TEST") != "1", reason="the wheel is not what is installed"
)


def cr(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command as a user."""
    return subprocess.run(
        [str(SCRIPTS / "cr"), *arguments], check=False, capture_output=True, encoding="utf-8"
    )


def test_version() -> None:
    """`cr --version` prints the installed version, and nothing to stderr."""
    answer = cr("--version")

    assert (answer.returncode, answer.stderr) == (0, "")
    assert importlib.metadata.version("variorum") in answer.stdout


def test_help() -> None:
    """`cr --help` prints its usage, and nothing to stderr."""
    answer = cr("--help")

    assert (answer.returncode, answer.stderr) == (0, "")
    assert re.match(r"usage: cr\b", answer.stdout, re.IGNORECASE)


def test_error_no_such_option() -> None:
    """An unknown option is wrong usage: exit code 2, and no output on stdout."""
    answer = cr("--no-such-option")

    assert (answer.returncode, answer.stdout) == (2, "")
    assert "no-such-option" in answer.stderr


@needs_wheel
@pytest.mark.parametrize("package", PACKAGES)
def test_installed_package_is_tested(package: str) -> None:
    """The tests import the installed package, not the checkout."""
    spec = importlib.util.find_spec(package)

    assert spec is not None
    assert spec.origin is not None
    assert "site-packages" in Path(spec.origin).parts
    assert not any(Path(entry).resolve().is_relative_to(ROOT / "kb") for entry in sys.path)


@needs_wheel
def test_wheel_holds_every_file_and_no_other() -> None:
    """The wheel has each file of the packages, with data and types, and no test."""
    expected = {
        path.relative_to(ROOT / folder).as_posix()
        for package, folder in PACKAGES.items()
        for path in (ROOT / folder / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }

    assert installed_files() == expected


@needs_wheel
@pytest.mark.parametrize("package", PACKAGES)
def test_wheel_is_typed(package: str) -> None:
    """The library is typed for its users."""
    assert f"{package}/py.typed" in installed_files()


def installed_files() -> set[str]:
    """Return the files of the wheel, without bytecode and metadata."""
    files = importlib.metadata.files("variorum") or []
    return {
        file.as_posix()
        for file in files
        if file.parts[0] != ".." and file.suffix != ".pyc" and ".dist-info" not in file.parts[0]
    }


@needs_wheel
def test_man_pages_are_installed() -> None:
    """`man` finds the pages of `cr` where the wheel is installed."""
    folder = Path(sys.prefix) / "share" / "man" / "man1"

    assert {"cr.1", "cr-show.1", "cr-kb-documents-export.1"} <= {
        path.name for path in folder.iterdir()
    }


@needs_wheel
def test_bytecode_is_compiled() -> None:
    """All modules are compiled, so that the first start is quick."""
    files = importlib.metadata.files("variorum") or []

    compiled = {file.name.partition(".")[0] for file in files if file.suffix == ".pyc"}

    assert compiled == {file.stem for file in files if file.suffix == ".py"}


@needs_wheel
def test_licence_and_notice_are_installed() -> None:
    """The wheel has the licence and the notice."""
    files = importlib.metadata.files("variorum") or []

    assert {"LICENSE", "NOTICE"} <= {file.name for file in files}


@needs_wheel
def test_doctests_of_the_wheel_are_collected(request: pytest.FixtureRequest) -> None:
    """The doctests that run are those of the installed package."""
    config = request.config
    if "variorum" not in config.args or config.option.keyword or config.option.markexpr:
        pytest.skip("doctests are collected only with all tests")
    items = [item for item in request.session.items if isinstance(item, pytest.DoctestItem)]
    files = [item.path.as_posix() for item in items if "lab" not in item.path.parts]

    assert any("/site-packages/variorum/" in file for file in files)
    assert all("/site-packages/variorum" in file for file in files)


@needs_wheel
def test_only_pinned_versions_are_installed() -> None:
    """Every other distribution has the version in constraints.txt."""
    text = (ROOT / "constraints.txt").read_text("utf-8")
    pinned = dict(re.findall(r"^([a-z0-9-]+)==([^ ]+)", text, re.MULTILINE))
    by_name = {
        re.sub(r"[-_.]+", "-", distribution.name).lower(): distribution.version
        for distribution in importlib.metadata.distributions()
    }
    del by_name["variorum"]

    assert by_name == {name: pinned.get(name, "not pinned") for name in by_name}


def test_every_pin_has_hashes() -> None:
    """Each pinned version has hashes, so later installations get the same bytes."""
    text = (ROOT / "constraints.txt").read_text("utf-8")
    entries = re.split(r"\n(?=\S)", text.strip())

    loose = [
        entry for entry in entries if not re.match(r"[a-z0-9-]+==.*\\\n +--hash=sha256:", entry)
    ]

    assert entries
    assert loose == []
