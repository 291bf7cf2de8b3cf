"""Fetch documents politely: obey robots.txt, pauses and limits, and follow redirects.

We do not trust servers with our time, our memory or their redirects. `trust` judges whether their
bytes are a document.
"""

import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import NamedTuple, Self

from protego import Protego

from variorum.versions import PROGRAM
from variorum_crawler.errors import AttemptError, FetchError, RefusalError
from variorum_crawler.fetch.addresses import Address, follow, parse_address, show
from variorum_crawler.fetch.connections import Answer, Connections, name_status

# Defaults of `cr sync`: seconds between two requests to a host, seconds to wait for a response, and
# further attempts after a temporary failure.
PAUSE, TIMEOUT, RETRIES = 1.0, 30.0, 4
# With longer pauses than this, we would fetch for hours.
_LONGEST_PAUSE = 30.0
# If a host asks us to wait longer than this, we leave it for the next run.
_LONGEST_WAIT = 120.0
_LONGEST_BACKOFF = 60.0
_LONGEST_WAY = 10
# After these statuses, another attempt may succeed.
_WORTH_RETRYING = {408, 425, 429, 500, 502, 503, 504}

# Limits of robots.txt, by RFC 9309: after more redirects it may be treated as missing.
_LONGEST_ROBOTS = 500 * 1024
_MOST_REDIRECTS = 5
_TOKEN = "variorum"  # noqa: S105, our name in robots.txt and no secret

_SENT = {
    "User-Agent": f"Variorum/{PROGRAM} (archive of the Comprehensive Rules)",
    "Accept": "*/*",
    "Accept-Encoding": "gzip",
}
_KEPT = (
    "content-disposition",
    "content-length",
    "content-type",
    "date",
    "etag",
    "last-modified",
    # In these headers, the Wayback Machine says when it saw a page, and when the page last changed.
    "memento-datetime",
    "x-archive-orig-last-modified",
)


@dataclass(frozen=True, slots=True)
class Validators:
    """A server's marks of a document, as it wrote them, with which we ask whether it changed."""

    etag: str = ""
    last_modified: str = ""

    def conditions(self) -> dict[str, str]:
        """Return the header fields that make a request conditional."""
        fields = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        # Leave out a damaged value, which no header can contain.
        return {k: v for k, v in fields.items() if v and v.isascii() and v.isprintable()}


NOTHING_HELD = Validators()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """A fetched document, or "not modified".

    Attributes:
        url: The address asked for.
        final_url: Where redirects led.
        is_modified: False if our copy is current (304); then there is no body.
        headers: The headers worth keeping, names in small letters, sorted.
        body: Complete, unpacked from any content encoding.
    """

    url: str
    final_url: str
    is_modified: bool
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""


class FetchSettings(NamedTuple):
    """Settings of a fetcher.

    Attributes:
        pause: Seconds from a host's answer to the next request to it; robots.txt may ask for more.
        timeout: Seconds to connect, and between two reads; a whole document may take ten times that.
        retries: Further attempts after a temporary failure.
        private_hosts: Hosts that may be on a private network.
    """

    pause: float
    timeout: float
    retries: int
    private_hosts: frozenset[str]


