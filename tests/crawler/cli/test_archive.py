"""`cr archive`."""

import json
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.crawler.syncing import NAMES, SAMPLE
from variorum_crawler.archive_export import name_members
from variorum_kb.build.build import Builder
from variorum_kb.cli.main import main
from variorum_kb.documents.archive import Archive, Provenance

NOW = "2030-01-02T03:04:05+00:00"
SOME = NAMES[:3]


def cr(*arguments: object) -> Result:
    """Run a command."""
    return CliRunner().invoke(main, ["archive", *map(str, arguments)])


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    """Return a base of three editions."""
    (tmp_path / "files").mkdir()
    for name in SOME:
        (tmp_path / "files" / name).write_bytes(SAMPLE[name])
    list(Builder(tmp_path / "kb", NOW, jobs=1).build([tmp_path / "files"]))
    return tmp_path / "kb"


def test_verify(kb: Path, bars: list[tuple[str, int, int]]) -> None:
    """For a sound archive, the command prints one line and exits 0."""
    result = cr("verify", "--kb", kb)

    assert result.output == "3 documents: nothing wrong\n"
    assert result.exit_code == 0
    assert bars == [("verifying", number, 3) for number in (1, 2, 3)]


def test_error_verify(kb: Path) -> None:
    """Bit rot, a lost document and a stray file are a line each; the command exits 1."""
    archive = Archive(kb / "documents")
    rotten, lost, _ = archive
    archive.path(rotten).write_bytes(b"x")
    archive.path(lost).unlink()
    (kb / "documents" / "notes.txt").write_bytes(b"x")

    result = cr("verify", "--kb", kb)
    as_json = json.loads(cr("verify", "--kb", kb, "--json").output)

    assert result.stdout == (
        f"{archive.path(rotten)}: the bytes have changed: they no longer match their name\n"
        f"{archive.path(lost)}: cannot be opened: No such file or directory\n"
        f"{kb / 'documents' / 'notes.txt'}: not in the manifest\n"
        "3 documents: 3 problems\n"
    )
    assert result.exit_code == 1
    assert as_json["documents"] == 3
    assert [problem["what"] for problem in as_json["problems"]][2] == "not in the manifest"


def test_verify_what_was_cut_short(kb: Path) -> None:
    """A complete document that a killed sync left unlisted is no problem; other strays are."""
    manifest = kb / "documents" / "manifest.json"
    manifest_json = json.loads(manifest.read_text("utf-8"))
    kept, rotten = manifest_json["documents"].pop(), manifest_json["documents"].pop()
    manifest.write_text(json.dumps(manifest_json), "utf-8")
    archive = Archive(kb / "documents")
    archive.path(rotten["sha256"]).write_bytes(b"x")
    for beside in (manifest, archive.path(kept["sha256"])):
        beside.with_name(f"{beside.name}.new").write_bytes(b"half")
    (kb / "crawl" / "incoming").mkdir(parents=True)

    result = cr("verify", "--kb", kb)
    (kb / "crawl" / "incoming").rmdir()
    later = cr("verify", "--kb", kb)

    assert result.stdout == (
        f"{archive.path(rotten['sha256'])}: not in the manifest\n1 document: 1 problem\n"
    )
    assert later.stdout.endswith("1 document: 4 problems\n")


def test_verify_before_anything_came(tmp_path: Path) -> None:
    """After a sync that fetched nothing, the archive is empty."""
    (tmp_path / "crawl").mkdir()

    assert cr("verify", "--kb", tmp_path).output == "0 documents: nothing wrong\n"


def test_names_of_members(tmp_path: Path) -> None:
    """Members are listed by their names; a long ending is cut."""
    archive = Archive(tmp_path / "kb" / "documents")
    for name in ("b.txt", "a." + "e" * 20, "c"):
        archive.save(name.encode(), Provenance(name, "", NOW))
    archive.save_manifest()

    cr("export", tmp_path / "a.zip", "--kb", tmp_path / "kb")

    with zipfile.ZipFile(tmp_path / "a.zip") as packed:
        assert packed.namelist() == [".manifest.json", "a." + "e" * 12, "b.txt", "c"]
        assert {member.create_system for member in packed.infolist()} == {3}
        assert {member.compress_type for member in packed.infolist()} == {zipfile.ZIP_DEFLATED}


def test_error_deep_manifest(kb: Path) -> None:
    """An unreadable manifest is also reported in one line."""
    (kb / "documents" / "manifest.json").write_text("[" * 100_000, "utf-8")

    result = cr("verify", "--kb", kb)

    assert result.exit_code == 3
    assert result.stderr.startswith(
        f"cr: {kb / 'documents' / 'manifest.json'}: not a manifest of documents: RecursionError("
    )


