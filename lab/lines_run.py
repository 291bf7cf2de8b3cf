"""Which tests run which lines, as runs of the tests under coverage.py say.

This module is also the plugin of pytest that records it, and that runs chosen tests in a given order.
"""

import ast
import functools
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import uuid
from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("crawler", "kb", "site")
IGNORED = (".venv*", ".git", ".mutate", "dist", ".*_cache", "__pycache__", "node_modules")

# For each line of a module, the contexts that run it: tests, and fixtures that several tests share.
Lines = dict[int, list[str]]


def modules(tree: Path = ROOT) -> dict[str, str]:
    """Return the source of each product module of a tree by its path."""
    paths = [path for part in PARTS for path in sorted((tree / part).glob("variorum*/**/*.py"))]
    return {path.relative_to(tree).as_posix(): path.read_text("utf-8") for path in paths}


def copy_tree(to: Path) -> Path:
    """Copy the tree, so that nobody else sees a fault or a change while tests run."""
    return shutil.copytree(ROOT, to, ignore=shutil.ignore_patterns(*IGNORED))


def run_tests(
    tree: Path, arguments: Iterable[str], settings: Mapping[str, str], seconds: float | None = None
) -> tuple[int, str]:
    """Run tests of a copy of the tree; return the exit code of pytest and what it printed."""
    folders = os.pathsep.join([str(tree), *(str(tree / part) for part in PARTS)])
    options = ["-p", "lab.lines_run", "-p", "no:cacheprovider", "-m", "not browser"]
    with (
        tempfile.TemporaryFile() as printed
    ):  # a pipe would wait for processes that outlive the tests
        done = subprocess.run(
            [sys.executable, "-P", "-m", "pytest", "-q", *options, *arguments], cwd=tree, timeout=seconds,
            env={**os.environ, "PYTHONPATH": folders, **settings}, check=False,
            stdin=subprocess.DEVNULL, stdout=printed, stderr=subprocess.STDOUT,
        )  # fmt: skip
        printed.seek(0)
        return done.returncode, printed.read().decode(errors="replace")


def units_of(tree: Path) -> dict[str, str]:
    """Return a digest of each part of the tests that can run alone, by its name for pytest.

    These are test files, transcripts, and modules with examples in their docstrings.
    """
    units = {path: source for path, source in modules(tree).items() if ">>> " in source}
    for file in sorted((tree / "tests").rglob("test_*.py")):
        name = file.relative_to(tree).as_posix()
        if file.name != "test_transcripts.py":
            units[name] = file.read_text("utf-8")
            continue
        for transcript in sorted((tree / "tests" / "transcripts").glob("*.txt")):
            units[f"{name}::test_transcript[{transcript.stem}]"] = transcript.read_text("utf-8")
    return {name: hashlib.sha256(text.encode()).hexdigest() for name, text in units.items()}


