"""One request and its answer: the only module that opens connections (with urllib3).

A host's name is resolved once, its addresses are checked, and we connect to one of them. So neither
a redirect nor a second resolution of the name can lead to a private address.
"""

import re
import socket
import ssl
import threading
import time
import urllib.request
import zlib
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from http import HTTPStatus
from http.client import IncompleteRead, RemoteDisconnected
from io import DEFAULT_BUFFER_SIZE
from typing import NamedTuple

from urllib3 import BaseHTTPResponse, PoolManager, ProxyManager
from urllib3 import exceptions as u3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.response import HTTPResponse
from urllib3.util import make_headers, parse_url
from urllib3.util.connection import create_connection

from variorum.all_size_limits import LARGEST_EDITION
from variorum_crawler.errors import AttemptError, RefusalError
from variorum_crawler.fetch.addresses import Address, check_public, check_spelling

_REDIRECTS = {301, 302, 303, 307, 308}
_ENCODINGS = {"", "identity", "gzip", "x-gzip"}
# A host may have any number of addresses, and each may take the whole timeout before it fails.
_MOST_ADDRESSES = 4
# How long a whole document may take, as a multiple of the timeout between two reads.
_TIMEOUTS_A_DOCUMENT = 10
_OVERDUE = "takes longer than {:g} seconds"
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


class Answer(NamedTuple):
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

    def __init__(self, timeout: float, private_hosts: frozenset[str]) -> None:
        """Read the proxies of the environment; only named hosts may be private."""
        self._timeout, self._time_limit = timeout, _TIMEOUTS_A_DOCUMENT * timeout
        self._private_hosts = private_hosts
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
        proxy = ""
        if not urllib.request.proxy_bypass(f"{address.host}:{address.port}"):
            proxy = self._proxies.get(address.scheme) or self._proxies.get("all", "")
        if proxy and address.host not in self._private_hosts:
            check_spelling(address.host)
        ends = time.monotonic() + self._time_limit
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
                return self._read(response, ends)
            finally:
                response.close()  # an abandoned answer is not read to its end
        except u3.HTTPError as error:
            raise _translated(error, self._timeout) from error

    def _read(self, response: BaseHTTPResponse, ends: float) -> Answer:
        headers = {name.lower(): value for name, value in response.headers.items()}
        if response.status == HTTPStatus.NOT_MODIFIED:
            response.read1()  # ends the answer, so that the connection can be reused
        if response.status != HTTPStatus.OK:
            return Answer(response.status, headers)
        encoding = headers.get("content-encoding", "").strip().lower()
        if encoding not in _ENCODINGS:
            raise RefusalError(f"is packed in a way that we cannot read ({encoding[:40]!a})")
        received = bytearray()
        # urllib3 would keep unpacking until it has something to return, however long that takes.
        while len(received) <= LARGEST_EDITION and (
            chunk := response.read1(DEFAULT_BUFFER_SIZE, decode_content=False)
        ):
            received += chunk
            if time.monotonic() > ends:
                raise RefusalError(_OVERDUE.format(self._time_limit), is_passing=True)
        body = _unpack(received) if "gzip" in encoding else bytes(received)
        if len(body) > LARGEST_EDITION:
            raise RefusalError(f"is more than the {LARGEST_EDITION:,} bytes allowed")
        if not body and not {"content-length", "transfer-encoding"} & headers.keys():
            # Without a stated length, incomplete headers look like this.
            raise AttemptError("the answer is empty")
        return Answer(response.status, headers, body)

    def _manager(self, proxy: str) -> PoolManager:
        if proxy not in self._managers:
            self._managers[proxy] = made = _open_manager(proxy, self._timeout)
            hosts = None if proxy else self._private_hosts
            made.pool_classes_by_scheme = _guarded_pools(self._time_limit, hosts)
        return self._managers[proxy]


def _unpack(packed: bytearray) -> bytes:
    """Unpack gzip; of what is too large, return one byte more than is allowed."""
    inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        body = inflate.decompress(packed, LARGEST_EDITION + 1)
    except zlib.error:
        raise AttemptError("the packed body is damaged") from None
    if packed and not inflate.eof and len(body) <= LARGEST_EDITION:
        raise AttemptError("the packed body ends too early")
    if inflate.unused_data.strip(b"\0"):
        raise AttemptError("the packed body is damaged")
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
            return _connect(self, private_hosts)

        # urllib3 also narrows the type of the answer here.
        def getresponse(self) -> HTTPResponse:  # type: ignore[override]
            with _cut_off(self.sock, time_limit):
                return super().getresponse()

    class Secure(Plain, HTTPSConnection):
        pass

    class PlainPool(HTTPConnectionPool):
        ConnectionCls = Plain

    class SecurePool(HTTPSConnectionPool):
        ConnectionCls = Secure

    return {"http": PlainPool, "https": SecurePool}


def _connect(connection: HTTPConnection, private_hosts: frozenset[str]) -> socket.socket:
    """Connect to one of a host's addresses, after checking all of them."""
    host, port = connection.host, connection.port
    try:
        places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise AttemptError("the name of the host cannot be resolved", is_of_host=True) from None
    addresses = [str(place[0]) for *_, place in places]
    if host.strip("[]").rstrip(".") not in private_hosts:
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
    raise AttemptError(f"the host cannot be reached ({_describe(failure)})", is_of_host=True)


@contextmanager
def _cut_off(sock: socket.socket | None, seconds: float) -> Generator[None]:
    """Shut a connection down after a time limit; a read timeout would restart at each byte."""
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
            raise RefusalError(_OVERDUE.format(seconds), is_passing=True)


def _translated(error: u3.HTTPError, timeout: float) -> RefusalError:
    """Return our error for one of urllib3."""
    match error:
        case u3.ReadTimeoutError():
            return AttemptError(f"no answer for {timeout:g} seconds")
        case u3.ProxyError():
            reason = f"the proxy does not let us through ({_describe(error.original_error)})"
            return AttemptError(reason, is_of_host=True)
        case u3.SSLError(args=[ssl.SSLCertVerificationError() as cause, *_]):
            reason = f"its certificate cannot be trusted ({cause.verify_message})"
            return RefusalError(reason, is_of_host=True)
        case u3.SSLError():
            return AttemptError("the secure connection failed", is_of_host=True)
        case u3.ProtocolError():
            return AttemptError(_describe(error.args[1] if len(error.args) > 1 else None))
        case _:
            return AttemptError("the answer cannot be understood")


def _describe(failure: object) -> str:
    """Return why a connection failed, in a few words."""
    for kind, words in _WORDS:
        if isinstance(failure, kind):
            return words
    if not isinstance(failure, OSError):
        return "the connection broke off"
    if tunnel := _TUNNEL.match(str(failure)):
        return name_status(int(tunnel[1]))
    return (failure.strerror or "the connection failed").lower()


def name_status(status: int) -> str:
    """Return a status with the standard's name for it; the server's own words are not printed."""
    phrase = next((known.phrase for known in HTTPStatus if known == status), "")
    return f"{status} {phrase}".strip()
