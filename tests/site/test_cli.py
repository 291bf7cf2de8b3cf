"""`cr site` and `cr serve`."""

from pathlib import Path
from typing import Self

import pytest
from click.testing import CliRunner

from tests.pages.built_site import Site
from tests.site.building import base_of
from tests.support.small_bases import DAYS, edition
from variorum_kb.cli.main import main
from variorum_site import cli


def test_site(tmp_path: Path) -> None:
    """The command says what it wrote and how to open it."""
    kb, out = base_of(tmp_path, {"one.txt": edition()}), tmp_path / "out"

    first = CliRunner().invoke(main, ["site", str(out), "--kb", str(kb)])
    second = CliRunner().invoke(main, ["site", str(out), "--kb", str(kb)])

    count = len(Site(out).files) - 1
    assert (first.exit_code, second.exit_code) == (0, 0)
    assert first.stdout == (
        f"{out}: {count} files, {count} written, 0 removed\n"
        f"open {out / 'index.html'}, or: cr site --serve {out}\n"
    )
    assert second.stdout.startswith(f"{out}: {count} files, 0 written, 0 removed\n")
    assert first.stderr == ""


def test_day(tmp_path: Path) -> None:
    """The edition in force is that of the given day."""
    kb = base_of(tmp_path, {f"{day}.txt": edition(day) for day in DAYS[:2]})
    arguments = ["site", str(tmp_path / "out"), "--kb", str(kb), "--day", "2021-07-05"]

    CliRunner().invoke(main, arguments)

    current = Site(tmp_path / "out").json("data/current.json")
    assert current["edition"]["effective"] == "2020-06-05"


@pytest.mark.parametrize(
    "arguments",
    [["site", __file__], ["serve", __file__], ["serve", "--port=-1"], ["serve", "--port=65536"]],
)
def test_error_usage(arguments: list[str]) -> None:
    """A file is no folder for a site, and a port has a number from 0 to 65535."""
    assert CliRunner().invoke(main, arguments).exit_code == 2


def test_error_site_no_base(tmp_path: Path) -> None:
    """Without a base, there is one line and no folder."""
    result = CliRunner().invoke(main, ["site", str(tmp_path / "out"), "--kb", str(tmp_path)])

    assert result.exit_code == 3
    assert result.stderr.startswith(f"cr: {tmp_path / 'kb.sqlite'}: no knowledge base")
    assert not (tmp_path / "out").exists()


def test_serve(sample_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command prints the address, and ends quietly when interrupted."""

    class Server:
        server_port = 4321

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def serve_forever(self) -> None:
            raise KeyboardInterrupt

    def open_server(folder: Path, port: int) -> Server:
        assert (folder, port) == (sample_site.folder, 0)
        return Server()

    monkeypatch.setattr(cli, "open_server", open_server)

    result = CliRunner().invoke(main, ["serve", str(sample_site.folder)])

    assert result.exit_code == 0
    assert result.stdout == "http://127.0.0.1:4321/  (press Ctrl-C to stop)\n"
