"""`cr editions`: what the knowledge base holds."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from variorum_kb.answers.edition_entry import EditionEntry, listed_json
from variorum_kb.cli.options import (
    kb_option,
    limit_option,
    limited,
    lines_option,
    open_base,
    print_json,
)
from variorum_kb.cli.pager import print_page
from variorum_kb.cli.pages.provisions import wrap
from variorum_kb.rows import COPY_LAYOUT
from variorum_kb.system.default_folders import base_folder
from variorum_kb.system.terminal import page_width
from variorum_kb.text.counts import counted

if TYPE_CHECKING:
    from variorum_kb.forms.witness import WitnessJson

_ROW = "{:12}  {:4}  {:44}  {:>5}  {:>8}  {:>8}  {}"
# A narrower terminal has the name of the set last, and no counts of examples and terms.
_NARROW = 110
_NARROW_ROW = "{:12}  {:4}  {:>5}  "
_SORTS = ("date", "newest", "rules", "examples", "glossary")
_HASH = 12


@click.command()
@click.option("--copies", is_flag=True, help="List copies instead: other texts of the same dates.")
@click.option(
    "--sort",
    type=click.Choice(_SORTS),
    default="date",
    show_default=True,
    help="Order: oldest or newest first, or the highest count first.",
)
@limit_option
@lines_option
@kb_option
def editions(*, copies: bool, sort: str, limit: int | None, as_json: bool, kb: Path | None) -> None:
    """List all editions.

    The last column warns of an edition with "one source" (confirm it with cr accept), of lost
    characters ("lossy") and of missing rules. A copy is another text with the date of an edition. It
    is never used for answers.

    \b
    cr editions
    cr editions --copies     other texts of the same dates, and how they differ
    cr editions --sort newest --limit 5
    cr editions --json
    """  # noqa: D301 - click reads \b
    folder = Path(kb or base_folder())
    with open_base(folder) as base:
        everyone = _sorted(base.editions, sort)
        copied = [one for one in base.witnesses.all() if one["layout"] == COPY_LAYOUT]
    others = limited(copied, limit if copies else None)
    entries = limited(everyone, None if copies else limit)
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


def _sorted(entries: Sequence[EditionEntry], sort: str) -> Sequence[EditionEntry]:
    """Return editions, which come oldest first, in another order."""
    if sort == "date":
        return entries
    if sort == "newest":
        return entries[::-1]
    return sorted(entries, key=lambda entry: -int(entry.row[sort]))


def _table(entries: Iterable[EditionEntry], copies: int) -> Iterator[str]:
    width = page_width()
    yield from _narrow_table(entries, width) if 0 < width < _NARROW else _wide_table(entries)
    if copies:
        yield ""
        words = f"{counted(copies, 'other text')} of these dates; cr editions --copies lists them"
        yield from wrap(words, width) if width else [words]


def _narrow_table(entries: Iterable[EditionEntry], width: int) -> Iterator[str]:
    yield _NARROW_ROW.format("edition", "set", "rules")
    for entry in entries:
        row = _NARROW_ROW.format(entry.label, entry.set_code, entry.row["rules"])
        words = "; ".join(filter(None, [entry.set_name, *entry.doubts]))
        first, *rest = wrap(words, width - len(row))
        yield row + first
        yield from (" " * len(row) + line for line in rest)


def _wide_table(entries: Iterable[EditionEntry]) -> Iterator[str]:
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


def _copy(one: "WitnessJson", names: dict[str, str]) -> str:
    """Return the line of a copy: its date, its hash, what differs, its file."""
    said = "; ".join(one["evidence"])
    name = names.get(one["sha256"], "")
    return f"{one['stated']}  {one['sha256'][:_HASH]}  {said}" + (f"  ({name})" if name else "")
