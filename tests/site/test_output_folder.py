"""The output folder of a site."""

import json
from pathlib import Path

import pytest

from variorum_kb.errors import NotWritableError
from variorum_site.output_folder import MANIFEST, GroupJson, OutputFolder, digest_of, write


def group(files: dict[str, bytes], inputs: str = "x") -> GroupJson:
    """Return a group of files."""
    digests = {name: digest_of(data) for name, data in files.items()}
    return {"inputs": inputs, "results": {}, "files": digests}


def test_round_trip(tmp_path: Path) -> None:
    """A saved file is still there when the folder is opened again."""
    files = {"a/index.html": b"a"}
    write(tmp_path, files)
    OutputFolder.open(tmp_path / "none")
    output = OutputFolder(tmp_path)
    output.save({"one": group(files)})

    again = OutputFolder.open(tmp_path)

    assert again.is_fresh("one", "x")
    assert not again.is_fresh("one", "y")
    assert not again.is_fresh("two", "x")


@pytest.mark.parametrize("data", [b"b", None])
def test_changed_files_are_not_fresh(tmp_path: Path, data: bytes | None) -> None:
    """If a file of a group was changed or removed, the group is made again."""
    write(tmp_path, {"a": b"a"})
    output = OutputFolder(tmp_path, {"one": group({"a": b"a"})})
    (tmp_path / "a").unlink()
    if data is not None:
        (tmp_path / "a").write_bytes(data)

    assert not output.is_fresh("one", "x")


def test_only_what_differs_is_written(tmp_path: Path) -> None:
    """An unchanged file keeps its time."""
    assert write(tmp_path, {"a": b"a", "b/c": b"b"}) == 2
    assert write(tmp_path, {"a": b"a", "b/c": b"c"}) == 1


def test_another_layout_is_made_anew(tmp_path: Path) -> None:
    """A manifest of another version still lists our files."""
    manifest = {"format": 0, "groups": {"one": group({"a": b"a"})}}
    (tmp_path / MANIFEST).write_text(json.dumps(manifest), "utf-8")

    output = OutputFolder.open(tmp_path)

    assert output.files() == ["a"]
    assert not output.is_fresh("one", "x")


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"format": 0, "groups": []}'])
def test_error_damaged_manifest(tmp_path: Path, text: str) -> None:
    """A damaged manifest is distinguished from a folder of another program."""
    (tmp_path / MANIFEST).write_text(text, "utf-8")

    with pytest.raises(NotWritableError) as error:
        OutputFolder.open(tmp_path)

    assert str(error.value) == (
        f"{tmp_path / MANIFEST}: damaged; remove the folder and build the site again"
    )


def test_error_a_file_in_the_way(tmp_path: Path) -> None:
    """A file where the folder should be is refused."""
    (tmp_path / "out").write_text("mine", "utf-8")

    with pytest.raises(NotWritableError) as error:
        OutputFolder.open(tmp_path / "out")

    assert str(error.value) == f"{tmp_path / 'out'}: cannot be used: Not a directory"


def test_stale_files_go_with_their_folders(tmp_path: Path) -> None:
    """Folders that become empty are removed; others stay."""
    write(tmp_path, {"a/b/c": b"1", "a/d": b"2"})

    assert OutputFolder(tmp_path).remove_stale(["a/b/c", "a/d"], ["a/d"]) == 1
    assert not (tmp_path / "a/b").exists()
    assert (tmp_path / "a/d").exists()
