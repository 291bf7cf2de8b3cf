"""Print an answer that may be longer than the terminal."""

import os
import sys

import click

from variorum_kb.system.terminal import is_coloured, shown, terminal_size, unescaped


def print_page(text: str) -> None:
    """Print an answer; on a terminal that it does not fit, through the pager."""
    if sys.stdout.isatty() and text.count("\n") >= terminal_size()[1]:
        # As git does: less shows colours if told so, of other pagers nobody knows.
        os.environ.setdefault("LESS", "FRX")
        is_less = "less" in os.environ.get("PAGER", "less")
        page = shown(text, is_coloured=is_less and is_coloured())
        safe, sys.stdout = sys.stdout, unescaped(sys.stdout)
        try:
            click.echo_via_pager(page, color=is_coloured())
        finally:
            sys.stdout = safe
        return
    click.echo(text, nl=False)
