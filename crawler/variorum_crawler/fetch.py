"""Fetch documents politely: obey robots.txt, pauses and limits, and follow redirects.

We do not trust servers with our time, our memory or their redirects. Each request runs in a thread that is
abandoned when its time is over. A host's name is resolved once, its addresses are checked, and we connect to
one of them; so neither a redirect nor a second resolution of the name can lead to a private address.
"""

import itertools
import math
import socket
import threading
import time
import urllib.request
import zlib
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urljoin

from protego import Protego
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool, ProxyManager
from urllib3 import exceptions as u3
from urllib3.response import BaseHTTPResponse
from urllib3.util import Retry, Url, make_headers, parse_url

from variorum.errors import INPUT_OUTPUT, VariorumError
from variorum.files import LARGEST, PROGRAM

_Value = TypeVar("_Value")

# Defaults of `cr sync`: seconds between two requests to a host, seconds to connect and between two
# reads, and further attempts after a temporary failure.
PAUSE, TIMEOUT, RETRIES = 1.0, 30.0, 2
# How long a whole document may take, as a multiple of the timeout between two reads.
_TIMEOUTS_A_DOCUMENT = 10
# Seconds to resolve a name, and one after a name that failed: without a network, some systems ask for long.
_FOR_NAMES, _FOR_MORE_NAMES = 3.0, 0.3
# With longer pauses than this, we would fetch for hours; a host that asks us to wait longer than that is
# left for the next run.
_LONGEST_PAUSE, _LONGEST_WAIT = 30.0, 120.0
# After this many failures in a row, a host is not asked again in this run.
_MOST_FAILURES = 4
_MOST_REDIRECTS = 10
# A host may have any number of addresses, and each may take the whole timeout before it fails.
_MOST_ADDRESSES = 4
_LONGEST_ROBOTS = 500 * 1024  # by RFC 9309

# After these statuses, another attempt may succeed.
_WORTH_RETRYING = {408, 425, 429, 500, 502, 503, 504}
_REDIRECTS = {301, 302, 303, 307, 308}
_PORTS = {"http": 80, "https": 443}
_NAME = "variorum"  # in robots.txt
_SENT = {
    "User-Agent": f"Variorum/{PROGRAM} (archive of the Comprehensive Rules)",
    "Accept": "*/*",
    "Accept-Encoding": "gzip",
}
_NAT64 = IPv6Network("64:ff9b::/96")


class FetchError(VariorumError):
    """An address gives no document; the reason is in our words, the status that of the server.

    `wait` is the least seconds until another attempt may succeed, None if none may, infinite if none may in
    this run. `is_of_host` if every request to the host would fail in the same way. No OSError, which urllib3
    would take for its own.
    """

    kind = "input or output"
    exit_code = INPUT_OUTPUT

    def __init__(
        self, reason: str, wait: float | None = None, status: int = 0, *, is_of_host: bool = False
    ) -> None:
        self.reason, self.url, self.wait, self.status = reason, "", wait, status
        self.is_of_host = is_of_host
        super().__init__(reason)

    def __str__(self) -> str:
        return f"{self.url}: {self.reason}" if self.url else self.reason


class NotAskedError(FetchError):
    """A host is not asked any more in this run; an earlier error gave the reason."""


class Answer(NamedTuple):
    """A document, complete and unpacked, or "not modified", from where redirects led."""

    url: str
    status: int
    headers: dict[str, str]  # by names in small letters
    body: bytes = b""


@dataclass
class _Host:
    """A scheme, host and port in this run; `connections` are those of its addresses still worth a try.

    `free_at` is the moment from which it may be asked; `refusal` says why it is not asked any more.
    """

    pause: float
    connections: list[HTTPConnectionPool] = field(default_factory=list)
    robots: Protego | None = None
    free_at: float = 0.0
    failures: int = 0
    refusal: str = ""


