"""What earlier runs saw: one table in one file, `crawl/seen.sqlite`, and the documents under way.

For each address, the table has the hash of its document and the server's validators, so that the
next request can be conditional. It also has the pages that list editions, for the answer "not
modified", the quarantine, and how the last runs ended. The file changes only when there is news.
"""

import contextlib
import json
import logging
import shutil
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import NamedTuple, TypedDict

from variorum.model import Sha256, sha256_of
from variorum.system.atomic_files import writable, write_file
from variorum_crawler.fetch.fetcher import Fetched, Validators

log = logging.getLogger(__name__)

CRAWL = "crawl"
SEEN = "seen.sqlite"

# If an address is gone but we have its edition, it is asked again after this time.
_ASKED_AGAIN = timedelta(days=30)


class Row(NamedTuple):
    """A row of the table; which cells are set depends on the state.

    Attributes:
        state: "served", the last document of an address; "page", likewise of a list, with its body;
            "gone", an address without a document; "quarantined", a document that an address served;
            "copy", a document with the words of another, which `reason` names; "held", an edition in
            the base when a build began that never ended; "ended", how the last run ended.
        since: A day, or an ISO date with time and zone.
        headers: JSON.
        reason: Why a document is not trusted.
    """

    state: str
    address: str = ""
    sha256: str = ""
    etag: str = ""
    last_modified: str = ""
    since: str = ""
    name: str = ""
    headers: str = ""
    reason: str = ""
    judged_by: str = ""
    body: bytes = b""


_ONE_AN_ADDRESS = {"served", "page", "gone"}
_COLUMNS = ", ".join(Row._fields)
_TYPES = [str] * (len(Row._fields) - 1) + [bytes]


@dataclass(frozen=True, slots=True)
class Seen:
    """The last document or page that an address served.

    Attributes:
        validators: The validators for the next request, which asks whether the document changed.
        is_dated_by_us: The server sent no validators, so the next request uses the time of this
            answer.
    """

    sha256: Sha256
    validators: Validators
    is_dated_by_us: bool = False


def seen_of(sha256: Sha256, headers: tuple[tuple[str, str], ...], at: str) -> Seen:
    """Return what to remember about a document or page with these headers.

    If a server sends no validators, the next request asks whether the document has changed since
    this answer, dated by the server or else by our clock, `at`.
    """
    fields = dict(headers)
    etag, changed = fields.get("etag", ""), fields.get("last-modified", "")
    if etag or changed:
        return Seen(sha256, Validators(etag, changed))
    dated = fields.get("date", "") or _http_date(at)
    return Seen(sha256, Validators("", dated), is_dated_by_us=True)


def _http_date(at: str) -> str:
    """Return a time as header fields write it; "" if it is not a time."""
    try:
        return format_datetime(datetime.fromisoformat(at).astimezone(UTC), usegmt=True)
    except (ValueError, OverflowError):
        return ""


class Last(TypedDict):
    """How the last syncs ended.

    Attributes:
        since: When the first of the consecutive syncs ended this way, as an ISO date with time and
            zone.
        new: The labels of the editions that the last sync added.
        failed_sources: The names of the sources that failed entirely.
    """

    since: str
    new: list[str]
    failed_sources: list[str]


