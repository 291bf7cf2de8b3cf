"""`cr mcp`: serve the rules to language models."""

import io
import sys
from importlib.util import find_spec
from types import SimpleNamespace

import click

import variorum
from variorum.cli.command import command, today
from variorum.errors import FileError


@command(is_alone=True)
def mcp(o: SimpleNamespace) -> None:
    """Serve the rules to language models by the Model Context Protocol.

    Needs `pip install ".[mcp]"` in the checkout of Variorum, or `uv tool install ".[mcp]"`. docs/library.md
    shows how clients are set up.

    cr mcp    for a client that starts it

    --site --kb
    """
    if find_spec("mcp") is None:
        raise FileError('cr mcp needs pip install ".[mcp]" in the checkout of Variorum')
    from variorum.mcp.server import WholeLines, make_server

    def opened() -> variorum.Base:
        return variorum.open(o.kb, today=today())

    opened().close()  # without a base, this says so before a client asks
    server = make_server(opened, o.site)
    try:
        sys.stdin = io.TextIOWrapper(WholeLines(sys.stdin), "utf-8")
        server.run("stdio")
    except KeyboardInterrupt:
        click.echo(err=True)
