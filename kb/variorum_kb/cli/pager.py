"""Print an answer that may be longer than the terminal."""

import os
import sys

import click

from variorum_kb.cli.pages.provisions import fitted
from variorum_kb.system.terminal import is_coloured, is_paged, page_width, pager, shown, unescaped


def print_page(text: str) -> None:
    """Print an answer, through the pager if it does not fit the terminal."""
    text = fitted(text, page_width())
    if not is_paged(text):
        click.echo(text, nl=False)
        return
    # As in git: less shows colours if told to; other pagers may not.
    os.environ.setdefault("LESS", "FRX")
    os.environ["PAGER"] = pager()
    with_colour = is_coloured() and "less" in pager()
    safe, sys.stdout = sys.stdout, unescaped(sys.stdout)
    try:
        click.echo_via_pager(shown(text, is_coloured=with_colour).rstrip("\n"), color=with_colour)
    finally:
        sys.stdout = safe
