"""The file of a knowledge base: its mark, its layout, and the checksum by which any change is noticed.

SQLite leaves four bytes of a file's head to us (`user_version`). They hold the CRC-32 of the whole file,
computed with zeros in their place. It is compared whenever the file is opened, which takes 3 ms for
14 MB. The layout's number is in the table `meta`.
"""

import zlib
from pathlib import Path
from sqlite3 import Connection

from variorum.errors import BaseError, BaseVersionError, DamagedBaseError, NewerBaseError
from variorum.versions import LAYOUT

# "vrrm", as SQLite's `application_id`.
APPLICATION = 0x7672726D

# Up to this one, `user_version` held the layout.
_LAST_WITHOUT_CHECKSUM = 11
_START, _STOP = 60, 64
_CHUNK = 2**20


def address_of(file: str) -> str:
    """Return the URI with which SQLite opens a file for reading.

    A build replaces the file; nothing changes it in place. So SQLite need not look for changes, or for
    a journal beside it.
    """
    # Escape characters with a meaning in URIs, and Windows' backslashes.
    escaped = file.replace("%", "%25").replace("?", "%3f").replace("#", "%23").replace("\\", "/")
    return f"file:{escaped}?mode=ro&immutable=1"


def checksums_of(file: str | Path) -> tuple[int, int]:
    """Return the checksum that a file states, and the one that its bytes have."""
    with Path(file).open("rb") as opened:
        head = opened.read(_STOP)
        checksum = zlib.crc32(head[:_START] + bytes(_STOP - _START))
        while chunk := opened.read(_CHUNK):
            checksum = zlib.crc32(chunk, checksum)
    return int.from_bytes(head[_START:]), checksum


def seal(file: Path) -> None:
    """Write the checksum of a finished file into its place."""
    _, checksum = checksums_of(file)
    with file.open("r+b") as opened:
        opened.seek(_START)
        opened.write(checksum.to_bytes(_STOP - _START))


def schema() -> str:
    """Return the statements that make the tables of a new file."""
    return Path(__file__).with_name("schema.sql").read_text("utf-8")


def check(base: Connection, file: str, *, is_trusted: bool = False) -> int:
    """Check an open file; return the checksum that it states.

    Args:
        base: The connection to it.
        file: Its path.
        is_trusted: Do not compare the checksum.

    Raises:
        NewerBaseError: A newer version of the program wrote it.
        BaseVersionError: An older version of the program wrote it.
        DamagedBaseError: It is not as it was written.
        BaseError: It is not a knowledge base.
        sqlite3.DatabaseError: SQLite cannot read it.
    """
    base.execute("PRAGMA trusted_schema = OFF")  # a stranger may have made the file
    if base.execute("PRAGMA application_id").fetchone() != (APPLICATION,):
        raise BaseError(f"{file}: not a knowledge base, but another SQLite file")
    checksum: int = base.execute("PRAGMA user_version").fetchone()[0] % 2**32
    if 0 < checksum <= _LAST_WITHOUT_CHECKSUM:
        _refuse_layout(file, checksum)
    if not is_trusted:
        check_bytes(file)
    objects = base.execute("SELECT type, name, sql FROM sqlite_schema").fetchall()
    if any(row[:2] == ("table", "meta") for row in objects):
        layout = base.execute("SELECT value FROM meta WHERE name = 'layout'").fetchone()
        _refuse_layout(file, int(layout[0]) if layout and str(layout[0]).isdecimal() else 0)
    # SQLite keeps the text of our statements, and makes some indexes itself.
    ours, text = [sql for _, _, sql in objects if sql is not None], schema()
    if len(ours) != text.count("\nCREATE ") or any(f"\n{sql};\n" not in text for sql in ours):
        raise DamagedBaseError(file, "its tables are not those that this program makes")
    return checksum


def check_bytes(file: str) -> None:
    """Check that a file is, byte for byte, as it was written.

    Raises:
        DamagedBaseError: It is not.
        BaseError: It cannot be read.
    """
    try:
        stated, actual = checksums_of(file)
    except OSError as error:
        raise BaseError(f"{file}: cannot be opened: {error.strerror or error}") from None
    if stated != actual:
        raise DamagedBaseError(file, "it is not as it was written")


def _refuse_layout(file: str, layout: int) -> None:
    """Refuse a file with another layout than ours."""
    if layout > LAYOUT:
        by = f"written by a newer program (layout {layout}, this one knows {LAYOUT})"
        raise NewerBaseError(file, by, "upgrade Variorum")
    if layout < LAYOUT:
        by = f"written by an older program (layout {layout}, this one uses {LAYOUT})"
        remedy = "run cr build to rebuild it from its documents"
        raise BaseVersionError(file, by, remedy)
