"""The local server of `cr serve`."""

import http.client
import shutil
import socket
import threading
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.pages.built_site import Document, Site
from variorum_kb.errors import NotFoundError, NotWritableError
from variorum_site.output_folder import MANIFEST
from variorum_site.serve import open_server


@contextmanager
def serving(folder: Path) -> Generator[ThreadingHTTPServer]:
    """Serve a folder."""
    with open_server(folder) as opened:
        thread = threading.Thread(target=opened.serve_forever)
        thread.start()
        yield opened
        opened.shutdown()
        thread.join()


@pytest.fixture
def server(sample_site: Site) -> Iterator[ThreadingHTTPServer]:
    """Serve the site of the sample rulebook."""
    with serving(sample_site.folder) as opened:
        yield opened


def ask(server: ThreadingHTTPServer, path: str, host: str = "") -> tuple[int, bytes]:
    """Request a file; return the status and the body."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    try:
        connection.request("GET", path, headers={"Host": host} if host else {})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def test_loopback_only(server: ThreadingHTTPServer) -> None:
    """The server listens only to this machine."""
    assert server.server_address[0] == "127.0.0.1"


def test_permalinks_work(server: ThreadingHTTPServer) -> None:
    """For a folder, the server sends its page."""
    status, data = ask(server, "/rule/705.2/")

    assert status == 200
    assert b"705.2" in data


@pytest.mark.parametrize(
    "path", ["/2008-06-20/511/", "/2008-06-20/511", "/2008-06-20/511/index.html"]
)
def test_sections_lead_on(server: ThreadingHTTPServer, path: str) -> None:
    """A section's former address leads to its chapter, where its anchor still works."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    connection.request("GET", path)
    answer = connection.getresponse()
    connection.close()

    assert (answer.status, answer.headers["Location"]) == (302, "/2008-06-20/5/?section=511")
    assert b'id="511"' in ask(server, answer.headers["Location"])[1]


@pytest.mark.parametrize(
    ("path", "there"),
    [
        ("/statistics/", "/editions/"),
        ("/lint/2008-06-20/", "/lint/"),
        ("/feeds/rule/705.1.atom", "/feeds/editions.atom"),
    ],
)
def test_former_addresses_lead_on(server: ThreadingHTTPServer, path: str, there: str) -> None:
    """The address of a page that is gone leads to the nearest one."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    connection.request("GET", path)
    answer = connection.getresponse()
    connection.close()

    assert (answer.status, answer.headers["Location"]) == (302, there)
    assert ask(server, there)[0] == 200


def test_missing_pages(server: ThreadingHTTPServer, sample_site: Site) -> None:
    """A missing page gives the site's own page, whose links work at any depth."""
    status, data = ask(server, "/2008-06-20/999/")

    assert (status, data) == (404, (sample_site.folder / "404.html").read_bytes())
    page = Document(data.decode())
    assert (page.inline, page.unclosed) == ([], [])
    links = [href.partition("?")[0] for _, href in page.links if not href.startswith("#")]
    assert all(href[0] == "/" and href[1:] in sample_site.files for href in links)


@pytest.mark.parametrize(
    "path",
    [
        "/none/",
        "/static/",
        f"/{MANIFEST}",
        "/rule/../.variorum-site.json",
        "/%2evariorum-site.json",
        "/rule/%2e%2e/%2evariorum-site.json",
        "/rule/..%2f..%2f..%2fetc/passwd",
        "/rule\\..\\.variorum-site.json",
        "/index.html%00.txt",
        "/%ff%fe",
    ],
)
def test_nothing_else_is_answered(server: ThreadingHTTPServer, path: str) -> None:
    """The server sends no lists of folders, and no files outside of the site."""
    assert ask(server, path)[0] == 404


def test_links_that_lead_out(sample_site: Site, tmp_path: Path) -> None:
    """A link in the folder to a file outside of it is not followed."""
    folder = tmp_path / "site"
    shutil.copytree(sample_site.folder, folder)
    (tmp_path / "secret.html").write_text("secret")
    (folder / "link.html").symlink_to(tmp_path / "secret.html")
    (folder / "linked").symlink_to(tmp_path, target_is_directory=True)

    with serving(folder) as server:
        asked = [ask(server, path)[0] for path in ("/", "/link.html", "/linked/secret.html")]

    assert asked == [200, 404, 404]


def test_idle_clients(sample_site: Site) -> None:
    """Of more than 64 clients, the oldest is dropped."""
    with ExitStack() as stack:
        server = stack.enter_context(serving(sample_site.folder))
        address = "127.0.0.1", server.server_port
        oldest, second, *_ = [
            stack.enter_context(socket.create_connection(address, timeout=5)) for _ in range(64)
        ]

        assert ask(server, "/")[0] == 200
        assert oldest.recv(1) == b""
        second.setblocking(False)
        with pytest.raises(BlockingIOError):
            second.recv(1)


def test_other_names_are_refused(server: ThreadingHTTPServer) -> None:
    """A page that points another name here is refused."""
    assert ask(server, "/", "evil.example")[0] == 421
    assert ask(server, "/", f"localhost:{server.server_port}")[0] == 200


def test_error_no_site(tmp_path: Path) -> None:
    """A folder without a site is refused."""
    with pytest.raises(NotFoundError) as error:
        open_server(tmp_path)

    assert str(error.value) == f"{tmp_path}: no website; cr site {tmp_path} builds one"


def test_error_port_in_use(server: ThreadingHTTPServer, sample_site: Site) -> None:
    """If the port is in use, the error names it."""
    with pytest.raises(NotWritableError) as error:
        open_server(sample_site.folder, server.server_port)

    assert str(error.value) == f"port {server.server_port}: in use; leave --port out for a free one"
