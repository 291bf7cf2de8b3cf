"""The file of a knowledge base: its mark, its layout, and the checksum by which any change is noticed.

SQLite leaves four bytes of a file's head to us (`user_version`). They hold the CRC-32 of the whole file,
computed with zeros in their place. It is compared whenever the file is opened, which takes 3 ms for
14 MB. The layout's number is in the table `meta`.
"""

import re
import zlib
from pathlib import Path

# "vrrm", as SQLite's `application_id`.
APPLICATION = 0x7672726D

_START, _STOP = 60, 64
_CHUNK = 2**17
_COMMENT = re.compile(r"\s*--.*|\n(?=\n)")


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


def without_comments(sql: str) -> str:
    """Return statements without comments, blank lines and the last semicolon."""
    return _COMMENT.sub("", sql).strip().removesuffix(";")


def schema() -> str:
    """Return the statements that make the tables of a new file."""
    return Path(__file__).with_name("schema.sql").read_text("utf-8")
