"""The rules of docs/architecture.md: which modules may import which, and limits on modules.

Every rule is a function from parsed modules to violations, and is tested on invented modules. A
room that is in no table is a violation.
"""

import ast
import functools
import importlib.metadata
import re
import sys
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

PACKAGES = {
    "variorum": "kb",
    "variorum_crawler": "crawler",
    "variorum_kb": "kb",
    "variorum_mcp": "kb",
    "variorum_site": "site",
}

# What each package may import of the others.
NEIGHBOURS = {
    "variorum": {"variorum_kb"},  # the public library, which nothing inside uses
    "variorum_crawler": {"variorum_kb"},
    "variorum_kb": set[str](),
    "variorum_mcp": {"variorum", "variorum_kb"},
    "variorum_site": {"variorum_kb"},
}

# What each room of the knowledge base may import from the others, in the order of the data.
_FIRST = "all_size_limits errors exit_codes facts forms model permalinks record "
_LAST = "rows rule_numbers schema_version stored_rows system text thresholds versions"
BASE = set(f"{_FIRST}{_LAST}".split())
READERS = BASE | {"documents", "reading"}
ROOMS = {
    "errors": {"exit_codes"},
    "exit_codes": set[str](),
    "model": {"errors", "rule_numbers"},
    "permalinks": set[str](),
    "record": set[str](),
    "rows": {"record"},
    "stored_rows": {"record"},
    "rule_numbers": set[str](),
    "schema_version": set[str](),
    "all_size_limits": set[str](),
    "text": {"rows"},
    "thresholds": set[str](),
    "versions": {"system"},
    "system": {"errors", "text"},
    "facts": {"errors", "model"},
    "forms": {"rows"},
    "sample": BASE,
    "documents": BASE,
    "reading": BASE,
    "references": BASE | {"reading"},
    "history": BASE | {"reading", "references"},
    "store": BASE | {"reading", "references", "history", "sources"},
    # A look-up never parses a document, so its modules cannot reach the parsers.
    "answers": BASE | {"references", "history", "store"},
    "cards": BASE | {"answers", "references"},
    "search": BASE | {"answers", "cards"},
    "quoting": BASE | {"answers", "history", "reading"},
    "sources": READERS | {"answers", "references", "history"},
    "audit": BASE | {"answers", "references"},
    "build": READERS | {"answers", "history", "references", "sample", "search", "sources", "store"},
    "cli": BASE | {"answers", "audit", "build", "cards", "sample", "search", "watch"},
    "watch": BASE | {"answers", "audit", "build"},
}
# What the website may import of the knowledge base.
SITE_ASKS = {
    "answers",
    "cli",  # the options that all commands share
    "documents",  # for the address where an edition was published
    "errors",
    "forms",
    "model",
    "permalinks",
    "rows",
    "rule_numbers",
    "search",
    "stored_rows",
    "system",
    "text",
    "thresholds",
    "versions",
}

PURE = {"text", "reading", "references", "history"}
# These parts of rooms are pure; the others read the base.
QUOTING = "alignment bulletins claims edition_days match page page_numbers passages printed_texts quotations verdicts"
PURE_PARTS = {
    "variorum_kb.sources.reading",
    *[f"variorum_kb.quoting.{name}" for name in QUOTING.split()],
}
MODULES = "asyncio ftplib glob http io multiprocessing os pathlib random secrets shutil socket "
IMPURE_MODULES = set(f"{MODULES}sqlite3 ssl subprocess tempfile threading time urllib uuid".split())
IMPURE_CALLS = {"__import__", "eval", "exec", "input", "open", "print"}
METHODS = "import_module now open read_bytes read_text today utcnow write_bytes write_text"
IMPURE_METHODS = set(METHODS.split())

VAGUE_NAMES = {"data", "helper", "helpers", "info", "manager", "managers", "util", "utils"}
# This room may be called "data": it has the website's files for programs.
DATA_ROOM = "variorum_site.data"
LONGEST_MODULE = 600


