"""Documents that are not trusted: `quarantine/` in the folder of a base, named by SHA-256.

The table of the crawl says for each document why it is there, from where and since when. No
document is built in from here by itself. If a person trusts a document and gives it to `cr build`,
the next sync removes it here.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from variorum.model import Sha256
from variorum.system.atomic_files import sync_folder, writable, write_file
from variorum_crawler.received import Received
from variorum_crawler.sync.crawl_state import CrawlState, Row, load_named

QUARANTINE = "quarantine"


@dataclass(frozen=True, slots=True)
class QuarantineEntry:
    """A document in quarantine.

    Attributes:
        reason: Why it is not trusted, in our words.
        judged_by: The version of the judge; another version judges it again.
        since: When it was quarantined, as an ISO date with time and zone.
        received: The addresses that served it, oldest first.
    """

    sha256: Sha256
    reason: str
    judged_by: str
    since: str
    received: tuple[Received, ...]


class Quarantine:
    """The documents of one base that are not trusted; the caller saves the table."""

    def __init__(self, state: CrawlState, judged_by: str = "") -> None:
        """Open the quarantine; `judged_by` is the judge of what is added from now on."""
        self._state, self._judged_by = state, judged_by
        self.folder = state.base / QUARANTINE

    def __iter__(self) -> Iterator[QuarantineEntry]:
        rows: dict[str, list[Row]] = {}
        for row in self._state.rows("quarantined"):
            rows.setdefault(row.sha256, []).append(row)
        return iter([_entry(rows[sha256]) for sha256 in sorted(rows)])

    def __len__(self) -> int:
        return len({row.sha256 for row in self._state.rows("quarantined")})

    def get(self, sha256: str) -> QuarantineEntry | None:
        """Return the entry of a document; None if it is not here."""
        rows = self._rows(sha256)
        return _entry(rows) if rows else None

    def load(self, sha256: str) -> bytes | None:
        """Return a document's bytes; None if they are missing or damaged."""
        return load_named(self.folder, sha256)

    def put(self, received: Received, reason: str, data: bytes) -> tuple[QuarantineEntry, bool]:
        """Put a document in quarantine; return its entry, and whether it is new.

        A known document keeps its date; a new address is added to it.

        Raises:
            NotWritableError: The quarantine cannot be written; the disk may be full.
        """
        before = self._rows(received.sha256)
        since = before[0].since if before else self._state.now
        if before and before[0].judged_by == self._judged_by:
            reason = before[0].reason
        row = Row(
            "quarantined",
            received.address,
            received.sha256,
            since=since,
            name=received.name,
            headers=json.dumps(received.headers),
        )
        rows = before if received.address in {row.address for row in before} else [*before, row]
        rows = [row._replace(reason=reason, judged_by=self._judged_by) for row in rows]
        if self.load(received.sha256) is None:
            with writable(self.folder):
                self.folder.mkdir(parents=True, exist_ok=True)
            write_file(self.folder / received.sha256, data)
            sync_folder(self.folder)
        for row in rows:
            self._state.put(row)
        return _entry(rows), not before

    def release(self, sha256: str) -> None:
        """Remove a document that is now trusted.

        Raises:
            NotWritableError: The folder cannot be written.
        """
        for row in self._rows(sha256):
            self._state.drop(row)
        path = self.folder / sha256
        with writable(path):
            path.unlink(missing_ok=True)

    def _rows(self, sha256: str) -> list[Row]:
        return [row for row in self._state.rows("quarantined") if row.sha256 == sha256]


def _entry(rows: list[Row]) -> QuarantineEntry:
    first, sha256 = rows[0], Sha256(rows[0].sha256)
    received = [
        Received(row.name, row.address, sha256, tuple([(k, v) for k, v in json.loads(row.headers)]))
        for row in rows
    ]
    return QuarantineEntry(sha256, first.reason, first.judged_by, first.since, tuple(received))
