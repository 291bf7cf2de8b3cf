"""Fixtures for every test: golden files, and the folder of the real editions."""

import csv
import difflib
import gc
import os
import socket
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings

from tests.pages import made_up
from tests.support.command import run

# The golden fixture is itself tested on a temporary project.
pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "tests" / "golden"
SAMPLE = ROOT / "kb" / "variorum" / "sample"

# Tests and their imports stay until the end and leave little garbage; collect seldom.
gc.set_threshold(100_000, 20, 10)

# The time of an example depends on other programs on the machine.
settings.register_profile("variorum", deadline=None)
settings.load_profile("variorum")

UPDATE = "run `pytest --update-golden`, then review the difference"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that rewrites golden files."""
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite the golden files instead of comparing with them (never in CI)",
    )


class OnlyDoctests:
    """Looks for doctests only in modules that have some, since looking means importing."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(
        self, file_path: Path
    ) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
        """Leave out a file's doctests if it has none; keep its tests."""
        collected = yield
        if any(isinstance(collector, DoctestModule) for collector in collected) and (
            b">>>" not in file_path.read_bytes()
        ):
            return [
                collector for collector in collected if not isinstance(collector, DoctestModule)
            ]
        return collected


def pytest_configure(config: pytest.Config) -> None:
    """Also register the filter of doctests for the packages' modules."""
    config.pluginmanager.register(OnlyDoctests())


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Rewrite golden files only in one process, and never in CI."""
    if config.getoption("--update-golden"):
        if os.environ.get("CI"):
            raise pytest.UsageError(
                "--update-golden is for people: CI compares, and never rewrites"
            )
        config.option.numprocesses = 0


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that use the real editions or a browser; run slow files first.

    A process runs a whole file, so slow files begin first. Files of the same kind (with the
    editions, with a browser, others) wait for the same base or page, so the kinds alternate.
    """
    slow = Counter(item.path for item in items if item.get_closest_marker("slow"))
    kinds = dict.fromkeys(slow, "slow")
    for item in items:
        for name in {"browser", "corpus"}.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(name)
            kinds[item.path] = name
    turns: dict[Path, int] = {}
    for kind in set(kinds.values()):
        paths = [path for path in kinds if kinds[path] == kind]
        paths.sort(key=lambda path: (-slow[path], path))
        turns |= {path: place for place, path in enumerate(paths)}
    items.sort(key=lambda item: turns.get(item.path, len(turns)))
    for item in items:
        # A process runs a whole file, so that what its tests share is made once; transcripts share nothing.
        name = item.name if item.path.name == "test_transcripts.py" else str(item.path)
        item.add_marker(pytest.mark.xdist_group(name))


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the tests' caches apart from the user's own cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VARIORUM_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail any test that connects to another machine; its child processes are not watched."""
    connect = socket.socket.connect

    def connect_here(self: socket.socket, address: tuple[str, int]) -> None:
        if self.family in {socket.AF_INET, socket.AF_INET6} and not is_here(address[0]):
            pytest.fail(f"a test asked for {address[0]}: tests use no network")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect_here)


def is_here(host: str) -> bool:
    """Return whether an address is this machine's own."""
    return host in {"localhost", "::1"} or host.startswith("127.")


@pytest.fixture(scope="session", autouse=True)
def _nothing_waits_for_the_disk() -> Iterator[None]:
    # Without fsync, written files survive the death of a process, only not a crash of the machine.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", int)
        yield


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with its golden file, or rewrite the file with `--update-golden`."""
    is_update = bool(request.config.getoption("--update-golden"))

    def check(name: str, text: str) -> None:
        path = GOLDEN / name
        if is_update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
            return
        if not path.exists():
            pytest.fail(f"{path.relative_to(ROOT)} is missing: {UPDATE}", pytrace=False)
        expected = path.read_bytes().decode()
        if text != expected:
            difference = golden_difference(expected, text)
            pytest.fail(f"{path.relative_to(ROOT)} differs: {UPDATE}\n{difference}", pytrace=False)

    return check


def golden_difference(expected: str, text: str) -> str:
    """Return the lines that differ, with a few lines of context."""
    lines = difflib.unified_diff(
        expected.splitlines(), text.splitlines(), "golden", "found", lineterm=""
    )
    return "\n".join(lines) or "only the line ends differ"


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Return the folder of the real editions; if it is not set, skip the test."""
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
    """Return the documents of the official editions, in the order of `editions.tsv`."""
    with (corpus / "editions.tsv").open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t"))
    return tuple(corpus / "official" / row["file"] for row in rows)


MakeOnce = Callable[[str, Callable[[Path], object]], Path]


@pytest.fixture(scope="session")
def make_once(tmp_path_factory: pytest.TempPathFactory) -> MakeOnce:
    """Return a function that makes a folder once for all test processes; tests must not change it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def make(name: str, write: Callable[[Path], object]) -> Path:
        folder, finished = shared / name, shared / f"{name}.finished"
        try:
            folder.mkdir()
        except FileExistsError:
            while not finished.exists():
                time.sleep(0.1)
            return folder
        try:
            write(folder)
        finally:
            finished.touch()
        return folder

    return make


@pytest.fixture(scope="session")
def bases(make_once: MakeOnce) -> Callable[[str], Path | None]:
    """Return a function that gives a base by its kind; tests must not change it.

    "sample" is the sample rulebook's, "witnesses" has also the documents in `tests/documents`,
    "made-up" is a history at the limits of what is shown, "real" has the real editions in the
    folder that VARIORUM_CORPUS names (CI builds it once, and names it by REAL_BASE), and "none" is none.
    """
    documents = {"sample": [SAMPLE], "witnesses": [SAMPLE, ROOT / "tests" / "documents"]}
    if os.environ.get("VARIORUM_CORPUS"):
        documents["real"] = [Path(os.environ["VARIORUM_CORPUS"]) / "official"]

    def base(kind: str) -> Path | None:
        if kind == "none":
            return None
        if kind == "real" and "REAL_BASE" in os.environ:
            return Path(os.environ["REAL_BASE"])

        def write(folder: Path) -> None:
            if kind == "made-up":
                (folder / "in").mkdir()
                for name, data in made_up.documents().items():
                    (folder / "in" / name).write_bytes(data)
            paths = documents.get(kind, [folder / "in"])
            built = run(["build", *map(str, paths), "--kb", str(folder)])
            assert built.code == 0, built.err

        return make_once(f"base-{kind}", write)

    return base


BASE_URL = "https://rules.example/history/"


@pytest.fixture(scope="session")
def sites(make_once: MakeOnce, bases: Callable[[str], Path | None]) -> Callable[[str], Path]:
    """Return a function that gives a built website by its kind; tests must not change it.

    "sample" and "witnesses" are of these bases, "published" has an address, and "made-up" is of
    editions with texts, days and headwords at the limits of what the site shows, on a day before
    the last of them is in force.
    """
    options = {
        "published": ["--base-url", BASE_URL],
        "made-up": ["--base-url", BASE_URL, "--day", str(made_up.TODAY)],
    }

    def site(kind: str) -> Path:
        def write(folder: Path) -> None:
            base = bases("sample" if kind == "published" else kind)
            built = run(["site", str(folder), "--kb", str(base), *options.get(kind, [])])
            assert built.code == 0, built.err

        return make_once(f"site-{kind}", write)

    return site
