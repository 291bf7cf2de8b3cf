"""The rules of docs/architecture.md: who imports what, what tests may reach, and how much there may be of each part.

The table of sizes starts at what stands. Whoever makes a part smaller lowers its row; no row is raised.
"""

import ast
import hashlib
import importlib.metadata
import re
import subprocess
import sys
import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))

# A package, its folder, and what it may import of the other packages.
PACKAGES = {
    "variorum": ("kb", set[str]()),
    "variorum_crawler": ("crawler", {"variorum"}),
    "variorum_site": ("site", {"variorum"}),
}
# The subpackages and modules of the knowledge base. Each imports only what stands before it.
ORDER = [
    *("errors", "files", "workers", "rule_numbers"),
    *("rows", "text", "facts", "words", "terminal", "records", "model"),
    *("sample", "documents", "reading", "citations", "history"),
    *("store", "answers", "cards", "quoting", "search", "witnesses"),
    *("audit", "build"),
    # The library.
    *("base", "cli", "mcp"),
]
# Also forbidden, although it stands before: a look-up parses no document, the website asks only answers.
NOT_FOR = {
    "answers": {"documents", "reading"},
    "site": {"reading", "citations", "history", "store", "build"},
}
# No file, network or clock in these.
PURE = {"text", "words", "reading", "citations", "history", "quoting"}
READS_THE_BASE = "variorum.quoting.texts"
IMPURE_MODULES = {
    *("asyncio", "glob", "http", "io", "multiprocessing", "os", "pathlib", "random", "secrets"),
    *("shutil", "socket", "sqlite3", "ssl", "subprocess", "tempfile", "threading", "time"),
    *("urllib", "uuid"),
}
IMPURE_CALLS = {"__import__", "eval", "exec", "input", "open", "print"}
IMPURE_METHODS = {"now", "today", "utcnow", "open"} | {
    f"{verb}_{what}" for verb in ("read", "write") for what in ("bytes", "text")
}
LONGEST_MODULE = 600
# What tests may import of the product: the library, and the pure parts with their records.
FRONT_DOOR = re.compile(
    r"variorum(\.(open|Base|__version__|[A-Z]\w+))?$|variorum\.(errors|rule_numbers|citations|text|words|reading|history|model|quoting|rows)\b"
)
RUNNER = "tests/support/command.py"  # alone may import the start of the command

# The most lines of each part: patterns of its files, as git names them.
MOST_LINES = {
    "kb, its own modules": (1605, ":(glob)kb/variorum/*.py"),
    "kb/answers": (2908, "kb/variorum/answers/*.py"),
    "kb/audit": (3959, "kb/variorum/audit/*.py"),
    "kb/build": (500, "kb/variorum/build/*.py"),
    "kb/cards": (616, "kb/variorum/cards/*.py"),
    "kb/cli": (2929, "kb/variorum/cli/*.py"),
    "kb/documents": (241, "kb/variorum/documents/*.py"),
    "kb/facts": (130, "kb/variorum/facts/*.py"),
    "kb/history": (1593, "kb/variorum/history/*.py"),
    "kb/quoting": (1277, "kb/variorum/quoting/*.py"),
    "kb/reading": (1438, "kb/variorum/reading/*.py"),
    "kb/records": (1014, "kb/variorum/records/*.py"),
    "kb/search": (2058, "kb/variorum/search/*.py"),
    "kb/store": (305, "kb/variorum/store/*.py"),
    "kb/witnesses": (269, "kb/variorum/witnesses/*.py"),
    "mcp": (390, "kb/variorum/mcp/*.py"),
    "crawler": (1600, "crawler/*.py"),
    "site": (3167, "site/*.py"),
    "script": (1592, "site/*.js", "site/*.ts"),
    "templates and styles": (1358, "site/*.html", "site/*.css", "site/*.xml", "site/*.svg"),
    "schema of the base": (160, "kb/*.sql"),
    "facts": (5317, "kb/*.tsv", "kb/*.toml", "crawler/*.tsv"),
    "sample rulebook": (5139, "kb/*.txt"),
    "lab": (2481, "lab/*.py"),
    "tables of lab": (7002, "lab/*.tsv", "lab/*.toml", "lab/*.md"),
    "tests": (12092, "tests/*.py"),
    "tests in other languages": (114, "tests/*.js", "tests/*.rnc"),
    "golden files": (
        22876,
        "tests/golden/*",
        "tests/transcripts/*",
        "tests/documents/*",
        "tests/corpus/*.tsv",
    ),
}

