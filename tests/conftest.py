"""What every test may ask for: golden files, and the folder of the real editions."""

import csv
import difflib
import json
import os
from collections.abc import Callable
from datetime import date
from enum import Enum
from pathlib import Path

import pytest

from variorum_kb.build.build import Builder
from variorum_kb.build.outcomes import Taken

# The golden fixture is itself tested on a made-up project.
pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "tests" / "golden"

UPDATE = "run `pytest --update-golden`, then review the difference"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that rewrites golden files."""
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite the golden files instead of comparing with them (never in CI)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Refuse to rewrite golden files where nobody would review them."""
    if config.getoption("--update-golden") and os.environ.get("CI"):
        raise pytest.UsageError("--update-golden is for people: CI compares, and never rewrites")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, object], None]:
    """Compare a value with its golden file, or rewrite the file if that was asked for.

    A text is kept as it is, under a name with a suffix ("rule.html"); any other value becomes JSON
    that keeps the order of its parts, under a name without one.
    """
    is_update = bool(request.config.getoption("--update-golden"))

    def check(name: str, value: object) -> None:
        path, found = GOLDEN / golden_name(name, value), golden_text(value)
        if is_update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(found.encode())
            return
        if not path.exists():
            pytest.fail(f"{path.relative_to(ROOT)} is missing: {UPDATE}", pytrace=False)
        expected = path.read_bytes().decode()
        if found != expected:
            difference = golden_difference(expected, found)
            pytest.fail(f"{path.relative_to(ROOT)} differs: {UPDATE}\n{difference}", pytrace=False)

    return check


def golden_name(name: str, value: object) -> str:
    """Return the file's name for a golden value."""
    return name if isinstance(value, str) else f"{name}.json"


def golden_text(value: object) -> str:
    """Return what a golden file of a value holds; equal values give equal text."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, indent=2, default=_plain) + "\n"


def golden_difference(expected: str, found: str) -> str:
    """Return the lines that differ, with a few around them."""
    lines = difflib.unified_diff(
        expected.splitlines(), found.splitlines(), "golden", "found", lineterm=""
    )
    return "\n".join(lines) or "only the line ends differ"


def _plain(value: object) -> object:
    match value:
        case date():
            return value.isoformat()
        case Enum():
            return value.value
        case _:
            raise TypeError(f"a golden file cannot hold a {type(value).__name__}: {value!r}")


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Return the folder of the real editions; without one, the test skips and says so."""
    named = os.environ.get("VARIORUM_CORPUS")
    if not named:
        pytest.skip("VARIORUM_CORPUS names no folder of editions")
    folder = Path(named)
    try:
        (folder / "editions.tsv").read_bytes()
    except OSError as error:
        pytest.fail(f"VARIORUM_CORPUS is set, but unreadable: {error}", pytrace=False)
    return folder


@pytest.fixture(scope="session")
def editions(corpus: Path) -> tuple[Path, ...]:
    """Return the documents of the official editions in the order of `editions.tsv`."""
    with (corpus / "editions.tsv").open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t"))
    return tuple(corpus / "official" / row["file"] for row in rows)


@pytest.fixture(scope="session")
def corpus_base(editions: tuple[Path, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a knowledge base of all editions; nobody may change it."""
    folder = tmp_path_factory.mktemp("corpus-base")
    events = list(Builder(folder, now="2026-01-02T03:04:05+00:00").build(editions))
    assert all(isinstance(event, Taken) for event in events)
    return folder


@pytest.fixture(scope="session")
def sample_base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a knowledge base of the sample rulebook; nobody may change it."""
    folder = tmp_path_factory.mktemp("sample-base")
    events = list(Builder(folder, now="2026-01-02T03:04:05+00:00", jobs=1).build_sample())
    assert all(isinstance(event, Taken) for event in events)
    return folder
