"""Building a base that exists, is damaged, or is in use."""

import hashlib
import json
import logging
import os
import shutil
import sqlite3
from collections.abc import Callable, Generator
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from tests.support.lint_rulebooks import GLOSSARY, MOVED, RULES, TIDE, rulebook, without
from tests.support.small_bases import (
    DAYS,
    NOW,
    TRUNCATED,
    build,
    change,
    contents,
    edition,
    errors,
    kinds,
    rows,
    write,
    write_otherwise,
)
from variorum_kb.build.build import Builder, first_sources
from variorum_kb.build.outcomes import Doubted
from variorum_kb.build.part_versions import current_meta, is_newer
from variorum_kb.documents.archive import Archive, Provenance
from variorum_kb.documents.find import Document
from variorum_kb.errors import BaseBusyError, BaseError, NewerBaseError, NotWritableError
from variorum_kb.schema_version import SCHEMA
from variorum_kb.store.reader import Reader
from variorum_kb.system.lock import locked

if TYPE_CHECKING:
    from variorum_kb.build.outcomes import Event


EDITIONS = {f"{day[-4:]}.txt": edition(day, rule=day) for day in DAYS}


@pytest.fixture
def documents(tmp_path: Path) -> list[Path]:
    """Return the files of five editions."""
    return write(tmp_path, EDITIONS)


