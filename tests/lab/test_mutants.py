"""Small faults in Python source."""

import ast

import pytest

from lab.mutations.mutants import Mutant, find_mutants
from lab.mutations.run import ROOT, Fault, paths_of_tests, rooms


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a == b", ["(a != b)"]),
        ("a < b", ["(a <= b)"]),
        ("a not in b", ["(a in b)"]),
        ("not a", ["(a)"]),
        ("a and b", ["(a or b)"]),
        ("a + 1", ["(a - 1)", "a + (2)"]),
        ("f(True)", ["f((False))"]),
        ("', '.join(a)", ["('').join(a)"]),
        ("a, b", ["((a,))"]),
        ("x = a if b else c", ["x = (c if b else a)"]),
        ("é = 'ä', 1 == 2", ["é = (('ä',))", "é = 'ä', (1 != 2)", "é = 'ä', (2) == 2", "é = 'ä', 1 == (3)"]),
    ],
)  # fmt: skip
def test_faults(source: str, expected: list[str]) -> None:
    """Each expression that can be made wrong is changed, and each result is valid Python."""
    mutants = [mutant.apply(source) for mutant in find_mutants(source)]

    assert mutants == expected
    assert [ast.parse(mutant_text) for mutant_text in mutants]


@pytest.mark.parametrize(
    "source",
    [
        '"""Say: , """',
        "x: Literal[1]",
        "raise E(1)",
        "f'{a == b}'",
        "'words'",
        "TYPE_CHECKING = False",
    ],
)
def test_no_faults(source: str) -> None:
    """Code that does not run, or has only words, is not changed."""
    assert list(find_mutants(source)) == []


@pytest.mark.parametrize(
    ("path", "first", "last"),
    [
        ("kb/variorum_kb/rows.py", "tests/kb/test_rows.py", "tests/kb/test_versions.py"),
        ("kb/variorum/base.py", "tests/kb/test_front_door.py", "tests/kb/test_versions.py"),
        ("kb/variorum_mcp/links.py", "tests/kb/mcp/test_server.py", "tests/kb/mcp"),
        (
            "kb/variorum_kb/sources/comparing/excerpts/asides.py",
            "tests/kb/sources",
            "tests/kb/sources",
        ),
        (
            "kb/variorum_kb/history/word_diffs/diff.py",
            "tests/kb/history/word_diffs/test_diff.py",
            "tests/kb/history",
        ),
        (
            "crawler/variorum_crawler/archive_export.py",
            "tests/crawler/cli/test_archive.py",
            "tests/crawler/test_setup_check.py",
        ),
        ("site/variorum_site/urls.py", "tests/site/test_urls.py", "tests/site"),
    ],
)
def test_own_tests_run_first(path: str, first: str, last: str) -> None:
    """Every module has a room, whose own tests run before the room's others."""
    (room,) = [room for room, paths in rooms().items() if path in paths]
    tests = paths_of_tests(Fault(room, path, "", Mutant(1, "", "", 0)), ROOT)

    assert (tests[0], tests[-1]) == (first, last)
