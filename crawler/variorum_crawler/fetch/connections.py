"""One request and its answer: the only place that knows urllib3.

A name is resolved once, what it resolved to is judged, and that is what we connect to: neither a
redirect nor a name that changes its mind between two look-ups leads to a private address.
"""

import re
import socket
import ssl
import threading
import urllib.request
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import IncompleteRead, RemoteDisconnected

from urllib3 import BaseHTTPResponse, PoolManager, ProxyManager, Timeout
from urllib3 import exceptions as u3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.response import HTTPResponse
from urllib3.util import make_headers, parse_url

from variorum_crawler.fetch.addresses import Address, check_public, check_spelling, is_named
from variorum_crawler.fetch.failures import AttemptError, RefusalError, name_status

_CHUNK = 64 * 1024
# Each address that a name resolves to may take the whole timeout before it fails.
_MOST_ADDRESSES = 4


# What http.client says when a proxy does not take CONNECT.
_TUNNEL = re.compile(r"Tunnel connection failed: (\d{3})\b")
# From the narrowest to the widest.
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
class Reply:
    """What a server answered.

    Attributes:
        headers: Names in small letters.
        chunks: The body as it arrives, still packed.
    """

    status: int
    headers: Mapping[str, str]
    chunks: Iterator[bytes]


class Wire:
    """Connections that are kept open, at most one to a host and port for each thread."""

    def __init__(self, *, timeout: float, patience: float, private_hosts: frozenset[str]) -> None:
        self._timeout, self._patience = timeout, patience
        self._private_hosts = private_hosts
        self._proxies = load_proxies()
        self._managers: dict[str, PoolManager] = {}
        self._lock = threading.Lock()

    def close(self) -> None:
        """Close every connection."""
        for manager in self._managers.values():
            manager.clear()

    @contextmanager
    def get(self, address: Address, headers: Mapping[str, str]) -> Generator[Reply]:
        """Ask for an address and give the answer, of which only what is wanted is read.

        Raises:
            AttemptError: No answer, or one that broke off.
            RefusalError: The host may not be asked, or its certificate cannot be trusted.
        """
        proxy = self._proxy_for(address)
        if proxy and not is_named(address.host, address.port, self._private_hosts):
            check_spelling(address.host)
        with translate_errors(self._timeout):
            response = self._manager(proxy).urlopen(
                "GET",
                address.url,
                headers=dict(headers),
                redirect=False,
                retries=False,
                preload_content=False,
                decode_content=False,
            )
            try:
                fields = {name.lower(): value for name, value in response.headers.items()}
                yield Reply(response.status, fields, _chunks(response))
            finally:
                # What was not read to its end is not worth reading.
                if response.closed:
                    response.release_conn()
                else:
                    response.close()

    def _proxy_for(self, address: Address) -> str:
        if is_exempt(address, self._proxies.get("no", "")):
            return ""
        return self._proxies.get(address.scheme) or self._proxies.get("all", "")

    def _manager(self, proxy: str) -> PoolManager:
        with self._lock:
            if proxy not in self._managers:
                timeout = Timeout(connect=self._timeout, read=self._timeout)
                self._managers[proxy] = made = open_manager(proxy, timeout)
                hosts = None if proxy else self._private_hosts
                made.pool_classes_by_scheme = guarded_pools(self._patience, hosts)
            return self._managers[proxy]


def load_proxies() -> dict[str, str]:
    """Return the proxies that the environment names, by scheme, and under "no" the exceptions.

    HTTP_PROXY is not heeded where REQUEST_METHOD is set: whoever asks a CGI program can set it.
    """
    return dict(urllib.request.getproxies_environment())


def is_exempt(address: Address, names: str) -> bool:
    """Return whether NO_PROXY names a host, one above it, or its port.

    >>> is_exempt(Address("https://a.example.org/", "https", "a.example.org", 443), ".example.org")
    True
    """
    spelled = {address.host, f"{address.host}:{address.port}", f"[{address.host}]"}
    for name in names.lower().split(","):
        bare = name.strip().lstrip("*").lstrip(".")
        if name.strip() == "*" or (bare and any(f".{s}".endswith(f".{bare}") for s in spelled)):
            return True
    return False


def open_manager(proxy: str, timeout: Timeout) -> PoolManager:
    """Return what keeps connections, by way of a proxy or ("") directly.

    Raises:
        RefusalError: The proxy is of a kind that we do not know.
    """
    if not proxy:
        return PoolManager(maxsize=1, timeout=timeout)
    try:
        parts = parse_url(proxy if "://" in proxy else f"http://{proxy}")
    except u3.LocationParseError:
        raise RefusalError(
            "the proxy that the environment names is no address", is_of_host=True
        ) from None
    if parts.scheme not in {"http", "https"}:
        raise RefusalError(f"a proxy of the kind {parts.scheme} is not supported", is_of_host=True)
    headers = make_headers(proxy_basic_auth=parts.auth) if parts.auth else None
    url = parts._replace(auth=None).url
    return ProxyManager(url, maxsize=1, timeout=timeout, proxy_headers=headers)


