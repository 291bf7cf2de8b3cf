"""`cr editions`: what the knowledge base holds."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from variorum_kb.answers.editions import EditionEntry
from variorum_kb.cli.options import json_option, kb_option, open_base, print_json
from variorum_kb.cli.pager import print_page
from variorum_kb.system.place import base_folder

_ROW = "{:12}  {:4}  {:44}  {:>5}  {:>8}  {:>8}  {}"


@click.command()
@json_option
@kb_option
def editions(*, as_json: bool, kb: Path | None) -> None:
    """List all editions, oldest first.

    \b
    cr editions
    cr editions --json
    """  # noqa: D301 - click reads \b
    folder = Path(kb or base_folder())
    with open_base(folder) as base:
        entries = base.editions
    if as_json:
        from variorum_kb.build.build import first_sources

        names = first_sources(folder)
        print_json([_json(entry, names.get(entry.sha256, "")) for entry in entries])
    else:
        print_page("".join(f"{line.rstrip()}\n" for line in _table(entries)))


def _json(entry: EditionEntry, file: str) -> object:
    return {
        **entry.as_json(),
        "set_code": entry.set_code,
        "set_name": entry.set_name,
        "file": file,
    }


def _table(entries: Iterable[EditionEntry]) -> Iterator[str]:
    yield _ROW.format("edition", "set", "", "rules", "examples", "glossary", "")
    for entry in entries:
        row = entry.row
        yield _ROW.format(
            entry.label,
            entry.set_code,
            entry.set_name,
            row["rules"],
            row["examples"],
            row["glossary"],
            "" if entry.condition == "sound" else entry.condition,
        )