class Fetcher:
    """Fetches documents, one at a time; `is_online` once a host has answered one of the `requests`.

    `pause` goes from a host's answer to the next request to it; robots.txt may ask for more. Only
    `private_hosts` may be in a private network.
    """

    def __init__(
        self, pause: float, timeout: float, retries: int, private_hosts: frozenset[str]
    ) -> None:
        self._pause, self._timeout, self._retries = pause, timeout, retries
        self._private_hosts, self._for_names = private_hosts, _FOR_NAMES
        self._hosts: dict[str, _Host] = {}
        self.is_online, self.requests = False, 0

    def close(self) -> None:
        """Close the connections."""
        for host in self._hosts.values():
            for connections in host.connections:
                connections.close()

    def refused(self) -> dict[str, str]:
        """Return why hosts are not asked any more, by their names."""
        return {name: host.refusal for name, host in self._hosts.items() if host.refusal}

    def fetch(self, url: str, conditions: Mapping[str, str] | None = None) -> Answer:
        """Fetch the document of an address if it differs from the one that header fields describe."""
        address = parse_address(url)
        host = self._host(address)
        if host.refusal:
            raise NotAskedError(f"not asked: {host.refusal}")
        self.requests += 1
        try:
            answer = self._follow(address, conditions or {})
        except FetchError as error:
            error.url = url
            host.failures = host.failures + 1 if error.wait is not None else 0
            if error.is_of_host or host.failures >= _MOST_FAILURES:
                host.refusal = error.reason
            raise
        host.failures = 0
        return answer

    def _host(self, address: Url) -> _Host:
        return self._hosts.setdefault(f"{address.scheme}://{address.netloc}", _Host(self._pause))

    def _follow(
        self, address: Url, conditions: Mapping[str, str], *, is_robots: bool = False
    ) -> Answer:
        """Return the answer where redirects end; robots.txt is asked about each address."""
        way: list[str] = []
        while len(way) <= _MOST_REDIRECTS:
            way.append(address.url)
            try:
                if not is_robots:
                    self._check_robots(address)
                answer = self._ask(address, conditions)
                if answer.status not in _REDIRECTS:
                    return answer
                address = _target(address, answer.headers.get("location", ""))
            except FetchError as error:
                if len(way) == 1:
                    raise
                raise FetchError(f"redirects to {way[-1]}: {error.reason}", error.wait) from error
            if address.url in way:
                raise FetchError(f"redirects in a circle ({address.url})")
        raise FetchError(f"redirects more than {_MOST_REDIRECTS} times")

    def _check_robots(self, address: Url) -> None:
        """Refuse an address that robots.txt forbids; a missing one allows all, a host that fails nothing."""
        host = self._host(address)
        if host.robots is None:
            try:
                robots = address._replace(path="/robots.txt", query=None)
                text = self._follow(robots, {}, is_robots=True).body[:_LONGEST_ROBOTS]
            except FetchError as error:
                if error.is_of_host:
                    raise
                if error.wait is not None or not 400 <= error.status < 500:  # noqa: PLR2004
                    reason = f"robots.txt of the host cannot be fetched ({error.reason})"
                    raise FetchError(reason, is_of_host=True) from error
                text = b""
            host.robots = Protego.parse(text.decode("utf-8-sig", "replace").replace("\0", "\ufffd"))
            asked = float(host.robots.crawl_delay(_NAME) or 0.0)
            host.pause = max(host.pause, min(asked, _LONGEST_PAUSE))
        if not host.robots.can_fetch(address.url, _NAME):
            raise FetchError("robots.txt of the host asks us to stay away")

    def _ask(self, address: Url, conditions: Mapping[str, str]) -> Answer:
        """Return an answer that is a document, "not modified" or a redirect; retry if need be."""
        host = self._host(address)
        limit = _TIMEOUTS_A_DOCUMENT * self._timeout
        for tried in itertools.count(1):
            time.sleep(max(0.0, host.free_at - time.monotonic()))
            wait = 0.0
            try:
                answer = _within(limit, self._request, host, address, {**_SENT, **conditions})
                is_unmodified = answer.status == HTTPStatus.NOT_MODIFIED and conditions
                if answer.status == HTTPStatus.OK or answer.status in _REDIRECTS or is_unmodified:
                    return answer
                raise _status_error(answer)
            except FetchError as error:
                if error.wait is None or error.wait > _LONGEST_WAIT:
                    raise
                if tried > self._retries:
                    error.reason += f" (tried {tried} times)" if tried > 1 else ""
                    raise
                wait = max(error.wait, 2.0 ** (tried - 1))
            finally:
                host.free_at = time.monotonic() + max(host.pause, wait)
        raise AssertionError

    def _request(self, host: _Host, address: Url, headers: Mapping[str, str]) -> Answer:
        try:
            with self._open(host, address, headers) as response:
                self.is_online = True
                return _read(response, address.url)
        except (u3.ProxyError, u3.SSLError) as error:
            is_proxy = isinstance(error, u3.ProxyError)
            what = "the proxy does not let us through" if is_proxy else "no secure connection"
            raise FetchError(f"{what} ({error.args[-1]})", is_of_host=True) from error
        except u3.ReadTimeoutError as error:
            raise FetchError(f"no answer for {self._timeout:g} seconds", wait=0) from error
        except (u3.HTTPError, ValueError) as error:  # also a chunk of -5 bytes
            raise FetchError("the connection broke off", wait=0) from error

    def _open(self, host: _Host, address: Url, headers: Mapping[str, str]) -> BaseHTTPResponse:
        """Send a request through a proxy, or to the first address of the host that can be reached."""
        host.connections = host.connections or self._connections(address)
        while True:
            first = host.connections[0]
            is_relayed = first.proxy and address.scheme == "http"
            try:
                return first.urlopen(
                    "GET",
                    address.url if is_relayed else address.request_uri,
                    headers={**headers, "Host": address.netloc or ""},
                    assert_same_host=False,
                    redirect=False,
                    retries=False,
                    preload_content=False,
                )
            except (u3.NewConnectionError, u3.ConnectTimeoutError) as error:
                host.connections.pop(0)
                if not host.connections:
                    why = getattr(error.__cause__, "strerror", None) or "no answer in time"
                    reason = f"the host cannot be reached ({why.lower()})"
                    raise FetchError(reason, is_of_host=True) from error

    def _connections(self, address: Url) -> list[HTTPConnectionPool]:
        """Return the connections to a host: through the proxy of the environment, or to its addresses."""
        scheme, name = address.scheme or "", (address.host or "").strip("[]")
        port = address.port or _PORTS[scheme]
        proxies = urllib.request.getproxies_environment()
        proxy = proxies.get(scheme) or proxies.get("all", "")
        if proxy and urllib.request.proxy_bypass(f"{name}:{port}"):
            proxy = ""
        # A proxy resolves names; but a number is an address in any spelling: 2130706433 is 127.0.0.1.
        addresses = self._resolve(name, port, socket.AI_NUMERICHOST if proxy else 0)
        for numeric in addresses if address.host not in self._private_hosts else ():
            if not is_public(ip_address(numeric)):
                raise FetchError(f"leads to a private address ({numeric})", is_of_host=True)
        if proxy:
            try:
                parts = parse_url(proxy if "://" in proxy else f"http://{proxy}")
                who = make_headers(proxy_basic_auth=parts.auth) if parts.auth else {}
                manager = ProxyManager(parts.url, timeout=self._timeout, proxy_headers=who)
                return [manager.connection_from_host(name, port, scheme)]
            except (u3.LocationParseError, u3.ProxySchemeUnknown):
                reason = "the proxy that the environment names is no http or https address"
                raise FetchError(reason, is_of_host=True) from None
        secure = {"server_hostname": name, "assert_hostname": name} if scheme == "https" else {}
        kind: Any = HTTPSConnectionPool if secure else HTTPConnectionPool
        near = addresses[:_MOST_ADDRESSES]
        return [kind(numeric, port, timeout=self._timeout, **secure) for numeric in near]

    def _resolve(self, name: str, port: int, flags: int) -> list[str]:
        """Return the addresses of a host; of a name that a proxy resolves, none."""
        try:
            found = _within(
                self._for_names, socket.getaddrinfo, name, port, 0, socket.SOCK_STREAM, 0, flags
            )
        except (FetchError, OSError, UnicodeError):
            if flags:
                return []
            self._for_names = _FOR_MORE_NAMES
            raise FetchError("the name of the host cannot be resolved", is_of_host=True) from None
        self._for_names = _FOR_NAMES
        return [str(place[0]) for *_, place in found]


