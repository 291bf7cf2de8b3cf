"""One writer at a time."""

import contextlib
import errno
import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from types import ModuleType

import pytest

from variorum_kb.errors import BaseBusyError, NotWritableError
from variorum_kb.system import lock
from variorum_kb.system.lock import locked

HOLD = """
import sys, time
from pathlib import Path
from variorum_kb.system.lock import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""

FORK = """
import os, sys, time
from pathlib import Path
from variorum_kb.system.lock import locked
with locked(Path(sys.argv[1])):
    if os.fork() == 0:
        os.write(1, b"held" + bytes([10]))
        time.sleep(60)
        os._exit(0)
    sys.stdin.read()
"""


@contextlib.contextmanager
def held_elsewhere(folder: Path, code: str = HOLD) -> Generator[subprocess.Popen[str]]:
    """Let another process take the lock."""
    with subprocess.Popen(
        [sys.executable, "-P", "-c", code, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def test_lock(tmp_path: Path) -> None:
    """A lock can be taken and released repeatedly; it makes the folder."""
    for _ in range(3):
        with locked(tmp_path / "a" / "b"):
            assert (tmp_path / "a" / "b" / "lock").exists()


def test_error_within_the_process(tmp_path: Path) -> None:
    """A second writer in the same process is also refused."""
    with locked(tmp_path), pytest.raises(BaseBusyError), locked(tmp_path):
        pass


def test_error_other_process(tmp_path: Path) -> None:
    """While another process holds the lock, a line says so."""
    with held_elsewhere(tmp_path), pytest.raises(BaseBusyError) as caught, locked(tmp_path):
        pass

    assert str(caught.value) == (
        f"{tmp_path}: another process is building or checking this knowledge base; "
        "wait until it is done"
    )


def test_lock_dies_with_its_process(tmp_path: Path) -> None:
    """The lock of a killed process is free at once."""
    with held_elsewhere(tmp_path) as process:
        process.kill()
        process.wait()

        with locked(tmp_path):
            pass


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform does not fork")
def test_children_do_not_hold_it(tmp_path: Path) -> None:
    """A forked child does not keep the lock of a killed process."""
    with held_elsewhere(tmp_path, FORK) as process:
        process.kill()
        process.wait()

        with locked(tmp_path):
            pass
        os.killpg(process.pid, 9)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform does not fork")
def test_lock_is_let_go_for_copies_too(tmp_path: Path) -> None:
    """A child process that still has the file open does not keep the lock."""
    with locked(tmp_path):
        (file,) = lock.held
        copy = os.dup(file.fileno())

    with locked(tmp_path):
        os.close(copy)


def test_error_folder_is_a_file(tmp_path: Path) -> None:
    """A file cannot be a knowledge base."""
    path = tmp_path / "a.txt"
    path.write_bytes(b"")

    with pytest.raises(NotWritableError) as caught, locked(path):
        pass

    assert str(caught.value) == f"{path}: cannot be written: File exists"


def test_error_no_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk without locks is not mistaken for a busy one."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(lock, "_lock", refuse)

    with pytest.raises(NotWritableError) as caught, locked(tmp_path):
        pass

    assert str(caught.value) == f"{tmp_path}: cannot be locked: No locks available"


@pytest.mark.parametrize("is_taken", [False, True])
def test_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_taken: bool) -> None:
    """On Windows, the first byte of the file is locked without waiting, and unlocked."""
    calls: list[tuple[int, int, int]] = []
    (tmp_path / "lock").write_bytes(b"x")

    def locking(file: int, mode: int, length: int) -> None:
        calls.append((mode, os.lseek(file, 0, os.SEEK_CUR), length))
        if is_taken:
            raise PermissionError(errno.EACCES, "Permission denied")

    msvcrt = ModuleType("msvcrt")
    msvcrt.__dict__.update(LK_NBLCK=2, LK_UNLCK=0, locking=locking)
    monkeypatch.setitem(sys.modules, "msvcrt", msvcrt)
    monkeypatch.setattr(sys, "platform", "win32")

    with pytest.raises(BaseBusyError) if is_taken else contextlib.nullcontext(), locked(tmp_path):
        pass

    assert calls == ([(2, 0, 1)] if is_taken else [(2, 0, 1), (0, 0, 1)])
