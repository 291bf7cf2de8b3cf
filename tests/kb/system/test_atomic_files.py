"""Files are written completely or not at all."""

import errno
import os
import stat
import sys
import time
from pathlib import Path

import pytest

from variorum_kb.errors import BaseBusyError, NotWritableError
from variorum_kb.system.atomic_files import (
    beside_of,
    put,
    sync_file,
    sync_folder,
    writable,
    write_file,
)


def test_write_file(tmp_path: Path) -> None:
    """A file is written and replaced, and leaves no other file behind."""
    path = tmp_path / "a.txt"

    write_file(path, b"old")
    write_file(path, b"new")

    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_bytes_come_before_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file's bytes are on the disk before it gets its name."""
    steps: list[str] = []
    replace = os.replace

    def note(source: Path, target: Path) -> None:
        steps.append(f"{source.name} becomes {target.name}")
        replace(source, target)

    def sync(handle: int) -> None:
        assert stat.S_ISREG(os.fstat(handle).st_mode)
        steps.append(f"{os.fstat(handle).st_size} bytes")

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "replace", note)

    write_file(tmp_path / "a.txt", b"rules")

    assert steps == ["5 bytes", "a.txt.new becomes a.txt"]


def test_error_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a file cannot be replaced, it stays, and no other file is left behind."""
    path = tmp_path / "a.txt"
    write_file(path, b"old")

    def refuse(_: Path, __: Path) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(os, "replace", refuse)

    with pytest.raises(NotWritableError) as caught:
        write_file(path, b"new")

    assert str(caught.value) == f"{path}: cannot be written: Read-only file system"
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_interrupt_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupted write leaves no half-written file."""

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)

    with pytest.raises(KeyboardInterrupt):
        write_file(tmp_path / "a.txt", b"rules")

    assert list(tmp_path.iterdir()) == []


def test_error_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where open files can be replaced, a refusal concerns permissions, and is not retried."""

    def refuse(_: Path, __: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    monkeypatch.setattr(sys, "platform", "linux")

    with pytest.raises(NotWritableError) as caught:
        put(tmp_path / "a.new", tmp_path / "a")

    assert str(caught.value) == f"{tmp_path / 'a'}: cannot be written: Permission denied"


def test_error_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows, the writer waits two seconds for a file that is open."""
    waits: list[float] = []

    def refuse(_: Path, __: Path) -> None:
        raise PermissionError(errno.EACCES, "Access is denied")

    monkeypatch.setattr(os, "replace", refuse)
    monkeypatch.setattr(time, "sleep", waits.append)
    monkeypatch.setattr(sys, "platform", "win32")

    with pytest.raises(BaseBusyError) as caught:
        put(tmp_path / "a.new", tmp_path / "a")

    assert str(caught.value) == (
        f"{tmp_path / 'a'}: another program has this file open, so the new one cannot take its "
        "place; close that program and run cr build again"
    )
    assert sum(waits) == pytest.approx(2)


def test_syncing(tmp_path: Path) -> None:
    """Files and folders are flushed to the disk; a folder that cannot be is no error."""
    write_file(tmp_path / "a.txt", b"rules")

    sync_file(tmp_path / "a.txt")
    sync_folder(tmp_path)
    sync_folder(tmp_path / "none")

    assert (tmp_path / "a.txt").read_bytes() == b"rules"


def test_error_sync_file(tmp_path: Path) -> None:
    """A missing file cannot be flushed to the disk."""
    with pytest.raises(NotWritableError) as caught:
        sync_file(tmp_path / "none")

    reason = "cannot be written: No such file or directory"
    assert str(caught.value) == f"{tmp_path / 'none'}: {reason}"


def test_error_is_told_once(tmp_path: Path) -> None:
    """An error message is not wrapped in another one."""
    with pytest.raises(NotWritableError) as caught, writable(tmp_path), writable(tmp_path / "a"):
        raise OSError(errno.ENOSPC, "No space left on device")

    assert str(caught.value) == f"{tmp_path / 'a'}: cannot be written: No space left on device"


def test_beside(tmp_path: Path) -> None:
    """The temporary file is in the same folder, and so on the same disk."""
    assert beside_of(tmp_path / "kb.sqlite") == tmp_path / "kb.sqlite.new"
