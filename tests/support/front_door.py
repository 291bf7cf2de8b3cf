"""Which test files go through the front door: they import no private module, nor do modules of tests that they import."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("variorum_crawler", "variorum_kb", "variorum_mcp", "variorum_site")
# The pure parts of the knowledge base, with the records that they return.
PURE = ("rule_numbers", "references", "text", "reading", "history", "model")
RUNNER = ROOT / "tests" / "support" / "command.py"  # alone may import the start of the command
# Fixtures of conftest.py, which is left out of account, that give what is private.
PRIVATE_FIXTURES = {"base", "corpus_base", "sample_base"}


def is_front_door(path: Path) -> bool:
    """Return whether a test file, or a module of tests, needs no private module."""
    return not private_needs(path)


@cache
def private_needs(path: Path) -> frozenset[str]:
    """Return the private modules and fixtures that a file of tests needs, also through other files of tests."""
    return _needs(path, frozenset())


def _needs(path: Path, seen: frozenset[Path]) -> frozenset[str]:
    tree = ast.parse(path.read_text("utf-8"))
    needs: set[str] = set()
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{name.name}" for name in node.names]
        elif isinstance(node, ast.FunctionDef):
            needs.update({argument.arg for argument in node.args.args} & PRIVATE_FIXTURES)
        for name in names:
            if _is_private(name, path):
                needs.add(name)
            file = _file_of(name)
            if file and file not in seen:
                needs.update(_needs(file, seen | {path}))
    return frozenset(needs)


def _is_private(name: str, path: Path) -> bool:
    package, _, inner = name.partition(".")
    if package not in PACKAGES or (path == RUNNER and inner.startswith("cli.start.")):
        return False
    return package != "variorum_kb" or inner.partition(".")[0] not in PURE


def _file_of(name: str) -> Path | None:
    """Return the file of a module of tests, or of a name in it; none for others and for conftest.py."""
    if not name.startswith("tests."):
        return None
    for module in (name, name.rpartition(".")[0]):
        file = ROOT.joinpath(*module.split(".")).with_suffix(".py")
        if file.exists() and file.name != "conftest.py":
            return file
    return None