@dataclass(frozen=True, slots=True)
class Module:
    """A module of the checkout.

    Attributes:
        name: Its full name; for a package, the name of the folder.
        path: Relative to the checkout, with forward slashes.
    """

    name: str
    path: str
    source: str

    @property
    def package(self) -> str:
        """Return the outermost package, or "tests"."""
        return self.name.partition(".")[0]

    @property
    def room(self) -> str:
        """Return the path below the outermost package, or "" for the package itself."""
        return [*self.name.split("."), ""][1]

    def walk(self) -> Sequence[ast.AST]:
        """Yield every part of the syntax tree."""
        return _parts_of(self.source, self.path)

    def imports(self) -> Iterator[tuple[str, int]]:
        """Yield the full name and line of each import anywhere in the module.

        `from a.b import c` means `a.b.c`, since c may be a module.
        """
        for node in self.walk():
            match node:
                case ast.Import(names=names):
                    yield from ((alias.name, node.lineno) for alias in names)
                case ast.ImportFrom(module=module, names=names, level=level):
                    start = [*self._base(level), *([module] if module else [])]
                    yield from ((".".join([*start, alias.name]), node.lineno) for alias in names)
                case _:
                    pass

    def _base(self, level: int) -> list[str]:
        """Return the package that the dots of a relative import stand for."""
        if level == 0:
            return []
        parts = self.name.split(".")
        is_package = self.path.endswith("/__init__.py")
        return parts[: len(parts) - level + is_package]


@functools.cache
def _parts_of(source: str, path: str) -> Sequence[ast.AST]:
    return tuple(ast.walk(ast.parse(source, path)))


Check = Callable[[Module], Iterator[str]]


def check_neighbours(module: Module) -> Iterator[str]:
    """Packages import only the packages they may."""
    forbidden = PACKAGES.keys() - {module.package} - NEIGHBOURS.get(module.package, PACKAGES.keys())
    for name, line in module.imports():
        if name.partition(".")[0] in forbidden:
            yield f"{module.path}:{line}: {module.package} imports {name}"


def check_rooms(module: Module) -> Iterator[str]:
    """Rooms of the knowledge base import no later room."""
    if module.package != "variorum_kb" or not module.room:
        return
    if module.room not in ROOMS:
        yield f"{module.path}:1: the room {module.room} stands in no table of this test"
        return
    allowed = ROOMS[module.room] | {module.room}
    for room, line in _rooms_imported(module):
        if room not in allowed:
            yield f"{module.path}:{line}: {module.room} imports {room}"


def check_site(module: Module) -> Iterator[str]:
    """The website uses `answers`, never the rooms behind it."""
    if module.package != "variorum_site":
        return
    for room, line in _rooms_imported(module):
        if room not in SITE_ASKS:
            yield f"{module.path}:{line}: variorum_site imports {room}"


def _rooms_imported(module: Module) -> Iterator[tuple[str, int]]:
    for name, line in module.imports():
        package, *rooms = name.split(".")
        if package == "variorum_kb" and rooms:
            yield rooms[0], line


def check_purity(module: Module) -> Iterator[str]:
    """Parsing, resolving and tracing use no file, no network and no clock."""
    if module.package != "variorum_kb" or not _is_pure(module):
        return
    for name, line in module.imports():
        if name.partition(".")[0] in IMPURE_MODULES:
            yield f"{module.path}:{line}: {module.room} is pure, but imports {name}"
    for node in module.walk():
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in IMPURE_CALLS:
                yield f"{module.path}:{node.lineno}: {module.room} is pure, but calls {name}"
            case ast.Call(func=ast.Attribute(attr=name)) if name in IMPURE_METHODS:
                yield f"{module.path}:{node.lineno}: {module.room} is pure, but calls {name}"
            case _:
                pass


def _is_pure(module: Module) -> bool:
    return module.room in PURE or ".".join(module.name.split(".")[:3]) in PURE_PARTS


