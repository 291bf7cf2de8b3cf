"""Check that a base and its rows are as they were written; fast to import, for look-ups.

The file has a digest of itself, computed with zeros in the digest's own place. So it covers every
byte: tables and their digests, indexes, the schema, the header and unused pages.

Reading a whole file takes as long as a look-up. So once a file has been verified, its size and times
are stored in the user's cache folder; it is read again only if they differ.
"""

import os
import time
from _sqlite3 import DatabaseError

from variorum.rows import Row, checksum_of, remainder
from variorum.system.default_folders import cache_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# A build replaces the file; nothing changes a file in place. So SQLite need not look for changes,
# or for a journal beside the file.
_FOREVER = "mode=ro&immutable=1"

# The name of the digest's row in the table `digest`, and the placeholder for the digest while it is
# computed. The table is on one of the first pages.
FILE_DIGEST = "SHA-256 of this file with zeros here"
BLANK = "0" * 64
_HEAD = 2**18

# File times advance in steps; a file that changed this recently may change again in the same step.
_TICK = 200_000_000


def address_of(file: str) -> str:
    """Return the URI with which SQLite opens a file for reading."""
    # Escape characters with a meaning in URIs, and Windows' backslashes.
    escaped = file.replace("%", "%25").replace("?", "%3f").replace("#", "%23").replace("\\", "/")
    return f"file:{escaped}?{_FOREVER}"


def seal(file: str) -> None:
    """Write the digest of a finished file into its place in the file."""
    place, digest, _ = _digests(file)
    with open(file, "r+b") as opened:  # noqa: PTH123
        opened.seek(place)
        opened.write(digest)


def is_sealed(file: str) -> bool:
    """Read a file; return whether it is, byte for byte, as it was written.

    Raises:
        OSError: It cannot be read.
    """
    _, digest, written = _digests(file)
    return digest == written


def _digests(file: str) -> tuple[int, bytes, bytes]:
    """Return the place of a file's digest, the computed digest, and the stored one."""
    from hashlib import file_digest, sha256  # noqa: PLC0415 - only when a file has to be read

    name, blank = FILE_DIGEST.encode(), BLANK.encode()
    with open(file, "rb") as opened:  # noqa: PTH123
        head = opened.read(_HEAD)
        place = head.find(name) + len(name)
        if name not in head:
            return 0, b"", blank
        stop = place + len(blank)
        digest = sha256(head[:place] + blank + head[stop:])
        file_digest(opened, lambda: digest)
    return place, digest.hexdigest().encode(), head[place:stop]


def is_whole(file: str) -> bool:
    """Return whether a file is as it was written; read it only if that is not known.

    Raises:
        OSError: It cannot be read.
    """
    # Take the times before reading, so that a change made meanwhile is noticed.
    note, state, changed = _state_of(file)
    if _read(note) == state:
        return True
    if not is_sealed(file):
        return False
    if time.time_ns() - changed > _TICK:
        _write(note, state)
    return True


def is_known(file: str) -> bool:
    """Return whether a file has not changed since it was found to be as it was written."""
    try:
        note, state, _ = _state_of(file)
    except OSError:
        return False
    return _read(note) == state


def forget(file: str) -> None:
    """Have a file read again by whoever opens it next."""
    try:
        os.unlink(_state_of(file)[0])  # noqa: PTH108
    except OSError:
        return


def _state_of(file: str) -> "tuple[str, bytes, int]":
    """Return where the state of a file is stored, its state now, and when it changed."""
    status = os.stat(file)  # noqa: PTH116
    changed = max(status.st_mtime_ns, status.st_ctime_ns)
    times = f"{status.st_mtime_ns} {status.st_ctime_ns}"
    state = f"{status.st_dev} {status.st_ino} {status.st_size} {times}".encode()
    name = f"{remainder(ascii(os.path.abspath(file))):x}"  # noqa: PTH100
    return os.path.join(cache_folder(), "verified", name), state, changed  # noqa: PTH118


def _read(note: str) -> bytes:
    try:
        with open(note, "rb", buffering=0) as file:  # noqa: PTH123
            return file.read()
    except OSError:
        return b""


def _write(note: str, state: bytes) -> None:
    """Store the state of a file; if that fails, the file is read each time."""
    beside = f"{note}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(note), exist_ok=True)  # noqa: PTH103, PTH120
        with open(beside, "wb") as file:  # noqa: PTH123
            file.write(state)
        os.replace(beside, note)  # noqa: PTH105
    except OSError:
        return


def as_written(cells: "Sequence[Any]") -> Row:
    """Return a row of its cells, its id and its checksum, if these belong together.

    Raises:
        DatabaseError: They do not; the file has changed since it was written.
    """
    *state, number, checksum = cells
    if not is_as_written(state, number, checksum):
        raise DatabaseError(f"{Row.of(cells).address!r} does not have the words that were written")
    return Row.of(cells[:-1])


def is_as_written(state: "Sequence[Any]", number: int, checksum: object) -> bool:
    """Tell whether the cells of a state, its id and its checksum belong together."""
    try:
        return checksum_of(number, state) == checksum
    except (TypeError, ValueError):  # cells of other types
        return False
