"""Answers printed as JSON: whole with `--json`, a line for each item with `--jsonl`."""

from collections.abc import Iterable
from typing import cast

import click

LINES_WANTED = "variorum_kb.cli.lines_wanted"


def are_lines_wanted() -> bool:
    """Say whether JSON is to be printed in lines."""
    return bool(click.get_current_context().meta.get(LINES_WANTED))


def print_json(value: object, items: Iterable[object] | None = None) -> None:
    """Print a value as JSON, or a line for each of its items where lines are wanted.

    Args:
        value: What to print.
        items: The items of an object; those of a list are its own.
    """
    import json

    if not are_lines_wanted():
        click.echo(json.dumps(value, ensure_ascii=False, indent=1))
        return
    listed = cast("list[object]", value) if items is None else items
    click.echo("".join([f"{json.dumps(one, ensure_ascii=False)}\n" for one in listed]), nl=False)