def _within(seconds: float, function: Callable[..., _Value], *arguments: object) -> _Value:
    """Return what a function returns within so many seconds; abandon it after that."""
    future = Future[_Value]()

    def run() -> None:
        try:
            future.set_result(function(*arguments))
        except BaseException as error:  # noqa: BLE001 - raised where the result is awaited
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    try:
        return future.result(seconds)
    except TimeoutError:
        raise FetchError(f"takes longer than {seconds:g} seconds", wait=math.inf) from None


def _read(response: BaseHTTPResponse, url: str) -> Answer:
    headers = {name.lower(): " ".join(value.split()) for name, value in response.headers.items()}
    if response.status != HTTPStatus.OK:
        return Answer(url, response.status, headers)
    encoding = headers.get("content-encoding", "").lower()
    if encoding not in {"", "identity", "gzip", "x-gzip"}:
        raise FetchError(f"is packed in a way that we cannot read ({encoding[:40]!a})")
    body = bytearray()
    # urllib3 would unpack whatever comes, however large.
    for chunk in response.stream(1 << 16, decode_content=False):
        body += chunk
        if len(body) > LARGEST:
            break
    if "gzip" in encoding:
        body = _unpack(body)
    if len(body) > LARGEST:
        raise FetchError(f"is more than the {LARGEST:,} bytes allowed")
    return Answer(url, response.status, headers, bytes(body))


