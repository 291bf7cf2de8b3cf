"""Fetch documents politely: obey robots.txt, pauses and limits, and follow redirects.

We do not trust servers with our time, our memory or their redirects. A host's name is resolved
once, its addresses are checked, and we connect to one of them. So neither a redirect nor a second
resolution of the name can lead to a private address.
"""

import re
import socket
import ssl
import threading
import time
import urllib.request
import zlib
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from http.client import IncompleteRead, RemoteDisconnected
from typing import Any, NamedTuple, Self

from protego import Protego
from urllib3 import BaseHTTPResponse, PoolManager, ProxyManager
from urllib3 import exceptions as u3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.response import HTTPResponse
from urllib3.util import make_headers, parse_url
from urllib3.util.connection import create_connection

from variorum.files import LARGEST_EDITION
from variorum.versions import PROGRAM
from variorum_crawler.errors import FetchError, RefusalError
from variorum_crawler.web_address import (
    Address,
    check_public,
    check_spelling,
    follow,
    parse_address,
    show,
)

# Defaults of `cr sync`: seconds between two requests to a host, seconds to wait for a response, and
# further attempts after a temporary failure.
PAUSE, TIMEOUT, RETRIES = 1.0, 30.0, 2
# With longer pauses than this, we would fetch for hours.
_LONGEST_PAUSE = 30.0
# If a host asks us to wait longer than this, we leave it for the next run.
_LONGEST_WAIT = 120.0
_LONGEST_BACKOFF = 60.0
_LONGEST_WAY = 10
# A host may have any number of addresses, and each may take the whole timeout before it fails.
_MOST_ADDRESSES = 4
# How long a whole document may take, as a multiple of the timeout between two reads.
_TIMEOUTS_A_DOCUMENT = 10
# Seconds for the resolution of all names that fail: without a network, some systems ask for long.
_FOR_NAMES = 4.0

