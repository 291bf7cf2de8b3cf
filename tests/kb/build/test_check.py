"""Whether a knowledge base agrees with its documents: all damage is found."""

import hashlib
import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.support.small_bases import build, change, edition, rows, write, write_otherwise
from variorum_kb.build.check import verify
from variorum_kb.build.check_results import CheckedPart, CheckScope, Examined, Problem, Remedy
from variorum_kb.build.part_versions import current_meta
from variorum_kb.documents.archive import Archive, Provenance
from variorum_kb.errors import BaseBusyError, NoBaseError, NotReadableError, NotWritableError
from variorum_kb.schema_version import SCHEMA
from variorum_kb.system.lock import locked
from variorum_kb.versions import version_of

FIRST, SECOND, THIRD = (
    edition("June 5, 2020"),
    edition("July 6, 2021", rule="A keeper hums."),
    edition("August 7, 2022").replace(b"101.1a A wick", b"101.a A wick"),
)
SHA256 = hashlib.sha256(FIRST).hexdigest()
DOCUMENT = f"documents/{SHA256[:2]}/{SHA256}"
MANIFEST = "documents/manifest.json"


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a base of three editions; tests must not change it."""
    folder = tmp_path_factory.mktemp("three")
    build(folder / "kb", write(folder, {"a.txt": FIRST, "b.txt": SECOND, "c.txt": THIRD}))
    return folder / "kb"


@pytest.fixture
def folder(three: Path, tmp_path: Path) -> Path:
    """Return a base of three editions that tests may change."""
    write(tmp_path, {"a.txt": FIRST})
    return shutil.copytree(three, tmp_path / "kb")


def problems(folder: Path, *, deep: bool = False) -> list[str]:
    """Return the problems of a base, each with the kind of thing it concerns."""
    verifies = [report for report in verify(folder, deep=deep) if isinstance(report, Problem)]
    return [f"[{item.part.value}] {item}" for item in verifies]


def in_base(text: str, remedy: Remedy = Remedy.BUILD_ANEW) -> str:
    """Return the line about the whole file."""
    return f"[base] kb.sqlite: {text}; {remedy.value}"


def in_edition(text: str, label: str = "2020-06-05", remedy: Remedy = Remedy.BUILD_ANEW) -> str:
    """Return the line about an edition."""
    return f"[edition] kb.sqlite: edition {label}: {text}; {remedy.value}"


def in_archive(text: str, remedy: Remedy, where: str = DOCUMENT) -> str:
    """Return the line about a document."""
    return f"[document] {where}: {text}; {remedy.value}"


# A sound base --------------------------------------------------------------------------------


@pytest.mark.parametrize("deep", [False, True])
def test_nothing_wrong(folder: Path, deep: bool) -> None:
    """In a sound base everything is checked, and the announced total is right."""
    scope, *reports = verify(folder, deep=deep)

    assert scope == CheckScope(8 if deep else 7)
    assert Counter(report.part for report in reports if isinstance(report, Examined)) == {
        CheckedPart.DOCUMENT: 3,
        CheckedPart.BASE: 1,
        CheckedPart.EDITION: 3,
        **({CheckedPart.READING: 1} if deep else {}),
    }
    assert len(reports) == (8 if deep else 7)


def test_several_issues(tmp_path: Path) -> None:
    """Several issues of a date, lossy and sound, are no problem."""
    documents = {f"{name}.txt": edition(designer=name) for name in ("Ada", "Bob", "Cyd")}
    lossy = {"lossy.txt": FIRST.replace(b"no wick stays", b"no wick ? stays ?" * 60)}
    build(tmp_path / "kb", write(tmp_path, documents | lossy))

    assert problems(tmp_path / "kb", deep=True) == []


def test_nothing_is_changed(folder: Path) -> None:
    """A check changes no file."""
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    list(verify(folder, deep=True))

    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_without_the_right_to_lock(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A base in a folder that belongs to another user can still be checked."""

    def refuse(folder: Path) -> None:
        raise NotWritableError(f"{folder}: cannot be written: Read-only file system")

    monkeypatch.setattr("variorum_kb.build.check.locked", refuse)

    assert problems(folder) == []