def check_whoosh(module: Module) -> Iterator[str]:
    """Whoosh has no steady maintainer, so only one room uses it."""
    if (module.package, module.room) == ("variorum_kb", "search"):
        return
    for name, line in module.imports():
        if name.partition(".")[0] == "whoosh":
            yield f"{module.path}:{line}: only variorum_kb.search imports whoosh"


def check_names(module: Module) -> Iterator[str]:
    """A module's name tells its purpose."""
    for part in module.name.removeprefix(DATA_ROOM).split("."):
        if part in VAGUE_NAMES:
            yield f"{module.path}:1: {part} says nothing about what it holds"


def check_length(module: Module) -> Iterator[str]:
    """A module has a maximum length."""
    length = len(module.source.splitlines())
    if length > LONGEST_MODULE:
        yield f"{module.path}:{LONGEST_MODULE + 1}: {length} lines, at most {LONGEST_MODULE}"


def check_no_all(module: Module) -> Iterator[str]:
    """Only underscores mark private names."""
    for node in module.walk():
        match node:
            case ast.Name(id="__all__", ctx=ast.Store()):
                yield f"{module.path}:{node.lineno}: no module has an __all__"
            case _:
                pass


def check_columns(module: Module) -> Iterator[str]:
    """Columns have names; match groups and the parts of `partition` are not columns."""
    for node in [item for item in module.walk() if isinstance(item, ast.Subscript)]:
        shown = ast.unparse(node)
        is_column = re.search(r"\[([2-9]|\d\d+)\]$", shown)
        if is_column and not re.search(r"(^match|partition\([^()]*\))\[\d+\]$", shown):
            yield f"{module.path}:{node.lineno}: which column is {shown}?"


CHECKS: tuple[Check, ...] = (
    check_neighbours,
    check_rooms,
    check_site,
    check_purity,
    check_whoosh,
    check_names,
    check_length,
    check_no_all,
    check_columns,
)


def find_undeclared(
    module: Module, declared: Collection[str], owners: Mapping[str, list[str]]
) -> Iterator[str]:
    """Yield the imports of distributions that pyproject.toml does not name.

    Args:
        module: Any module.
        declared: Normalised names of distributions.
        owners: The distributions of each importable name.
    """
    ours = {*PACKAGES, "lab", "tests", "__future__", *sys.stdlib_module_names}
    for name, line in module.imports():
        top = name.partition(".")[0]
        if top not in ours and not {normalise(o) for o in owners.get(top, [top])} & set(declared):
            yield f"{module.path}:{line}: {top} is not declared in pyproject.toml"


def normalise(name: str) -> str:
    """Return a distribution's name in the form in which names are compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def names_of(requirements: Collection[object]) -> set[str]:
    """Return the distributions named in requirements; an included group is not one."""
    texts = [text for text in requirements if isinstance(text, str)]
    return {normalise(re.split(r"[^\w.-]", text, maxsplit=1)[0]) for text in texts}


def modules(folder: Path, name: str) -> Iterator[Module]:
    """Yield the modules of a package, or of the tests, in the order of their paths."""
    for path in sorted(folder.rglob("*.py")):
        inner = path.relative_to(folder).with_suffix("").parts
        parts = inner[:-1] if path.name == "__init__.py" else inner
        yield Module(
            ".".join([name, *parts]), path.relative_to(ROOT).as_posix(), path.read_text("utf-8")
        )


CODE = [
    module
    for package, folder in PACKAGES.items()
    for module in modules(ROOT / folder / package, package)
]
TESTS = [*modules(ROOT / "tests", "tests"), *modules(ROOT / "lab", "lab")]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_every_package_is_looked_at() -> None:
    """The rules cover all packages, and this file."""
    assert {module.package for module in CODE} == set(PACKAGES)
    assert "tests.test_architecture" in {module.name for module in TESTS}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_rule_holds(check: Check) -> None:
    """All modules of the code keep the rule."""
    assert [broken for module in CODE for broken in check(module)] == []


@pytest.mark.parametrize("check", [check_whoosh, check_length, check_no_all])
def test_rule_holds_for_tests(check: Check) -> None:
    """All tests keep the rules for tests; the site's oracle is not Whoosh."""
    assert [broken for module in TESTS for broken in check(module)] == []


