"""Documents in files, folders and ZIPs."""

import errno
import os
import zipfile
from pathlib import Path

import pytest

from tests.support.small_bases import build, edition, errors, kinds, write
from variorum_kb.build.build import find_documents
from variorum_kb.documents import find
from variorum_kb.documents.archive import Archive


def test_find_documents(tmp_path: Path) -> None:
    """A folder means all files in it and its subfolders, sorted, except hidden ones."""
    names = ["b.txt", "a.txt", "inner/c.txt", "inner/deep/d.txt", ".hidden", ".git/e.txt"]
    write(tmp_path, dict.fromkeys(names, b""))

    documents = find_documents([Path("x.txt"), tmp_path])

    assert documents == [
        Path("x.txt"),
        *(tmp_path / name for name in ("a.txt", "b.txt", "inner/c.txt", "inner/deep/d.txt")),
    ]


def test_hidden_folder_by_name(tmp_path: Path) -> None:
    """A hidden folder that the user names is searched."""
    (path,) = write(tmp_path, {".rules/a.txt": b""})

    assert find_documents([path.parent]) == [path]


def test_error_closed_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that cannot be searched is reported; the others are read."""
    write(tmp_path / "rules", {"closed/a.txt": b"", "open/b.txt": edition()})
    scandir = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("closed"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)

    events = build(tmp_path / "kb", [tmp_path / "rules"])

    assert kinds(events) == {"Taken": 1, "Refused": 1}
    assert errors(events) == [f"{tmp_path / 'rules' / 'closed'}: Permission denied"]


def test_huge_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A huge file is passed over without being read completely; the largest possible edition is read."""
    largest = len(edition())
    monkeypatch.setattr(find, "LARGEST_EDITION", largest)
    documents = {"film": b"\x00" * (largest + 1), "rules.txt": edition()}
    film, rules = write(tmp_path / "rules", documents)

    in_folder = build(tmp_path / "a", [tmp_path / "rules"])
    named = build(tmp_path / "b", [film, rules])

    assert kinds(in_folder) == {"Taken": 1, "PassedOver": 1}
    assert kinds(named) == {"Taken": 1, "Refused": 1}
    assert errors(named) == [f"{film}: too large; at most 0 MB are read"]


@pytest.mark.parametrize("place", [".", "rules", "rules/kb"])
def test_base_within_the_rules(tmp_path: Path, place: str) -> None:
    """A base does not read its own documents, even if its folder is searched."""
    write(tmp_path / "rules", {"a.txt": edition()})
    build(tmp_path / "rules" / "kb", [tmp_path / "rules"])

    events = build(tmp_path / "rules" / "kb", [tmp_path / place])

    assert kinds(events) == ({} if place == "rules/kb" else {"AlreadyKnown": 1})


# ZIPs ----------------------------------------------------------------------------------------


def pack(path: Path, members: dict[str, bytes]) -> Path:
    """Write a ZIP."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return path


def test_zip(tmp_path: Path) -> None:
    """Members of a ZIP are read, except hidden ones and those that macOS adds."""
    members = {
        "rules/b.txt": edition("July 6, 2021"),
        "a.txt": edition(),
        "__MACOSX/._a.txt": b"\x00\x05\x16\x07",
        "rules/.DS_Store": b"\x00",
        "empty/": b"",
        "notes.md": b"# Notes",
    }
    path = pack(tmp_path / "Rules.ZIP", members)

    events = build(tmp_path / "kb", [path])

    assert kinds(events) == {"Taken": 2, "PassedOver": 1}
    archive = Archive(tmp_path / "kb" / "documents")
    sources = [source for sha256 in archive for source in archive.sources(sha256)]
    assert {(source.name, source.address) for source in sources} == {
        ("a.txt", f"{path}!a.txt"),
        ("b.txt", f"{path}!rules/b.txt"),
    }


def test_zip_in_a_folder(tmp_path: Path) -> None:
    """A ZIP in a folder is opened; an empty one contains nothing."""
    (tmp_path / "rules").mkdir()
    pack(tmp_path / "rules" / "a.zip", {"a.txt": edition()})
    pack(tmp_path / "rules" / "b.zip", {})

    assert kinds(build(tmp_path / "kb", [tmp_path / "rules"])) == {"Taken": 1}


def test_error_broken_zip(tmp_path: Path) -> None:
    """A file that is a ZIP only by name, or lacks its end, is refused."""
    whole = pack(tmp_path / "whole.zip", {"a.txt": edition()}).read_bytes()
    paths = write(tmp_path, {"a.zip": b"no ZIP", "b.zip": whole[:-30]})

    events = build(tmp_path / "kb", [*paths, tmp_path / "none.zip"])

    assert errors(events) == [
        f"{paths[0]}: not a readable ZIP: File is not a zip file",
        f"{paths[1]}: not a readable ZIP: File is not a zip file",
        f"{tmp_path / 'none.zip'}: No such file or directory",
    ]


def test_error_broken_member(tmp_path: Path) -> None:
    """A damaged member is refused; the others are read."""
    path = pack(tmp_path / "a.zip", {"a.txt": edition(), "b.txt": edition("July 6, 2021")})
    data = bytearray(path.read_bytes())
    data[60:120] = b"\xff" * 60
    path.write_bytes(data)

    events = build(tmp_path / "kb", [path])

    assert kinds(events) == {"Taken": 1, "Refused": 1}
    (error,) = errors(events)
    assert error.startswith(f"{path}!a.txt: cannot be unpacked: ")


def test_error_encrypted_member(tmp_path: Path) -> None:
    """A member with a password is refused; the others are read."""
    path = pack(tmp_path / "a.zip", {"a.txt": edition(), "b.txt": edition("July 6, 2021")})
    data = bytearray(path.read_bytes())
    for head, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(head) + flags] |= 1
    path.write_bytes(data)

    events = build(tmp_path / "kb", [path])

    assert kinds(events) == {"Taken": 1, "Refused": 1}
    (error,) = errors(events)
    assert error.startswith(f"{path}!a.txt: cannot be unpacked: ")
    assert "password" in error


def test_error_strange_packing(tmp_path: Path) -> None:
    """A member compressed with a rare method is refused."""
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(zipfile.ZipInfo("a.txt"), edition(), zipfile.ZIP_BZIP2)

    assert errors(build(tmp_path / "kb", [path])) == [
        f"{path}!a.txt: packed in a way that is not supported"
    ]


@pytest.mark.parametrize(("spare", "taken"), [(0, 2), (-1, 1)])
def test_error_huge_zip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spare: int, taken: int
) -> None:
    """A ZIP is read as far as it unpacks to no more than the limit; the rest is reported."""
    members = {"a.txt": edition(), "b.txt": edition("July 6, 2021")}
    monkeypatch.setattr(find, "LARGEST_ZIP", sum(map(len, members.values())) + spare)
    path = pack(tmp_path / "a.zip", members)

    events = build(tmp_path / "kb", [path])

    reason = "holds more than 0 GB; what is left of it was not read"
    assert kinds(events)["Taken"] == taken
    assert errors(events) == [f"{path}: {reason}"] * (2 - taken)


def test_huge_member(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A member too large for an edition is not unpacked."""
    largest = len(edition())
    monkeypatch.setattr(find, "LARGEST_EDITION", largest)
    path = pack(tmp_path / "a.zip", {"bomb.txt": b"0" * (largest + 1), "b.txt": edition()})

    events = build(tmp_path / "kb", [path])

    assert kinds(events) == {"Taken": 1, "PassedOver": 1}
    assert errors(events) == [f"{path}!bomb.txt: too large; at most 0 MB are read"]