# Files that others wrote, with their SHA-256.
VENDORED = {
    "site/variorum_site/vendor/diff-9.0.0.min.cjs": "b51a9d2885f2c090dc97b981027395f7e7e6558a46c75ae3747db267913a89ab",
    "site/variorum_site/vendor/diff-LICENSE.txt": "eda81a415869e67809f6a9f3fd6056062cb83a462118e07eec5e92b2e0c40ce9",
    "site/variorum_site/vendor/minisearch-7.2.0.cjs": "03c27931eb603af1d3358579e9885eafdb6a2f5fa9929557b3e77d7e99d06d03",
    "site/variorum_site/vendor/minisearch-LICENSE.txt": "70d37354d6395629fb99edb28cb37a5d356ffa24a48cd02a5def5b83a300a899",
    "tests/support/sarif-2.1.0.json": "0de6555c956d0e2081bb40f0b877f275634cba28a6f8954e6d858a49138143d6",
}


@dataclass(frozen=True)
class Module:
    """A module: its full name, its path from the checkout on, its source."""

    name: str
    path: str
    source: str

    @property
    def package(self) -> str:
        return self.name.partition(".")[0]

    @property
    def part(self) -> str:
        """Return the subpackage or module just below the package, "" for the package itself."""
        return [*self.name.split("."), ""][1]

    def nodes(self) -> Iterator[ast.AST]:
        return ast.walk(_tree(self.source, self.path))

    def imports(self) -> Iterator[tuple[str, int]]:
        """Yield the full name and the line of every import; `from a import b` means `a.b`."""
        for node in self.nodes():
            if isinstance(node, ast.Import):
                yield from ((name.name, node.lineno) for name in node.names)
            elif isinstance(node, ast.ImportFrom):
                start = self._folder(node.level) + ([node.module] if node.module else [])
                yield from ((".".join([*start, name.name]), node.lineno) for name in node.names)

    def _folder(self, level: int) -> list[str]:
        parts = self.name.split(".")
        if not level:
            return []
        return parts[: len(parts) - level + self.path.endswith("/__init__.py")]


@cache
def _tree(source: str, path: str) -> ast.Module:
    return ast.parse(source, path)


def wrong_packages(module: Module) -> Iterator[str]:
    """Yield imports of packages that a package may not know."""
    allowed = PACKAGES[module.package][1] | {module.package}
    for name, line in module.imports():
        if name.partition(".")[0] in PACKAGES.keys() - allowed:
            yield f"{module.path}:{line}: {module.package} imports {name}"


def wrong_order(module: Module) -> Iterator[str]:
    """Yield imports of what comes later in the knowledge base, or is forbidden to a part."""
    inside = module.package == "variorum"
    if inside and module.part and module.part not in ORDER:
        yield f"{module.path}:1: {module.part} has no place in the order"
        return
    before = set(ORDER[: ORDER.index(module.part) + 1]) if inside and module.part else set(ORDER)
    allowed = before - NOT_FOR.get(module.part if inside else PACKAGES[module.package][0], set())
    for name, line in module.imports():
        package, _, rest = name.partition(".")
        if package == "variorum" and rest and rest.partition(".")[0] not in allowed:
            yield f"{module.path}:{line}: {module.part or module.package} imports {name}"