# After these statuses, another attempt may succeed.
_WORTH_RETRYING = {408, 425, 429, 500, 502, 503, 504}
_REDIRECTS = {301, 302, 303, 307, 308}
_ENCODINGS = {"", "identity", "gzip", "x-gzip"}

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
# http.client's message if a proxy refuses CONNECT.
_TUNNEL = re.compile(r"Tunnel connection failed: (\d{3})\b")
# From the narrowest class to the widest.
_WORDS: tuple[tuple[type[Exception], str], ...] = (
    (IncompleteRead, "the body broke off"),
    (ConnectionRefusedError, "connection refused"),
    (RemoteDisconnected, "the connection was closed without an answer"),
    (ConnectionError, "the connection was reset"),
    (u3.NewConnectionError, "no connection"),
    (u3.TimeoutError, "no answer in time"),
    (TimeoutError, "no answer in time"),
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


class _Answer(NamedTuple):
    """A server's answer; the body is unpacked, and empty unless the status is 200."""

    status: int
    headers: Mapping[str, str]
    body: bytes = b""

    @property
    def is_redirect(self) -> bool:
        return self.status in _REDIRECTS and "location" in self.headers


class Fetcher:
    """Fetches documents, one request at a time."""

    def __init__(self, settings: FetchSettings) -> None:
        self._retries = settings.retries
        self._connections = _Connections(settings.timeout, settings.private_hosts)
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
            raise FetchError(
                show(url), error.reason, is_passing=error.is_passing, is_of_host=error.is_of_host
            ) from error
        headers = answer.headers
        kept = tuple([(name, " ".join(headers[name].split())) for name in _KEPT if name in headers])
        is_modified = answer.status == HTTPStatus.OK
        return Fetched(
            url=url, final_url=address.url, is_modified=is_modified, headers=kept, body=answer.body
        )

    def _travel(self, address: Address, validators: Validators) -> tuple[Address, _Answer]:
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
                if len(way) == 1:
                    raise
                reason = f"redirects to {show(way[-1])}: {error.reason}"
                raise RefusalError(reason, is_passing=error.is_passing) from error
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

    def _ask(self, address: Address, validators: Validators) -> _Answer:
        """Return an answer that is a document, "not modified" or a redirect; retry if need be."""
        tried = 0
        while True:
            tried += 1
            try:
                return self._attempt(address, validators.conditions())
            except RefusalError as error:
                if error.wait is None:
                    raise
                if error.wait > _LONGEST_WAIT:
                    error.reason += f"; asks us to wait for {error.wait:,.0f} seconds"
                    raise
                if tried > self._retries:
                    error.reason += f" (tried {tried} times)" if tried > 1 else ""
                    raise
                wait = max(error.wait, min(2.0 ** (tried - 1), _LONGEST_BACKOFF))
                free_at = max(self._free_at[address.host], time.monotonic() + wait)
                self._free_at[address.host] = free_at

    def _attempt(self, address: Address, conditions: Mapping[str, str]) -> _Answer:
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
            raise RefusalError(_name_status(status), wait=_read_wait(answer.headers))
        is_missing = 400 <= status < 500  # noqa: PLR2004 - by the standard
        raise RefusalError(_name_status(status), is_missing=is_missing)


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


class _Connections:
    """Connections that are kept open, at most one for each host and port."""

    def __init__(self, timeout: float, private_hosts: frozenset[str]) -> None:
        """Read the proxies of the environment; only named hosts may be private."""
        self._timeout, self._time_limit = timeout, _TIMEOUTS_A_DOCUMENT * timeout
        self._private_hosts = private_hosts
        self._proxies = urllib.request.getproxies_environment()
        self._managers: dict[str, PoolManager] = {}
        self._for_names = _FOR_NAMES
        self._socket: socket.socket | None = None
        self._is_overdue = False

    def close(self) -> None:
        """Close every connection."""
        for manager in self._managers.values():
            manager.clear()

    def get(self, address: Address, headers: Mapping[str, str]) -> _Answer:
        """Return the answer of an address; do not follow redirects.

        Raises:
            RefusalError: There is no answer, it is incomplete or must not be accepted, or the host
                must not be asked.
        """
        proxy = ""
        if not urllib.request.proxy_bypass(f"{address.host}:{address.port}"):
            proxy = self._proxies.get(address.scheme) or self._proxies.get("all", "")
        if proxy and address.host not in self._private_hosts:
            check_spelling(address.host)
        self._socket, self._is_overdue = None, False
        # A read timeout would begin anew at each byte.
        timer = threading.Timer(self._time_limit, self._cut)
        timer.daemon = True
        timer.start()
        try:
            response = self._manager(proxy).urlopen(
                "GET",
                address.url,
                headers=dict(headers),
                redirect=False,
                retries=False,
                preload_content=False,
            )
            try:
                return self._read(response)
            finally:
                response.close()  # an abandoned answer is not read to its end
        except u3.HTTPError as error:
            self._refuse_overdue()
            raise _translated(error, self._timeout) from error
        finally:
            timer.cancel()

    def _cut(self) -> None:
        self._is_overdue = True
        if self._socket is not None:
            with suppress(OSError):
                # The method of a secure socket would pass the remaining bytes on undeciphered.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def _refuse_overdue(self) -> None:
        if self._is_overdue:
            raise RefusalError(f"takes longer than {self._time_limit:g} seconds", is_passing=True)

    def watch(self, answering: socket.socket | None) -> None:
        """Note the connection that is answering, to cut it off when its time is over."""
        self._refuse_overdue()
        self._socket = answering

    def _read(self, response: BaseHTTPResponse) -> _Answer:
        headers = {name.lower(): value for name, value in response.headers.items()}
        if response.status == HTTPStatus.NOT_MODIFIED:
            response.read1()  # ends the answer, so that the connection can be reused
        if response.status != HTTPStatus.OK:
            return _Answer(response.status, headers)
        encoding = headers.get("content-encoding", "").strip().lower()
        if encoding not in _ENCODINGS:
            raise RefusalError(f"is packed in a way that we cannot read ({encoding[:40]!a})")
        received = bytearray()
        # urllib3 would keep unpacking until it has something to return, however long that takes.
        while len(received) <= LARGEST_EDITION and (
            chunk := response.read1(1 << 16, decode_content=False)
        ):
            received += chunk
        self._refuse_overdue()
        body = _unpack(received) if "gzip" in encoding else bytes(received)
        if len(body) > LARGEST_EDITION:
            raise RefusalError(f"is more than the {LARGEST_EDITION:,} bytes allowed")
        if not body and not {"content-length", "transfer-encoding"} & headers.keys():
            # Without a stated length, incomplete headers look like this.
            raise RefusalError("the answer is empty", wait=0)
        return _Answer(response.status, headers, body)

    def _manager(self, proxy: str) -> PoolManager:
        if proxy not in self._managers:
            self._managers[proxy] = made = _open_manager(proxy, self._timeout)
            made.pool_classes_by_scheme = _guarded_pools(self, is_direct=not proxy)
        return self._managers[proxy]

    def connect(self, connection: HTTPConnection) -> socket.socket:
        """Connect to one of a host's addresses, after checking all of them."""
        host, port = connection.host, connection.port
        addresses = self._resolve(host, port)
        if host.strip("[]").rstrip(".") not in self._private_hosts:
            for address in addresses:
                check_public(address)
        failure: OSError | None = None
        for address in addresses[:_MOST_ADDRESSES]:
            try:
                return create_connection(
                    (address, port), connection.timeout, socket_options=connection.socket_options
                )
            except OSError as error:
                failure = error
        reason = f"the host cannot be reached ({_describe(failure)})"
        raise RefusalError(reason, is_passing=True, is_of_host=True)

    def _resolve(self, host: str, port: int) -> list[str]:
        """Return a host's addresses; the time for names that fail is limited in all."""
        places: list[Any] = []

        def look_up() -> None:
            with suppress(OSError, UnicodeError):
                places.extend(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))

        began = time.monotonic()
        looking = threading.Thread(target=look_up, daemon=True)
        looking.start()
        looking.join(self._for_names)
        if not places:
            self._for_names = max(0.1, self._for_names - (time.monotonic() - began))
            reason = "the name of the host cannot be resolved"
            raise RefusalError(reason, is_passing=True, is_of_host=True)
        self._for_names = _FOR_NAMES
        return [str(place[0]) for *_, place in places]


