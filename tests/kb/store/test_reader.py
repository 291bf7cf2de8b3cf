"""Open a knowledge base."""

import os
import sqlite3
from pathlib import Path

import pytest

from tests.support.small_bases import build, change, edition, write
from variorum_kb.errors import BaseError, BaseVersionError, NewerBaseError, NoBaseError
from variorum_kb.schema_version import SCHEMA
from variorum_kb.store.reader import Reader
from variorum_kb.store.verified import address_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a base with two editions."""
    documents = {"a.txt": edition("June 5, 2020"), "b.txt": edition("July 6, 2021", rule="New.")}
    build(tmp_path / "kb", write(tmp_path, documents))
    return tmp_path / "kb"


def test_states(folder: Path) -> None:
    """All functions return an edition's states in printed order."""
    reader = Reader(folder / "kb.sqlite")

    states = reader.states_in(1)

    everything = reader.all_states()
    assert states == [(*everything[number], number) for number in reader.states_of(1)]
    assert [state.number for state in states[5:8]] == ["100.2", "100.3", "101"]
    assert "100.3" not in {state.number for state in reader.states_in(0)}
    reader.close()


def test_many_values(folder: Path) -> None:
    """A question may name more values than some builds of SQLite accept in a statement."""
    reader = Reader(folder / "kb.sqlite")
    reader.ask(lambda open_: open_.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 999))
    first, *others = reader.states_of(1)
    numbers = [first, *range(10_000, 10_998), *others]

    assert set(reader.states_by_id(numbers)) == {first, *others}
    assert reader.numbers_by_id(numbers)[others[-1]] == ""
    assert reader.names_by_id(numbers)[others[-1]].startswith("glossary: ")
    assert reader.names_by_id(numbers)[first] == reader.numbers_by_id(numbers)[first] == "1"
    reader.close()


def test_strange_paths(folder: Path) -> None:
    """A folder's name may have characters that are special in a URI, or backslashes."""
    strange = folder.rename(folder.with_name("a b%20c#d?e"))

    reader = Reader(strange / "kb.sqlite")

    assert len(reader.editions()) == 2
    reader.close()
    assert address_of(r"C:\kb\a%b#c?d") == "file:C:/kb/a%25b%23c%3fd?mode=ro&immutable=1"


def test_nothing_is_written(folder: Path) -> None:
    """A reader cannot change the file."""
    reader = Reader(folder / "kb.sqlite")

    with pytest.raises(BaseError) as caught:
        reader.query("DELETE FROM meta")

    assert "readonly" in str(caught.value)
    reader.close()


@pytest.mark.parametrize("name", ["none", "."])
def test_error_no_base(tmp_path: Path, name: str) -> None:
    """If there is no file, the message says how to make one."""
    with pytest.raises(NoBaseError) as caught:
        Reader(tmp_path / name)

    assert str(caught.value) == (
        f"{tmp_path / name}: no knowledge base; "
        "cr demo shows what one is for, cr build PATH or cr sync creates one"
    )


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"no base", "file is not a database"),
        (b"x" * 5000, "file is not a database"),
        (b"", "but another SQLite file"),
    ],
)
def test_error_other_file(tmp_path: Path, data: bytes, reason: str) -> None:
    """Another file is not taken for a base."""
    path = tmp_path / "kb.sqlite"
    path.write_bytes(data)

    with pytest.raises(BaseError) as caught:
        Reader(path)

    assert str(caught.value).startswith(f"{path}: not a knowledge base")
    assert str(caught.value).endswith(reason)


def test_error_newer(folder: Path) -> None:
    """A base of a newer program is refused with a clear message."""
    change(folder, f"PRAGMA user_version = {SCHEMA + 1}")

    with pytest.raises(NewerBaseError) as caught:
        Reader(folder / "kb.sqlite")

    assert str(caught.value) == (
        f"{folder / 'kb.sqlite'}: written by a newer program (layout {SCHEMA + 1}, this one knows "
        f"{SCHEMA}); upgrade Variorum"
    )


def test_error_older(folder: Path) -> None:
    """A base of an older program is refused; the message says how to rebuild it."""
    change(folder, "PRAGMA user_version = 0")

    with pytest.raises(BaseVersionError) as caught:
        Reader(folder / "kb.sqlite")

    assert not isinstance(caught.value, NewerBaseError)
    assert str(caught.value) == (
        f"{folder / 'kb.sqlite'}: written by an older program (layout 0, this one uses {SCHEMA}); "
        "run cr build to rebuild it from its documents"
    )


def test_error_damaged(folder: Path) -> None:
    """Damage that only an answer reveals is reported as damage."""
    path = folder / "kb.sqlite"
    data = path.read_bytes()
    path.write_bytes(data[:8192] + b"\xaa" * (len(data) - 8192))
    reader = Reader(path, is_trusted=True)

    with pytest.raises(BaseError) as caught:
        reader.all_states()

    assert str(caught.value) == (
        f"{path}: damaged: database disk image is malformed; run cr build to build it anew"
    )
    reader.close()


def test_error_no_text(folder: Path) -> None:
    """Bytes that are not valid text are also damage."""
    change(folder, "UPDATE reading SET body = CAST(x'ff' AS TEXT)")
    reader = Reader(folder / "kb.sqlite", is_trusted=True)

    with pytest.raises(BaseError) as caught:
        reader.all_states()

    assert str(caught.value).startswith(f"{folder / 'kb.sqlite'}: damaged: Could not decode")
    reader.close()


def test_error_wrong_statement(folder: Path) -> None:
    """A wrong SQL statement is a bug of ours and stays one."""
    reader = Reader(folder / "kb.sqlite")

    with pytest.raises(sqlite3.OperationalError):
        reader.query("SELECT nothing FROM nowhere")

    reader.close()
    with pytest.raises(sqlite3.ProgrammingError):
        reader.query("SELECT 1")


def test_error_closed_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a file that this user may not open, the message says so."""

    def refuse(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("unable to open database file")

    monkeypatch.setattr("variorum_kb.store.reader._sqlite3.connect", refuse)

    with pytest.raises(BaseError) as caught:
        Reader(folder / "kb.sqlite")

    path = folder / "kb.sqlite"
    assert str(caught.value) == f"{path}: not a knowledge base: unable to open database file"


def test_error_closed_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a file in a folder that this user may not search, it also does."""

    def refuse(_: str) -> os.stat_result:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patched:
        patched.setattr(os, "stat", refuse)
        with pytest.raises(BaseError) as caught:
            Reader(folder / "kb.sqlite")

    assert str(caught.value) == f"{folder / 'kb.sqlite'}: cannot be opened: Permission denied"
