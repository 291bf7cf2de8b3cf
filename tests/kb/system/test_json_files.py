"""Small files of JSON."""

import os
from pathlib import Path

import pytest

from variorum_kb.errors import ArchiveError, NotWritableError
from variorum_kb.system.json_files import load_json, save_json

VALUE = {"b": ["Æther", "caf\udce9.txt"], "a": 1}


def test_saved(tmp_path: Path) -> None:
    """A saved object is loaded again; the file is readable text, in the order of the object."""
    path = tmp_path / "a" / "b" / "c.json"

    save_json(path, VALUE)

    assert (
        path.read_text("utf-8") == '{\n "b": [\n  "Æther",\n  "caf\\udce9.txt"\n ],\n "a": 1\n}\n'
    )
    assert load_json(path) == VALUE


def test_written_when_it_changes(tmp_path: Path) -> None:
    """A file that contains the object already is not written again."""
    path = tmp_path / "a.json"
    save_json(path, VALUE)
    os.utime(path, ns=(1, 1))

    save_json(path, VALUE)
    before = path.stat().st_mtime_ns
    save_json(path, {"a": 2})

    assert (before, load_json(path)) == (1, {"a": 2})


def test_missing(tmp_path: Path) -> None:
    """A missing file is an empty object."""
    assert load_json(tmp_path / "a.json") == {}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "not JSON: Expecting value: line 1 column 1 (char 0)"),
        (b"[" * 100_000, "not JSON: maximum recursion depth exceeded"),
        (b"[]", "not a JSON object"),
    ],
)
def test_error_load(tmp_path: Path, text: bytes, reason: str) -> None:
    """A file of anything else is an error."""
    path = tmp_path / "a.json"
    path.write_bytes(text)

    with pytest.raises(ArchiveError) as caught:
        load_json(path)

    assert str(caught.value).startswith(f"{path}: {reason}")


def test_error_folder(tmp_path: Path) -> None:
    """A folder in place of the file is neither read nor replaced."""
    with pytest.raises(ArchiveError) as read:
        load_json(tmp_path)
    with pytest.raises(NotWritableError) as written:
        save_json(tmp_path, VALUE)

    assert str(read.value) == f"{tmp_path}: cannot be opened: Is a directory"
    assert str(written.value) == f"{tmp_path}: cannot be written: Is a directory"