def _unpack(packed: bytearray) -> bytearray:
    """Unpack gzip; of what is too large, return one byte more than is allowed."""
    inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        body = inflate.decompress(packed, LARGEST + 1)
    except zlib.error:
        raise FetchError("the packed body is damaged", wait=0) from None
    if (not inflate.eof and len(body) <= LARGEST) or inflate.unused_data.strip(b"\0"):
        raise FetchError("the packed body is damaged", wait=0)
    return bytearray(body)


def _status_error(answer: Answer) -> FetchError:
    """Return the error of a status, with the standard's name for it: the server's words are not printed."""
    phrase = next((known.phrase for known in HTTPStatus if known == answer.status), "")
    reason, wait = f"{answer.status} {phrase}".strip(), None
    if answer.status in _WORTH_RETRYING:
        asked = answer.headers.get("retry-after", "0")
        with suppress(u3.InvalidHeader, ValueError):  # more digits than Python reads
            wait = Retry(retry_after_max=10**9).parse_retry_after(asked)
        if wait and wait > _LONGEST_WAIT:
            reason += f"; asks us to wait for {wait:,.0f} seconds"
        wait = wait or 0.0
    return FetchError(reason, wait=wait, status=answer.status)


# Addresses ----------------------------------------------------------------------------------------


def parse_address(text: str) -> Url:
    """Parse an address of http or https without a password into its normal form, without its fragment.

    >>> parse_address("HTTPS://Example.org/Comprehensive Rules 20221007.txt#top").url
    'https://example.org/Comprehensive%20Rules%2020221007.txt'
    """
    try:
        address = parse_url(text)
    except u3.LocationParseError:
        raise FetchError("is no well-formed address") from None
    if address.scheme not in _PORTS or not address.host:
        raise FetchError("is no http or https address")
    if address.auth is not None:
        raise FetchError("holds a user name or a password")
    return address._replace(fragment=None, host=address.host.rstrip("."))


def _target(base: Url, location: str) -> Url:
    # Header fields arrive as Latin-1, although servers mostly send UTF-8.
    text = location.encode("latin-1", "replace").decode("utf-8", "replace")
    try:
        target = parse_address(urljoin(base.url, text))
    except (FetchError, ValueError):
        raise FetchError("redirects to what is no address of a web page") from None
    if base.scheme == "https" and target.scheme == "http":
        raise FetchError(f"redirects from https to http ({target.url})")
    return target


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is on the public Internet; relays lead from IPv6 to addresses of IPv4.

    >>> [is_public(ip_address(it)) for it in ("8.8.8.8", "10.0.0.1", "64:ff9b::a00:1", "2002:7f00:1::")]
    [True, False, False, False]
    """
    if isinstance(address, IPv6Address):
        behind = IPv4Address(int(address) & 0xFFFFFFFF) if address in _NAT64 else None
        address = address.ipv4_mapped or address.sixtofour or behind or address
    return address.is_global and not address.is_multicast and not address.is_reserved
