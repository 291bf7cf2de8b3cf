"""The archive: original bytes and their sources."""

import errno
import hashlib
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from variorum_kb.documents.archive import MANIFEST, Archive, Provenance
from variorum_kb.documents.decisions import Decision
from variorum_kb.errors import ArchiveError, NotWritableError
from variorum_kb.stored_rows import BY_AGREEMENT, BY_PERSON

SHA256 = hashlib.sha256(b"rules").hexdigest()
SOURCE = Provenance("a.txt", "https://example.org/a.txt", "2030-01-02")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return an archive with one document."""
    archive = Archive(tmp_path / "documents")
    archive.save(b"rules", SOURCE)
    archive.save_manifest()
    return tmp_path / "documents"


def test_a_new_archive_is_empty(tmp_path: Path) -> None:
    """A missing archive is empty, and reading it creates nothing."""
    archive = Archive(tmp_path / "documents")
    archive.save_manifest()

    assert (list(archive), len(archive), SHA256 in archive) == ([], 0, False)
    assert archive.sources(SHA256) == ()
    assert not archive.folder.exists()


def test_save(folder: Path) -> None:
    """A stored document is found with its bytes and its source."""
    archive = Archive(folder)

    assert list(archive) == [SHA256]
    assert archive.load(SHA256) == b"rules"
    assert archive.path(SHA256) == folder / SHA256[:2] / SHA256
    assert archive.sources(SHA256) == (SOURCE,)
    assert archive.files() == [archive.path(SHA256), folder / MANIFEST]


def test_unknown_until_the_manifest_is_saved(folder: Path) -> None:
    """A document is known only after the manifest is saved."""
    Archive(folder).save(b"more rules", SOURCE)

    assert len(Archive(folder)) == 1


def test_sources(folder: Path) -> None:
    """A document from another source gets that source too; a known source changes nothing."""
    archive = Archive(folder)
    second = Provenance("b.txt", "", "2031-01-01")

    archive.save(b"rules", Provenance(SOURCE.name, SOURCE.address, "2031-01-01"))
    archive.save(b"rules", second)
    archive.save(b"rules", second)
    archive.save_manifest()

    assert Archive(folder).sources(SHA256) == (SOURCE, second)


def test_very_many_sources(folder: Path) -> None:
    """The cost of each source does not grow with their number."""
    archive = Archive(folder)

    for number in range(5000):
        archive.save(b"rules", Provenance(f"{number}.txt", "", "2031-01-01"))
    archive.save_manifest()

    assert len(Archive(folder).sources(SHA256)) == 5001


def test_manifest(folder: Path) -> None:
    """The manifest is readable JSON."""
    assert (folder / MANIFEST).read_text("utf-8") == (
        '{\n "documents": [\n  {\n'
        f'   "sha256": "{SHA256}",\n'
        '   "sources": [\n    {\n'
        '     "name": "a.txt",\n'
        '     "address": "https://example.org/a.txt",\n'
        '     "added": "2030-01-02"\n'
        "    }\n   ]\n  }\n ]\n}\n"
    )


def test_manifest_is_written_when_it_changes(folder: Path) -> None:
    """An unchanged manifest is not written again."""
    before = (folder / MANIFEST).stat().st_mtime_ns
    os.utime(folder / MANIFEST, ns=(before - 10**9, before - 10**9))

    Archive(folder).save_manifest()

    assert (folder / MANIFEST).stat().st_mtime_ns == before - 10**9


def test_what_others_wrote_stays(folder: Path) -> None:
    """Other keys of the manifest are kept."""
    manifest = json.loads((folder / MANIFEST).read_bytes())
    manifest["version"] = 7
    manifest["documents"][0]["language"] = "English"
    manifest["documents"][0]["sources"][0]["etag"] = "abc"
    (folder / MANIFEST).write_text(json.dumps(manifest), "utf-8")

    archive = Archive(folder)
    archive.save(b"more rules", SOURCE)
    archive.save_manifest()

    written = json.loads((folder / MANIFEST).read_bytes())
    (entry,) = [document for document in written["documents"] if document["sha256"] == SHA256]
    assert (written["version"], entry) == (7, manifest["documents"][0])
    assert len(written["documents"]) == 2


def test_a_name_that_is_no_text(folder: Path) -> None:
    """A file name may have bytes that are not text; the manifest is still UTF-8."""
    archive = Archive(folder)
    source = Provenance("caf\udce9.txt", "", "2031-01-01")

    archive.save(b"rules", source)
    archive.save_manifest()

    assert "caf\\udce9.txt" in (folder / MANIFEST).read_text("utf-8")
    assert Archive(folder).sources(SHA256)[1] == source


def test_decisions(folder: Path) -> None:
    """A decision stays as it was first made, until it is revoked."""
    archive = Archive(folder)
    decision = Decision(SHA256, BY_PERSON, "2030-01-02")
    for made in (decision, replace(decision, made="2031-01-02")):
        archive.decide(made)
    archive.save_manifest()

    again = Archive(folder)
    assert again.decisions() == [decision]
    assert (again.attestation(SHA256), again.attestation("0" * 64)) == (BY_PERSON, "")
    assert [again.revoke(SHA256, BY_PERSON) for _ in range(2)] == [True, False]
    again.save_manifest()
    assert Archive(folder).decisions() == []


def test_agreements(folder: Path) -> None:
    """A document that a second publisher serves is attested by their agreement."""
    archive = Archive(folder)
    archive.note_agreement(SHA256, "2031-01-02")
    before = archive.attestation(SHA256)
    archive.save(b"rules", replace(SOURCE, address="https://example.com/a.txt"))

    archive.note_agreement(SHA256, "2031-01-02")

    assert (before, archive.attestation(SHA256)) == ("", BY_AGREEMENT)


def damage(folder: Path, *, is_cut_short: bool = False) -> list[str]:
    """Return the problems of an archive, "" for each sound document."""
    checked = Archive(folder).find_damage(is_cut_short=is_cut_short)
    return ["" if problem is None else str(problem) for problem in checked]


def test_damage(folder: Path) -> None:
    """Changed, missing and unknown files are found, and so is a lost manifest."""
    archive = Archive(folder)
    archive.save(b"more rules", SOURCE)
    archive.save_manifest()
    first, second = (archive.path(sha256) for sha256 in archive)
    sound = damage(folder)
    first.write_bytes(b"x")
    second.unlink()
    (folder / "notes.txt").write_bytes(b"x")
    (folder / ".hidden").write_bytes(b"x")

    assert sound == ["", ""]
    assert damage(folder) == [
        f"{first}: the bytes have changed: they no longer match their name",
        f"{second}: cannot be opened: No such file or directory",
        f"{folder / 'notes.txt'}: not in the manifest",
    ]
    (folder / MANIFEST).unlink()
    lost = f"{folder / MANIFEST}: missing; nothing else records where documents came from"
    assert damage(folder)[1] == lost
    assert lost not in damage(folder, is_cut_short=True)


def test_what_a_killed_run_left(folder: Path) -> None:
    """Whole documents that a killed run left are added, half-written ones removed; others stay."""
    left = Archive(folder).save(b"more rules", SOURCE)
    path = folder / left[:2] / left
    halves = [path.with_name(f"{left}.new"), folder / f"{MANIFEST}.new"]
    strays = [folder / "notes.new", folder / SHA256, path.with_name("f" * 64)]
    for file in (*halves, *strays):
        file.write_bytes(b"rules")
    strange = [f"{file}: not in the manifest" for file in sorted(strays)]
    both = [f"{file}: not in the manifest" for file in sorted([*halves, *strays, path])]

    assert (damage(folder), damage(folder, is_cut_short=True)) == (["", *both], ["", *strange])
    archive = Archive(folder)
    archive.tidy()
    archive.save_manifest()

    assert damage(folder) == ["", "", *strange]
    assert left in Archive(folder)
    assert Archive(folder).sources(SHA256) == (SOURCE,)
    path.with_name("e" * 64).write_bytes(b"x")
    (folder / "zz.new").write_bytes(b"x")
    archive.tidy()
    assert len(Archive(folder)) == 2
    assert (folder / "zz.new").exists()


def test_lost_manifest(folder: Path) -> None:
    """Without a manifest, the documents are still known, but not their sources."""
    (folder / MANIFEST).unlink()
    (folder / SHA256[:2] / "notes").write_bytes(b"")
    (folder / "zz").mkdir()
    (folder / "zz" / SHA256).write_bytes(b"")

    archive = Archive(folder)

    assert list(archive) == [SHA256]
    assert archive.sources(SHA256) == ()


@pytest.mark.parametrize("damage", [b"", b"rule", b"rulers"])
def test_damaged_document_is_restored(folder: Path, damage: bytes) -> None:
    """If a document is added again, lost or changed bytes are restored."""
    archive = Archive(folder)
    archive.path(SHA256).write_bytes(damage)

    archive.save(b"rules", SOURCE)

    assert archive.load(SHA256) == b"rules"


def test_error_document_changed(folder: Path) -> None:
    """A document whose bytes have changed is not returned."""
    archive = Archive(folder)
    archive.path(SHA256).write_bytes(b"rulez")

    with pytest.raises(ArchiveError) as caught:
        archive.load(SHA256)

    assert str(caught.value) == (
        f"{archive.path(SHA256)}: the bytes have changed: they no longer match their name"
    )


def test_error_document_missing(folder: Path) -> None:
    """A missing document is named."""
    archive = Archive(folder)
    archive.path(SHA256).unlink()

    with pytest.raises(ArchiveError) as caught:
        archive.load(SHA256)

    assert str(caught.value) == (
        f"{archive.path(SHA256)}: cannot be opened: No such file or directory"
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "JSONDecodeError('Expecting value: line 1 column 1 (char 0)')"),
        (b"[]", "TypeError('list indices must be integers or slices, not str')"),
        (b"{}", "KeyError('documents')"),
        (
            b'{"documents": [{"sha256": "../../x", "sources": []}]}',
            "ValueError('not a SHA-256: ../../x')",
        ),
        (b'{"documents": [1]}', "TypeError(\"'int' object is not subscriptable\")"),
    ],
)
def test_error_manifest(folder: Path, text: bytes, reason: str) -> None:
    """A manifest that cannot be understood gives an error."""
    (folder / MANIFEST).write_bytes(text)

    with pytest.raises(ArchiveError) as caught:
        Archive(folder)

    assert str(caught.value) == f"{folder / MANIFEST}: not a manifest of documents: {reason}"


def test_error_manifest_is_no_text(folder: Path) -> None:
    """A manifest that is not UTF-8 gives an error."""
    (folder / MANIFEST).write_bytes(b'{"documents": "\xff"}')

    with pytest.raises(ArchiveError) as caught:
        Archive(folder)

    assert str(caught.value).startswith(
        f"{folder / MANIFEST}: not a manifest of documents: Unicode"
    )


def test_error_folder_is_a_file(tmp_path: Path) -> None:
    """A file cannot be an archive."""
    path = tmp_path / "documents"
    path.write_bytes(b"")

    with pytest.raises(ArchiveError) as caught:
        Archive(path)

    assert str(caught.value) == f"{path / MANIFEST}: cannot be opened: Not a directory"


def test_error_disk_is_full(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the disk is full, no half-written file stays."""

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    archive = Archive(folder)
    before = archive.files()

    with pytest.raises(NotWritableError) as caught:
        archive.save(b"more rules", SOURCE)

    path = archive.path(hashlib.sha256(b"more rules").hexdigest())
    assert str(caught.value) == f"{path}: cannot be written: No space left on device"
    assert archive.files() == before


def test_order_on_the_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes and names of documents are on the disk before the manifest names them."""
    steps: list[str] = []
    fsync, replace = os.fsync, os.replace

    def note_fsync(handle: int) -> None:
        steps.append("sync")
        fsync(handle)

    def note_replace(source: Path, target: Path) -> None:
        steps.append(target.name)
        replace(source, target)

    monkeypatch.setattr(os, "fsync", note_fsync)
    monkeypatch.setattr(os, "replace", note_replace)
    archive = Archive(folder)

    sha256 = archive.save(b"more rules", SOURCE)
    archive.save_manifest()

    # The document; the folders that name it; the manifest; the folder that names that.
    assert steps == ["sync", sha256, "sync", "sync", "sync", MANIFEST, "sync"]
