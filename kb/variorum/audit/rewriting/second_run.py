"""Stores numbers that `--fix` wrote without a baseline, so that another `--fix` can be refused."""

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from variorum.audit.audited_files import read_text_file
from variorum.audit.line_places import LinePlaces
from variorum.audit.rewriting.earlier_rewrites import RewrittenNumber, RewrittenNumbers
from variorum.files import write_file

_FILE = "audit-rewritten.json"


def remembered(cache: Path) -> RewrittenNumbers:
    """Return the numbers in the user's cache."""
    try:
        return RewrittenNumbers(json.loads((cache / _FILE).read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError):
        return RewrittenNumbers()


def remember(cache: Path, numbers: RewrittenNumbers) -> None:
    """Store written numbers in the user's cache.

    Raises:
        NotWritableError: The cache cannot be written.
    """
    cache.mkdir(parents=True, exist_ok=True)
    write_file(cache / _FILE, json.dumps([number.entry() for number in numbers.all]).encode())


def still_there(
    numbers: RewrittenNumbers, paths: Sequence[Path], edition: str = ""
) -> Iterator[RewrittenNumber]:
    """Yield the numbers whose lines are unchanged since `--fix` wrote them.

    Args:
        numbers: The numbers, with absolute paths.
        paths: The files and folders to search.
        edition: The label of the edition that the citations were written for. Numbers of this
            edition are left out.
    """
    roots = [os.path.abspath(path) for path in paths]  # noqa: PTH100 - the record is a string
    marks: dict[str, frozenset[str]] = {}
    for number in numbers.all:
        is_below = any(
            number.file == root or number.file.startswith(f"{root}{os.sep}") for root in roots
        )
        if not is_below or number.edition == edition:
            continue
        if number.file not in marks:
            marks[number.file] = _marks_of(Path(number.file))
        if number.mark in marks[number.file]:
            yield number


def _marks_of(path: Path) -> frozenset[str]:
    try:
        file = read_text_file(path)
    except OSError:
        return frozenset()
    if file is None:
        return frozenset()
    lines = LinePlaces(file.text)
    count, _ = lines.place(len(file.text))
    return frozenset(lines.mark(number) for number in range(1, count + 1))
