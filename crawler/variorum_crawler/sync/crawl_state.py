"""What addresses served in earlier runs: `crawl/state.json` and `crawl/pages/`.

For each address, the state has the hash of its document and the server's validators, so that the
next request can be conditional. A page that lists editions is stored completely, for the answer
"not modified". The state changes only when an address serves other bytes.
"""

import logging
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

from variorum_crawler.fetch.fetcher import Fetched, Validators
from variorum_kb.errors import ArchiveError
from variorum_kb.model import Sha256, sha256_of
from variorum_kb.system.atomic_files import writable, write_file
from variorum_kb.system.json_files import load_json, save_json

log = logging.getLogger(__name__)

CRAWL = "crawl"
STATE = "state.json"
_PAGES = "pages"

# If an address is gone but we have its edition, it is asked again after this time.
_ASKED_AGAIN = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Seen:
    """The last document or page that an address served.

    Attributes:
        sha256: The hash of the body.
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
    this answer, dated by the server or else by our clock.

    Args:
        sha256: The hash of the document or page.
        headers: Names in small letters.
        at: The time of the answer, as an ISO date with time and zone.
    """
    fields = dict(headers)
    etag, changed = fields.get("etag", ""), fields.get("last-modified", "")
    if etag or changed:
        return Seen(sha256, Validators(etag, changed))
    return Seen(
        sha256, Validators("", fields.get("date", "") or _http_date(at)), is_dated_by_us=True
    )


def _http_date(at: str) -> str:
    """Return a time as header fields write it; "" if it is not a time."""
    try:
        return format_datetime(datetime.fromisoformat(at).astimezone(UTC), usegmt=True)
    except (ValueError, OverflowError):
        return ""


class CrawlState:
    """What the addresses of one base served."""

    def __init__(self, base: Path, now: str = "") -> None:
        """Load the state: empty if the file is missing or damaged.

        Args:
            base: The folder of the base.
            now: The time of new entries, as an ISO date with time and zone.
        """
        self._now = now
        self.folder = base / CRAWL
        self.path = self.folder / STATE
        self._documents: dict[str, Seen] = {}
        self._pages: dict[str, Seen] = {}
        self._gone: dict[str, date] = {}
        self._copies: dict[str, str] = {}
        try:
            value = load_json(self.path)
            self._documents = _from_json(value.get("documents", {}))
            self._pages = _from_json(value.get("pages", {}))
            gone = dict(value.get("gone", {}))
            self._gone = {url: date.fromisoformat(day) for url, day in gone.items()}
            self._copies = {**value.get("copies", {})}
        except ArchiveError as error:
            log.warning("%s; every address is asked again", error)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            log.warning("%s: damaged: %r; every address is asked again", self.path, error)

    def document(self, url: str) -> Seen | None:
        """Return the last document of an address; None if it never served one."""
        return self._documents.get(url)

    def saw_document(self, url: str, seen: Seen) -> None:
        """Remember the document that an address served.

        If the bytes are the same as before, only new validators are remembered.
        """
        before = self._documents.get(url)
        if before is None or before.sha256 != seen.sha256 or not seen.is_dated_by_us:
            self._documents[url] = seen
        self._gone.pop(url, None)

    def seen_of(self, sha256: Sha256, headers: tuple[tuple[str, str], ...]) -> Seen:
        """Return what to remember about a document or page of this run."""
        return seen_of(sha256, headers, self._now)

    def copy_of(self, sha256: str) -> str:
        """Return the document with the same words in another encoding; "" if none is known."""
        return self._copies.get(sha256, "")

    def saw_copy(self, sha256: str, of: str) -> None:
        """Remember that a document has the words of another, in another encoding."""
        self._copies[sha256] = of

    def is_lately_gone(self, url: str, today: date) -> bool:
        """Return whether an address was found to be gone too lately to ask it again."""
        since = self._gone.get(url)
        return since is not None and today - since < _ASKED_AGAIN

    def found_gone(self, url: str, today: date) -> None:
        """Remember that an address is gone, unless that was recorded lately."""
        if not self.is_lately_gone(url, today):
            self._gone[url] = today

    def page(self, url: str) -> tuple[Seen, bytes] | None:
        """Return the record of a page, and its bytes; None if they are unknown or lost."""
        seen = self._pages.get(url)
        if seen is None:
            return None
        try:
            body = self._page_path(seen.sha256).read_bytes()
        except OSError:
            return None
        return (seen, body) if sha256_of(body) == seen.sha256 else None

    def keep_page(self, url: str, fetched: Fetched) -> None:
        """Store a fetched page, unless it is stored already.

        If the server sends no validators, the first stored page stays, even if the page changes
        with each request. "Not modified" still refers to the stored page.

        Raises:
            NotWritableError: The page cannot be written; the disk may be full.
        """
        seen = self.seen_of(sha256_of(fetched.body), fetched.headers)
        page = self.page(url)
        if page is not None and (page[0].sha256 == seen.sha256 or seen.is_dated_by_us):
            return
        path = self._page_path(seen.sha256)
        with writable(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, fetched.body)
        self._pages[url] = seen

    def save(self) -> None:
        """Write the state if it changed; remove pages that are out of date.

        Raises:
            NotWritableError: The state cannot be written; the disk may be full.
        """
        if not (self._documents or self._pages or self._gone):
            return
        gone = {url: day.isoformat() for url, day in sorted(self._gone.items())}
        documents, pages = _json(self._documents), _json(self._pages)
        copies = dict(sorted(self._copies.items()))
        value = {"documents": documents, "pages": pages, "gone": gone, "copies": copies}
        save_json(self.path, value)
        page_paths = {self._page_path(seen.sha256) for seen in self._pages.values()}
        for path in sorted((self.folder / _PAGES).glob("*")):
            if path not in page_paths:
                with writable(path):
                    path.unlink()

    def _page_path(self, sha256: str) -> Path:
        return self.folder / _PAGES / sha256


def _from_json(value: dict[str, Any]) -> dict[str, Seen]:
    return {
        url: Seen(
            Sha256(str(entry["sha256"])),
            Validators(str(entry.get("etag", "")), str(entry.get("last_modified", ""))),
        )
        for url, entry in value.items()
    }


def _json(by_address: dict[str, Seen]) -> dict[str, dict[str, str]]:
    value: dict[str, dict[str, str]] = {}
    for url, version in sorted(by_address.items()):
        validators = {
            "etag": version.validators.etag,
            "last_modified": version.validators.last_modified,
        }
        value[url] = {"sha256": version.sha256} | {
            name: word for name, word in validators.items() if word
        }
    return value
