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
from functools import cache, partial
from pathlib import Path
from typing import IO, Self

from variorum.errors import BaseBusyError, FileError, TooLargeError, VariorumError

# The version of the whole program, as in pyproject.toml, and the layout of a base, which counts up when
# `store/schema.sql` or the content of a column changes.
PROGRAM, LAYOUT = "0.1.0", 16
# In the folder of a base.
FILE, DOCUMENTS = "kb.sqlite", "documents"
_OURS = Path(__file__).parent
# The editions of the sample rulebook.
SAMPLE_RULEBOOK = _OURS / "sample"
# How many bytes of a file are read: the longest edition has 1.8 MB, the longest original 2.8 MB; and of one that may
# be any, to be identified or audited.
LARGEST, LARGEST_OTHER = 16 * 2**20, 64_000_000
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
    return Path(named or os.environ.get("VARIORUM_KB") or _platform_folder("data"))


def cache_folder() -> Path:
    """Return the folder that VARIORUM_CACHE names, otherwise the platform's for caches of programs."""
    return Path(os.environ.get("VARIORUM_CACHE") or _platform_folder("cache"))


def _platform_folder(kind: str) -> Path:
    is_data, home = kind == "data", Path.home()
    if sys.platform == "win32":
        return home / "AppData" / "Local" / ("variorum" if is_data else "variorum-cache")
    if sys.platform == "darwin":
        return home / "Library" / ("Application Support" if is_data else "Caches") / "variorum"
    # The specification says to ignore a relative path.
    folder = Path(os.environ.get(f"XDG_{kind.upper()}_HOME", ""))
    otherwise = home / (".local/share" if is_data else ".cache")
    return (folder if folder.is_absolute() else otherwise) / "variorum"


# Reading -----------------------------------------------------------------------------------------


def read_file(path: Path, most: int = LARGEST) -> bytes:
    """Return the bytes of a file or of a stream of the shell's, at most so many; else raise FileError."""
    with in_one_line(path), regular(path).open("rb") as file:
        return read_whole(file, path, most)


def regular(path: Path) -> Path:
    """Return a path that may be opened: a device or pipe, which may never end, raises FileError."""
    with in_one_line(path):
        if stat.S_ISDIR(mode := path.stat().st_mode):
            path.open("rb").close()  # says why it cannot be searched, or that it is a folder
    if not stat.S_ISREG(mode) and not str(path).startswith(_HANDED_OVER):
        raise FileError(f"{path}: not a regular file but a device, pipe or socket")
    return path


def read_whole(
    file: IO[bytes] | None = None, name: object = "standard input", most: int = LARGEST
) -> bytes:
    """Return the bytes of an open file or of standard input; TooLargeError if there is more than a limit."""
    if len(data := (file or sys.stdin.buffer).read(most + 1)) > most:
        raise TooLargeError(f"{name}: too large; at most {most // 1_000_000} MB are read")
    return data


# Writing -----------------------------------------------------------------------------------------


def write_file(path: Path, data: bytes, *, is_flushed: bool = True) -> bool:
    """Write a file completely or not at all, and its folder, unless it has these bytes; return whether it did."""
    with contextlib.suppress(OSError):
        if path.read_bytes() == data:
            return False
    with replaced(path, is_flushed=is_flushed) as beside:
        beside.write_bytes(data)
    return True


@contextlib.contextmanager
def replaced(path: Path, *, is_flushed: bool = True) -> Generator[Path]:
    """Yield where a file is written; at the end it takes its place, on errors it is removed."""
    beside = path.with_name(f".{path.name[:80]}.new")
    try:
        with writable(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            beside.unlink(missing_ok=True)  # a killed process may have left it
            yield beside
            if is_flushed:
                with beside.open("r+b") as file:  # Windows flushes nothing that may only be read
                    os.fsync(file.fileno())
            beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


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


writable = partial(in_one_line, what="cannot be written: ")


@contextlib.contextmanager
def locked(folder: Path) -> Generator[None]:
    """Hold the lock of a knowledge base while writing it, else raise BaseBusyError; make its folder if need be.

    SQLite knows the locks of every platform; the system releases those of a dead process. Of two that ask
    at once, each may see the other ask, so they wait a moment.
    """
    with writable(folder):
        folder.mkdir(parents=True, exist_ok=True)
        lock = sqlite3.connect(folder / "lock", timeout=0.5, isolation_level=None)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            busy = "another process is building or checking this knowledge base"
            raise BaseBusyError(folder, busy, "wait until it is done") from None
    with contextlib.closing(lock):
        yield