class Fetcher:
    """Fetches documents, one request at a time."""

    def __init__(self, settings: FetchSettings) -> None:
        self._retries = settings.retries
        self._connections = Connections(settings.timeout, settings.private_hosts)
        self._pause = defaultdict[str, float](lambda: settings.pause)
        self._free_at = defaultdict[str, float](float)
        self._robots: dict[str, Protego | RefusalError] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connections.close()

    def fetch(self, url: str, validators: Validators = NOTHING_HELD) -> Fetched:
        """Fetch the document of an address if it differs from the stored one.

        Raises:
            FetchError: The document cannot or must not be fetched.
        """
        try:
            address, answer = self._travel(parse_address(url), validators)
        except RefusalError as error:
            raise FetchError(show(url), error.reason, is_passing=error.is_passing) from error
        headers = answer.headers
        kept = tuple([(name, " ".join(headers[name].split())) for name in _KEPT if name in headers])
        return Fetched(
            url=url,
            final_url=address.url,
            is_modified=answer.status == HTTPStatus.OK,
            headers=kept,
            body=answer.body,
        )

    def _travel(self, address: Address, validators: Validators) -> tuple[Address, Answer]:
        """Return the address where redirects end, and its answer."""
        way = [address.url]
        while True:
            try:
                self._check_robots(address)
                answer = self._ask(address, validators)
                if not answer.is_redirect:
                    return address, answer
                address = follow(address, answer.headers["location"])
            except RefusalError as error:
                detour = f"redirects to {show(way[-1])}: " if len(way) > 1 else ""
                raise error.with_reason(f"{detour}{error.reason}") from error
            if address.url in way:
                raise RefusalError(f"redirects in a circle ({show(address.url)})")
            way.append(address.url)
            if len(way) > _LONGEST_WAY + 1:
                raise RefusalError(f"redirects more than {_LONGEST_WAY} times")

    def _check_robots(self, address: Address) -> None:
        """Refuse an address that robots.txt forbids, or of which nobody knows whether it does."""
        if address.origin not in self._robots:
            self._robots[address.origin] = self._fetch_robots(address)
        robots = self._robots[address.origin]
        if isinstance(robots, RefusalError):
            raise robots
        if not robots.can_fetch(address.url, _TOKEN):
            raise RefusalError("robots.txt of the host asks us to stay away")

    def _fetch_robots(self, of: Address) -> Protego | RefusalError:
        """Return a host's robots.txt; a missing one allows everything, a host that is down nothing."""
        address, body = parse_address(f"{of.origin}/robots.txt"), b""
        for redirects in range(_MOST_REDIRECTS + 1):
            try:
                answer = self._ask(address, NOTHING_HELD)
                if not answer.is_redirect:
                    body = answer.body
                    break
                address = follow(address, answer.headers["location"])
            except RefusalError as error:
                if error.is_missing:
                    break
                if error.is_of_host and not redirects:
                    return error  # every other address of the host would fail in the same way
                reason = f"robots.txt of the host cannot be fetched ({error.reason})"
                return RefusalError(reason, is_passing=True)
        if len(body) > _LONGEST_ROBOTS:
            # A truncated last line may mean the opposite of the complete line.
            body = body[:_LONGEST_ROBOTS].rpartition(b"\n")[0]
        robots = Protego.parse(body.decode("utf-8-sig", "replace").replace("\0", "\ufffd"))
        pause = min(robots.crawl_delay(_TOKEN) or 0.0, _LONGEST_PAUSE)
        longer = max(self._pause[of.host], pause)
        self._free_at[of.host] += longer - self._pause[of.host]
        self._pause[of.host] = longer
        return robots

    def _ask(self, address: Address, validators: Validators) -> Answer:
        """Return an answer that is a document, "not modified" or a redirect; retry if need be."""
        tried = 0
        while True:
            tried += 1
            try:
                return self._attempt(address, validators.conditions())
            except AttemptError as error:
                if error.wait > _LONGEST_WAIT:
                    remark = f"; asks us to wait for {error.wait:,.0f} seconds"
                elif tried > self._retries:
                    remark = f" (tried {tried} times)" if tried > 1 else ""
                else:
                    wait = max(error.wait, min(2.0 ** (tried - 1), _LONGEST_BACKOFF))
                    free_at = max(self._free_at[address.host], time.monotonic() + wait)
                    self._free_at[address.host] = free_at
                    continue
                raise error.with_reason(error.reason + remark) from error

    def _attempt(self, address: Address, conditions: Mapping[str, str]) -> Answer:
        """Ask once, when the pause of the host is over; the next one begins with the answer."""
        time.sleep(max(0.0, self._free_at[address.host] - time.monotonic()))
        try:
            answer = self._connections.get(address, {**_SENT, **conditions})
        finally:
            self._free_at[address.host] = time.monotonic() + self._pause[address.host]
        status = answer.status
        is_unmodified = status == HTTPStatus.NOT_MODIFIED and conditions
        if status == HTTPStatus.OK or answer.is_redirect or is_unmodified:
            return answer
        if status in _WORTH_RETRYING:
            raise AttemptError(name_status(status), wait=_read_wait(answer.headers))
        is_missing = 400 <= status < 500  # noqa: PLR2004 - by the standard
        raise RefusalError(name_status(status), is_missing=is_missing)


def _read_wait(headers: Mapping[str, str]) -> float:
    """Return how many seconds an answer asks us to wait; a date counts from the date of the answer."""
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:12])
    try:
        wait = parsedate_to_datetime(text) - parsedate_to_datetime(headers.get("date", ""))
        return max(wait.total_seconds(), 0.0)
    except (TypeError, ValueError, OverflowError):
        return 0.0
