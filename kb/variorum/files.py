"""Files: ours and their versions; read those that users name, write them whole or not at all, lock a folder.

A file is written beside its place, flushed to the disk, and then moved there. So a reader sees either
the old file or the new one. A file is written before anything that refers to it.
"""

import contextlib
import os
import sqlite3
import stat
import sys
from collections.abc import Generator
from functools import cache
from pathlib import Path
from typing import Self

from variorum.errors import BaseBusyError, FileError, TooLargeError, VariorumError

# The version of the whole program, as in pyproject.toml.
PROGRAM = "0.1.0"
# The layout of a base. It counts up when `store/schema.sql` or the content of a column changes.
LAYOUT = 15
# In the folder of a base.
FILE, DOCUMENTS = "kb.sqlite", "documents"
_OURS = Path(__file__).parent
# The editions of the sample rulebook.
SAMPLE_RULEBOOK = _OURS / "sample"
# How many bytes of a file are read; a larger one is refused or left out.
LARGEST_EDITION = 16 * 2**20  # the longest edition has 1.8 MB, the longest original 2.8 MB
LARGEST_WITNESS = LARGEST_AUDITED = 64_000_000  # any other document; a file with citations
LARGEST_SETTINGS = 16 * 2**20  # a baseline of 10,000 findings has 1.5 MB
# A shell hands over streams, such as `<(git show HEAD:rules.txt)`, by these names.
_HANDED_OVER = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")


class Closing:
    """An object that holds files open until it is closed, for example by a `with` statement."""

    def close(self) -> None:
        """Release the files."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self.close()


def current_meta() -> dict[str, str]:
    """Return the content of the table `meta` in a base that this program makes, but for decisions."""
    version = digest_of_sources(*_OURS.rglob("*.py"), *_OURS.glob("facts/*.tsv"))
    return {"layout": str(LAYOUT), "program": PROGRAM, "base": version}


@cache
def digest_of_sources(*sources: Path) -> str:
    """Return a digest of files, and of all below folders, which tells old results from current ones."""
    from hashlib import blake2b  # noqa: PLC0415 - a look-up needs no digest

    files = {file for source in sources for file in (source, *source.rglob("*"))}
    kept = sorted(it for it in files if it.is_file() and it.suffix != ".pyc")
    told = [(it.name, it.read_bytes().replace(b"\r\n", b"\n")) for it in kept]
    return blake2b(repr(told).encode(), digest_size=8).hexdigest()


# Folders -----------------------------------------------------------------------------------------


def base_folder(named: str | os.PathLike[str] | None = None) -> Path:
    """Return the folder of the knowledge base: the one named, or VARIORUM_KB, or the platform's for data."""
    of_platform = "XDG_DATA_HOME", ".local/share", "Application Support", "variorum"
    return Path(named or os.environ.get("VARIORUM_KB") or _platform_folder(*of_platform))


def cache_folder() -> Path:
    """Return the folder that VARIORUM_CACHE names, otherwise the platform's for caches of programs."""
    of_platform = "XDG_CACHE_HOME", ".cache", "Caches", "variorum-cache"
    return Path(os.environ.get("VARIORUM_CACHE") or _platform_folder(*of_platform))


def _platform_folder(variable: str, otherwise: str, of_mac: str, of_windows: str) -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local", of_windows)
    if sys.platform == "darwin":
        return Path.home() / "Library" / of_mac / "variorum"
    folder = Path(os.environ.get(variable, ""))
    # The specification says to ignore a relative path.
    return (folder if folder.is_absolute() else Path.home() / otherwise) / "variorum"


# Reading -----------------------------------------------------------------------------------------


def read_file(path: Path, most: int = LARGEST_EDITION) -> bytes:
    """Return the bytes of a file or of a stream of the shell's, at most so many; else raise FileError."""
    size_of_file(path)
    with in_one_line(path), path.open("rb") as file:
        return within(file.read(most + 1), path, most)


def size_of_file(path: Path) -> int:
    """Return how many bytes a file has, 0 for a stream of the shell's; it raises errors like `read_file`."""
    with in_one_line(path):
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            os.scandir(path).close()  # says why it cannot be searched
            raise IsADirectoryError(None, "Is a directory")
    if not stat.S_ISREG(status.st_mode) and not str(path).startswith(_HANDED_OVER):
        raise FileError(f"{path}: not a regular file but a device, pipe or socket")
    return status.st_size


def read_standard_input(most: int) -> bytes:
    """Return the bytes of standard input, at most so many."""
    return within(sys.stdin.buffer.read(most + 1), "standard input", most)


def within(data: bytes, name: object, most: int) -> bytes:
    """Return the data of a file; TooLargeError if there is more than a limit."""
    if len(data) > most:
        raise TooLargeError(f"{name}: too large; at most {most // 1_000_000} MB are read")
    return data


# Writing -----------------------------------------------------------------------------------------


def write_file(path: Path, data: bytes) -> None:
    """Write a file completely or not at all, and its folder; one that has these bytes stays."""
    with contextlib.suppress(OSError):
        if path.read_bytes() == data:
            return
    with replaced(path) as beside:
        beside.write_bytes(data)


@contextlib.contextmanager
def replaced(path: Path, beside: Path | None = None) -> Generator[Path]:
    """Yield where a file is written; at the end it takes its place, on errors it is removed.

    FileError: the disk may be full, or on Windows, another program has the old file open.
    """
    is_ours, beside = beside is None, beside or path.with_name(f"{path.name}.new")
    try:
        with writable(path):
            if is_ours:
                path.parent.mkdir(parents=True, exist_ok=True)
                beside.unlink(missing_ok=True)  # a killed process may have left it
            yield beside
            with beside.open("r+b") as file:  # Windows flushes nothing that may only be read
                os.fsync(file.fileno())
            beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


def writable(path: Path) -> contextlib.AbstractContextManager[None]:
    """Turn errors of the platform and of SQLite into `FileError`."""
    return in_one_line(path, "cannot be written: ")


@contextlib.contextmanager
def in_one_line(path: Path, what: str = "") -> Generator[None]:
    """Turn errors of the platform and of SQLite into `FileError`, which says what is the matter."""
    try:
        yield
    except VariorumError:
        raise
    except (OSError, sqlite3.OperationalError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(f"{path}: {what}{reason}") from error


@contextlib.contextmanager
def locked(folder: Path) -> Generator[None]:
    """Hold the lock of a knowledge base while writing it, else raise BaseBusyError; make its folder if need be.

    SQLite knows the locks of every platform; the system releases those of a dead process. Of two that ask
    at once, each may see the other ask, so they wait a moment.
    """
    with writable(folder):
        folder.mkdir(parents=True, exist_ok=True)
    try:
        lock = sqlite3.connect(folder / "lock", timeout=0.5, isolation_level=None)
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise FileError(f"{folder}: cannot be locked: {error}") from None
        busy = "another process is building or checking this knowledge base; wait until it is done"
        raise BaseBusyError(f"{folder}: {busy}") from None
    with contextlib.closing(lock):
        yield