def test_every_import_is_declared() -> None:
    """Every import is declared: the code's as run-time dependencies, the tests' in a group."""
    owners = importlib.metadata.packages_distributions()
    runtime = names_of(PYPROJECT["project"]["dependencies"])
    groups = [names_of(group) for group in PYPROJECT["dependency-groups"].values()]
    more = {"variorum_mcp": names_of(PYPROJECT["project"]["optional-dependencies"]["mcp"])}

    undeclared = [
        broken
        for some, declared in ((CODE, runtime), (TESTS, runtime.union(*groups)))
        for module in some
        for broken in find_undeclared(module, declared | more.get(module.package, set()), owners)
    ]

    assert undeclared == []


@pytest.mark.parametrize("folder", sorted({*PACKAGES.values()}))
def test_folders_are_no_packages(folder: str) -> None:
    """`site` belongs to the standard library; `kb` and `crawler` are common names."""
    assert not (ROOT / folder / "__init__.py").exists()


@pytest.mark.parametrize("room", sorted(PURE))
def test_pure_rooms_are_rooms(room: str) -> None:
    """All rooms in the list of pure rooms exist."""
    assert room in ROOMS


def made_up(name: str, source: str, *, is_package: bool = False) -> Module:
    """Return an invented module."""
    path = "/".join(name.split("."))
    return Module(name, f"{path}/__init__.py" if is_package else f"{path}.py", source)


READING = "variorum_kb.reading.lines"

BROKEN: list[tuple[Check, str, str, str]] = [
    (check_neighbours, "variorum_kb.build.build", "import variorum_site", "variorum_site"),
    (check_neighbours, "variorum_kb.build.build", "from variorum_crawler import fetch", "fetch"),
    (check_neighbours, "variorum_site.pages", "import variorum_crawler.fetch", "variorum_crawler"),
    (check_neighbours, "variorum_crawler.cli", "def f():\n import variorum_site", ":2: "),
    (check_rooms, READING, "from variorum_kb.history.align import settle", "imports history"),
    (check_rooms, READING, "from variorum_kb import references", "imports references"),
    (check_rooms, READING, "from ..store import rows", "imports store"),
    (check_rooms, "variorum_kb.references.find", "import variorum_kb.history", "imports history"),
    (check_rooms, "variorum_kb.history.blame", "from variorum_kb.store import rows", "store"),
    (check_rooms, "variorum_kb.store.rows", "import variorum_kb.answers.show", "answers"),
    (check_rooms, "variorum_kb.answers.show", "import variorum_kb.cli.start", "imports cli"),
    (check_rooms, "variorum_kb.answers.show", "import variorum_kb.reading.lines", "reading"),
    (check_rooms, "variorum_kb.cli.commands.show", "from variorum_kb.store import reader", "store"),
    (check_rooms, "variorum_kb.search.query", "import variorum_kb.store.reader", "store"),
    (check_rooms, "variorum_kb.model", "from variorum_kb import facts", "imports facts"),
    (check_rooms, "variorum_kb.attic.old", "", "the room attic stands in no table"),
    (check_site, "variorum_site.pages", "from variorum_kb.store import reader", "imports store"),
    (check_purity, READING, "import os.path", "imports os.path"),
    (check_purity, READING, "from pathlib import Path", "imports pathlib.Path"),
    (check_purity, "variorum_kb.references.find", "import random", "imports random"),
    (check_purity, "variorum_kb.history.blame", "from time import time", "imports time.time"),
    (check_purity, "variorum_kb.sources.reading.page", "import urllib.request", "imports urllib"),
    (check_purity, READING, "open('rules.txt')", "calls open"),
    (check_purity, READING, "date.today()", "calls today"),
    (check_purity, READING, "def f():\n  return datetime.datetime.now(UTC)", ":2: "),
    (check_whoosh, "variorum_kb.answers.find", "from whoosh.index import open_dir", "only"),
    (check_whoosh, "variorum_site.pages", "import whoosh", "only variorum_kb.search"),
    (check_names, "variorum_kb.utils", "", "utils says nothing"),
    (check_names, "variorum_kb.reading.helpers", "", "helpers says nothing"),
    (check_names, "variorum_kb.data.table", "", "data says nothing"),
    (check_length, READING, "\n" * 601, "601 lines, at most 600"),
    (check_no_all, READING, "__all__ = ['f']", "no module has an __all__"),
    (check_no_all, READING, "x = 1\n__all__: list[str] = []", ":2: "),
    (check_columns, READING, "x = 1\nprint(row[2])", ":2: which column is row[2]?"),
]


