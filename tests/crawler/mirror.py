"""A web server on loopback that plays sources of editions, with every fault of servers.

Each path has a list of behaviours that are played in turn; the last one is repeated::

    with Mirror() as mirror:
        mirror.serve("/rules.txt", Status(503), Page(b"words", etag='"1"'))

Other paths, including `/robots.txt`, are 404. If it is used as a proxy, paths are whole addresses.
It never uses a clock: a behaviour sets `Date`.
"""

import gzip
import socket
import socketserver
import struct
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from typing import Protocol, Self

DATE, LONG_AGO = "Fri, 20 Nov 2026 12:00:00 GMT", "Wed, 01 Jan 2020 00:00:00 GMT"


@dataclass(frozen=True, slots=True)
class Request:
    """A request: its path, for a proxy the whole address; its headers, names in small letters."""

    path: str
    headers: Mapping[str, str]


class Behaviour(Protocol):
    """The response of a server to a request."""

    def play(self, request: Request, wire: "Wire") -> None: ...


class Wire(BaseHTTPRequestHandler):
    """A connection, on the server's side."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    @property
    def mirror(self) -> "Mirror":
        """Return the mirror of this connection."""
        assert isinstance(self.server, _Server)
        return self.server.mirror

    def setup(self) -> None:
        super().setup()
        self.mirror.note_connection(self.connection)

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.path, headers)
        self.mirror.requests.append(request)
        self.mirror.behaviour(self.path).play(request, self)

    def begin(self, status: int, headers: Mapping[str, str]) -> None:
        """Send the status and the header fields, with a `Date` unless they have one."""
        phrase = HTTPStatus(status).phrase if status in set(HTTPStatus) else ""
        fields = {"Date": DATE, **headers}
        lines = [f"HTTP/1.1 {status} {phrase}", *(f"{k}: {v}" for k, v in fields.items() if v)]
        self.wfile.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))
        if headers.get("Connection") == "close":
            self.close_connection = True

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the mirror closes; return whether it does."""
        return self.mirror.closing.wait(seconds)

    def cut(self, *, is_reset: bool = False) -> None:
        """Close the connection, or reset it so that the client gets an error."""
        self.close_connection = True
        if is_reset:
            linger = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            # The files made from a socket keep it open.
            with suppress(OSError):
                self.wfile.close()
                self.rfile.close()
            self.connection.close()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing."""


@dataclass(frozen=True, slots=True)
class Page:
    """A document, served correctly by default.

    `headers` with "" are removed; after `cut_after` bytes the connection ends; `length` is a
    wrong one; between two bytes pass `drip` seconds, until the mirror closes.
    """

    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    etag: str = ""
    last_modified: str = ""
    is_packed: bool = False
    is_chunked: bool = False
    cut_after: int | None = None
    length: int | None = None
    drip: float | None = None

    def play(self, request: Request, wire: Wire) -> None:
        if self._is_known(request):
            wire.begin(304, self._described({}))
            return
        body = gzip.compress(self.body, mtime=0) if self.is_packed else self.body
        fields = {"Content-Encoding": "gzip" if self.is_packed else ""}
        length = len(body) if self.length is None else self.length
        fields |= (
            {"Transfer-Encoding": "chunked"} if self.is_chunked else {"Content-Length": str(length)}
        )
        wire.begin(200, self._described(fields))
        self._send(body[: self.cut_after], wire)

    def _is_known(self, request: Request) -> bool:
        known = request.headers.get("if-none-match")
        if known is not None:
            return bool(self.etag) and known == self.etag
        since = request.headers.get("if-modified-since")
        return bool(self.last_modified) and since == self.last_modified

    def _described(self, fields: Mapping[str, str]) -> dict[str, str]:
        return {
            "Content-Type": "text/plain",
            "ETag": self.etag,
            "Last-Modified": self.last_modified,
            **fields,
            **self.headers,
        }

    def _send(self, body: bytes, wire: Wire) -> None:
        step = 1 if self.drip is not None else 1 << 16
        for start in range(0, len(body), step):
            piece = body[start : start + step]
            wire.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece) if self.is_chunked else piece)
            if self.drip is not None and wire.wait(self.drip):
                break
        if self.cut_after is not None:
            wire.cut()
        elif self.is_chunked:
            wire.wfile.write(b"0\r\n\r\n")
        elif self.length is not None:
            wire.cut()


@dataclass(frozen=True, slots=True)
class Status:
    """An answer without a document."""

    code: int
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes = b"a page for people"

    def play(self, request: Request, wire: Wire) -> None:  # noqa: ARG002, whatever is asked for
        body = b"" if self.code in {204, 304} else self.body
        wire.begin(self.code, {"Content-Length": str(len(body)), **self.headers})
        wire.wfile.write(body)


@dataclass(frozen=True, slots=True)
class Redirect:
    """A redirect."""

    location: str
    code: int = 302

    def play(self, request: Request, wire: Wire) -> None:
        Status(self.code, {"Location": self.location}).play(request, wire)


@dataclass(frozen=True, slots=True)
class Hang:
    """A server that is silent until the mirror closes: at once, or after the first bytes of a body."""

    body: bytes | None = None

    def play(self, request: Request, wire: Wire) -> None:  # noqa: ARG002, whatever is asked for
        if self.body is not None:
            wire.begin(200, {"Content-Length": str(len(self.body) + 10)})
            wire.wfile.write(self.body)
        wire.wait()
        wire.cut()


@dataclass(frozen=True, slots=True)
class Raw:
    """Any bytes, then the end of the connection; or the same, byte by byte, until the mirror closes."""

    sent: bytes
    drip: float | None = None
    is_reset: bool = False

    def play(self, request: Request, wire: Wire) -> None:  # noqa: ARG002, whatever is asked for
        if self.drip is None:
            wire.wfile.write(self.sent)
        while self.drip is not None:
            for byte in self.sent:
                wire.wfile.write(bytes([byte]))
                if wire.wait(self.drip):
                    return
        wire.cut(is_reset=self.is_reset)


def bomb(size: int) -> Page:
    """Return a page that unpacks to a thousand times its size."""
    packed = gzip.compress(bytes(size), mtime=0)
    return Page(packed, {"Content-Encoding": "gzip"})


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False
    mirror: "Mirror"

    def handle_error(self, request: object, client_address: object) -> None:
        """Print nothing: most clients here are meant to hang up."""


class Mirror:
    """The server; `requests` are those in order; `closing` ends those that hang."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.closing = threading.Event()
        self._behaviours: dict[str, list[Behaviour]] = {}
        self._sockets: list[socket.socket] = []
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), Wire)
        self._server.mirror = self

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        for connection in self._sockets:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    @property
    def host(self) -> str:
        """Return the host with its port, as lists of private hosts name it."""
        return f"127.0.0.1:{self._server.server_address[1]}"

    def url(self, path: str) -> str:
        """Return the whole address of a path."""
        return f"http://{self.host}{path}"

    def serve(self, path: str, *behaviours: Behaviour | bytes) -> None:
        """Set the behaviours of a path; bytes make a page."""
        pages = [Page(b) if isinstance(b, bytes) else b for b in behaviours]
        with self._lock:
            self._behaviours[path] = pages

    def behaviour(self, path: str) -> Behaviour:
        """Return the next behaviour of a path."""
        with self._lock:
            left = self._behaviours.get(path)
            if not left:
                return Status(404)
            return left.pop(0) if len(left) > 1 else left[0]

    def note_connection(self, connection: socket.socket) -> None:
        """Record a connection, to be closed at the end."""
        with self._lock:
            self._sockets.append(connection)