class Record:
    """Which tests run which lines of the product.

    Only what changed is recorded again: a test that was edited. A line that was edited counts as run
    by those who ran the lines in its place.
    """

    def __init__(self, file: Path, tree: Path, jobs: int) -> None:
        """Read the record, and complete it with a copy of the tree."""
        units, self._sources = units_of(tree), modules(tree)
        old: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.exists() else {}
        known = old.get("units", {})
        same = {unit for unit in units if units[unit] == known.get(unit)}
        new = _recorded(tree, [unit for unit in units if unit not in same], jobs)
        kept = {
            test: seconds
            for test, seconds in old.get("seconds", {}).items()
            if _unit_of(test, units) in same
        }
        self.seconds: dict[str, float] = kept | new["seconds"]
        self._tests: dict[str, list[str]] = new["tests"]
        for context, tests in old.get("tests", {}).items():
            if valid := [test for test in tests if test in kept]:
                self._tests[context] = valid
        self._lines: dict[str, Lines] = defaultdict(dict)
        for recorded in (old, new):
            for path, lines in recorded.get("lines", {}).items():
                if path in self._sources:
                    self._add(
                        path, recorded["sources"][path], {int(line): lines[line] for line in lines}
                    )
        held = {"units": units, "seconds": self.seconds, "tests": self._tests, "lines": self._lines}
        file.write_text(json.dumps({**held, "sources": self._sources}), "utf-8")

    def _add(self, path: str, source: str, lines: Lines) -> None:
        before, after = source.splitlines(), self._sources[path].splitlines()
        for kind, first, last, begin, end in SequenceMatcher(
            None, before, after, autojunk=False
        ).get_opcodes():
            for line in range(begin + 1, end + 1):
                near = range(first, last + 2) if kind != "equal" else [first + line - begin]
                contexts = {
                    c for number in near for c in lines.get(number, []) if not c or c in self._tests
                }
                self._lines[path][line] = sorted({*self._lines[path].get(line, []), *contexts})

    def tests_of(
        self, path: str, line: int, statement: range, names: Sequence[str] | None
    ) -> list[str]:
        """Return the tests that may notice a change of a line, the likeliest and quickest first.

        Args:
            path: The module.
            line: The line; if nobody is known to run it, the lines of its statement count.
            statement: The lines of the statement.
            names: What the statement defines if it runs when the module is imported; else none.
        """
        contexts = self._lines[path].get(line) or self._contexts(path, statement)
        tiers = [self._tests_in(contexts)] if names is None else []
        if names is not None or "" in contexts:
            name = re.compile(rf"\b({'|'.join(names or []) or '(?!)'})\b")
            stem = re.compile(rf"\b{Path(path).stem}\b")
            users = [
                user for user in self._sources if user == path or stem.search(self._sources[user])
            ]
            lines = {user: self._lines_with(name, user) for user in users}
            lines[path] -= {*statement}
            tiers += [set().union(*(self._tests_running(user, lines[user]) for user in users))]
            tiers += [self._tests_in(self._contexts(path, self._later(path)))]
            if not any(tiers):
                tiers += [self._tests_in(self._contexts(user, self._later(user))) for user in users]
        ordered = [
            test for tests in tiers for test in sorted(tests, key=lambda test: self.seconds[test])
        ]
        return list(dict.fromkeys(ordered))

    def _tests_in(self, contexts: Iterable[str]) -> set[str]:
        return {test for context in contexts for test in self._tests.get(context, [])}

    def _contexts(self, path: str, lines: Iterable[int]) -> set[str]:
        return {context for line in lines for context in self._lines[path].get(line, [])}

    def _lines_with(self, name: re.Pattern[str], path: str) -> set[int]:
        lines = enumerate(self._sources[path].splitlines(), 1)
        return {number for number, line in lines if "import " not in line and name.search(line)}

    def _tests_running(self, path: str, lines: set[int]) -> set[str]:
        """Return the tests that run some lines; those that run any function, if an import runs one."""
        later = self._later(path)
        return self._tests_in(self._contexts(path, later if lines - later else lines))

    @functools.cache  # noqa: B019 - there is one record
    def _later(self, path: str) -> set[int]:
        """Return the lines that do not run when a module is imported."""
        functions = [
            node
            for node in ast.walk(ast.parse(self._sources[path]))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ]
        return {
            line
            for node in functions
            for line in range(node.body[0].lineno, (node.end_lineno or 0) + 1)
        }


def _unit_of(test: str, units: dict[str, str]) -> str:
    return test if test in units else test.partition("::")[0]


def _recorded(tree: Path, units: Sequence[str], jobs: int) -> dict[str, Any]:
    """Run a part of a suite under coverage.py; return its tests and what they run, as it is kept."""
    from coverage import Coverage  # noqa: PLC0415 - takes a while

    result: dict[str, Any] = {"seconds": {}, "tests": {}, "lines": {}, "sources": modules(tree)}
    if not units:
        return result
    print(f"Recording the lines that {len(units)} test files and transcripts run.", flush=True)  # noqa: T201
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "coverage.ini").write_text(
            f"[run]\nparallel = true\ndata_file = {folder}/data\ncontext = ${{LINES_CONTEXT-}}\npatch = _exit\n"
            f"concurrency = multiprocessing, thread\ninclude = {tree}/*/variorum*/*\n"
        )
        settings = {
            "COVERAGE_PROCESS_START": f"{folder}/coverage.ini",
            "LINES_CONTEXT": "",
            "LINES_RECORD": f"{folder}",
            "LINES_RUN": uuid.uuid4().hex[:6],
        }
        spread = ["-n", str(jobs), "--dist", "loadgroup"] if jobs > 1 else []
        code, printed = run_tests(tree, [*spread, *units], settings)
        if code not in {0, 1, 5}:
            sys.exit(printed)
        names: dict[str, str] = {}
        users: dict[str, set[str]] = defaultdict(set)
        for file in folder.glob("*.json"):
            some_names, uses, seconds = json.loads(file.read_text("utf-8"))
            names |= some_names
            result["seconds"] |= seconds
            for user, used in uses.items():
                for name in used:
                    users[name].add(user)
        unfit = [test for test, seconds in result["seconds"].items() if seconds < 0]
        if unfit:
            print(f"{len(unfit)} tests fail or are skipped without a fault, so they are left out.")  # noqa: T201
        for test in unfit:
            del result["seconds"][test]
        for context, name in names.items():
            result["tests"][context] = sorted(_users(name, users) & set(result["seconds"]))
        coverage = Coverage(data_file=f"{folder}/data", config_file=False)
        coverage.combine([str(folder)])
        data = coverage.get_data()
        for path in data.measured_files():
            result["lines"][Path(path).relative_to(tree).as_posix()] = data.contexts_by_lineno(path)
    return result


