"""What the crawler saw: a table with a row for each address, and the documents that no base holds yet.

By `crawl/seen.json`, the next request is conditional, and a run that was killed is continued. The bytes of a
document wait in `quarantine/`, named by SHA-256, until it is built in.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from variorum.documents.archive import Document
from variorum.errors import FileError
from variorum.files import read_file, writable, write_file
from variorum.model import sha256_of

log = logging.getLogger(__name__)

CRAWL, SEEN, QUARANTINE = "crawl", "seen.json", "quarantine"

# The states of a document.
INCOMING = "incoming"  # to be judged
QUARANTINED = "quarantined"  # until a person accepts it, or a later judgement does
TRUSTED = "trusted"  # to be built in and told
ACCEPTED = "accepted"  # in the archive, or the words of a document there


@dataclass(frozen=True, slots=True)
class Seen:
    """The last document of an address, and when it came.

    `name` is for people. `headers` are the server's. `copy_of` is the document in the archive
    that has its words in other bytes; then it is not kept itself. `reason` is why it is in quarantine.
    """

    address: str
    sha256: str
    state: str
    since: str
    name: str
    headers: dict[str, str] = field(default_factory=dict[str, str])
    copy_of: str = ""
    reason: str = ""

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


class SeenTable:
    """The table of one base, and the documents in its quarantine; writing raises FileError."""

    def __init__(self, base: Path) -> None:
        """Load the table; it is empty if the file is missing, damaged or of another program."""
        self.folder, self._path = base / QUARANTINE, base / CRAWL / SEEN
        self.rows: dict[str, Seen] = {}
        try:
            rows = msgspec.json.decode(read_file(self._path), type=list[Seen])
            self.rows = {row.address: row for row in rows}
        except (FileError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            if self._path.exists():
                log.warning("%s: damaged: %s; every address is asked again", self._path, error)

    def __iter__(self) -> Iterator[Seen]:
        """Yield all rows as they are now, those written last at the end."""
        yield from [*self.rows.values()]

    def of(self, sha256: str) -> list[Seen]:
        """Return the rows of a document."""
        return [row for row in self if row.sha256 == sha256]

    def put(self, *rows: Seen) -> None:
        """Write rows, in place of those of the same addresses."""
        for row in rows:
            self.rows.pop(row.address, None)
            self.rows[row.address] = row
        write_file(self._path, msgspec.json.encode([*self]))

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
