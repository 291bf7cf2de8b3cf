"""Files as text, and back to bytes."""

import os
import stat
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from variorum_kb.audit.text_file import text_file_of, write_text_file
from variorum_kb.errors import NotWritableError


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"CR 702.9\r\n\n\r", "CR 702.9\r\n\n\r"),
        ("é – 第".encode(), "é – 第"),
        (b"caf\xe9 \x96", "caf\udce9 \udc96"),
        (b"\xed\xa0\x80", "\udced\udca0\udc80"),
        (b"\xff", "\udcff"),
        (b"\xef\xbb\xbfCR", "CR"),
        (b"\xef\xbb\xbf", ""),
        (b"\xef\xbb\xbf\xef\xbb\xbfCR", "\N{ZERO WIDTH NO-BREAK SPACE}CR"),
        (b"\xef\xbb\xbfCR\xff", "CR\udcff"),
        (b"\xff\xfeC\0R\0", "CR"),
        (b"\xfe\xff\0C\0R", "CR"),
        (b"\xff\xfe", ""),
        (b"\xff\xfe\r\0\n\0", "\r\n"),
        (b"\xff\xfe\x00\xd8", "\ud800"),
        (b"\xff\xfe\x3d\xd8\x00\xde", "\N{GRINNING FACE}"),
        (b"\x1b[1mCR\x0c\x1a", "\x1b[1mCR\x0c\x1a"),
    ],
)
def test_text(data: bytes, text: str) -> None:
    """A file in any encoding is read as text, and keeps its line ends."""
    source = text_file_of(data)

    assert source is not None
    assert source.text == text
    assert source.encode(source.text) == data


@pytest.mark.parametrize(
    "data",
    [
        b"PK\x03\x04\0\0",
        b"\0",
        b"CR 702.9\0",
        b"x" * 7999 + b"\0",
        b"\xff\xfeC",  # half a character
        b"\xff\xfe\0\0C\0\0\0",  # UTF-32
        b"\0\0\xfe\xff\0\0\0C",
        b"C\0R\0",
    ],
)
def test_no_text(data: bytes) -> None:
    """Programs, pictures and archives are not text."""
    assert text_file_of(data) is None


def test_zero_far_behind() -> None:
    """A zero byte is allowed after the part in which git looks for one."""
    data = b"CR 702.9" + b" " * 7992 + b"\0"

    source = text_file_of(data)

    assert source is not None
    assert source.encode(source.text) == data


@given(
    st.sampled_from(
        [b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0", b"\0\0\xfe\xff"]
    ),
    st.binary(max_size=40),
)
@example(b"\xff\xfe", b"\x00\xdc\x00\xd8")
@example(b"\xfe\xff", b"\xd8\x00\xdc\x00")
@example(b"\xef\xbb\xbf", b"\xed\xb2\x80")
def test_bytes_round_trip(mark: bytes, rest: bytes) -> None:
    """Any file read as text is written byte for byte."""
    source = text_file_of(mark + rest)

    if source is not None:
        assert source.encode(source.text) == mark + rest


@given(st.binary(max_size=40), st.sampled_from(["702.9", "702.10a"]))
def test_an_edit_changes_nothing_else(data: bytes, new: str) -> None:
    """An edit leaves all other bytes alone."""
    source = text_file_of(data.replace(b"\0", b"") + b"CR 300.1" + data.replace(b"\0", b""))

    if source is not None and not source.mark:
        begin, _, end = source.text.partition("CR 300.1")
        assert source.encode(begin + new + end) == (
            begin.encode("utf-8", "surrogateescape")
            + new.encode()
            + end.encode("utf-8", "surrogateescape")
        )


def test_write(tmp_path: Path) -> None:
    """A file is written with its old permissions, and leaves no other file behind."""
    file = tmp_path / "run.sh"
    file.write_bytes(b"old")
    file.chmod(0o754)

    write_text_file(file, b"new")

    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (b"new", 0o754)
    assert list(tmp_path.iterdir()) == [file]


def test_write_through_a_link(tmp_path: Path) -> None:
    """A link stays a link, and its target is written."""
    (tmp_path / "far").mkdir()
    file, link = tmp_path / "far" / "a.txt", tmp_path / "link.txt"
    file.write_bytes(b"old")
    link.symlink_to(file)

    write_text_file(link, b"new")

    assert (link.is_symlink(), file.read_bytes()) == (True, b"new")


def test_write_spares_its_neighbours(tmp_path: Path) -> None:
    """No other file changes, whatever its name."""
    file = tmp_path / "a.txt"
    file.write_bytes(b"old")
    others = [tmp_path / f"a.txt{end}" for end in (".new", ".tmp", ".bak", "~", ".orig")]
    for path in others:
        path.write_bytes(b"mine")

    write_text_file(file, b"new")

    assert [item.read_bytes() if item.exists() else None for item in others] == [b"mine"] * 5


def test_error_write_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If writing fails, the file stays complete, and no other file is left behind."""
    file = tmp_path / "a.txt"
    file.write_bytes(b"old")

    def fail(_: object, __: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(NotWritableError) as caught:
        write_text_file(file, b"new")

    assert str(caught.value) == f"{file}: cannot be written: No space left on device"
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]


def test_interrupted_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If writing is interrupted, the file stays complete, and no other file is left behind."""
    file = tmp_path / "a.txt"
    file.write_bytes(b"old")

    def interrupt(_: object, __: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_text_file(file, b"new")

    assert (file.read_bytes(), list(tmp_path.iterdir())) == (b"old", [file])


def test_error_write_to_what_vanished(tmp_path: Path) -> None:
    """A deleted file is not created again."""
    file = tmp_path / "a.txt"

    with pytest.raises(NotWritableError) as caught:
        write_text_file(file, b"new")

    assert str(caught.value) == f"{file}: cannot be written: No such file or directory"
    assert list(tmp_path.iterdir()) == []
