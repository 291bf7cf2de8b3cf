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

from variorum.errors import NotWritableError
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
        """Return the server's headers for the document, names in small letters."""
        return dict(json.loads(self.sent))

    @property
    def conditions(self) -> dict[str, str]:
        """Return the header fields that make the next request conditional.

        What is in quarantine may be newer than the document that replaces it, so a date would say nothing
        there. No header can contain a damaged value.
        """
        sent = self.headers
        etag = sent.get("etag", "")
        # Without validators, the request asks about the time of the answer.
        since = sent.get("last-modified") or ("" if etag else sent.get("date", ""))
        conditions = {"If-None-Match": etag}
        if self.state != QUARANTINED:
            conditions["If-Modified-Since"] = since
        return {k: v for k, v in conditions.items() if v and v.isascii() and v.isprintable()}


_COLUMNS = ", ".join(field.name for field in fields(Seen))


class SeenTable:
    """The table of one base, and the documents in its quarantine."""

    def __init__(self, base: Path, *, is_written: bool = True) -> None:
        """Open the table; it is empty if the file is missing, damaged or of another program."""
        self.folder, path = base / QUARANTINE, base / CRAWL / SEEN
        if is_written:
            with writable(path):
                path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        file = f"{path.absolute().as_uri()}?mode={'rwc' if is_written else 'ro'}"
        try:
            self._connect(file if is_written or path.exists() else ":memory:")
        except (sqlite3.Error, ValueError) as error:
            log.warning("%s: damaged: %s; every address is asked again", path, error)
            self._table.close()
            if is_written:
                with writable(path):
                    path.unlink()
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
        yield from self._rows("ORDER BY rowid")

    def of(self, sha256: str) -> list[Seen]:
        """Return the rows of a document."""
        return self._rows("WHERE sha256 = ? ORDER BY rowid", sha256)

    def at(self, address: str) -> Seen | None:
        """Return the row of an address."""
        return next(iter(self._rows("WHERE address = ?", address)), None)

    def _rows(self, which: str, *values: str) -> list[Seen]:
        rows = self._table.execute(f"SELECT {_COLUMNS} FROM seen {which}", values)  # noqa: S608 - our words
        return [Seen(*row) for row in rows]

    def put(self, row: Seen) -> None:
        """Write a row, in place of that of the same address.

        Raises:
            NotWritableError: It cannot be written; the disk may be full.
        """
        if self.at(row.address) != row:
            marks = ", ".join("?" * len(fields(row)))
            self._execute(f"INSERT OR REPLACE INTO seen VALUES ({marks})", *astuple(row))  # noqa: S608 - our marks

    def drop(self, row: Seen) -> None:
        """Remove a row."""
        self._execute("DELETE FROM seen WHERE address = ?", row.address)

    def _execute(self, statement: str, *values: str) -> None:
        try:
            self._table.execute(statement, values)
        except sqlite3.Error as error:
            raise NotWritableError(f"{self._path}: cannot be written: {error}") from None

    @property
    def judge(self) -> int:
        """Return the version of the judge that last judged all that is not accepted."""
        return int(self._table.execute("PRAGMA user_version").fetchone()[0])

    @judge.setter
    def judge(self, version: int) -> None:
        if version != self.judge:
            self._execute(f"PRAGMA user_version = {version}")

    # Bytes ---------------------------------------------------------------------------------------

    def keep(self, sha256: str, data: bytes) -> None:
        """Keep the bytes of a document in `quarantine/`.

        Raises:
            NotWritableError: They cannot be written; the disk may be full.
        """
        with writable(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
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
                name = path.name.removesuffix(".new")  # the beginning of a document
                if len(name) == len(sha256_of(b"")) and name not in needed:
                    path.unlink()
