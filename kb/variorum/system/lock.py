"""Lock a knowledge base against a second writer; the system releases the lock of a dead process."""

import contextlib
import errno
import importlib
import os
import sys
from collections.abc import Generator
from pathlib import Path
from typing import IO

from variorum.errors import BaseBusyError, NotWritableError

# The error codes of platforms if another process holds a lock.
_TAKEN = {errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK}

# The open files of the locks that this process holds.
held: set[IO[bytes]] = set()


@contextlib.contextmanager
def locked(folder: Path) -> Generator[None]:
    """Hold the lock of a knowledge base while writing it; make its folder if need be.

    Raises:
        BaseBusyError: Another process holds it.
        NotWritableError: The folder cannot be written, or its disk knows no locks.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / "lock").open("a+b")
    except OSError as error:
        raise NotWritableError(f"{folder}: cannot be written: {error.strerror or error}") from None
    with file:
        try:
            _lock(file, is_wanted=True)
        except OSError as error:
            if error.errno not in _TAKEN:
                raise NotWritableError(f"{folder}: cannot be locked: {error.strerror}") from None
            raise BaseBusyError(
                f"{folder}: another process is building or checking this knowledge base; "
                "wait until it is done"
            ) from None
        held.add(file)
        try:
            yield
        finally:
            held.discard(file)
            # Closing is not enough: another thread may be starting a process that inherits the file.
            _lock(file, is_wanted=False)


def _lock(file: IO[bytes], *, is_wanted: bool) -> None:
    """Lock a file without waiting, or unlock it."""
    if sys.platform == "win32":
        msvcrt = importlib.import_module("msvcrt")
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK if is_wanted else msvcrt.LK_UNLCK, 1)
    else:
        import fcntl  # noqa: PLC0415 - only there

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB if is_wanted else fcntl.LOCK_UN)


def _let_go() -> None:
    """Close the locks that a forked process inherited; else they would outlive their holder."""
    for file in held:
        file.close()
    held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)
