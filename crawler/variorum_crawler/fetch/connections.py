"""One request and its answer: the only module that opens connections (with urllib3).

A host's name is resolved once, its addresses are checked, and we connect to one of them. So neither
a redirect nor a second resolution of the name can lead to a private address.
"""

import socket
import threading
import urllib.request
import zlib
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from io import DEFAULT_BUFFER_SIZE

from urllib3 import BaseHTTPResponse, PoolManager, ProxyManager
from urllib3 import exceptions as u3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.response import HTTPResponse
from urllib3.util import make_headers, parse_url
from urllib3.util.connection import create_connection

from variorum_crawler.fetch.addresses import Address
from variorum_crawler.fetch.failures import AttemptError, RefusalError, describe, translate_errors
from variorum_crawler.fetch.private_hosts import check_public, check_spelling, is_named
from variorum_crawler.fetch.settings import FetchSettings

_REDIRECTS = {301, 302, 303, 307, 308}
_ENCODINGS = {"", "identity", "gzip", "x-gzip"}
# A host may have any number of addresses, and each may take the whole timeout before it fails.
_MOST_ADDRESSES = 4


@dataclass(frozen=True, slots=True)
class Answer:
    """A server's answer.

    Attributes:
        headers: Names in small letters.
        body: Complete and unpacked; empty unless the status is 200.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes = b""

    @property
    def is_redirect(self) -> bool:
        """Return whether the answer redirects to another address."""
        return self.status in _REDIRECTS and "location" in self.headers


class Connections:
    """Connections that are kept open, at most one for each host and port."""

    def __init__(self, settings: FetchSettings, now: Callable[[], float]) -> None:
        self._settings, self._now = settings, now
        self._proxies = urllib.request.getproxies_environment()
        self._managers: dict[str, PoolManager] = {}

    def close(self) -> None:
        """Close every connection."""
        for manager in self._managers.values():
            manager.clear()

    def get(self, address: Address, headers: Mapping[str, str]) -> Answer:
        """Return the answer of an address; do not follow redirects.

        Raises:
            AttemptError: There is no answer, or it is incomplete.
            RefusalError: The host must not be asked, or its answer must not be accepted.
        """
        proxy = self._proxy_for(address)
        if proxy and not is_named(address.host, address.port, self._settings.private_hosts):
            check_spelling(address.host)
        began = self._now()
        with translate_errors(self._settings.timeout):
            response = self._manager(proxy).urlopen(
                "GET",
                address.url,
                headers=dict(headers),
                redirect=False,
                retries=False,
                preload_content=False,
            )
            try:
                return self._read(response, began)
            finally:
                response.close()  # an abandoned answer is not read to its end

    def _read(self, response: BaseHTTPResponse, began: float) -> Answer:
        headers = {name.lower(): value for name, value in response.headers.items()}
        if response.status == HTTPStatus.NOT_MODIFIED:
            response.read1()  # ends the answer, so that the connection can be reused
        if response.status != HTTPStatus.OK:
            return Answer(response.status, headers)
        encoding = headers.get("content-encoding", "").strip().lower()
        if encoding not in _ENCODINGS:
            reason = f"is packed in a way that we cannot read ({encoding[:40]!a})"
            raise RefusalError(reason)
        largest, time_limit = self._settings.largest, self._settings.time_limit
        length = response.length_remaining
        if length is not None and length > largest:
            reason = f"{length:,} bytes are more than the {largest:,} bytes allowed"
            raise RefusalError(reason)
        received = bytearray()
        # urllib3 would keep unpacking until it has something to return, however long that takes.
        while len(received) <= largest and (
            chunk := response.read1(DEFAULT_BUFFER_SIZE, decode_content=False)
        ):
            received += chunk
            if self._now() - began > time_limit:
                raise overdue(time_limit)
        body = unpack(received, largest) if "gzip" in encoding else bytes(received)
        if len(body) > largest:
            reason = f"is more than the {largest:,} bytes allowed"
            raise RefusalError(reason)
        if not body and not {"content-length", "transfer-encoding"} & headers.keys():
            # Without a stated length, incomplete headers look like this.
            raise AttemptError("the answer is empty")
        return Answer(response.status, headers, body)

    def _proxy_for(self, address: Address) -> str:
        if urllib.request.proxy_bypass(f"{address.host}:{address.port}"):
            return ""
        return self._proxies.get(address.scheme) or self._proxies.get("all", "")

    def _manager(self, proxy: str) -> PoolManager:
        if proxy not in self._managers:
            self._managers[proxy] = made = open_manager(proxy, self._settings.timeout)
            hosts = None if proxy else self._settings.private_hosts
            made.pool_classes_by_scheme = guarded_pools(self._settings.time_limit, hosts)
        return self._managers[proxy]


def unpack(packed: bytearray, limit: int) -> bytes:
    """Unpack gzip; if the result is longer than the limit, return its first limit + 1 bytes.

    Raises:
        AttemptError: The packed bytes are damaged, or end too early.
    """
    inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        body = inflate.decompress(packed, limit + 1)
    except zlib.error:
        raise AttemptError("the packed body is damaged") from None
    if packed and not inflate.eof and len(body) <= limit:
        raise AttemptError("the packed body ends too early")
    if inflate.unused_data.strip(b"\0"):
        raise AttemptError("the packed body is damaged")
    return body


def overdue(seconds: float) -> RefusalError:
    """Return the error for a document that took too long."""
    return RefusalError(f"takes longer than {seconds:g} seconds", is_passing=True)


def open_manager(proxy: str, timeout: float) -> PoolManager:
    """Return a connection manager, through a proxy or, with "", direct.

    Raises:
        RefusalError: We do not support this kind of proxy.
    """
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


def guarded_pools(
    time_limit: float, private_hosts: frozenset[str] | None
) -> dict[str, type[HTTPConnectionPool]]:
    """Return connection classes by scheme, with a time limit for headers and no private hosts.

    Args:
        time_limit: Seconds until the headers must be complete.
        private_hosts: Hosts that may be private; None allows every host, as for a proxy.
    """

    class Plain(HTTPConnection):
        def _new_conn(self) -> socket.socket:
            if private_hosts is None:
                return super()._new_conn()
            return connect(self, private_hosts)

        # urllib3 also narrows the type of the answer here.
        def getresponse(self) -> HTTPResponse:  # type: ignore[override]
            with cut_off(self.sock, time_limit):
                return super().getresponse()

    class Secure(Plain, HTTPSConnection):
        pass

    class PlainPool(HTTPConnectionPool):
        ConnectionCls = Plain

    class SecurePool(HTTPSConnectionPool):
        ConnectionCls = Secure

    return {"http": PlainPool, "https": SecurePool}


def connect(connection: HTTPConnection, private_hosts: frozenset[str]) -> socket.socket:
    """Connect to one of a host's addresses, after checking all of them.

    Raises:
        RefusalError: An address is private, and the host is not among the allowed ones.
        AttemptError: The name does not resolve, or no host answers.
    """
    host, port = connection.host, connection.port
    try:
        places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise AttemptError("the name of the host cannot be resolved", is_of_host=True) from None
    addresses = [str(place[0]) for *_, place in places]
    if not is_named(host, port, private_hosts):
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
    raise AttemptError(f"the host cannot be reached ({describe(failure)})", is_of_host=True)


@contextmanager
def cut_off(sock: socket.socket | None, seconds: float) -> Generator[None]:
    """Shut a connection down after a time limit; a read timeout would restart at each byte.

    Raises:
        RefusalError: It was shut down.
    """
    is_over = threading.Event()

    def cut() -> None:
        is_over.set()
        if sock is not None:
            with suppress(OSError):
                # The method of a secure socket would pass the remaining bytes on undeciphered.
                socket.socket.shutdown(sock, socket.SHUT_RDWR)

    timer = threading.Timer(seconds, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    except u3.HTTPError:
        # urllib3 leaves the connection open when it cannot read the headers.
        if sock is not None and (descriptor := sock.detach()) >= 0:
            socket.close(descriptor)
        raise
    finally:
        timer.cancel()
        if is_over.is_set():
            raise overdue(seconds)
