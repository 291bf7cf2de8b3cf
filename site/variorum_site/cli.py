"""`cr site`: build the website, or show it."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import click

from variorum.cli.command import KB, refuse_together, site_address
from variorum.terminal import is_terminal
from variorum.text import counted
from variorum_site.build import Done, SiteSettings, build
from variorum_site.serve import open_server


@click.command(params=[KB])
@click.argument("out", type=click.Path(path_type=Path, file_okay=False), required=False)
@click.option(
    "--base-url",
    type=site_address,
    default="",
    metavar="URL",
    help="Public address of the site, for its sitemap, 404.html and the links in its feeds.",
)
@click.option(
    "--day",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DAY",
    help="The day that the site calls today. Default: the current day.",
)
@click.option(
    "--serve",
    is_flag=True,
    help="Build nothing; show the website in OUT (default: the current folder) to this computer only, until interrupted.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    help="With --serve. Default: any free port.",
)
def site(  # noqa: PLR0913 - a parameter for each option
    out: Path | None,
    *,
    kb: Path | None,
    base_url: str,
    day: datetime | None,
    serve: bool,
    port: int | None,
) -> None:
    """Build the website of the knowledge base into the folder OUT.

    Creates OUT or brings it up to date: only changed files are written, and pages that no longer
    exist are removed. A folder that is not empty and was not written by cr site is refused. The
    site needs no server: open OUT/index.html, or publish the folder at any address.

    \b
    cr site public                 build it, or bring it up to date
    cr site --serve public         look at it as visitors will
    """  # noqa: D301 - click reads \b
    if serve:
        for option, is_given in (("--kb", kb), ("--base-url", base_url), ("--day", day)):
            refuse_together(("--serve", True), (option, bool(is_given)))
        with open_server(out or Path(), port or 0) as server, suppress(KeyboardInterrupt):
            click.echo(f"http://127.0.0.1:{server.server_port}/  (press Ctrl-C to stop)")
            server.serve_forever()
        return
    if port is not None:
        raise click.UsageError("--port needs --serve")
    if out is None:
        raise click.UsageError("Missing argument 'OUT'.")
    today = datetime.now().astimezone() if day is None else day
    files, written, removed = build(kb, out, SiteSettings(base_url, today.date()), _watch)
    click.echo(f"{out}: {counted(files, 'file')}, {written:,} written, {removed:,} removed")
    click.echo(f"open {out / 'index.html'}, or: cr site --serve {out}")


def _watch(done: Iterable[Done], total: int) -> Iterator[Done]:
    shown = getattr(sys.stderr, "raw", sys.stderr)
    with click.progressbar(
        done, total, label="building", file=shown, hidden=not is_terminal(sys.stderr)
    ) as progress:
        yield from progress