def impure(module: Module) -> Iterator[str]:
    """Yield what a pure part asks of the world outside."""
    if module.package != "variorum" or module.part not in PURE or module.name == READS_THE_BASE:
        return
    for name, line in module.imports():
        if name.partition(".")[0] in IMPURE_MODULES and name != "io.BytesIO":
            yield f"{module.path}:{line}: {module.part} is pure, but imports {name}"
    for node in module.nodes():
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in IMPURE_CALLS:
                yield f"{module.path}:{node.lineno}: {module.part} is pure, but calls {name}"
            case ast.Call(func=ast.Attribute(value=ast.Name(id="archive"), attr="open")):
                pass  # a part of a ZIP in memory
            case ast.Call(func=ast.Attribute(attr=name)) if name in IMPURE_METHODS:
                yield f"{module.path}:{node.lineno}: {module.part} is pure, but calls {name}"


def whoosh_elsewhere(module: Module) -> Iterator[str]:
    """Yield imports of Whoosh, which has no steady maintainer, outside of search."""
    for name, line in module.imports():
        if name.partition(".")[0] == "whoosh" and not module.name.startswith("variorum.search"):
            yield f"{module.path}:{line}: only search imports whoosh"


def too_long(module: Module) -> Iterator[str]:
    """Yield a module that nobody reads at one sitting."""
    if (length := len(module.source.splitlines())) > LONGEST_MODULE:
        yield f"{module.path}: {length} lines, at most {LONGEST_MODULE}"


def undeclared(
    module: Module, declared: Collection[str], owners: dict[str, list[str]]
) -> Iterator[str]:
    """Yield imports of distributions that pyproject.toml does not name; `owners` are those of each name."""
    ours = {*PACKAGES, "lab", "tests", "__future__", *sys.stdlib_module_names}
    for name, line in module.imports():
        top = name.partition(".")[0]
        if top not in ours and not {normalised(o) for o in owners.get(top, [top])} & set(declared):
            yield f"{module.path}:{line}: {top} is not declared in pyproject.toml"


def normalised(name: str) -> str:
    """Return a distribution's name in the form in which names are compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def named(requirements: Collection[object]) -> set[str]:
    """Return the distributions named in requirements; an included group is not one."""
    texts = [text for text in requirements if isinstance(text, str)]
    return {normalised(re.split(r"[^\w.-]", text, maxsplit=1)[0]) for text in texts}


def modules(folder: str, package: str) -> list[Module]:
    """Return the modules of a package that lies in a folder of the checkout."""
    top = ROOT / folder / package
    found = []
    for path in sorted(top.rglob("*.py")):
        parts = path.relative_to(ROOT / folder).with_suffix("").parts
        name = ".".join(parts[:-1] if path.name == "__init__.py" else parts)
        found.append(Module(name, path.relative_to(ROOT).as_posix(), path.read_text("utf-8")))
    return found


CODE = [module for name, (folder, _) in PACKAGES.items() for module in modules(folder, name)]
TESTS, LAB = modules(".", "tests"), modules(".", "lab")


@pytest.mark.parametrize("rule", [wrong_packages, wrong_order, impure, whoosh_elsewhere, too_long])
def test_rule_holds(rule) -> None:
    """All modules of the product keep the rule."""
    assert [broken for module in CODE for broken in rule(module)] == []


@pytest.mark.parametrize(
    ("rule", "name", "source"),
    [
        (wrong_packages, "variorum.build.build", "from variorum_crawler import fetch"),
        (wrong_packages, "variorum_crawler.cli", "def f():\n import variorum_site"),
        (wrong_order, "variorum.reading.parts", "from ..history import align"),
        (wrong_order, "variorum.text", "from variorum import answers"),
        (wrong_order, "variorum.answers.show", "from variorum.reading.decoding import lines"),
        (wrong_order, "variorum.somewhere.else", "import re"),
        (wrong_order, "variorum_site.pages", "import variorum.store.reader"),
        (impure, "variorum.history.align", "import os.path"),
        (impure, "variorum.text", "def f(path):\n return path.read_text()"),
        (impure, "variorum.reading.parts", "print(1)"),
        (whoosh_elsewhere, "variorum.build.build", "from whoosh.index import create_in"),
        (too_long, "variorum.build.build", "\n" * 601),
    ],
)
def test_rule_can_break(rule, name: str, source: str) -> None:
    """An invented module that breaks a rule is told."""
    module = Module(name, f"{name.replace('.', '/')}.py", source)

    assert len(list(rule(module))) == 1


def test_every_import_is_declared() -> None:
    """The product's imports are dependencies at run time, those of tests and lab also of a group."""
    owners = importlib.metadata.packages_distributions()
    runtime = named(PYPROJECT["project"]["dependencies"])
    groups = runtime.union(*map(named, PYPROJECT["dependency-groups"].values()))
    extras = PYPROJECT["project"]["optional-dependencies"]
    of_module = {"variorum.mcp": named(extras["mcp"]), "variorum.reading.pdf": named(extras["pdf"])}
    odd = Module("variorum.odd", "odd.py", "import bs4\nimport yaml\nimport re")

    assert list(undeclared(odd, runtime, owners)) == [
        "odd.py:2: yaml is not declared in pyproject.toml"
    ]
    for module in [*CODE, *TESTS, *LAB]:
        inside = module in CODE
        declared = (runtime if inside else groups).union(
            *(of for name, of in of_module.items() if module.name.startswith(name) or not inside)
        )
        assert list(undeclared(module, declared, owners)) == []