def test_error_no_base(tmp_path: Path) -> None:
    """If there is no base, a check creates none."""
    with pytest.raises(NoBaseError) as caught:
        list(verify(tmp_path / "kb"))

    assert str(caught.value) == (
        f"{tmp_path / 'kb' / 'kb.sqlite'}: no knowledge base; "
        "cr demo shows what one is for, cr build PATH or cr sync creates one"
    )
    assert list(tmp_path.iterdir()) == []


def test_error_during_a_build(folder: Path) -> None:
    """During a build, the base is not checked."""
    with locked(folder), pytest.raises(BaseBusyError) as caught:
        list(verify(folder))

    assert str(caught.value) == (
        f"{folder}: another process is building or checking this knowledge base; "
        "wait until it is done"
    )


def test_error_closed_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that cannot be searched is named."""

    def refuse(_: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "exists", refuse)

    with pytest.raises(NotReadableError) as caught:
        list(verify(folder))

    assert str(caught.value) == f"{folder}: Permission denied"


# The archive ---------------------------------------------------------------------------------


def test_error_document_missing(folder: Path) -> None:
    """A missing document is reported, and can be added again."""
    (folder / DOCUMENT).unlink()

    result = problems(folder)
    build(folder, [folder.parent / "a.txt"])

    reason = "cannot be opened: No such file or directory"
    assert result == [in_archive(reason, Remedy.GIVE_AGAIN)]
    assert problems(folder) == []


def test_error_document_changed(folder: Path) -> None:
    """A document whose bytes changed is found, and can be added again."""
    (folder / DOCUMENT).write_bytes(FIRST.replace(b"tide", b"moon"))

    result = problems(folder, deep=True)
    build(folder, [folder.parent / "a.txt"])

    reason = "the bytes have changed: they no longer match their name"
    assert result == [in_archive(reason, Remedy.GIVE_AGAIN)]
    assert problems(folder) == []


@pytest.mark.parametrize("name", ["documents/notes.txt", "documents/ab/notes.txt"])
def test_error_stray_file(folder: Path, name: str) -> None:
    """A file that no manifest lists is found anywhere among the documents."""
    write(folder, {name: b"notes", "documents/.hidden": b"a program of a Mac put it there"})

    result = problems(folder)
    (folder / name).unlink()

    assert result == [in_archive("not in the manifest", Remedy.REMOVE, name)]
    assert problems(folder) == []


def test_error_stray_document(folder: Path) -> None:
    """A document that somebody copied into the archive is found, and can be built in."""
    data = edition("September 8, 2023")
    path = Archive(folder / "documents").path(hashlib.sha256(data).hexdigest())
    write(path.parent, {path.name: data})

    result = problems(folder)
    build(folder)
    build(folder, [path])

    where = path.relative_to(folder).as_posix()
    assert result == [in_archive("not in the manifest", Remedy.REMOVE, where)]
    assert problems(folder) == []


def test_left_by_a_killed_run(folder: Path) -> None:
    """Files of a killed run are reported; the next build removes them or builds them in."""
    data = edition("September 8, 2023")
    path = Archive(folder / "documents").path(hashlib.sha256(data).hexdigest())
    halves = [f"{MANIFEST}.new", f"{DOCUMENT}.new", "kb.sqlite.new", "documents/.unfinished"]
    halves.append("kb.sqlite.draft.new")
    write(folder, {path.relative_to(folder).as_posix(): data, **dict.fromkeys(halves, b"half")})

    result = problems(folder)
    build(folder)

    label = "left by a run that was killed"
    wholes = [path.relative_to(folder).as_posix(), f"{DOCUMENT}.new", f"{MANIFEST}.new"]
    assert set(result) == {
        f"[base] kb.sqlite.new: {label}; {Remedy.TIDY.value}",
        f"[base] kb.sqlite.draft.new: {label}; {Remedy.TIDY.value}",
        *(in_archive(label, Remedy.TIDY, where) for where in wholes),
    }
    assert problems(folder) == []
    assert not any((folder / half).exists() for half in halves)
    assert rows(folder, "effective")[-1] == ("2023-09-08",)


def test_error_manifest_damaged(folder: Path) -> None:
    """An unreadable manifest is reported; the base is still checked."""
    (folder / MANIFEST).write_bytes(b"{}")
    change(folder, "DELETE FROM lookup WHERE word = 'boat'")

    first, second = problems(folder)
    (folder / MANIFEST).unlink()
    build(folder)

    reason = "not a manifest of documents: KeyError('documents')"
    assert first == in_archive(reason, Remedy.REMOVE_MANIFEST, MANIFEST)
    assert second == in_base("damaged: lookup does not hold what was written")
    assert problems(folder, deep=True) == []


def test_error_manifest_missing(folder: Path) -> None:
    """A lost manifest is reported, and the next build writes it again."""
    (folder / MANIFEST).unlink()

    result = problems(folder)
    build(folder)

    assert result == [in_archive("missing", Remedy.BUILD, MANIFEST)]
    assert problems(folder) == []


def test_error_document_not_in_the_base(folder: Path) -> None:
    """A document that the base lacks is found, and the next build adds it."""
    data = edition("September 8, 2023")
    archive = Archive(folder / "documents")
    sha256 = archive.save(data, Provenance("d.txt", "", ""))
    archive.save_manifest()

    result = problems(folder)
    build(folder)

    where = f"documents/{sha256[:2]}/{sha256}"
    assert result == [in_archive("not in kb.sqlite", Remedy.BUILD, where)]
    assert problems(folder) == []


def test_error_edition_without_document(folder: Path) -> None:
    """An edition whose document is not in the manifest is found; its file is a stray file."""
    value = json.loads((folder / MANIFEST).read_bytes())
    value["documents"] = [
        document for document in value["documents"] if document["sha256"] != SHA256
    ]
    (folder / MANIFEST).write_text(json.dumps(value), "utf-8")

    result = problems(folder, deep=True)
    build(folder, [folder.parent / "a.txt"])

    assert result == [
        in_archive("not in the manifest", Remedy.REMOVE),
        in_edition(f"its document {SHA256} is not in the manifest", remedy=Remedy.GIVE_AGAIN),
    ]
    assert problems(folder) == []


# The file ------------------------------------------------------------------------------------


def test_error_base_missing(folder: Path) -> None:
    """A lost base is reported, and the next build makes it again."""
    (folder / "kb.sqlite").unlink()

    result = problems(folder, deep=True)
    build(folder)

    assert result == [in_base("missing", Remedy.BUILD)]
    assert problems(folder) == []


def test_error_no_database(folder: Path) -> None:
    """Another file in the base's place is found, and the next build replaces it."""
    (folder / "kb.sqlite").write_bytes(b"something else" * 1000)

    result = problems(folder)
    build(folder)

    assert result == [in_base("not a knowledge base: file is not a database", Remedy.BUILD)]
    assert problems(folder) == []


