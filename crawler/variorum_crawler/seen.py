"""What the crawler saw: a table in one file, and the documents that no base holds yet.

`crawl/seen.sqlite` has a row for each document of each address. So the next request can be
conditional, and a run that was killed is continued. The bytes of a document wait in `quarantine/`,
named by SHA-256, until it is built in. Neither changes without news.
"""

import contextlib
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
WAITING = "waiting"  # to be judged
QUARANTINED = "quarantined"  # until a person accepts it, or another version of the judge
TRUSTED = "trusted"  # to be built in and told
KEPT = "kept"  # in the archive
COPY = "copy"  # has the words of a kept document, which `reason` names; not kept itself
# The state of a source that failed entirely; `address` is its name, `since` the first such run.
FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A document as an address served it; all cells are text.

    Attributes:
        name: The name of the file, for people.
        sent: The server's headers as JSON, names in small letters, sorted.
        since: When it came, as an ISO date with time and zone.
        reason: Why it is in quarantine, or the document that it copies.
        judged_by: The versions that put it in quarantine; others judge it again.
    """

    address: str
    state: str
    since: str
    sha256: str = ""
    name: str = ""
    etag: str = ""
    last_modified: str = ""
    sent: str = "[]"
    reason: str = ""
    judged_by: str = ""

    @property
    def headers(self) -> tuple[tuple[str, str], ...]:
        """Return the server's headers for the document."""
        return tuple([(name, value) for name, value in json.loads(self.sent)])

    @property
    def conditions(self) -> dict[str, str]:
        """Return the header fields that make the next request conditional.

        An error page in quarantine may be newer than the document that replaces it, so a date would
        say nothing there. No header can contain a damaged value.
        """
        since = "" if self.state == QUARANTINED else self.last_modified
        fields = {"If-None-Match": self.etag, "If-Modified-Since": since}
        return {k: v for k, v in fields.items() if v and v.isascii() and v.isprintable()}


_COLUMNS = ", ".join(field.name for field in fields(Seen))
_MARKS = ", ".join("?" * len(fields(Seen)))


class SeenTable:
    """The table of one base, and the documents in its quarantine."""

    def __init__(self, base: Path, *, is_written: bool = True) -> None:
        """Load the table; it is empty if the file is missing or damaged."""
        self.folder, self._path = base / QUARANTINE, base / CRAWL / SEEN
        self._rows: dict[tuple[str, str], Seen] = {}
        self._table = sqlite3.connect(":memory:", isolation_level=None)
        try:
            self._load(is_written=is_written)
        except (sqlite3.Error, TypeError, ValueError) as error:
            log.warning("%s: damaged: %s; every address is asked again", self._path, error)
            if is_written:
                self._table.close()
                with writable(self._path):
                    self._path.unlink(missing_ok=True)
                self._load(is_written=is_written)

    def _load(self, *, is_written: bool) -> None:
        if is_written:
            with writable(self._path):
                self._path.parent.mkdir(parents=True, exist_ok=True)
        if is_written or self._path.exists():
            mode = "rwc" if is_written else "ro"
            uri = f"{self._path.absolute().as_uri()}?mode={mode}"
            self._table = sqlite3.connect(uri, uri=True, isolation_level=None)
            if is_written:
                self._table.execute(f"CREATE TABLE IF NOT EXISTS seen ({_COLUMNS})")
            for cells in self._table.execute(f"SELECT {_COLUMNS} FROM seen ORDER BY rowid"):  # noqa: S608 - our columns
                if not all(isinstance(cell, str) for cell in cells):
                    raise TypeError("a cell of another type")
                row = Seen(**dict(zip(_COLUMNS.split(", "), cells, strict=True)))
                self._rows[row.address, row.sha256] = row

    def close(self) -> None:
        """Close the file."""
        self._table.close()

    def tidy(self) -> None:
        """Remove documents that no row needs; only the run that holds the lock may."""
        needed = {row.sha256 for row in self if row.state not in {KEPT, COPY}}
        with writable(self.folder), contextlib.suppress(FileNotFoundError):
            for path in self.folder.iterdir():
                name = path.name.removesuffix(".new")  # the beginning of a document
                if len(name) == len(sha256_of(b"")) and name not in needed:
                    path.unlink()

    def __iter__(self) -> Iterator[Seen]:
        """Yield all rows, oldest first."""
        return iter(list(self._rows.values()))

    def of(self, sha256: str) -> list[Seen]:
        """Return the rows of a document, oldest first."""
        return [row for row in self if row.sha256 == sha256]

    def last(self, address: str) -> Seen | None:
        """Return the last document of an address."""
        rows = [row for row in self if row.address == address and row.state != FAILED]
        return rows[-1] if rows else None

    def failure(self, source: str) -> Seen | None:
        """Return the row of a source that failed entirely."""
        return next((row for row in self if row.state == FAILED and row.address == source), None)

    def put(self, row: Seen) -> None:
        """Write a row, in place of that of the same document; it becomes the last of its address.

        Raises:
            NotWritableError: It cannot be written; the disk may be full.
        """
        if self._rows.get((row.address, row.sha256)) != row:
            for old in [old for old in self if old.address == row.address]:
                if old.sha256 == row.sha256 or old.state in {KEPT, COPY}:
                    self.drop(old)
            self._execute(f"INSERT INTO seen VALUES ({_MARKS})", *astuple(row))  # noqa: S608 - our marks
            self._rows[row.address, row.sha256] = row

    def drop(self, row: Seen) -> None:
        """Remove a row."""
        self._rows.pop((row.address, row.sha256), None)
        self._execute("DELETE FROM seen WHERE address = ? AND sha256 = ?", row.address, row.sha256)

    def _execute(self, statement: str, *values: str) -> None:
        try:
            self._table.execute(statement, values)
        except sqlite3.Error as error:
            raise NotWritableError(f"{self._path}: cannot be written: {error}") from None

    def keep(self, sha256: str, data: bytes) -> None:
        """Keep the bytes of a document in `quarantine/`.

        Raises:
            NotWritableError: They cannot be written; the disk may be full.
        """
        if self.load(sha256) is None:
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
