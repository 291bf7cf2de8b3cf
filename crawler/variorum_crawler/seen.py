"""What the crawler saw: a table with a row for each address, and the documents that no base holds yet.

By `crawl/seen.sqlite`, the next request is conditional, and a run that was killed is continued. The bytes of a
document wait in `quarantine/`, named by SHA-256, until it is built in.
"""

import json
import logging
import sqlite3
from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from variorum.documents.archive import Document
from variorum.errors import FileError
from variorum.files import writable, write_file
from variorum.model import sha256_of

log = logging.getLogger(__name__)

CRAWL, SEEN, QUARANTINE = "crawl", "seen.sqlite", "quarantine"

# The states of a document.
INCOMING = "incoming"  # to be judged
QUARANTINED = "quarantined"  # until a person accepts it, or a later judgement does
TRUSTED = "trusted"  # to be built in and told
ACCEPTED = "accepted"  # in the archive, or the words of a document there


@dataclass(frozen=True, slots=True)
class Seen:
    """The last document of an address, and when it came; all cells are text.

    `name` is for people. `sent` are the server's headers as JSON. `copy_of` is the document in the archive
    that has its words in other bytes; then it is not kept itself. `reason` is why it is in quarantine.
    """

    address: str
    sha256: str
    state: str
    since: str
    name: str
    sent: str
    copy_of: str = ""
    reason: str = ""

    @property
    def headers(self) -> dict[str, str]:
        return dict(json.loads(self.sent))

    @property
    def conditions(self) -> dict[str, str]:
        """Return the header fields that make the next request conditional.

        Without validators, it asks about the time of the answer. What is in quarantine may be newer than
        the document that replaces it, so a date would say nothing there.
        """
        etag, date = self.headers.get("etag", ""), self.headers.get("date", "")
        since = self.headers.get("last-modified") or ("" if etag else date)
        since = "" if self.state == QUARANTINED else since
        conditions = {"If-None-Match": etag, "If-Modified-Since": since}
        return {k: v for k, v in conditions.items() if v and v.isascii() and v.isprintable()}

    def document(self, data: bytes, *, is_named: bool = False) -> Document:
        """Return the document to build in."""
        headers = dict(sorted(self.headers.items()))
        return Document(self.name, self.address, data, is_named=is_named, headers=headers)


_COLUMNS = ", ".join(field.name for field in fields(Seen))
_PUT = f"INSERT OR REPLACE INTO seen VALUES ({', '.join('?' * len(fields(Seen)))})"  # noqa: S608 - our marks


class SeenTable:
    """The table of one base, and the documents in its quarantine; writing raises FileError."""

    def __init__(self, base: Path, *, is_written: bool = True) -> None:
        """Open the table; it is empty if the file is missing, damaged or of another program."""
        self.folder, self._path = base / QUARANTINE, base / CRAWL / SEEN
        if is_written:
            with writable(self._path):
                self._path.parent.mkdir(parents=True, exist_ok=True)
        file = f"{self._path.absolute().as_uri()}?mode={'rwc' if is_written else 'ro'}"
        try:
            self._connect(file if is_written or self._path.exists() else ":memory:")
        except (sqlite3.Error, ValueError) as error:
            log.warning("%s: damaged: %s; every address is asked again", self._path, error)
            self._table.close()
            if is_written:
                with writable(self._path):
                    self._path.unlink()
            self._connect(file if is_written else ":memory:")

    def _connect(self, file: str) -> None:
        self._table = sqlite3.connect(file, uri=True, isolation_level=None)
        self._table.execute(f"CREATE TABLE IF NOT EXISTS seen ({_COLUMNS}, PRIMARY KEY (address))")
        for row in self:
            json.loads(row.sent)

    def close(self) -> None:
        """Close the file."""
        self._table.close()

    def __iter__(self) -> Iterator[Seen]:
        """Yield all rows, those written last at the end."""
        rows = self._table.execute(f"SELECT {_COLUMNS} FROM seen ORDER BY rowid").fetchall()  # noqa: S608 - our columns
        return (Seen(*row) for row in rows)

    def of(self, sha256: str) -> list[Seen]:
        """Return the rows of a document."""
        return [row for row in self if row.sha256 == sha256]

    def put(self, row: Seen) -> None:
        """Write a row, in place of that of the same address."""
        self._execute(_PUT, *astuple(row))

    def drop(self, row: Seen) -> None:
        """Remove a row."""
        self._execute("DELETE FROM seen WHERE address = ?", row.address)

    def _execute(self, statement: str, *values: str) -> None:
        try:
            self._table.execute(statement, values)
        except sqlite3.Error as error:
            raise FileError(f"{self._path}: cannot be written: {error}") from None

    def keep(self, sha256: str, data: bytes) -> None:
        """Keep the bytes of a document in `quarantine/`."""
        write_file(self.folder / sha256, data)

    def load(self, sha256: str) -> bytes | None:
        """Return the bytes of a document in `quarantine/`; None if they are missing or damaged."""
        try:
            data = (self.folder / sha256).read_bytes()
        except OSError:
            return None
        return data if sha256_of(data) == sha256 else None

    def tidy(self) -> None:
        """Remove documents that no row needs; only the run that holds the lock may."""
        needed = {row.sha256 for row in self if row.state != ACCEPTED}
        with writable(self.folder):
            for path in self.folder.glob("*"):
                # The beginning of a document has another name.
                name = path.name.removeprefix(".").removesuffix(".new")
                if len(name) == len(sha256_of(b"")) and name not in needed:
                    path.unlink()
