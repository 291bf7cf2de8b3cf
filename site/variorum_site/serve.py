"""A web server for a look at a site: it answers this machine alone."""

import errno
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import cast

from variorum_kb.errors import NotFoundError, NotWritableError
from variorum_site.output_folder import MANIFEST

_LOOPBACK = "127.0.0.1"


class _Handler(SimpleHTTPRequestHandler):
    """Answers with files of the site, never with a list of a folder."""

    def do_GET(self) -> None:
        """Answer with a file."""
        if self._is_welcome():
            super().do_GET()

    def do_HEAD(self) -> None:
        """Answer as with a file, without it."""
        if self._is_welcome():
            super().do_HEAD()

    def _is_welcome(self) -> bool:
        """Refuse who comes by another name: a page elsewhere may have pointed its own name here."""
        port = cast("ThreadingHTTPServer", self.server).server_port
        if self.headers.get("Host", "") not in {f"{_LOOPBACK}:{port}", f"localhost:{port}"}:
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
            return False
        if "/." in self.path:
            self.send_error(HTTPStatus.NOT_FOUND)
            return False
        return True

    def list_directory(self, path: object) -> None:
        """Say that there is no page."""
        del path
        self.send_error(HTTPStatus.NOT_FOUND)

    def end_headers(self) -> None:
        """Let nothing be kept, since the site may be built anew meanwhile."""
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Say nothing."""


def open_server(folder: Path, port: int = 0) -> ThreadingHTTPServer:
    """Return a server of a site, bound to the loopback interface.

    Args:
        folder: Of the site.
        port: Where it listens; 0 takes a free one.

    Raises:
        NotFoundError: The folder holds no site.
        NotWritableError: The port is in use, or not allowed.
    """
    if not (folder / MANIFEST).is_file():
        raise NotFoundError(f"{folder}: no website; cr site {folder} builds one")
    try:
        return ThreadingHTTPServer((_LOOPBACK, port), partial(_Handler, directory=str(folder)))
    except OSError as error:
        why = "in use" if error.errno == errno.EADDRINUSE else error.strerror
        raise NotWritableError(f"port {port}: {why}; leave --port out for a free one") from None
