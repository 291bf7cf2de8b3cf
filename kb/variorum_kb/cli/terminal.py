"""The terminal that an answer goes to: its size, its colours, its pager; imports next to nothing."""

import os
import sys


def terminal_size() -> tuple[int, int]:
    """Return columns and lines of the terminal."""
    try:
        size = os.get_terminal_size(sys.stdout.fileno())
    except OSError:
        return 80, 24
    columns = os.environ.get("COLUMNS", "")
    return int(columns) if columns.isdigit() and int(columns) else size.columns, size.lines


def page_width() -> int:
    """Return the columns of the terminal; 0 where the answer goes to a pipe or a file."""
    return terminal_size()[0] if sys.stdout.isatty() else 0


def is_coloured() -> bool:
    """Say whether the answer may be coloured: on a terminal, unless NO_COLOR is set."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def print_page(text: str) -> None:
    """Print an answer; on a terminal that it does not fit, through the pager."""
    import click

    if sys.stdout.isatty() and text.count("\n") >= terminal_size()[1]:
        # As git does: less shows colours if told so, of other pagers nobody knows.
        os.environ.setdefault("LESS", "FRX")
        is_less = "less" in os.environ.get("PAGER", "less")
        click.echo_via_pager(text if is_less else click.unstyle(text), color=is_coloured())
        return
    click.echo(text, nl=False, color=True if is_coloured() else None)
