"""A web server for looking at a site; it answers only this machine."""

import errno
import gzip
import io
import re
import sys
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import BinaryIO, cast
from urllib.parse import unquote, urlsplit

from variorum.errors import FileError, NotFoundError
from variorum_site.output_folder import MANIFEST
from variorum_site.urls import MISSING

_LOOPBACK = "127.0.0.1"
# Sent compressed, as public hosts send them.
_TEXTS = {".atom", ".css", ".html", ".js", ".json", ".svg", ".webmanifest", ".xml"}


class _Handler(SimpleHTTPRequestHandler):
    """Answers with files of the site, never with the list of a folder."""

    protocol_version = "HTTP/1.1"  # a browser keeps its connection from file to file
    timeout = 10  # seconds that a client may be silent

    def send_head(self) -> io.BytesIO | BinaryIO | None:
        """Answer with a file; both GET and HEAD ask for this."""
        # A foreign site may make its own name lead to this computer.
        port = cast("ThreadingHTTPServer", self.server).server_port
        if self.headers.get("Host", "") not in {f"{_LOOPBACK}:{port}", f"localhost:{port}"}:
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
            return None
        if not self._is_of_the_site():
            self.send_error(HTTPStatus.NOT_FOUND)
            return None
        is_page = urlsplit(self.path).path.endswith("/")
        file = Path(self.translate_path(self.path), "index.html" if is_page else "")
        if file.suffix not in _TEXTS or not file.is_file():
            return super().send_head()
        data = file.read_bytes()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", self.guess_type(file))
        if "gzip" in self.headers.get("Accept-Encoding", ""):
            data = gzip.compress(data, 6)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        return io.BytesIO(data)

    def _is_of_the_site(self) -> bool:
        asked = unquote(urlsplit(self.path).path, errors="replace")
        if "\0" in asked or any(part.startswith(".") for part in re.split(r"[/\\]", asked)):
            return False
        return Path(self.translate_path(self.path)).resolve().is_relative_to(self.directory)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer a missing page with the site's own 404 page."""
        page = Path(self.directory, MISSING)
        if code == HTTPStatus.NOT_FOUND and page.is_file():
            text = page.read_text("utf-8")
            public = re.findall(r'"(/\S*)static/', text)[0]  # how its links begin; here, with /
            self.error_message_format = text.replace(f'"{public}', '"/').replace("%", "%%")
        super().send_error(code, message, explain)

    def list_directory(self, path: object) -> None:
        """Answer that the page does not exist."""
        del path
        self.send_error(HTTPStatus.NOT_FOUND)

    def end_headers(self) -> None:
        """Forbid caching, because the site may be rebuilt meanwhile."""
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Log nothing."""


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore a client that disconnected; a bug keeps its traceback."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]  # as it came


def open_server(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a server of a site, bound to the loopback interface; port 0 is any free one."""
    if not (folder / MANIFEST).is_file():
        raise NotFoundError(f"{folder}: no website; cr site {folder} builds one")
    try:
        handler = partial(_Handler, directory=str(folder.resolve()))
        return _Server((_LOOPBACK, port), handler)
    except OSError as error:
        why = "in use" if error.errno == errno.EADDRINUSE else error.strerror
        raise FileError(f"port {port}: {why}; leave --port out for a free one") from None