@pytest.mark.parametrize(
    ("statement", "problem", "remedy"),
    [
        (f"PRAGMA user_version = {SCHEMA + 1}", "written by a newer program", Remedy.UPGRADE),
        ("PRAGMA user_version = 0", "written by an older program", Remedy.BUILD),
        (
            "UPDATE meta SET value = '0' WHERE name = 'reader'",
            f"read by version 0 of the reader, this program has {version_of('reader')}",
            Remedy.BUILD,
        ),
        (
            "UPDATE meta SET value = '0' WHERE name = 'finder'",
            f"citations found by version 0 of the finder, this program has {version_of('finder')}",
            Remedy.BUILD,
        ),
        (
            "UPDATE meta SET value = '999.0' WHERE name = 'program'",
            f"written by version 999.0 of the program, this is {current_meta()['program']}",
            Remedy.UPGRADE,
        ),
        (
            "UPDATE meta SET value = '0.0' WHERE name = 'program'",
            f"written by version 0.0 of the program, this is {current_meta()['program']}",
            Remedy.BUILD,
        ),
        (
            "UPDATE meta SET value = '0' WHERE name = 'facts'",
            "written with another table of facts",
            Remedy.BUILD,
        ),
    ],
)
def test_error_other_version(folder: Path, statement: str, problem: str, remedy: Remedy) -> None:
    """A base of another program, reader or table of facts is reported; a build fixes older ones."""
    write_otherwise(folder, statement)

    result = problems(folder, deep=True)

    assert result == [in_base(problem, remedy)]
    if remedy is Remedy.BUILD:
        build(folder)
        assert problems(folder) == []


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("DROP INDEX provision_parent", "its tables are not those that this program makes"),
        ("ALTER TABLE reading ADD COLUMN more", "its tables are not those that this program makes"),
        ("DROP TABLE span", "its tables are not those that this program makes"),
        ("DELETE FROM meta", "the table meta does not say which program wrote it"),
        (
            "UPDATE meta SET value = 'x' WHERE name = 'program'",
            "the table meta does not say which program wrote it",
        ),
    ],
)
def test_error_unfit_file(folder: Path, statement: str, problem: str) -> None:
    """For a file that cannot be queried, this is the only problem; the next build replaces it."""
    change(folder, statement)

    result = problems(folder)
    build(folder)

    assert result == [in_base(f"damaged: {problem}")]
    assert problems(folder) == []


