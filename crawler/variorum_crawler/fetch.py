"""Fetch documents politely: obey robots.txt, pauses and limits, and follow redirects.

We do not trust servers with our time, our memory or their redirects. A host's name is resolved
once, its addresses are checked, and we connect to one of them. So neither a redirect nor a second
resolution of the name can lead to a private address.
"""

import itertools
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
from variorum_crawler.errors import FetchError
from variorum_crawler.web_address import (
    Address,
    check_public,
    check_spelling,
    follow,
    parse_address,
    show,
)

# Defaults of `cr sync`: seconds between two requests to a host, seconds to connect and between two
# reads, and further attempts after a temporary failure.
PAUSE, TIMEOUT, RETRIES = 1.0, 30.0, 2
# With longer pauses than this, we would fetch for hours.
_LONGEST_PAUSE = 30.0
# If a host asks us to wait longer than this, we leave it for the next run.
_LONGEST_WAIT, _LONGEST_BACKOFF = 120.0, 60.0
_LONGEST_WAY = 10
# A host may have any number of addresses, and each may take the whole timeout before it fails.
_MOST_ADDRESSES = 4
# How long a whole document may take, as a multiple of the timeout between two reads.
_TIMEOUTS_A_DOCUMENT = 10
# Seconds for the resolution of all names that fail: without a network, some systems ask for long.
_FOR_NAMES = 4.0
# Limits of robots.txt, by RFC 9309: after more redirects it may be treated as missing.
_LONGEST_ROBOTS, _MOST_REDIRECTS = 500 * 1024, 5

