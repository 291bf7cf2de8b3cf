"""`cr mcp`: serve the rules to language models."""

import io
import sys
from importlib.util import find_spec
from types import SimpleNamespace

import click

import variorum
from variorum.cli.command import command, today
from variorum.errors import FileError

_LOOPBACK = "127.0.0.1"


@command(port={"type": click.IntRange(1, 65535), "default": 8319}, is_alone=True)
def mcp(o: SimpleNamespace) -> None:
    """Serve the rules to language models by the Model Context Protocol.

    Needs `pip install ".[mcp]"` in the checkout of Variorum, or `uv tool install ".[mcp]"`. docs/library.md
    shows how clients are set up.

    cr mcp                  for a client that starts it
    cr mcp --http           at http://127.0.0.1:8319/mcp, until interrupted

    --site
    --http    Serve over HTTP, to this computer only, instead of stdio.
    --port N  For --http. Default: 8319.
    --kb
    """
    if find_spec("mcp") is None:
        raise FileError('cr mcp needs pip install ".[mcp]" in the checkout of Variorum')
    from variorum.mcp.server import WholeLines, make_server

    def opened() -> variorum.Base:
        return variorum.open(o.kb, today=today())

    opened().close()  # without a base, this says so before a client asks
    server = make_server(opened, o.site)
    try:
        if o.http:
            click.echo(f"http://{_LOOPBACK}:{o.port}/mcp  (press Ctrl-C to stop)", err=True)
            server.run("streamable-http", host=_LOOPBACK, port=o.port)
        else:
            sys.stdin = io.TextIOWrapper(WholeLines(sys.stdin), "utf-8")
            server.run("stdio")
    except KeyboardInterrupt:
        click.echo(err=True)
