"""Versions of the parts of the program, derived from their sources."""

import ast
import importlib.metadata
from collections.abc import Iterator
from pathlib import Path

import pytest

import variorum_kb
from variorum_kb.versions import PROGRAM, SOURCES, digest_of_sources, version_of

ROOT = Path(variorum_kb.__file__).parent

# The modules in which each part's work begins.
ENTRIES = {
    "reader": ("reading/edition.py", "store/edition_rows.py"),
    "finder": ("references/find.py", "store/citations.py"),
    "aligner": ("history/steps.py", "history/aligning/returns.py"),
    "witness": ("build/load.py",),
    "attest": (
        "answers/lint/finder.py",
        "sources/recognise_kind.py",
        "sources/comparing/originals.py",
    ),
    "index": ("search/indexes/index_builder.py", "search/indexes/whoosh_index.py"),
}
# Modules that decide no result, or have their own digest or number.
APART = (
    *("errors.py", "exit_codes.py", "facts/", "forms/", "schema_version.py", "system/"),
    *("versions.py", "__init__.py"),
)
# An index also depends on the base, which has its own versions.
OF_THE_BASE = {"index": ("answers/", "history/", "references/", "store/")}


@pytest.mark.parametrize("part", ENTRIES)
def test_part_names_all_that_it_uses(part: str) -> None:
    """The sources of a part include every module that it imports, even indirectly."""
    apart = (*APART, *OF_THE_BASE.get(part, ()))
    named = {source if source.endswith(".py") else f"{source}/" for source in SOURCES[part]}

    used = {path for path in _closure(ENTRIES[part]) if not path.startswith(apart)}

    assert used
    assert sorted(path for path in used if not path.startswith(tuple(named))) == []


@pytest.mark.parametrize("part", SOURCES)
def test_sources_exist(part: str) -> None:
    """Every source of a part exists."""
    assert [source for source in SOURCES[part] if not (ROOT / source).exists()] == []


def test_version_follows_the_sources(tmp_path: Path) -> None:
    """Other words or file names give another version; other line ends do not."""
    (tmp_path / "room").mkdir()
    result, second = tmp_path / "room/one.py", tmp_path / "other.py"
    result.write_bytes(b"a = 1\nb = 2\n")
    second.write_bytes(b"")
    first = digest_of_sources([tmp_path], tmp_path)

    result.write_bytes(b"a = 1\r\nb = 2\r\n")
    with_other_ends = digest_of_sources([result, second], tmp_path)
    result.write_bytes(b"a = 1\nb = 3\n")
    with_another_word = digest_of_sources([tmp_path], tmp_path)
    result.write_bytes(b"a = 1\nb = 2\n")
    second.rename(tmp_path / "another.py")
    with_another_name = digest_of_sources([tmp_path], tmp_path)

    assert with_other_ends == first
    assert len({first, with_another_word, with_another_name}) == len("abc")


def test_program_is_the_installed_one() -> None:
    """Bases and servers' answers have the version of the package."""
    assert importlib.metadata.version("variorum") == PROGRAM


def test_versions_are_digits() -> None:
    """Each part has a version of its own."""
    versions = [version_of(part) for part in SOURCES]

    assert all(len(version) == len("0123456789abcdef") for version in versions)
    assert len(set(versions)) == len(versions)


def _closure(entries: tuple[str, ...]) -> set[str]:
    """Return the modules that some modules import, even indirectly, by their paths in the package."""
    texts = set[str]()
    ahead = list(entries)
    while ahead:
        path = ahead.pop()
        if path not in texts:
            texts.add(path)
            ahead += _imported(path)
    return texts


def _imported(path: str) -> Iterator[str]:
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    for_types = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and id(node) not in for_types:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            for name in names:
                package, _, below = name.partition(".")
                path = f"{below.replace('.', '/')}.py"
                if package == "variorum_kb" and (ROOT / path).is_file():
                    yield path
