"""Which tests run which lines, as a run of the tests under coverage.py says.

This module is also the plugin of pytest that records them, and that runs chosen tests in a given order.
"""

import ast
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.front_door import is_front_door

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("crawler", "kb", "site")


def modules() -> dict[str, str]:
    """Return the source of each product module by its path."""
    paths = [path for part in PARTS for path in sorted((ROOT / part).glob("variorum*/**/*.py"))]
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}


def copy_tree(to: Path) -> Path:
    """Copy the tree, so that nobody else sees a fault."""
    ignored = shutil.ignore_patterns(
        ".venv*", ".git", ".mutate", "dist", ".*_cache", "__pycache__", "node_modules"
    )
    return shutil.copytree(ROOT, to, ignore=ignored)


def run_tests(tree: Path, arguments: Sequence[str], seconds: float | None, **settings: str) -> int:
    """Run tests of a copy of the tree; return the exit code of pytest."""
    folders = os.pathsep.join([str(tree), *(str(tree / part) for part in PARTS)])
    command = [
        sys.executable,
        "-P",
        "-m",
        "pytest",
        "-q",
        "-p",
        "lab.lines_run",
        "-p",
        "no:cacheprovider",
    ]
    done = subprocess.run(
        [*command, "-m", "not browser", *arguments], cwd=tree, timeout=seconds, check=False,
        env={**os.environ, "PYTHONPATH": folders, **settings}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    if "MUTATE_RECORD" in settings:
        Path(settings["MUTATE_RECORD"], "output.txt").write_bytes(done.stdout)
    return done.returncode


def files_of(suite: str) -> list[str]:
    """Return the test files of a suite, and the modules, whose examples belong to each."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    wanted = [file for file in files if suite == "all" or is_front_door(file) == (suite == "new")]
    return [*PARTS, *(file.relative_to(ROOT).as_posix() for file in wanted)]


class Record:
    """Which tests of a suite run which lines."""

    def __init__(self, kept: Path, suite: str, jobs: int) -> None:
        """Read the record, or make it."""
        if not kept.exists():
            with tempfile.TemporaryDirectory() as folder:
                kept.write_text(json.dumps(_record(Path(folder), suite, jobs)), "utf-8")
        self.seconds, tests, lines = json.loads(kept.read_text("utf-8"))
        self._tests: dict[str, list[str]] = tests
        self._lines: dict[str, dict[str, list[str]]] = lines
        self._sources = modules()

    def tests_of(
        self, path: str, line: int, statement: Sequence[int], names: Sequence[str]
    ) -> list[str]:
        """Return the tests that may notice a change of a line, the likeliest and quickest first.

        Args:
            path: The module.
            line: The line; where it is not known who runs it, that of its statement counts.
            statement: All lines of the statement.
            names: What the statement defines, if it runs when the module is imported.
        """
        lines = self._lines.get(path, {})
        contexts = lines.get(str(line)) or self._contexts(path, statement)
        chosen = [self._tests_in(contexts)] if not names else []
        if names or "" in contexts:
            words = re.compile(rf"\b({'|'.join(filter(None, names)) or '(?!)'})\b")
            users = [path, *self._importers(path)]
            every = {
                user: self._tests_in(self._contexts(user, self._later(user))) for user in users
            }
            chosen.append(
                {
                    test
                    for user in users
                    for test in self._mentioning(
                        user, words, every[user], statement if user == path else ()
                    )
                }
            )
            chosen.append(every[path])
            if not any(chosen):
                chosen.append({test for tests in every.values() for test in tests})
        ordered = [
            test for tests in chosen for test in sorted(tests, key=lambda test: self.seconds[test])
        ]
        return list(dict.fromkeys(ordered))

    def _tests_in(self, contexts: Sequence[str] | set[str]) -> set[str]:
        return {test for context in contexts for test in self._tests.get(context, [])}

    def _contexts(self, path: str, lines: Sequence[int] | set[int]) -> set[str]:
        held = self._lines.get(path, {})
        return {context for line in lines for context in held.get(str(line), [])}

    @functools.cache  # noqa: B019 - there is one record
    def _later(self, path: str) -> set[int]:
        """Return the lines of a module that its functions run."""
        functions = ast.FunctionDef | ast.AsyncFunctionDef
        nodes = [
            node for node in ast.walk(ast.parse(self._sources[path])) if isinstance(node, functions)
        ]
        return {
            line
            for node in nodes
            for line in range(node.body[0].lineno, (node.end_lineno or 0) + 1)
        }

    @functools.cache  # noqa: B019 - there is one record
    def _importers(self, path: str) -> list[str]:
        package, _, name = (
            path.partition("/")[2].removesuffix(".py").replace("/", ".").rpartition(".")
        )
        pattern = re.compile(rf"\b{package}\.{name}\b|from {package} import .*\b{name}\b")
        return [
            other
            for other, source in self._sources.items()
            if other != path and pattern.search(source)
        ]

    def _mentioning(
        self, path: str, words: re.Pattern[str], every: set[str], statement: Sequence[int]
    ) -> set[str]:
        """Return the tests that run a line with a name; all of a module's if its import runs the line."""
        source = self._sources[path].splitlines()
        found = {number for number, line in enumerate(source, 1) if words.search(line)} - {
            *statement
        }
        later = self._later(path)
        is_imported = any("import" not in source[line - 1] for line in found - later)
        return every if is_imported else self._tests_in(self._contexts(path, found & later))


def _record(
    folder: Path, suite: str, jobs: int
) -> tuple[dict[str, float], dict[str, list[str]], object]:
    """Run a suite under coverage.py; return its tests with seconds, those in each context, contexts by line."""
    from coverage import Coverage  # noqa: PLC0415 - takes a while

    tree, settings = copy_tree(folder / "tree"), folder / "coverage.ini"
    settings.write_text(
        f"[run]\nparallel = true\ndata_file = {folder}/data\ncontext = ${{MUTATE_CONTEXT-}}\npatch = _exit\n"
        f"concurrency = multiprocessing, thread\ninclude = {tree}/*/variorum*/*\n"
    )
    arguments = [*(["-n", str(jobs), "--dist", "loadgroup"] if jobs > 1 else []), *files_of(suite)]
    started = {
        "MUTATE_RECORD": str(folder),
        "COVERAGE_PROCESS_START": str(settings),
        "MUTATE_CONTEXT": "",
    }
    code = run_tests(tree, arguments, None, **started)
    if code not in {0, 1}:
        sys.exit((folder / "output.txt").read_text("utf-8"))
    names: dict[str, str] = {}
    users: dict[str, set[str]] = defaultdict(set)
    seconds: dict[str, float] = {}
    for file in folder.glob("*.json"):
        some_names, uses, some_seconds = json.loads(file.read_text("utf-8"))
        names |= some_names
        seconds |= some_seconds
        for user, used in uses.items():
            for name in used:
                users[name].add(user)
    if failed := [test for test, time_taken in seconds.items() if time_taken < 0]:
        print(f"{len(failed)} tests fail or are skipped without a fault, and are left out")  # noqa: T201 - for who waits
    seconds = {test: time_taken for test, time_taken in seconds.items() if time_taken >= 0}
    coverage = Coverage(data_file=str(folder / "data"), config_file=False)
    coverage.combine([str(folder)])
    data = coverage.get_data()
    lines = {
        Path(file).relative_to(tree).as_posix(): data.contexts_by_lineno(file)
        for file in data.measured_files()
    }
    return (
        seconds,
        {context: sorted(_users(name, users) & set(seconds)) for context, name in names.items()},
        lines,
    )


def _users(name: str, users: dict[str, set[str]]) -> set[str]:
    """Return a context and all that use it."""
    reached, waiting = {name}, [name]
    while waiting:
        new = users.get(waiting.pop(), set()) - reached
        reached |= new
        waiting += new
    return reached


# The plugin of pytest ----


class Recorder:
    """Notes who runs each line: a test, or a fixture that several tests share, by contexts of coverage.py.

    Processes that a test starts learn its context from the environment.
    """

    def __init__(self) -> None:
        self.names = [""]  # of the contexts; the first is of imports
        self.uses: dict[str, set[str]] = defaultdict(set)
        self.seconds: dict[str, float] = {}
        self._inside = [""]

    @contextmanager
    def within(self, name: str) -> Generator[None]:
        """Give what runs now to a context, which the present one uses."""
        self.uses[self._inside[-1]].add(name)
        self._inside.append(name)
        self._switch()
        try:
            yield
        finally:
            self._inside.pop()
            self._switch()

    def _switch(self) -> None:
        from coverage import Coverage  # noqa: PLC0415 - only a run under it has it

        name = self._inside[-1]
        if name not in self.names[-1:]:
            self.names.append(name)
        context = f"{os.getpid()}-{len(self.names) - 1}" if name else ""
        running = Coverage.current()
        assert running is not None
        running.switch_context(context)
        os.environ["MUTATE_CONTEXT"] = context

    def pytest_collection_finish(self) -> None:
        """Import all modules before any test, so that no test seems to run what an import runs."""
        for path in modules():
            if not path.endswith(("__init__.py", "__main__.py")):
                try:
                    __import__(path.partition("/")[2].removesuffix(".py").replace("/", "."))
                except ImportError:
                    continue

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Record a test; nothing that an earlier one computed is remembered."""
        for module in [
            module for name, module in sys.modules.items() if name.startswith("variorum")
        ]:
            for value in [*vars(module).values()]:
                if isinstance(value, functools._lru_cache_wrapper):  # noqa: SLF001
                    value.cache_clear()
        begin = time.monotonic()
        with self.within(item.nodeid):
            fixtures = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
            for *_, fixture in fixtures.values():
                if fixture.scope != "function":
                    self.uses[item.nodeid].add(f"{fixture.baseid} {fixture.argname}")
            result = yield
        self.seconds.setdefault(item.nodeid, time.monotonic() - begin)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, Any, object]:
        """Record a fixture that several tests share."""
        if fixturedef.scope == "function":
            return (yield)
        with self.within(f"{fixturedef.baseid} {fixturedef.argname}"):
            value = yield
        if fixturedef.argname != "make_once":
            return value

        def make(name: str, write: object) -> object:
            with self.within(f"make_once {name}"):
                return value(name, write)

        fixturedef.cached_result = (make, *fixturedef.cached_result[1:])
        return make

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Leave out a test that fails or is skipped without a fault."""
        if report.outcome != "passed":
            self.seconds[report.nodeid] = -1

    def pytest_sessionfinish(self) -> None:
        """Write what was noted, beside the data of coverage.py."""
        names = {f"{os.getpid()}-{place}": name for place, name in enumerate(self.names) if name}
        uses = {name: sorted(used) for name, used in self.uses.items()}
        file = Path(os.environ["MUTATE_RECORD"], f"{os.getpid()}.json")
        file.write_text(json.dumps([names, uses, self.seconds]), "utf-8")


class Chosen:
    """Runs only some tests, in a given order."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        order = json.loads(Path(os.environ["MUTATE_CHOSEN"]).read_text("utf-8"))
        place = {name: number for number, name in enumerate(order)}
        items[:] = sorted(
            (item for item in items if item.nodeid in place), key=lambda item: place[item.nodeid]
        )


def pytest_configure(config: pytest.Config) -> None:
    """Register what the environment asks for."""
    if "MUTATE_RECORD" in os.environ:
        config.pluginmanager.register(Recorder())
    if "MUTATE_CHOSEN" in os.environ:
        config.pluginmanager.register(Chosen())
