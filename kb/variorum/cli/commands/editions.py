"""`cr editions`: the editions in the knowledge base."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from variorum.answers.editions import EditionEntry, listed
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.cli.completions import complete_edition
from variorum.cli.options import edition_option, limited, list_options, open_asked, refuse_together
from variorum.cli.pages.editions import edition_table, set_edition
from variorum.cli.pages.provisions import wrap
from variorum.cli.printing import print_json, print_page
from variorum.paths import base_folder
from variorum.stored_rows import COPY
from variorum.terminal import page_width
from variorum.text import counted

if TYPE_CHECKING:
    from variorum.records.edition import Edition
    from variorum.records.witness import Witness

_SORTS = ("date", "newest", "rules", "examples", "glossary")
_HASH = 12


@click.command()
@click.argument("name", nargs=-1, shell_complete=complete_edition)
@edition_option(
    "--on", words="Show the edition in force on a day, or that of a month, a year or a set."
)
@click.option("--copies", is_flag=True, help="List copies instead: other texts of the same dates.")
@click.option(
    "--sort",
    type=click.Choice(_SORTS),
    default="date",
    show_default=True,
    help="Order: oldest or newest first, or the highest count first.",
)
@list_options
def editions(
    name: tuple[str, ...],
    *,
    on: str | None,
    copies: bool,
    sort: str,
    limit: int | None,
    as_json: bool,
    kb: Path | None,
) -> None:
    """List all editions, or those with NAME in their date, set code or set name.

    The last column has warnings: "one source" (confirm the edition with cr kb accept), "lossy"
    (characters were lost) or missing rules. A copy is another text with the date of an edition. It
    is never used for answers.

    \b
    cr editions
    cr editions alara             the sets of a block
    cr editions 2009              of a year
    cr editions --on 2014-03-01   the one in force that day, also cr 2014-03-01
    cr editions --copies          other texts of the same dates, and how they differ
    cr editions --sort newest --limit 5
    cr editions --json
    """  # noqa: D301 - click reads \b
    words = " ".join(name)
    refuse_together(("NAME", bool(words)), ("--on", on is not None), ("--copies", copies))
    folder = base_folder(kb)
    with open_asked(folder) as base:
        if on is not None:
            tell_edition(base, base.edition(on), as_json=as_json)
            return
        everyone = _sorted(base.editions_named(words), sort)
        copied = [witness for witness in base.witnesses.all() if witness.kind == COPY]
    if copies:
        _tell_copies(limited(copied, limit), folder, as_json=as_json)
        return
    entries = limited(everyone, limit)
    if as_json:
        print_json(_listed(base, entries))
    else:
        others = 0 if words else len(copied)
        print_page("".join(f"{line.rstrip()}\n" for line in _table(entries, others)))


def tell_edition(base: KnowledgeBase, entry: EditionEntry, *, as_json: bool) -> None:
    """Print one edition: its facts, when it was in force, and what to type next."""
    listed = _listed(base, [entry])
    if as_json:
        print_json(listed)
    else:
        print_page(set_edition(listed[0], width=page_width()))


def _listed(base: KnowledgeBase, entries: Sequence[EditionEntry]) -> "list[Edition]":
    from variorum.build.build import first_sources

    names = first_sources(base.folder)
    return [listed(entry, base.editions, names.get(entry.sha256, "")) for entry in entries]


def _tell_copies(copies: "Sequence[Witness]", folder: Path, *, as_json: bool) -> None:
    from variorum.build.build import first_sources

    if as_json:
        print_json(copies)
        return
    names = first_sources(folder)
    print_page("".join(f"{_copy(copy, names)}\n" for copy in copies) or "no copies\n")


def _sorted(entries: Sequence[EditionEntry], sort: str) -> Sequence[EditionEntry]:
    """Return editions (given oldest first) in the order asked for."""
    if sort == "date":
        return entries
    if sort == "newest":
        return entries[::-1]
    return sorted(entries, key=lambda entry: -int(getattr(entry.summary, sort)))


def _table(entries: Iterable[EditionEntry], copies: int) -> Iterator[str]:
    width = page_width()
    yield from edition_table(entries, width)
    if copies:
        yield ""
        words = f"{counted(copies, 'other text')} of these dates; cr editions --copies lists them"
        yield from wrap(words, width) if width else [words]


def _copy(copy: "Witness", names: dict[str, str]) -> str:
    """Return the line of a copy: date, hash, differences, file name."""
    differences = "; ".join(copy.evidence)
    name = names.get(copy.sha256, "")
    return f"{copy.dated}  {copy.sha256[:_HASH]}  {differences}" + (f"  ({name})" if name else "")