def _unpack(packed: bytearray) -> bytes:
    """Unpack gzip; of what is too large, return one byte more than is allowed."""
    inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        body = inflate.decompress(packed, LARGEST_EDITION + 1)
    except zlib.error:
        raise RefusalError("the packed body is damaged", wait=0) from None
    if packed and not inflate.eof and len(body) <= LARGEST_EDITION:
        raise RefusalError("the packed body ends too early", wait=0)
    if inflate.unused_data.strip(b"\0"):
        raise RefusalError("the packed body is damaged", wait=0)
    return body


def _open_manager(proxy: str, timeout: float) -> PoolManager:
    """Return a connection manager, through a proxy or, with "", direct."""
    if not proxy:
        return PoolManager(timeout=timeout)
    try:
        parts = parse_url(proxy if "://" in proxy else f"http://{proxy}")
    except u3.LocationParseError:
        reason = "the proxy that the environment names is no address"
        raise RefusalError(reason, is_of_host=True) from None
    if parts.scheme not in {"http", "https"}:
        raise RefusalError(f"a proxy of the kind {parts.scheme} is not supported", is_of_host=True)
    headers = make_headers(proxy_basic_auth=parts.auth)
    return ProxyManager(parts.url, timeout=timeout, proxy_headers=headers)


def _guarded_pools(
    connections: _Connections, *, is_direct: bool
) -> dict[str, type[HTTPConnectionPool]]:
    """Return connection classes by scheme that check where they connect, unless a proxy does."""

    class Plain(HTTPConnection):
        def _new_conn(self) -> socket.socket:
            return connections.connect(self) if is_direct else super()._new_conn()

        # urllib3 also narrows the type of the answer here.
        def getresponse(self) -> HTTPResponse:  # type: ignore[override]
            connections.watch(answering := self.sock)
            try:
                return super().getresponse()
            except u3.HTTPError:
                # urllib3 leaves the connection open when it cannot read the headers.
                if answering is not None and (descriptor := answering.detach()) >= 0:
                    socket.close(descriptor)
                raise

    class Secure(Plain, HTTPSConnection):
        pass

    class PlainPool(HTTPConnectionPool):
        ConnectionCls = Plain

    class SecurePool(HTTPSConnectionPool):
        ConnectionCls = Secure

    return {"http": PlainPool, "https": SecurePool}


def _translated(error: u3.HTTPError, timeout: float) -> RefusalError:
    """Return our error for one of urllib3."""
    match error:
        case u3.ReadTimeoutError():
            return RefusalError(f"no answer for {timeout:g} seconds", wait=0)
        case u3.ProxyError():
            reason = f"the proxy does not let us through ({_describe(error.original_error)})"
            return RefusalError(reason, is_passing=True, is_of_host=True)
        case u3.SSLError(args=[ssl.SSLCertVerificationError() as cause, *_]):
            reason = f"its certificate cannot be trusted ({cause.verify_message})"
            return RefusalError(reason, is_of_host=True)
        case u3.SSLError():
            return RefusalError("the secure connection failed", wait=0)
        case u3.ProtocolError():
            return RefusalError(_describe(error.args[1] if len(error.args) > 1 else None), wait=0)
        case _:
            return RefusalError("the answer cannot be understood", wait=0)


def _describe(failure: object) -> str:
    """Return why a connection failed, in a few words."""
    for kind, words in _WORDS:
        if isinstance(failure, kind):
            return words
    if not isinstance(failure, OSError):
        return "the connection broke off"
    if tunnel := _TUNNEL.match(str(failure)):
        return _name_status(int(tunnel[1]))
    return (failure.strerror or "the connection failed").lower()


def _name_status(status: int) -> str:
    """Return a status with the standard's name for it; the server's own words are not printed."""
    phrase = next((known.phrase for known in HTTPStatus if known == status), "")
    return f"{status} {phrase}".strip()
