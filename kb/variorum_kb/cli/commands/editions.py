"""`cr editions`: what the knowledge base holds."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from variorum_kb.answers.edition_entry import EditionEntry, listed_json
from variorum_kb.cli.options import kb_option, lines_option, open_base, print_json
from variorum_kb.cli.pager import print_page
from variorum_kb.rows import COPY_LAYOUT
from variorum_kb.system.default_folders import base_folder

if TYPE_CHECKING:
    from variorum_kb.forms.witness import WitnessJson

_ROW = "{:12}  {:4}  {:44}  {:>5}  {:>8}  {:>8}  {}"
_HASH = 12


@click.command()
@click.option("--copies", is_flag=True, help="List copies instead: other texts of the same dates.")
@lines_option
@kb_option
def editions(*, copies: bool, as_json: bool, kb: Path | None) -> None:
    """List all editions, oldest first.

    The last column warns of an edition with "one source" (confirm it with cr accept), of lost
    characters ("lossy") and of missing rules. A copy is another text with the date of an edition. It
    is never used for answers.

    \b
    cr editions
    cr editions --copies     other texts of the same dates, and how they differ
    cr editions --json
    """  # noqa: D301 - click reads \b
    folder = Path(kb or base_folder())
    with open_base(folder) as base:
        entries = base.editions
        others = [one for one in base.witnesses.all() if one["layout"] == COPY_LAYOUT]
    if as_json or copies:
        from variorum_kb.build.build import first_sources

        names = first_sources(folder)
        if not as_json:
            print_page("".join(f"{_copy(one, names)}\n" for one in others) or "no copies\n")
        elif copies:
            print_json(others)
        else:
            print_json([listed_json(entry, names.get(entry.sha256, "")) for entry in entries])
    else:
        print_page("".join(f"{line.rstrip()}\n" for line in _table(entries, len(others))))


def _table(entries: Iterable[EditionEntry], copies: int) -> Iterator[str]:
    yield _ROW.format("edition", "set", "", "rules", "examples", "glossary", "")
    for entry in entries:
        row = entry.row
        repaired = ["repaired"] if entry.condition == "repaired" else []
        yield _ROW.format(
            entry.label,
            entry.set_code,
            entry.set_name,
            row["rules"],
            row["examples"],
            row["glossary"],
            ", ".join([*entry.doubts, *repaired]),
        )
    if copies:
        yield ""
        yield f"{copies} other texts of these dates; cr editions --copies lists them"


def _copy(one: "WitnessJson", names: dict[str, str]) -> str:
    """Return the line of a copy: its date, its hash, what differs, its file."""
    said = "; ".join(one["evidence"])
    name = names.get(one["sha256"], "")
    return f"{one['stated']}  {one['sha256'][:_HASH]}  {said}" + (f"  ({name})" if name else "")