@pytest.mark.parametrize(
    ("check", "name", "source", "message"),
    BROKEN,
    ids=[f"{check.__name__}-{number}" for number, (check, *_) in enumerate(BROKEN)],
)
def test_error_rule_broken(check: Check, name: str, source: str, message: str) -> None:
    """An invented module that breaks a rule is found once, with the line."""
    (broken,) = check(made_up(name, source))

    assert message in broken
    assert re.match(r"[\w/]+\.py:\d+: ", broken)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_every_rule_is_tried(check: Check) -> None:
    """For every rule, an invented module breaks it."""
    assert check in {tried for tried, *_ in BROKEN}


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("variorum_crawler.fetch", "from variorum_kb.documents import archive\nimport time"),
        ("variorum_kb.cli.main", "from variorum_kb.answers import show\nfrom . import plain"),
        ("variorum_kb.cli.main", "print('now')\nimport os"),
        ("variorum_kb.history.align", "from variorum_kb.references.find import find_references"),
        ("variorum_kb.reading.official", "import re\nfrom datetime import date\ndate(2009, 7, 11)"),
        ("variorum_kb.reading.official", "# open('x')\n'date.today()'"),
        ("variorum_kb.search.whoosh_index", "import whoosh.fields"),
        ("variorum_site.pages", "from variorum_kb.answers import show"),
        (READING, "\n" * 600),
        (READING, "row[0], row[1], row[-1], text.partition('.')[2], match[3], row[2:]"),
    ],
)
def test_rules_allow(name: str, source: str) -> None:
    """Code that keeps the rules gives no violation."""
    module = made_up(name, source)

    assert [broken for check in CHECKS for broken in check(module)] == []


@pytest.mark.parametrize(
    ("source", "is_package", "expected"),
    [
        ("import a.b, c", False, ["a.b", "c"]),
        ("from a import b as c, d", False, ["a.b", "a.d"]),
        ("from . import b", False, ["variorum_kb.reading.b"]),
        ("from .b import c", False, ["variorum_kb.reading.b.c"]),
        ("from .. import b", False, ["variorum_kb.b"]),
        ("from . import b", True, ["variorum_kb.reading.lines.b"]),
        ("from .. import b", True, ["variorum_kb.reading.b"]),
    ],
)
def test_imports_are_spelled_out(source: str, is_package: bool, expected: list[str]) -> None:
    """Every spelling of an import gives the full name."""
    module = made_up(READING, source, is_package=is_package)

    assert [name for name, _ in module.imports()] == expected


def test_error_import_is_undeclared() -> None:
    """An undeclared import is found, with the name of its distribution."""
    module = made_up(
        "variorum_kb.build.build", "import bs4\nimport yaml\nimport re\nimport variorum_kb"
    )
    owners = {"bs4": ["BeautifulSoup4"], "yaml": ["PyYAML"]}

    assert list(find_undeclared(module, {"beautifulsoup4"}, owners)) == [
        "variorum_kb/build/build.py:2: yaml is not declared in pyproject.toml"
    ]


def test_requirements_are_named() -> None:
    """A requirement's name ends where its extras, bounds or markers start."""
    requirements = ["click>=8.4", "mypy[faster]", "Ruff ; os_name == 'nt'", {"include": "x"}]

    assert names_of(requirements) == {"click", "mypy", "ruff"}