@pytest.fixture(scope="module")
def five(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a base of five editions; tests must not change it."""
    folder = tmp_path_factory.mktemp("five")
    build(folder / "kb", write(folder, EDITIONS))
    return folder / "kb"


@pytest.fixture
def folder(five: Path, tmp_path: Path) -> Path:
    """Return a base of five editions that tests may change."""
    return shutil.copytree(five, tmp_path / "kb")


def test_archived_but_not_in_the_base(tmp_path: Path, folder: Path, documents: list[Path]) -> None:
    """A document that is archived but not in the base is read again from the archive."""
    expected = contents(folder)
    build(tmp_path / "less", documents[:2])
    (folder / "kb.sqlite").write_bytes(contents(tmp_path / "less"))

    events = build(folder)

    assert kinds(events) == {"Taken": 3}
    assert contents(folder) == expected


def test_base_is_gone(folder: Path) -> None:
    """A lost base is rebuilt from its documents, without a message."""
    expected = contents(folder)
    (folder / "kb.sqlite").unlink()

    events = build(folder)

    assert kinds(events) == {"Taken": 5}
    assert contents(folder) == expected


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        (
            "PRAGMA user_version = 0",
            f"written by an older program (layout 0, this one uses {SCHEMA})",
        ),
        (
            "UPDATE meta SET value = '0' WHERE name = 'reader'",
            "made by another version of the program",
        ),
    ],
)
def test_older_base(
    folder: Path, statement: str, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A base of an older program or reader is rebuilt, and a line says so."""
    expected = contents(folder)
    write_otherwise(folder, statement)

    events = build(folder)

    assert kinds(events) == {"Taken": 5}
    assert contents(folder) == expected
    assert caplog.messages == [f"{folder / 'kb.sqlite'}: {reason}; rebuilding it"]


@pytest.mark.parametrize(
    ("name", "value"),
    [("program", "0.0"), ("facts", "x"), ("finder", "0"), ("aligner", "0"), ("verdicts", "x")],
)
def test_other_program(folder: Path, name: str, value: str) -> None:
    """If the program or the facts changed, the base is written again; no document is read again."""
    expected = contents(folder)
    write_otherwise(folder, f"UPDATE meta SET value = '{value}' WHERE name = '{name}'")  # noqa: S608

    events = build(folder)

    assert events == []
    assert contents(folder) == expected


def test_error_newer_layout(folder: Path, documents: list[Path]) -> None:
    """A base of a newer program is refused with a clear message and not changed."""
    change(folder, f"PRAGMA user_version = {SCHEMA + 1}")
    before = contents(folder)

    with pytest.raises(NewerBaseError) as caught:
        build(folder, documents)

    assert str(caught.value) == (
        f"{folder / 'kb.sqlite'}: written by a newer program (layout {SCHEMA + 1}, this one knows "
        f"{SCHEMA}); upgrade Variorum"
    )
    assert contents(folder) == before


def test_error_newer_program(folder: Path, documents: list[Path]) -> None:
    """A base that a later version of the program wrote is also refused."""
    write_otherwise(folder, "UPDATE meta SET value = '999.0' WHERE name = 'program'")
    before = contents(folder)

    with pytest.raises(NewerBaseError) as caught:
        build(folder, documents)

    assert str(caught.value) == (
        f"{folder / 'kb.sqlite'}: written by a newer program (version 999.0, this one is "
        f"{version('variorum')}); upgrade Variorum"
    )
    assert contents(folder) == before


@pytest.mark.parametrize(
    ("first", "second"), [("0.10.0", "0.9.9"), ("1.0", "0.99"), ("1.0.1", "1.0")]
)
def test_versions_of_the_program_are_numbers(first: str, second: str) -> None:
    """Versions are compared number by number."""
    assert (is_newer(first, second), is_newer(second, first), is_newer(first, first)) == (
        True,
        False,
        False,
    )


def test_older_base_in_a_newer_folder(tmp_path: Path, documents: list[Path]) -> None:
    """The name of a folder does not decide the version of its base."""
    folder = tmp_path / "newer"
    build(folder, documents[:1])
    change(folder, "PRAGMA user_version = 0")

    assert kinds(build(folder)) == {"Taken": 1}


def overwrite(folder: Path, start: int, data: bytes) -> None:
    """Change bytes of a base."""
    result = bytearray(contents(folder))
    result[start : start + len(data)] = data
    (folder / "kb.sqlite").write_bytes(result)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "no database": lambda folder: (folder / "kb.sqlite").write_bytes(b"no database"),
    "empty": lambda folder: (folder / "kb.sqlite").write_bytes(b""),
    "half": lambda folder: (folder / "kb.sqlite").write_bytes(contents(folder)[:40_000]),
    "pages": lambda folder: overwrite(folder, 8192, b"\xaa" * 50_000),
    "index": lambda folder: change(folder, "DROP INDEX provision_parent"),
    "pointer": lambda folder: change(folder, "DELETE FROM reading WHERE id = 3"),
    "meta": lambda folder: change(folder, "DELETE FROM meta"),
    "states": lambda folder: change(folder, "UPDATE edition SET states = x'ffffff00' WHERE id = 1"),
    "half a state": lambda folder: change(folder, "UPDATE edition SET states = x'ff' WHERE id = 1"),
    "no states": lambda folder: change(folder, "UPDATE edition SET states = '' WHERE id = 1"),
    "date": lambda folder: change(folder, "UPDATE edition SET effective = 'June' WHERE id = 1"),
    "condition": lambda folder: change(folder, "UPDATE edition SET condition = '' WHERE id = 1"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_base(folder: Path, damage: str, caplog: pytest.LogCaptureFixture) -> None:
    """A damaged base is rebuilt from its documents, with a warning."""
    expected = contents(folder)
    DAMAGES[damage](folder)

    events = build(folder)

    assert kinds(events) == {"Taken": 5}
    assert contents(folder) == expected
    ((_, level, message),) = caplog.record_tuples
    assert level == logging.WARNING
    assert message.startswith(f"{folder / 'kb.sqlite'}: ")
    assert message.endswith("; rebuilding it")


def test_lost_manifest(folder: Path) -> None:
    """A lost manifest is written again, and no edition is lost."""
    expected = contents(folder)
    (folder / "documents" / "manifest.json").unlink()

    events = build(folder)

    assert events == []
    assert contents(folder) == expected
    manifest = json.loads((folder / "documents" / "manifest.json").read_bytes())
    assert len(manifest["documents"]) == 5


def test_error_damaged_document(folder: Path, documents: list[Path]) -> None:
    """The other documents are read beside a damaged one, which can be added again."""
    expected = contents(folder)
    archive = Archive(folder / "documents")
    path = archive.path(hashlib.sha256(documents[0].read_bytes()).hexdigest())
    path.write_bytes(b"damaged")
    (folder / "kb.sqlite").unlink()

    without = build(folder)
    labels = rows(folder, "label")
    given = build(folder, documents[:1])

    assert kinds(without) == {"Taken": 4, "Refused": 1}
    assert errors(without) == [f"{path}: the bytes have changed: they no longer match their name"]
    assert len(labels) == 4
    assert kinds(given) == {"Taken": 1, "Refused": 1}
    assert contents(folder) == expected
    assert build(folder) == []


def test_error_document_is_no_longer_kept(folder: Path, documents: list[Path]) -> None:
    """An edition whose document is no longer archived is removed from the base, and a line says so."""
    manifest = folder / "documents" / "manifest.json"
    sha256 = hashlib.sha256(documents[0].read_bytes()).hexdigest()
    value = json.loads(manifest.read_bytes())
    value["documents"] = [
        document for document in value["documents"] if document["sha256"] != sha256
    ]
    manifest.write_text(json.dumps(value), "utf-8")

    events = build(folder)

    path = folder / "documents" / sha256[:2] / sha256
    assert errors(events) == [
        f"{path}: no longer kept, so the edition of 2020-06-05 leaves the base"
    ]
    assert rows(folder, "label")[0] == ("2021-07-06",)
    assert build(folder) == []


def test_given_again_after_it_was_lost(folder: Path, documents: list[Path]) -> None:
    """A lost document that is added again in the same build stays."""
    expected = contents(folder)
    (folder / "documents" / "manifest.json").write_text('{"documents": []}', "utf-8")

    events = build(folder, documents)

    assert kinds(events) == {"Taken": 5}
    assert contents(folder) == expected


def test_document_that_is_no_longer_understood(
    folder: Path,
) -> None:
    """A document that a newer reader refuses stays archived, and each build reports it."""
    archive = Archive(folder / "documents")
    archive.save(TRUNCATED, Provenance("bad.txt", "", NOW))
    archive.save_manifest()

    first, second = build(folder), build(folder)

    assert kinds(first) == kinds(second) == {"Refused": 1}
    assert len(rows(folder, "label")) == 5


# Interruptions --------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2])
def test_caller_that_stops(tmp_path: Path, documents: list[Path], jobs: int) -> None:
    """If the caller stops a build, the base stays as it was, and the next build completes."""
    build(tmp_path / "whole", documents)
    build(tmp_path / "kb", documents[:1])
    before = contents(tmp_path / "kb")
    events = Builder(tmp_path / "kb", NOW, jobs).build(documents)

    first, second = next(events), next(events)
    cast("Generator[Event]", events).close()

    assert kinds([first, second])["Taken"] >= 1
    assert contents(tmp_path / "kb") == before
    assert len(Archive(tmp_path / "kb" / "documents")) == 1
    build(tmp_path / "kb", documents)
    assert contents(tmp_path / "kb") == contents(tmp_path / "whole")


def test_reader_during_a_build(tmp_path: Path, documents: list[Path]) -> None:
    """During a build, readers see the old base until the new one replaces it."""
    build(tmp_path / "kb", documents[:1])
    early = Reader(tmp_path / "kb" / "kb.sqlite")

    seen = [
        rows(tmp_path / "kb", "label")
        for event in Builder(tmp_path / "kb", NOW).build(documents)
        if not isinstance(event, Doubted)
    ]

    assert seen == [[("2020-06-05",)]] * 5
    assert [item["label"] for item in early.editions()] == ["2020-06-05"]
    assert len(early.states_in(0)) == 13
    early.close()
    assert len(rows(tmp_path / "kb", "label")) == 5


def test_error_second_builder(tmp_path: Path, documents: list[Path]) -> None:
    """During a build, a second one is refused."""
    with locked(tmp_path / "kb"), pytest.raises(BaseBusyError) as caught:
        build(tmp_path / "kb", documents)

    assert str(caught.value) == (
        f"{tmp_path / 'kb'}: another process is building or checking this knowledge base; "
        "wait until it is done"
    )


def test_error_base_is_in_use(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If an open base cannot be replaced, the documents are kept, and the next build completes."""
    replace, path = os.replace, folder / "kb.sqlite"
    (new,) = write(tmp_path, {"new.txt": edition("November 10, 2025")})

    def refuse(source: Path, target: Path) -> None:
        if target == path:
            raise PermissionError(13, "Access is denied")
        replace(source, target)

    def let_pass(*_: object, **__: object) -> None:
        pass

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", refuse)
        patch.setattr("variorum_kb.system.atomic_files.time.sleep", list[float]().append)
        patch.setattr("variorum_kb.system.atomic_files.sys.platform", "win32")
        patch.setattr("variorum_kb.system.lock._lock", let_pass)
        with pytest.raises(BaseBusyError) as caught:
            build(folder, [new])

    assert str(caught.value).startswith(f"{path}: another program has this file open")
    assert len(rows(folder, "label")) == 5
    assert kinds(build(folder)) == {"Taken": 1}
    assert len(rows(folder, "label")) == 6


def test_error_folder_is_a_file(documents: list[Path]) -> None:
    """A base cannot replace a file."""
    with pytest.raises(NotWritableError) as caught:
        build(documents[0], documents)

    assert str(caught.value) == f"{documents[0]}: cannot be written: File exists"


def test_error_disk_is_full(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the disk is full, the old base stays, and the next build completes."""
    (new,) = write(tmp_path, {"new.txt": edition("November 10, 2025")})

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("variorum_kb.store.writer._insert_editions", full)
        with pytest.raises(NotWritableError) as caught:
            build(folder, [new])

    path = folder / "kb.sqlite"
    assert str(caught.value) == f"{path}: cannot be written: database or disk is full"
    assert len(rows(folder, "label")) == 5
    assert kinds(build(folder)) == {"Taken": 1}


def test_meta(folder: Path) -> None:
    """The base records the versions that built it, but no time."""
    reader = Reader(folder / "kb.sqlite")

    assert reader.facts() == current_meta()
    names = {"aligner", "attest", "verdicts", "facts", "finder", "program", "reader", "witness"}
    assert reader.facts().keys() == names
    reader.close()


def test_first_sources(folder: Path) -> None:
    """Each document has its first name."""
    result = first_sources(folder)

    assert sorted(result.values()) == [f"{year}.txt" for year in range(2020, 2025)]
    assert result.keys() == set(Archive(folder / "documents"))


def test_error_nothing_to_build_it_from(folder: Path, documents: list[Path]) -> None:
    """A damaged base whose documents are lost stays as it is until they are added again."""
    expected = contents(folder)
    shutil.rmtree(folder / "documents")
    change(folder, "DELETE FROM meta")
    before = contents(folder)

    with pytest.raises(BaseError) as caught:
        build(folder)

    assert str(caught.value) == (
        f"{folder / 'kb.sqlite'}: cannot be rebuilt: documents has no edition; "
        "run cr build with your documents"
    )
    assert contents(folder) == before
    assert kinds(build(folder, documents)) == {"Taken": 5}
    assert contents(folder) == expected


@pytest.mark.parametrize(
    "first", [8, pytest.param(0, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)]
)
def test_one_more_edition(sample_base: Path, tmp_path: Path, first: int) -> None:
    """Adding editions to a base gives the same bytes as building all of them at once."""
    documents = [
        Document(path.name, "", path.read_bytes(), is_named=True)
        for path in sorted(Path(str(files("variorum_kb") / "sample")).glob("*.txt"))
    ]
    list(Builder(tmp_path / "kb", NOW, 1).take_in(documents[:first]))

    for document in documents[first:]:
        list(Builder(tmp_path / "kb", NOW, 1).take_in([document]))

    assert contents(tmp_path / "kb") == contents(sample_base)


def test_stale_and_returned(tmp_path: Path) -> None:
    """An edition added to a base has the stale citations and removed rules of earlier ones."""
    rules = (RULES, without("100.2.", MOVED), {**MOVED, "101.5.": TIDE})
    documents = {
        f"{day}.txt": rulebook(day, each, GLOSSARY) for day, each in zip(DAYS, rules, strict=False)
    }
    paths = write(tmp_path, documents)
    build(tmp_path / "whole", paths)
    build(tmp_path / "kb", paths[:2])

    build(tmp_path / "kb", paths[2:])

    assert contents(tmp_path / "kb") == contents(tmp_path / "whole")
