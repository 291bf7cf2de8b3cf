"""The largest files that the program reads, to the byte."""

import struct
import zipfile
from pathlib import Path

import pytest

from variorum_kb.all_size_limits import LARGEST_AUDITED, LARGEST_WITNESS
from variorum_kb.documents.find import Unreadable, find, load
from variorum_kb.errors import TooLargeError


def test_largest_edition(tmp_path: Path) -> None:
    """A file of 16 MB is read, one with a byte more is not; the other limits are 64 MB."""
    for size in (16 * 2**20, 16 * 2**20 + 1):
        with (tmp_path / str(size)).open("wb") as file:
            file.truncate(size)

    assert (LARGEST_WITNESS, LARGEST_AUDITED) == (64_000_000, 64_000_000)
    assert len(load(tmp_path / str(16 * 2**20))) == 16 * 2**20
    with pytest.raises(TooLargeError, match="too large; at most 16 MB are read"):
        load(tmp_path / str(16 * 2**20 + 1))


@pytest.mark.parametrize(("more", "is_read"), [(0, True), (1, False)])
def test_largest_zip(tmp_path: Path, *, more: int, is_read: bool) -> None:
    """Of a ZIP with more than 2 GB unpacked, the rest is not read."""
    path = tmp_path / "rules.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("a.txt", "b.txt"):
            archive.writestr(name, b"A lamp burns.")
    data = bytearray(path.read_bytes())
    # The unpacked size of each member stands in the 24th byte of its entry in the directory.
    first = data.index(b"PK\x01\x02")
    second = data.index(b"PK\x01\x02", first + 1)
    struct.pack_into("<I", data, first + 24, 2**30)
    struct.pack_into("<I", data, second + 24, 2**30 + more)
    path.write_bytes(data)

    told = [str(item.error) for item in find([path]) if isinstance(item, Unreadable)]

    assert told[0] == f"{path}!a.txt: too large; at most 16 MB are read"
    assert told[1] == (
        f"{path}!b.txt: too large; at most 16 MB are read"
        if is_read
        else f"{path}: holds more than 2 GB; what is left of it was not read"
    )