def _users(name: str, users: dict[str, set[str]]) -> set[str]:
    """Return a context and all that use it."""
    reached, waiting = {name}, [name]
    while waiting:
        new = users.get(waiting.pop(), set()) - reached
        reached |= new
        waiting += new
    return reached


# The plugin ------------------------------------------------------------------------------------------


class Recorder:
    """Tells coverage.py which test, or which fixture that several tests share, runs now.

    Processes that a test starts learn it from the environment.
    """

    def __init__(self) -> None:
        self._names = [""]  # of the contexts; the first is of imports
        self._uses: dict[str, set[str]] = defaultdict(set)
        self._seconds: dict[str, float] = {}
        self._inside = [""]

    def _context(self, number: int) -> str:
        return f"{os.environ['LINES_RUN']}-{os.getpid()}-{number}" if number else ""

    @contextmanager
    def _within(self, name: str) -> Generator[None]:
        """Give what runs now to a context, which the present one uses."""
        self._uses[self._inside[-1]].add(name)
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
        if name:
            self._names.append(name)
        context = self._context(len(self._names) - 1 if name else 0)
        running = Coverage.current()
        assert running is not None
        running.switch_context(context)
        os.environ["LINES_CONTEXT"] = context

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
        begin = sum(os.times()[:4])
        with self._within(item.nodeid):
            fixtures = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
            for *_, fixture in fixtures.values():
                if fixture.scope != "function":
                    self._uses[item.nodeid].add(f"{fixture.baseid} {fixture.argname}")
            result = yield
        self._seconds.setdefault(item.nodeid, sum(os.times()[:4]) - begin)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, Any, object]:
        """Record a fixture that several tests share."""
        if fixturedef.scope == "function":
            return (yield)
        with self._within(f"{fixturedef.baseid} {fixturedef.argname}"):
            value = yield
        if fixturedef.argname != "make_once":
            return value

        def make(name: str, write: object) -> object:
            with self._within(f"make_once {name}"):
                return value(name, write)

        fixturedef.cached_result = (make, *fixturedef.cached_result[1:])
        return make

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Leave out a test that fails or is skipped without a fault."""
        if report.outcome != "passed":
            self._seconds[report.nodeid] = -1

    def pytest_sessionfinish(self) -> None:
        """Write what was noted, beside the data of coverage.py."""
        names = {self._context(number): name for number, name in enumerate(self._names) if name}
        uses = {name: sorted(used) for name, used in self._uses.items()}
        file = Path(os.environ["LINES_RECORD"], f"{os.getpid()}.json")
        file.write_text(json.dumps([names, uses, self._seconds]), "utf-8")


class Chosen:
    """Runs only some tests, in a given order."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out the others."""
        order = json.loads(Path(os.environ["LINES_CHOSEN"]).read_text("utf-8"))
        place = {name: number for number, name in enumerate(order)}
        chosen = [item for item in items if item.nodeid in place]
        items[:] = sorted(chosen, key=lambda item: place[item.nodeid])


def pytest_configure(config: pytest.Config) -> None:
    """Register what the environment asks for."""
    if "LINES_RECORD" in os.environ:
        config.pluginmanager.register(Recorder())
    if "LINES_CHOSEN" in os.environ:
        config.pluginmanager.register(Chosen())
