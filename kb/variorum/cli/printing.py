"""Printing answers: a page, through the pager if needed, or JSON; notes go to stderr."""

import os
import sys
from collections.abc import Iterable
from typing import cast

import click

from variorum.cli.pages.provisions import terminal_page
from variorum.records.answer import json_text
from variorum.terminal import is_coloured, is_paged, pager, shown, unescaped

LINES_WANTED = "variorum.cli.lines_wanted"


def print_page(text: str) -> None:
    """Print an answer, through the pager if it does not fit the terminal."""
    text = terminal_page(text)
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


def are_lines_wanted() -> bool:
    """Return whether to print JSON lines."""
    return bool(click.get_current_context().meta.get(LINES_WANTED))


def print_json(value: object, items: Iterable[object] | None = None) -> None:
    """Print a value as JSON or, if lines are wanted, a line for each of its items.

    Args:
        value: What to print.
        items: The list that an object holds; not needed if the value is a list.
    """
    if not are_lines_wanted():
        click.echo(json_text(value, indent=1))
        return
    listed = cast("list[object]", value) if items is None else items
    click.echo("".join([f"{json_text(item)}\n" for item in listed]), nl=False)


def print_note(text: object) -> None:
    """Print a note on stderr."""
    click.echo(f"cr: {text}", err=True)