def guarded_pools(
    patience: float, private_hosts: frozenset[str] | None
) -> dict[str, type[HTTPConnectionPool]]:
    """Return the kinds of connections by scheme: guarded against who never ends their headers.

    Args:
        patience: Seconds until the headers must be there.
        private_hosts: Those that may be private; None lets every connection pass, as to a proxy.
    """

    class Plain(HTTPConnection):
        def _new_conn(self) -> socket.socket:
            if private_hosts is None:
                return super()._new_conn()
            return connect(self, private_hosts)

        # urllib3 gives its own kind of answer here, too.
        def getresponse(self) -> HTTPResponse:  # type: ignore[override]
            with cut_off(self.sock, patience):
                return super().getresponse()

    class Secure(HTTPSConnection):
        def _new_conn(self) -> socket.socket:
            if private_hosts is None:
                return super()._new_conn()
            return connect(self, private_hosts)

        def getresponse(self) -> HTTPResponse:  # type: ignore[override]
            with cut_off(self.sock, patience):
                return super().getresponse()

    # urllib3's own connections do not fit its protocol of connections either, as pyright reads it.
    class PlainPool(HTTPConnectionPool):
        ConnectionCls = Plain  # pyright: ignore[reportAssignmentType]

    class SecurePool(HTTPSConnectionPool):
        ConnectionCls = Secure  # pyright: ignore[reportAssignmentType]

    return {"http": PlainPool, "https": SecurePool}


def connect(connection: HTTPConnection, private_hosts: frozenset[str]) -> socket.socket:
    """Connect to what a host's name resolves to, and has been judged.

    Raises:
        RefusalError: Any of its addresses is private, and the host is not among those that may be.
        AttemptError: The name does not resolve, or nobody answers.
    """
    host, port = connection.host.strip("[]"), connection.port
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise AttemptError("the name of the host cannot be resolved", is_of_host=True) from None
    if not is_named(host, port, private_hosts):
        for *_, place in found:
            check_public(str(place[0]))
    failure: OSError = OSError("no address")
    for family, kind, protocol, _, place in found[:_MOST_ADDRESSES]:
        sock = socket.socket(family, kind, protocol)
        try:
            sock.settimeout(connection.timeout)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.connect(place)
        except OSError as error:
            sock.close()
            failure = error
        else:
            return sock
    raise AttemptError(f"the host cannot be reached ({describe(failure)})", is_of_host=True)


@contextmanager
def cut_off(sock: socket.socket | None, seconds: float) -> Generator[None]:
    """Cut a connection off that takes longer: a time-out of reading starts anew at each byte.

    Raises:
        RefusalError: It was cut off.
    """
    is_over = threading.Event()

    def cut() -> None:
        is_over.set()
        if sock is not None:
            with suppress(OSError):
                # The method of a secure socket would let the rest through undeciphered.
                socket.socket.shutdown(sock, socket.SHUT_RDWR)

    timer = threading.Timer(seconds, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    except u3.HTTPError:
        # urllib3 forgets about the connection when it makes nothing of the headers.
        if sock is not None and (descriptor := sock.detach()) >= 0:
            socket.close(descriptor)
        raise
    finally:
        timer.cancel()
        if is_over.is_set():
            raise overdue(seconds)


def overdue(seconds: float) -> RefusalError:
    """Return the error that says that a document took too long."""
    return RefusalError(f"takes longer than {seconds:g} seconds", is_passing=True)


@contextmanager
def translate_errors(timeout: float) -> Generator[None]:
    """Say in our words what urllib3 raises.

    Raises:
        AttemptError: What merits another attempt.
        RefusalError: A certificate that cannot be trusted.
    """
    try:
        yield
    except (u3.ReadTimeoutError, u3.ConnectTimeoutError) as error:
        if isinstance(error, u3.NewConnectionError):
            raise AttemptError("the host cannot be reached", is_of_host=True) from error
        raise AttemptError(f"no answer for {timeout:g} seconds") from error
    except u3.ProxyError as error:
        reason = describe(error.original_error)
        raise AttemptError(
            f"the proxy does not let us through ({reason})", is_of_host=True
        ) from error
    except u3.SSLError as error:
        cause = error.args[0] if error.args else None
        if isinstance(cause, ssl.SSLCertVerificationError):
            reason = f"its certificate cannot be trusted ({cause.verify_message})"
            raise RefusalError(reason, is_of_host=True) from error
        raise AttemptError("the secure connection failed", is_of_host=True) from error
    except u3.ProtocolError as error:
        cause = error.args[1] if len(error.args) > 1 else None
        raise AttemptError(describe(cause)) from error
    except u3.HTTPError as error:
        raise AttemptError("the answer cannot be understood") from error


def describe(failure: object) -> str:
    """Return in a few words why a connection failed."""
    for kind, words in _WORDS:
        if isinstance(failure, kind):
            return words
    if not isinstance(failure, OSError):
        return "the connection broke off"
    if tunnel := _TUNNEL.match(str(failure)):
        return name_status(int(tunnel[1]))
    return (failure.strerror or "the connection failed").lower()


def _chunks(response: BaseHTTPResponse) -> Iterator[bytes]:
    # Whatever has arrived is taken at once, so that who waits can look at the clock.
    while chunk := response.read1(_CHUNK, decode_content=False):
        yield chunk
