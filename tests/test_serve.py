"""`cr site --serve`, as a browser asks it: the site, to this computer alone, and no other file."""

import gzip
import http.client
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

START = "import sys; from variorum.cli.start import process; process()"


class Server(NamedTuple):
    """A server of a folder, at a port of this computer."""

    folder: Path
    port: int

    def ask(self, path: str, host: str = "") -> tuple[int, bytes]:
        """Ask for a path; return the status and the body, of which texts come compressed."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)) as connection:
            headers = {"Host": host or f"127.0.0.1:{self.port}", "Accept-Encoding": "gzip, br"}
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            data, packing = answer.read(), answer.headers["Content-Encoding"]
            assert answer.status >= 400 or (connection.sock and packing), "kept open, compressed"
            return answer.status, gzip.decompress(data) if packing else data


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, sites: Callable[[str], Path]
) -> Iterator[Server]:
    """Serve the site of the sample rulebook, with links that lead out of it."""
    folder = tmp_path_factory.mktemp("served") / "site"
    shutil.copytree(sites("published"), folder)
    (folder.parent / "secret.html").write_text("secret")
    (folder / "link.html").symlink_to(folder.parent / "secret.html")
    (folder / "linked").symlink_to(folder.parent, target_is_directory=True)
    command = [sys.executable, "-P", "-c", START, "site", "--serve", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        [port] = re.findall(r"^http://127\.0\.0\.1:(\d+)/ ", process.stdout.readline())
        yield Server(folder, int(port))
        process.terminate()


def test_pages(server: Server) -> None:
    """A folder gives its page, a missing page the site's own, with links from the root."""
    assert b"705.2" in server.ask("/rule/705.2/")[1]
    page = (server.folder / "404.html").read_bytes().replace(b'"/history/', b'"/')
    assert server.ask("/2008-06-20/999/") == (404, page)


@pytest.mark.parametrize(
    "path",
    [
        *("/none/", "/static/", "/.variorum-site.json", "/rule/../.variorum-site.json"),
        *("/%2evariorum-site.json", "/rule/..%2f..%2f..%2fetc/passwd"),
        *("/rule\\..\\.variorum-site.json", "/index.html%00.txt", "/%ff%fe"),
        *("/link.html", "/linked/secret.html"),
    ],
)
def test_nothing_else_is_answered(server: Server, path: str) -> None:
    """No list of a folder, no hidden file, and nothing outside of the folder."""
    assert server.ask(path)[0] == 404


@pytest.mark.parametrize(
    ("host", "status"), [("", 200), ("localhost:PORT", 200), ("rules.example:PORT", 421)]
)
def test_hosts(server: Server, host: str, status: int) -> None:
    """Another name that leads to this computer is refused."""
    assert server.ask("/", host.replace("PORT", str(server.port)))[0] == status