# After these statuses, another attempt may succeed.
_WORTH_RETRYING = {408, 425, 429, 500, 502, 503, 504}
_REDIRECTS = {301, 302, 303, 307, 308}
_ENCODINGS = {"", "identity", "gzip", "x-gzip"}
_NAME = "variorum"  # in robots.txt
_SENT = {
    "User-Agent": f"Variorum/{PROGRAM} (archive of the Comprehensive Rules)",
    "Accept": "*/*",
    "Accept-Encoding": "gzip",
}
# In the last two, the Wayback Machine says when it saw a page, and when the page last changed.
_KEPT = (
    *("content-disposition", "content-length", "content-type", "date", "etag", "last-modified"),
    *("memento-datetime", "x-archive-orig-last-modified"),
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


class Fetched(NamedTuple):
    """An answer: a document, complete and unpacked, or with another status than 200 no body.

    `final_url` is where redirects led. Names of headers are in small letters; those of a document
    that was fetched are the ones worth keeping.
    """

    url: str
    final_url: str
    status: int
    headers: Mapping[str, str]
    body: bytes = b""

    @property
    def is_modified(self) -> bool:
        """Return false if our copy is current."""
        return self.status != HTTPStatus.NOT_MODIFIED

    @property
    def is_redirect(self) -> bool:
        """Return whether another address has the document."""
        return self.status in _REDIRECTS and "location" in self.headers


class FetchSettings(NamedTuple):
    """Settings of a fetcher: seconds and attempts as `cr sync` has them; hosts that may be private.

    `pause` goes from a host's answer to the next request to it; robots.txt may ask for more.
    """

    pause: float
    timeout: float
    retries: int
    private_hosts: frozenset[str]


class Fetcher:
    """Fetches documents, one request at a time."""

    def __init__(self, settings: FetchSettings) -> None:
        self._retries = settings.retries
        self._connections = _Connections(settings.timeout, settings.private_hosts)
        self._pause = defaultdict[str, float](lambda: settings.pause)
        self._free_at = defaultdict[str, float](float)
        self._robots: dict[str, Protego | FetchError] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connections.close()

    def fetch(self, url: str, conditions: Mapping[str, str] | None = None) -> Fetched:
        """Fetch the document of an address if it differs from the one that header fields describe.

        Raises:
            FetchError: The document cannot or must not be fetched.
        """
        try:
            answer = self._travel(parse_address(url), conditions or {})
        except FetchError as error:
            error.url = show(url)
            raise
        sent = answer.headers
        kept = {name: " ".join(sent[name].split()) for name in _KEPT if name in sent}
        return answer._replace(url=url, headers=kept)

    def _travel(self, address: Address, conditions: Mapping[str, str]) -> Fetched:
        """Return the answer where redirects end."""
        way = [address.url]
        while True:
            try:
                self._check_robots(address)
                answer = self._ask(address, conditions)
                if not answer.is_redirect:
                    return answer
                address = follow(address, answer.headers["location"])
            except FetchError as error:
                if len(way) == 1:
                    raise
                reason = f"redirects to {show(way[-1])}: {error.reason}"
                raise FetchError(reason, is_passing=error.is_passing) from error
            if address.url in way:
                raise FetchError(f"redirects in a circle ({show(address.url)})")
            way.append(address.url)
            if len(way) > _LONGEST_WAY + 1:
                raise FetchError(f"redirects more than {_LONGEST_WAY} times")

    def _check_robots(self, address: Address) -> None:
        """Refuse an address that robots.txt forbids, or of which nobody knows whether it does."""
        if address.origin not in self._robots:
            self._robots[address.origin] = self._fetch_robots(address)
        robots = self._robots[address.origin]
        if isinstance(robots, FetchError):
            raise robots.anew()
        if not robots.can_fetch(address.url, _NAME):
            raise FetchError("robots.txt of the host asks us to stay away")

    def _fetch_robots(self, of: Address) -> Protego | FetchError:
        """Return a host's robots.txt; a missing one allows everything, a host that is down nothing."""
        address, body = parse_address(f"{of.origin}/robots.txt"), b""
        for redirects in range(_MOST_REDIRECTS + 1):
            try:
                answer = self._ask(address, {})
                if not answer.is_redirect:
                    body = answer.body
                    break
                address = follow(address, answer.headers["location"])
            except FetchError as error:
                if error.is_missing:
                    break
                if error.is_of_host and not redirects:
                    return error  # every other address of the host would fail in the same way
                reason = f"robots.txt of the host cannot be fetched ({error.reason})"
                return FetchError(reason, is_passing=True)
        if len(body) > _LONGEST_ROBOTS:
            # A truncated last line may mean the opposite of the complete line.
            body = body[:_LONGEST_ROBOTS].rpartition(b"\n")[0]
        robots = Protego.parse(body.decode("utf-8-sig", "replace").replace("\0", "\ufffd"))
        pause = min(robots.crawl_delay(_NAME) or 0.0, _LONGEST_PAUSE)
        longer = max(self._pause[of.host], pause)
        self._free_at[of.host] += longer - self._pause[of.host]
        self._pause[of.host] = longer
        return robots

    def _ask(self, address: Address, conditions: Mapping[str, str]) -> Fetched:
        """Return an answer that is a document, "not modified" or a redirect; retry if need be.

        Each attempt waits for the pause of the host, which begins with its last answer.
        """
        for tried in itertools.count(1):
            time.sleep(max(0.0, self._free_at[address.host] - time.monotonic()))
            try:
                return self._attempt(address, conditions)
            except FetchError as error:
                if error.wait is None:
                    raise
                if error.wait > _LONGEST_WAIT:
                    error.reason += f"; asks us to wait for {error.wait:,.0f} seconds"
                    raise
                if tried > self._retries:
                    error.reason += f" (tried {tried} times)" if tried > 1 else ""
                    raise
                wait = max(error.wait, min(2.0 ** (tried - 1), _LONGEST_BACKOFF))
            finally:
                self._free_at[address.host] = time.monotonic() + self._pause[address.host]
            free_at = max(self._free_at[address.host], time.monotonic() + wait)
            self._free_at[address.host] = free_at
        raise AssertionError

    def _attempt(self, address: Address, conditions: Mapping[str, str]) -> Fetched:
        answer = self._connections.get(address, {**_SENT, **conditions})
        status = answer.status
        is_unmodified = status == HTTPStatus.NOT_MODIFIED and conditions
        if status == HTTPStatus.OK or answer.is_redirect or is_unmodified:
            return answer
        if status in _WORTH_RETRYING:
            raise FetchError(_name_status(status), wait=_read_wait(answer.headers))
        raise FetchError(_name_status(status), is_missing=400 <= status < 500)  # noqa: PLR2004


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
        self._private_hosts, self._for_names = private_hosts, _FOR_NAMES
        self._proxies = urllib.request.getproxies_environment()
        self._managers: dict[str, PoolManager] = {}
        self._socket: socket.socket | None = None
        self._is_overdue = False

    def close(self) -> None:
        """Close every connection."""
        for manager in self._managers.values():
            manager.clear()

    def get(self, address: Address, headers: Mapping[str, str]) -> Fetched:
        """Return the answer of an address; do not follow redirects.

        Raises:
            FetchError: There is no answer, it is incomplete or must not be accepted, or the host
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
                "GET", address.url, headers=dict(headers), redirect=False, retries=False,
                preload_content=False,
            )  # fmt: skip
            try:
                return self._read(response, address.url)
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
            raise FetchError(f"takes longer than {self._time_limit:g} seconds", is_passing=True)

    def _read(self, response: BaseHTTPResponse, url: str) -> Fetched:
        headers = {name.lower(): value for name, value in response.headers.items()}
        if response.status == HTTPStatus.NOT_MODIFIED:
            response.read1()  # ends the answer, so that the connection can be reused
        if response.status != HTTPStatus.OK:
            return Fetched(url, url, response.status, headers)
        encoding = headers.get("content-encoding", "").strip().lower()
        if encoding not in _ENCODINGS:
            raise FetchError(f"is packed in a way that we cannot read ({encoding[:40]!a})")
        received = bytearray()
        # urllib3 would keep unpacking until it has something to return, however long that takes.
        while len(received) <= LARGEST_EDITION and (
            chunk := response.read1(1 << 16, decode_content=False)
        ):
            received += chunk
        self._refuse_overdue()
        body = _unpack(received) if "gzip" in encoding else bytes(received)
        if len(body) > LARGEST_EDITION:
            raise FetchError(f"is more than the {LARGEST_EDITION:,} bytes allowed")
        if not body and not {"content-length", "transfer-encoding"} & headers.keys():
            # Without a stated length, incomplete headers look like this.
            raise FetchError("the answer is empty", wait=0)
        return Fetched(url, url, response.status, headers, body)

    def _manager(self, proxy: str) -> PoolManager:
        """Return the manager of connections through a proxy or, with "", direct."""
        if proxy in self._managers:
            return self._managers[proxy]
        made = PoolManager(timeout=self._timeout)
        if proxy:
            try:
                parts = parse_url(proxy if "://" in proxy else f"http://{proxy}")
            except u3.LocationParseError:
                reason = "the proxy that the environment names is no address"
                raise FetchError(reason, is_of_host=True) from None
            if parts.scheme not in {"http", "https"}:
                reason = f"a proxy of the kind {parts.scheme} is not supported"
                raise FetchError(reason, is_of_host=True)
            who = make_headers(proxy_basic_auth=parts.auth)
            made = ProxyManager(parts.url, timeout=self._timeout, proxy_headers=who)
        made.pool_classes_by_scheme = self._pools(is_direct=not proxy)
        self._managers[proxy] = made
        return made

    def _pools(self, *, is_direct: bool) -> dict[str, type[HTTPConnectionPool]]:
        """Return connection classes by scheme that check where they connect, unless a proxy does."""
        connections = self

        class Plain(HTTPConnection):
            def _new_conn(self) -> socket.socket:
                return connections._connect(self) if is_direct else super()._new_conn()

            # urllib3 also narrows the type of the answer here.
            def getresponse(self) -> HTTPResponse:  # type: ignore[override]
                answering = self.sock
                connections._refuse_overdue()
                connections._socket = answering  # is cut off when its time is over
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

    def _connect(self, connection: HTTPConnection) -> socket.socket:
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
        raise FetchError(reason, is_passing=True, is_of_host=True)

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
            raise FetchError(reason, is_passing=True, is_of_host=True)
        self._for_names = _FOR_NAMES
        return [str(place[0]) for *_, place in places]


def _unpack(packed: bytearray) -> bytes:
    """Unpack gzip; of what is too large, return one byte more than is allowed."""
    inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        body = inflate.decompress(packed, LARGEST_EDITION + 1)
    except zlib.error:
        raise FetchError("the packed body is damaged", wait=0) from None
    if packed and not inflate.eof and len(body) <= LARGEST_EDITION:
        raise FetchError("the packed body ends too early", wait=0)
    if inflate.unused_data.strip(b"\0"):
        raise FetchError("the packed body is damaged", wait=0)
    return body


def _translated(error: u3.HTTPError, timeout: float) -> FetchError:
    """Return our error for one of urllib3."""
    match error:
        case u3.ReadTimeoutError():
            return FetchError(f"no answer for {timeout:g} seconds", wait=0)
        case u3.ProxyError():
            reason = f"the proxy does not let us through ({_describe(error.original_error)})"
            return FetchError(reason, is_passing=True, is_of_host=True)
        case u3.SSLError(args=[ssl.SSLCertVerificationError() as cause, *_]):
            reason = f"its certificate cannot be trusted ({cause.verify_message})"
            return FetchError(reason, is_of_host=True)
        case u3.SSLError():
            return FetchError("the secure connection failed", wait=0)
        case u3.ProtocolError():
            return FetchError(_describe(error.args[1] if len(error.args) > 1 else None), wait=0)
        case _:
            return FetchError("the answer cannot be understood", wait=0)


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