def test_error_lost_manifest(kb: Path) -> None:
    """Without its manifest, an archive no longer knows the sources of documents."""
    (kb / "documents" / "manifest.json").unlink()

    result = cr("verify", "--kb", kb)

    assert result.stdout == (
        f"{kb / 'documents' / 'manifest.json'}: missing; nothing else records where documents came from\n"
        "3 documents: 1 problem\n"
    )


def test_error_damaged_manifest(kb: Path) -> None:
    """For a damaged manifest, one line says what to do."""
    (kb / "documents" / "manifest.json").write_text("{}", "utf-8")

    result = cr("verify", "--kb", kb)

    assert result.stderr == (
        f"cr: {kb / 'documents' / 'manifest.json'}: not a manifest of documents: "
        "KeyError('documents'); remove manifest.json and run cr build, which writes it anew\n"
    )
    assert result.exit_code == 3


@pytest.mark.parametrize("command", [["verify"], ["list"], ["export", "a.zip"]])
def test_error_no_archive(tmp_path: Path, command: list[str]) -> None:
    """Without an archive, a line says how to make one."""
    result = cr(*command, "--kb", tmp_path)

    assert result.stderr == (
        f"cr: {tmp_path / 'documents'}: no archive; cr sync or cr build PATH creates one\n"
    )
    assert result.exit_code == 3


def test_export(kb: Path, tmp_path: Path) -> None:
    """An exported archive builds the same base, byte for byte; a second export is the same file."""
    first, second = tmp_path / "one.zip", tmp_path / "two.zip"
    first.write_bytes(b"an older one")

    results = [cr("export", path, "--kb", kb) for path in (first, second)]
    events = list(Builder(tmp_path / "again", NOW, jobs=1).build([first]))

    assert [result.exit_code for result in results] == [0, 0]
    assert results[0].stdout == f"{first}: 3 documents, {first.stat().st_size:,} bytes\n"
    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as packed:
        assert {member.date_time for member in packed.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {member.external_attr >> 16 for member in packed.infolist()} == {0o100644}
    assert len(events) == 3
    assert (tmp_path / "again" / "kb.sqlite").read_bytes() == (kb / "kb.sqlite").read_bytes()
    assert sorted(tmp_path.glob("*.new")) == []


def test_error_export_of_rot(kb: Path, tmp_path: Path) -> None:
    """A damaged document is not exported, and the older file stays."""
    archive = Archive(kb / "documents")
    rotten = archive.path(next(iter(archive)))
    rotten.write_bytes(b"x")
    path = tmp_path / "a.zip"
    path.write_bytes(b"an older one")

    result = cr("export", path, "--kb", kb)

    assert result.stderr == (
        f"cr: {rotten}: the bytes have changed: they no longer match their name\n"
    )
    assert path.read_bytes() == b"an older one"
    assert sorted(tmp_path.glob("*.new")) == []


def test_error_export_nowhere(kb: Path, tmp_path: Path) -> None:
    """If the file cannot be written, one line says so."""
    path = tmp_path / "nowhere" / "a.zip"

    result = cr("export", path, "--kb", kb)

    assert result.stderr == f"cr: {path}: cannot be written: No such file or directory\n"
    assert result.exit_code == 3


def test_list(kb: Path, tmp_path: Path) -> None:
    """Each source of each document is a line."""
    lines = cr("list", "--kb", kb).stdout.splitlines()
    as_json = json.loads(cr("list", "--kb", kb, "--json").stdout)

    first = next(iter(Archive(kb / "documents")))
    name = next(known_name for known_name in SOME if known_name in lines[0])
    assert lines[0] == f"{first[:12]}  2030-01-02  {name}  {tmp_path / 'files' / name}"
    assert len(lines) == len(as_json["documents"]) == 3


def test_names_in_an_export(tmp_path: Path) -> None:
    """Names in an export are safe and unique; a document without a name is named by its hash."""
    archive = Archive(tmp_path)
    names = ["a b.txt", "A B.txt", "../x/é.txt", ".hidden", "", "y" * 300 + ".txt"]
    hashes = [archive.save(name.encode(), Provenance(name, "", NOW)) for name in names]

    exported = name_members(archive)

    assert [exported[sha256] for sha256 in hashes] == [
        f"a b-{hashes[0][:12]}.txt",
        f"A B-{hashes[1][:12]}.txt",
        "_x_.txt",
        "hidden",
        hashes[4][:12],
        "y" * 150 + ".txt",
    ]
