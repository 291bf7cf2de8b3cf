"""Writes files completely or not at all, so that they survive a crash.

A file is written beside its place, flushed to the disk, and then moved there. So a reader sees
either the old file or the new one. A file is written before anything that refers to it.
"""

import contextlib
import os
import sys
import time
from collections.abc import Generator
from pathlib import Path

from variorum.errors import BaseBusyError, NotWritableError

# How many times to retry while a file is in use, and the seconds between attempts. A look-up takes
# less time than one pause.
_ATTEMPTS, _PAUSE = 40, 0.05


def write_file(path: Path, data: bytes) -> None:
    """Write a file completely or not at all; `sync_folder` then also makes its name durable.

    Raises:
        NotWritableError: It cannot be written; the disk may be full.
        BaseBusyError: Another program has it open, which prevents writing on Windows.
    """
    beside = beside_of(path)
    with removed_on_failure(beside):
        with writable(path), beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        put(beside, path)


def beside_of(path: Path) -> Path:
    """Return the temporary path of a file that is being written."""
    return path.with_name(f"{path.name}.new")


def remove_half_written(path: Path) -> None:
    """Remove temporary files that a killed process left beside a file.

    Raises:
        NotWritableError: The folder does not allow it.
    """
    with writable(path):
        beside_of(path).unlink(missing_ok=True)


def put(beside: Path, path: Path) -> None:
    """Move a finished file to its place.

    Windows does not replace an open file, so there `put` retries for two seconds.

    Raises:
        NotWritableError: The folder does not allow it.
        BaseBusyError: Another program has the old file open.
    """
    is_windows = sys.platform == "win32"
    with writable(path):
        for _ in range(_ATTEMPTS if is_windows else 0):
            with contextlib.suppress(PermissionError):
                os.replace(beside, path)  # noqa: PTH105 - says more than `Path.replace`
                return
            time.sleep(_PAUSE)
        if is_windows:
            raise BaseBusyError(
                f"{path}: another program has this file open, so the new one cannot take its "
                "place; close that program and run cr build again"
            )
        os.replace(beside, path)  # noqa: PTH105 - likewise


def sync_file(path: Path) -> None:
    """Flush a file written by another process to the disk.

    Raises:
        NotWritableError: That fails; the disk may be full.
    """
    # Windows flushes nothing through a handle that may only read.
    with writable(path), path.open("r+b") as file:
        os.fsync(file.fileno())


def sync_folder(path: Path) -> None:
    """Flush the names in a folder to the disk, if the platform can."""
    with contextlib.suppress(OSError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextlib.contextmanager
def writable(path: Path) -> Generator[None]:
    """Turn errors of the platform while writing into our own.

    Raises:
        NotWritableError: Something failed.
    """
    try:
        yield
    except NotWritableError:
        raise
    except OSError as error:
        raise NotWritableError(f"{path}: cannot be written: {error.strerror or error}") from error


@contextlib.contextmanager
def removed_on_failure(beside: Path) -> Generator[None]:
    """Remove a half-written file on errors, unless the whole process dies."""
    try:
        yield
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise
