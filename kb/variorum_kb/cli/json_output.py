"""Answers printed as JSON: whole with `--json`, a line for each item with `--jsonl`."""

from collections.abc import Iterable
from typing import cast

import click

LINES_WANTED = "variorum_kb.cli.lines_wanted"


def are_lines_wanted() -> bool:
    """Return whether to print JSON lines."""
    return bool(click.get_current_context().meta.get(LINES_WANTED))


def print_json(value: object, items: Iterable[object] | None = None) -> None:
    """Print a value as JSON or, if lines are wanted, a line for each of its items.

    Args:
        value: What to print.
        items: The list that an object holds; not needed if the value is a list.
    """
    import json

    if not are_lines_wanted():
        click.echo(json.dumps(value, ensure_ascii=False, indent=1))
        return
    listed = cast("list[object]", value) if items is None else items
    click.echo("".join([f"{json.dumps(item, ensure_ascii=False)}\n" for item in listed]), nl=False)
