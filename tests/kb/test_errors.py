"""Errors: their texts, kinds and exit codes."""

import re
from pathlib import Path
from typing import get_args

import pytest

from variorum_crawler import errors as crawler_errors
from variorum_kb import errors, exit_codes
from variorum_kb.forms.failure import FailureKind

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (errors.ParseError("no rule", "a.txt", 7), "a.txt:7: no rule"),
        (errors.LayoutError("no layout", "a.txt"), "a.txt: no layout"),
        (errors.ArchiveError("a/b.json", "no JSON"), "a/b.json: no JSON"),
    ],
)
def test_text(error: errors.DocumentError | errors.ArchiveError, text: str) -> None:
    """An error about a file names it, and the line if it is about one."""
    assert str(error) == text
    assert text.endswith(error.reason if isinstance(error, errors.ArchiveError) else error.message)


def our_errors() -> list[type[errors.VariorumError]]:
    """Return all error classes that a command may end with."""
    listed = [var for module in (errors, crawler_errors) for var in vars(module).values()]
    ours = [item for item in listed if isinstance(item, type)]
    return list(dict.fromkeys(our for our in ours if issubclass(our, errors.VariorumError)))


@pytest.mark.parametrize("error", our_errors(), ids=lambda item: item.__name__)
def test_every_error_has_its_place_in_the_tables(error: type[errors.VariorumError]) -> None:
    """docs/json.md names each kind beside its exit code, and the table has the code."""
    page = (ROOT / "docs" / "json.md").read_text("utf-8")
    codes = set(map(int, re.findall(r"^\| (\d+) \|", page, re.MULTILINE)))
    (rows,) = re.findall(r"^- `kind`, by exit code:\n((?:  .*\n)+)", page, re.MULTILINE)
    rows = re.sub(r"\n    +", " ", rows)
    code_of: dict[str, int] = {}
    for code, kinds in re.findall(r"^  - (\d+): (.*)$", rows, re.MULTILINE):
        code_of |= dict.fromkeys(re.findall(r'"([^"]+)"', kinds), int(code))

    assert codes == {0, *(value for name, value in vars(exit_codes).items() if name.isupper())}
    assert code_of[error.kind] == error.exit_code
    assert set(code_of) == set(get_args(FailureKind)[1].value)
