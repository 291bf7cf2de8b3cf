"""`cr build`: add documents to the knowledge base."""

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import TYPE_CHECKING

import click

from variorum.build.build import Builder
from variorum.build.outcomes import (
    AlreadyKnown,
    Copied,
    Doubted,
    Event,
    Heard,
    PassedOver,
    Refused,
    Taken,
)
from variorum.cli.arguments import NamedPath
from variorum.cli.clock import now_words, today
from variorum.cli.failures import explained
from variorum.cli.options import kb_option, timing_option
from variorum.cli.printing import print_note
from variorum.documents.find import find_files
from variorum.errors import FINDINGS, INPUT_OUTPUT, NoBaseError, NotWritableError
from variorum.paths import base_folder
from variorum.stored_rows import BULLETIN, ONE_SOURCE
from variorum.terminal import has_bar, unescaped
from variorum.text import counted

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.answers.unapplied import Unapplied

# How many verdicts that cannot be applied are named; the others are counted.
_NAMED = 3


@click.command()
@click.argument("paths", nargs=-1, type=NamedPath())
@click.option("--strict", is_flag=True, help="Also fail if a document was repaired or is lossy.")
@timing_option
@kb_option
def build(paths: tuple[Path, ...], *, strict: bool, kb: Path | None) -> None:
    """Add documents to the knowledge base and bring it up to date.

    PATHS are files, folders and ZIPs of editions and other witnesses: originals in Word, RTF and
    PDF, excerpts, rulings pages, wiki pages, bulletins and articles. Documents that the base has are
    not read again. Other files in folders and ZIPs are skipped. A document that cannot be read
    completely is refused with the reason; the rest are added, and the exit code is 1. Without PATHS,
    the base is rebuilt from its own documents where needed.

    \b
    cr build ~/rules               all editions in a folder
    cr build rules.zip new.txt     those in a ZIP, and one more
    cr build                       rebuild after an upgrade of this program
    """  # noqa: D301 - click reads \b
    folder = base_folder(kb)
    builder = Builder(folder, now_words())
    days: set[str] = set()
    counts = _watch(builder.build(paths), len(find_files(paths)), days)
    unapplied = _finish(builder, days)
    taken, known = counts["taken"], counts["known"]
    click.echo(f"{folder}: {taken:,} new, {known:,} known, {counts['refused']:,} refused")
    if counts["again"]:
        click.echo(f"{counted(counts['again'], 'known document')} compared again")
    if counts["one source"]:
        have = "edition has" if counts["one source"] == 1 else "editions have"
        click.echo(f"{counts['one source']:,} new {have} only one source; cr editions marks them")
    if counts["copies"]:
        verb = "document is a copy" if counts["copies"] == 1 else "documents are copies"
        click.echo(
            f"{counts['copies']:,} {verb} of known editions; cr editions --copies lists them"
        )
    if unapplied:
        click.echo(_unapplied_line(unapplied))
    if counts["passed over"]:
        click.echo(
            f"{counted(counts['passed over'], 'file')} in folders skipped: neither editions nor other witnesses"
        )
    if counts["unreadable"]:
        raise click.exceptions.Exit(INPUT_OUTPUT)
    if counts["refused"] or (strict and counts["odd"]):
        raise click.exceptions.Exit(FINDINGS)


def _finish(builder: Builder, days: AbstractSet[str]) -> "list[Unapplied]":
    """Update the search indexes, and return verdicts that cannot be applied.

    Args:
        builder: Has built the base.
        days: The dates of the editions that were added.

    Returns:
        The verdicts on steps into or out of these editions that cannot be applied.
    """
    from variorum.search.index import SearchIndexes

    try:
        with builder.open_built(today()) as base:
            places = [edition.place for edition in base.editions if str(edition.effective) in days]
            unapplied = _unapplied(base, places)
            try:
                if base.editions:
                    SearchIndexes(base).make_missing(_announce)
            except NotWritableError as error:
                print_note(f"the search index is not up to date: {error}")
            return unapplied
    except NoBaseError:
        return []  # no edition was added


def _unapplied(base: "KnowledgeBase", places: Sequence[int]) -> "list[Unapplied]":
    """Return the verdicts on steps into or out of editions that cannot be applied."""
    if not places:
        return []
    from variorum.answers.unapplied import unapplied_verdicts

    return unapplied_verdicts(base, {*places, *(place + 1 for place in places)})


def _unapplied_line(unapplied: "Sequence[Unapplied]") -> str:
    shown = ", ".join([verdict.about for verdict in unapplied[:_NAMED]])
    more = f" and {len(unapplied) - _NAMED:,} more" if unapplied[_NAMED:] else ""
    verdicts = (
        "decision about a doubtful change cannot"
        if len(unapplied) == 1
        else "decisions about doubtful changes cannot"
    )
    return f"{len(unapplied):,} {verdicts} be applied: {shown}{more}; cr doctor lists all"


def _announce(about: str) -> None:
    if sys.stderr.isatty():
        click.echo(f"indexing {about}", err=True)


def _watch(events: Iterable[Event], total: int, days: set[str]) -> Counter[str]:
    """Consume the events, showing a progress bar on a terminal, else a line each on stderr.

    Args:
        events: What happens to each document.
        total: The number of documents.
        days: Receives the dates of the editions added.
    """
    counts: Counter[str] = Counter()
    is_terminal = has_bar()
    problems: list[str] = []
    with click.progressbar(
        length=max(total, 1), label="building", file=unescaped(sys.stderr), hidden=not is_terminal
    ) as bar:
        for event in events:
            bar.update(1)
            if isinstance(event, Taken):
                days.add(event.effective)
            line = _line(event, counts)
            if isinstance(event, Refused):
                problems.append(line)
            elif line and not is_terminal:
                click.echo(line, err=True)
    for problem in problems:
        click.echo(problem, err=True)
    return counts


def _line(event: Event, counts: Counter[str]) -> str:
    """Count an event and return its line."""
    match event:
        case Taken():
            counts["taken"] += 1
            odd = "" if event.condition == "sound" else f", {event.condition}"
            counts["odd"] += bool(odd)
            return f"{event.effective}  {event.document.name}: {event.rules} rules{odd}"
        case Heard():
            counts["taken" if event.is_new else "again"] += 1
            verb = "announcements are confirmed" if event.kind == BULLETIN else "passages agree"
            agree = f", {event.matched} of {event.total} {verb}" if event.total else ""
            return f"{event.document.name}: {event.kind}{agree}"
        case Copied() | Doubted():
            return _warning(event, counts)
        case AlreadyKnown():
            counts["known"] += 1
            return ""
        case PassedOver():
            counts["passed over"] += 1
            return f"skipped: {event.error}"
        case Refused():
            counts["refused"] += 1
            counts["unreadable"] += event.error.exit_code == INPUT_OUTPUT
            return f"cr: {explained(event.error)}"


def _warning(event: Copied | Doubted, counts: Counter[str]) -> str:
    """Count a document that is not an edition, or has doubts; return the reason."""
    if isinstance(event, Copied):
        counts["copies" if event.is_new else "again"] += 1
        return f"{event.document.name}: {event.differs}"
    counts["one source"] += ONE_SOURCE in event.doubts
    doubts = [doubt for doubt in event.doubts if doubt != ONE_SOURCE]
    return f"{event.label}: {', '.join(doubts)}" if doubts else ""