class CrawlState:
    """The table of one base, in memory; `save` writes it."""

    def __init__(self, base: Path, now: str = "") -> None:
        """Load the table: empty if the file is missing or damaged.

        Args:
            base: The folder of the base, which need not exist yet.
            now: The time of new entries, as an ISO date with time and zone.
        """
        self.base, self.now = base, now
        self.path = base / CRAWL / SEEN
        self._rows: dict[tuple[str, str, str], Row] = {}
        try:
            for row in _load(self.path):
                self.put(row)
        except (OSError, sqlite3.Error, TypeError) as error:
            log.warning("%s: damaged: %s; every address is asked again", self.path, error)
        self._saved = dict(self._rows)

    def rows(self, state: str) -> list[Row]:
        """Return the rows of a state, oldest first."""
        return [row for row in self._rows.values() if row.state == state]

    def put(self, row: Row) -> None:
        """Add a row, or replace the one of the same address, or of the same document from there."""
        self._rows[_key(row)] = row

    def drop(self, row: Row) -> None:
        """Remove a row, if there is one."""
        self._rows.pop(_key(row), None)

    def document(self, url: str) -> Seen | None:
        """Return the last document of an address; None if it never served one."""
        row = self._rows.get(("served", url, ""))
        return _seen(row) if row else None

    def saw_document(self, url: str, seen: Seen) -> None:
        """Remember the document that an address served.

        If the bytes are the same as before, only new validators are remembered.
        """
        before = self.document(url)
        if before is None or before.sha256 != seen.sha256 or not seen.is_dated_by_us:
            marks = seen.validators
            self.put(Row("served", url, seen.sha256, marks.etag, marks.last_modified))
        self.drop(Row("gone", url))

    def seen_of(self, sha256: Sha256, headers: tuple[tuple[str, str], ...]) -> Seen:
        """Return what to remember about a document or page of this run."""
        return seen_of(sha256, headers, self.now)

    def copy_of(self, sha256: str) -> str:
        """Return the document with the same words in another encoding; "" if none is known."""
        row = self._rows.get(("copy", "", sha256))
        return row.reason if row else ""

    def saw_copy(self, sha256: str, of: str) -> None:
        """Remember that a document has the words of another, in another encoding."""
        self.put(Row("copy", sha256=sha256, reason=of))

    def is_lately_gone(self, url: str, today: date) -> bool:
        """Return whether an address was found to be gone too lately to ask it again."""
        row = self._rows.get(("gone", url, ""))
        return row is not None and row.since > (today - _ASKED_AGAIN).isoformat()

    def found_gone(self, url: str, today: date) -> None:
        """Remember that an address is gone, unless that was recorded lately."""
        if not self.is_lately_gone(url, today):
            self.put(Row("gone", url, since=today.isoformat()))

    def page(self, url: str) -> tuple[Seen, bytes] | None:
        """Return the record of a page, and its bytes; None if they are unknown."""
        row = self._rows.get(("page", url, ""))
        return (_seen(row), row.body) if row else None

    def keep_page(self, url: str, fetched: Fetched) -> None:
        """Keep a fetched page, unless it is there already.

        If the server sends no validators, the first page stays, even if the page changes with each
        request. "Not modified" still refers to the page that we have.
        """
        seen = self.seen_of(sha256_of(fetched.body), fetched.headers)
        page = self.page(url)
        if page is None or (page[0].sha256 != seen.sha256 and not seen.is_dated_by_us):
            marks = (seen.validators.etag, seen.validators.last_modified)
            self.put(Row("page", url, seen.sha256, *marks, body=fetched.body))

    def remember_held(self, hashes: Iterable[str]) -> None:
        """Write down the editions in the base before a build.

        So if the run is killed after the build, the next run still reports what is new.
        """
        if not self.rows("held"):
            for sha256 in ["", *hashes]:  # also of an empty base
                self.put(Row("held", sha256=sha256))
            self.save()

    def held_before(self) -> set[str] | None:
        """Return the editions in the base before a build that never ended; None if there is none."""
        return {row.sha256 for row in self.rows("held")} or None

    def last(self) -> Last | None:
        """Return how the last syncs ended; None if unknown."""
        for row in self.rows("ended"):
            new, failed = json.loads(row.reason)
            return {"since": row.since, "new": new, "failed_sources": failed}
        return None

    def end(self, new: list[str], failed_sources: list[str]) -> None:
        """Record how a run ended, unless it ended like the last one and found nothing new."""
        before = self.last()
        if before is None or new or before["failed_sources"] != failed_sources:
            self.put(Row("ended", since=self.now, reason=json.dumps([new, failed_sources])))

    def forget_held(self) -> None:
        """Forget the editions before the build, once what is new can be told."""
        for row in self.rows("held"):
            self.drop(row)
        self.save()

    def save(self) -> None:
        """Write the table if it changed.

        Raises:
            NotWritableError: It cannot be written; the disk may be full.
        """
        if self._rows == self._saved:
            return
        with contextlib.closing(sqlite3.connect(":memory:")) as table:
            table.execute(f"CREATE TABLE seen ({_COLUMNS})")
            marks = ", ".join("?" * len(Row._fields))
            table.executemany(f"INSERT INTO seen VALUES ({marks})", self._rows.values())  # noqa: S608 - our own marks
            table.commit()
            data = table.serialize()
        with writable(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        write_file(self.path, data)
        self._saved = dict(self._rows)


def _load(path: Path) -> list[Row]:
    if not path.exists():
        return []
    with contextlib.closing(sqlite3.connect(":memory:")) as table:
        table.deserialize(path.read_bytes())
        table.execute("PRAGMA trusted_schema = OFF")
        rows = table.execute(f"SELECT {_COLUMNS} FROM seen ORDER BY rowid").fetchall()  # noqa: S608 - our own columns
    if any(list(map(type, row)) != _TYPES for row in rows):
        raise TypeError("a cell of another type")
    return [Row(*row) for row in rows]


def _key(row: Row) -> tuple[str, str, str]:
    return row.state, row.address, "" if row.state in _ONE_AN_ADDRESS else row.sha256


def _seen(row: Row) -> Seen:
    return Seen(Sha256(row.sha256), Validators(row.etag, row.last_modified))


class Incoming:
    """The documents of a run until they are built in: files in `crawl/incoming/`, named by hash."""

    def __init__(self, base: Path) -> None:
        self._folder = base / CRAWL / "incoming"

    @property
    def is_there(self) -> bool:
        """Return whether a run is under way, or was killed."""
        return self._folder.is_dir()

    def load(self, sha256: str) -> bytes | None:
        """Return a document's bytes; None if they are missing or incomplete."""
        return load_named(self._folder, sha256)

    def keep(self, sha256: str, data: bytes) -> None:
        """Keep a document; after a crash, it is fetched again.

        Raises:
            NotWritableError: It cannot be written; the disk may be full.
        """
        with writable(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
            (self._folder / sha256).write_bytes(data)

    def clear(self) -> None:
        """Remove all files, once they are built in or quarantined.

        Raises:
            NotWritableError: A file cannot be removed.
        """
        with writable(self._folder), contextlib.suppress(FileNotFoundError):
            shutil.rmtree(self._folder)


def load_named(folder: Path, sha256: str) -> bytes | None:
    """Return the bytes of a document from a folder; None if they are missing or damaged."""
    try:
        data = (folder / sha256).read_bytes()
    except OSError:
        return None
    return data if sha256_of(data) == sha256 else None
