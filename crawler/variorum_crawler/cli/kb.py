"""`cr kb`: the original documents of the knowledge base, checked, listed, exported or accepted."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import click

from variorum.cli.arguments import NamedPath
from variorum.cli.options import kb_option, lines_option
from variorum.cli.printing import print_json
from variorum.documents.archive import MANIFEST, Archive
from variorum.errors import ArchiveError
from variorum.exit_codes import FINDINGS
from variorum.records.upkeep import ArchiveCheck, ArchiveContents, DamagedFile, KeptDocument
from variorum.system.default_folders import DOCUMENTS, base_folder
from variorum.system.terminal import has_bar, unescaped
from variorum.text.counts import counted
from variorum_crawler.cli.accept import accept
from variorum_crawler.sync.crawl_state import CRAWL, Incoming

_One = TypeVar("_One")


@click.group()
def kb() -> None:
    """Check, list, export or accept the documents that the knowledge base keeps.

    \b
    cr kb documents list
    cr kb accept
    """  # noqa: D301 - click reads \b


kb.add_command(accept)


@kb.group(short_help="Check, list or export the original documents.")
def documents() -> None:
    """Check, list or export the original documents that the knowledge base keeps.

    \b
    cr kb documents list
    cr kb documents verify
    cr kb documents export rules.zip
    """  # noqa: D301 - click reads \b


@documents.command(short_help="Compare every document with its hash.")
@lines_option
@kb_option
def verify(*, kb: Path | None, as_json: bool) -> None:
    """Compare every document with its hash; find missing and unknown files.

    Each problem is one line, and the exit code is 1. Nothing is changed. The next cr sync fetches
    missing and damaged documents again if they are still published.

    \b
    cr kb documents verify
    """  # noqa: D301 - click reads \b
    kept, is_waiting = _open(kb), Incoming(Path(base_folder(kb))).is_there
    damaged = _watch(kept.find_damage(is_cut_short=is_waiting), len(kept), "verifying")
    problems = [problem for problem in damaged if problem is not None]
    if as_json:
        damage: list[DamagedFile] = [
            DamagedFile(file=str(problem.path), what=problem.reason) for problem in problems
        ]
        checked: ArchiveCheck = ArchiveCheck(documents=len(kept), problems=damage)
        print_json(checked, damage)
    else:
        for problem in problems:
            click.echo(str(problem))
        summary = counted(len(problems), "problem") if problems else "nothing wrong"
        click.echo(f"{counted(len(kept), 'document')}: {summary}")
    if problems:
        raise click.exceptions.Exit(FINDINGS)


@documents.command(short_help="Write all documents into a ZIP.")
@click.argument("file", type=NamedPath())
@kb_option
def export(file: Path, *, kb: Path | None) -> None:
    """Write all documents into FILE, a ZIP that cr build takes.

    The same documents from the same places give an identical ZIP. An existing FILE is replaced.

    \b
    cr kb documents export rules.zip
    cr build rules.zip --kb elsewhere    the same knowledge base
    """  # noqa: D301 - click reads \b
    from variorum_crawler import archive_export

    kept = _open(kb)
    written = len(list(_watch(archive_export.export(kept, file), len(kept), "exporting")))
    click.echo(f"{file}: {counted(written, 'document')}, {file.stat().st_size:,} bytes")


@documents.command("list", short_help="List all documents.")
@lines_option
@kb_option
def list_(*, kb: Path | None, as_json: bool) -> None:
    """List the documents: hash, name, address, and the day each was added.

    \b
    cr kb documents list
    """  # noqa: D301 - click reads \b
    kept = _open(kb)
    listed: list[KeptDocument] = [
        KeptDocument(sha256=sha256, sources=[source.json() for source in kept.sources(sha256)])
        for sha256 in kept
    ]
    if as_json:
        answer: ArchiveContents = ArchiveContents(documents=listed)
        print_json(answer, listed)
        return
    for sha256 in kept:
        for source in kept.sources(sha256):
            click.echo(f"{sha256[:12]}  {source.added[:10]}  {source.name}  {source.address}")


def _open(kb: Path | None) -> Archive:
    """Open the archive of a base.

    Raises:
        ArchiveError: The archive is missing, or its manifest is damaged.
    """
    folder = Path(base_folder(kb)) / DOCUMENTS
    if not folder.is_dir() and not (folder.parent / CRAWL).is_dir():
        raise ArchiveError(folder, "no archive; cr sync or cr build PATH creates one")
    try:
        return Archive(folder)
    except ArchiveError as error:
        reason = f"{error.reason}; remove {MANIFEST} and run cr build, which writes it anew"
        raise ArchiveError(error.path, reason) from None


def _watch(steps: Iterable[_One], length: int, label: str) -> Iterator[_One]:
    """Yield the steps; show a progress bar on a terminal."""
    with click.progressbar(
        length=max(length, 1), label=label, file=unescaped(sys.stderr), hidden=not has_bar()
    ) as bar:
        for step in steps:
            bar.update(1)
            yield step