def behind_the_front_door(module: Module) -> Iterator[str]:
    """Yield what a test imports of the product that may be rebuilt without its tests."""
    for name, line in module.imports():
        is_ours = name.partition(".")[0] in PACKAGES and not FRONT_DOOR.match(name)
        if is_ours and (module.path != RUNNER or ".cli.start." not in name):
            yield f"{module.path}:{line}: tests import {name}"


def test_tests_go_through_the_front_door() -> None:
    """Tests ask the command, the library, the website, the servers, and the pure parts."""
    odd = Module("tests.odd", "odd.py", "import variorum.build\nimport variorum.text")

    assert list(behind_the_front_door(odd)) == ["odd.py:1: tests import variorum.build"]
    assert [broken for module in TESTS for broken in behind_the_front_door(module)] == []


@pytest.mark.parametrize("part", MOST_LINES)
def test_no_part_grows(part: str) -> None:
    """Each part of the project has at most the lines that the table allows."""
    paths = [path for pattern in MOST_LINES[part][1:] for path in tracked(pattern)]

    assert paths
    assert sum(lines_of(path) for path in paths) <= MOST_LINES[part][0]


def test_every_file_has_a_part() -> None:
    """No line of code, facts or golden text escapes the table, and none counts twice."""
    counted = [
        path
        for _, *patterns in MOST_LINES.values()
        for pattern in patterns
        for path in tracked(pattern)
    ]
    kinds = "py js ts css html xml svg sql tsv toml txt jsonl rnc"
    code = [
        path
        for folder in ("crawler", "kb", "lab", "site", "tests")
        for kind in kinds.split()
        for path in tracked(f"{folder}/*.{kind}")
    ]

    assert sorted(counted) == sorted(set(counted))
    assert set(code) - set(counted) - VENDORED.keys() == set()


def tracked(pattern: str) -> list[str]:
    """Return the files of a pattern that git keeps."""
    listed = subprocess.run(
        ["git", "ls-files", "--", pattern],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return [path for path in listed.stdout.splitlines() if (ROOT / path).exists()]


def lines_of(path: str) -> int:
    """Return how many lines a file has."""
    return (ROOT / path).read_bytes().count(b"\n")


@pytest.mark.parametrize("path", VENDORED)
def test_vendored_files_are_as_they_came(path: str) -> None:
    """Nobody edits a file that others wrote."""
    assert hashlib.sha256((ROOT / path).read_bytes()).hexdigest() == VENDORED[path]


def test_lines_are_no_wider() -> None:
    """The table counts lines, so their width is fixed."""
    assert PYPROJECT["tool"]["ruff"]["line-length"] == 100