def test_error_broken_pages(folder: Path) -> None:
    """Changed bytes are found if they damage the structure of the file."""
    path = folder / "kb.sqlite"
    data = bytearray(path.read_bytes())
    data[3 * 8192 : 3 * 8192 + 200] = b"\xaa" * 200
    path.write_bytes(data)

    result = problems(folder)
    build(folder)

    assert result
    assert all(line.startswith("[base] kb.sqlite: damaged: ") for line in result)
    assert problems(folder) == []


# Comparison with the documents -----------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("statement", "tables"),
    [
        (
            "UPDATE reading SET body = 'Another moon turns.' WHERE body LIKE 'The tide turns.%'",
            ["provision", "reading"],
        ),
        ("UPDATE edition SET introduction = '[]'", ["edition"]),
        ("UPDATE edition SET set_name = 'Harbour' WHERE id = 1", ["edition"]),
        ("UPDATE edition SET states = substr(states, 1, length(states) - 4)", ["edition"]),
        ("DELETE FROM span WHERE provision = 3", ["span"]),
        ("INSERT INTO lookup VALUES ('tiller', 2)", ["lookup"]),
        ("DELETE FROM link WHERE edition = 1", ["link"]),
        ("UPDATE found SET edition = 0", ["found"]),
    ],
)
def test_error_not_what_the_documents_give(folder: Path, statement: str, tables: list[str]) -> None:
    """A forged file with right checksums differs from a base built from the documents."""
    write_otherwise(folder, statement)
    lines = problems(folder, deep=True)
    shallow = problems(folder)
    (folder / "kb.sqlite").unlink()
    build(folder)

    assert shallow == []
    assert lines == [
        in_base(f"the table {table} differs from one built anew from the documents")
        for table in tables
    ]
    assert problems(folder, deep=True) == []


def test_error_lost_text(folder: Path) -> None:
    """Bytes that are no longer valid text are damage."""
    change(folder, "UPDATE reading SET body = CAST(x'ff' AS TEXT) WHERE id = 3")

    result = problems(folder)

    assert len(result) == 1
    assert result[0].startswith("[base] kb.sqlite: damaged: Could not decode to UTF-8")
