"""Folders and ZIPs as sources."""

import zipfile
from pathlib import Path

import pytest

from variorum_crawler.errors import SourceError
from variorum_crawler.places.folders import find_offers


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with two files and a ZIP of two more."""
    place = tmp_path / "rules"
    (place / "old").mkdir(parents=True)
    (place / "b.txt").write_bytes(b"two")
    (place / "old" / "a.txt").write_bytes(b"one")
    (place / ".hidden.txt").write_bytes(b"none")
    with zipfile.ZipFile(place / "c.zip", "w") as archive:
        archive.writestr("x/d.txt", b"four")
        archive.writestr("c.docx", b"three")
    return place


def test_every_file_is_offered(folder: Path) -> None:
    """Files and members of ZIPs are offers with their bytes, in the order of their paths."""
    offers = [
        (offer.name, offer.addresses, offer.body) for offer in find_offers("mine", folder, ())
    ]

    assert offers == [
        ("b.txt", (f"{folder}/b.txt",), b"two"),
        ("c.docx", (f"{folder}/c.zip!c.docx",), b"three"),
        ("d.txt", (f"{folder}/c.zip!x/d.txt",), b"four"),
        ("a.txt", (f"{folder}/old/a.txt",), b"one"),
    ]


def test_patterns_choose(folder: Path) -> None:
    """Patterns choose the wanted names."""
    assert [offer.name for offer in find_offers("mine", folder, ["a.*", "*.docx"])] == [
        "c.docx",
        "a.txt",
    ]


def test_files_are_read_one_at_a_time(folder: Path) -> None:
    """Files are opened one at a time."""
    offers = find_offers("mine", folder, ())
    next(offers)

    (folder / "old" / "a.txt").write_bytes(b"changed")

    assert [offer.body for offer in offers][-1] == b"changed"


def test_error_missing(tmp_path: Path) -> None:
    """For a missing path, the error says so."""
    with pytest.raises(SourceError) as caught:
        list(find_offers("mine", tmp_path / "none", ()))

    assert str(caught.value) == f"mine: {tmp_path}/none: No such file or directory"


def test_error_nothing_wanted(folder: Path) -> None:
    """For a folder without wanted files, the error says so."""
    with pytest.raises(SourceError) as caught:
        list(find_offers("mine", folder, ["*.pdf"]))

    assert str(caught.value) == f"mine: {folder}: no file here that is wanted"


def test_error_damaged_zip(folder: Path) -> None:
    """A ZIP that cannot be opened is reported after the other files are offered."""
    (folder / "c.zip").write_bytes(b"PK\x03\x04 no more")
    (folder / "d.zip").write_bytes(b"")
    names: list[str] = []

    with pytest.raises(SourceError) as caught:
        names.extend(offer.name for offer in find_offers("mine", folder, ()))

    assert names == ["b.txt", "a.txt"]
    assert str(caught.value) == (
        f"mine: {folder}/c.zip: not a readable ZIP: File is not a zip file; and 1 more"
    )
