"""`cr kb`: the original documents of the knowledge base, checked, listed, exported or accepted."""

import contextlib
import re
import stat
import zipfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import click

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.build.build import Builder
from variorum.build.outcomes import Refused
from variorum.cli.cards import cards
from variorum.cli.command import NamedPath, kb_option, lines_option
from variorum.cli.editions import schema
from variorum.cli.layout import print_json
from variorum.documents.archive import MANIFEST, Archive
from variorum.documents.find import Document
from variorum.errors import FINDINGS, ArchiveError, NotFoundError
from variorum.files import json_bytes, locked, replaced
from variorum.paths import DOCUMENTS, base_folder
from variorum.records.upkeep import (
    AcceptedDocument,
    ArchiveCheck,
    ArchiveContents,
    DamagedFile,
    KeptDocument,
    TrustDecision,
)
from variorum.stored_rows import BY_PERSON
from variorum.text import counted
from variorum_crawler.seen import CRAWL, KEPT, QUARANTINED, SeenTable

# The least digits that name a hash; Git uses the same length.
_LEAST = 4
# This member of a ZIP lists where each document was fetched. It is hidden, so `cr build` skips it.
_PROVENANCE = ".manifest.json"
# The type and the permissions of a member, in the upper half of its attributes.
_FILE = (stat.S_IFREG | 0o644) << 16
_UNIX = 3
_ODD = re.compile(r"[^\w.,()+ -]+", re.ASCII)


@click.group()
def kb() -> None:
    """Manage the knowledge base: its cards, its documents, and the schemas of its answers.

    cr kb cards AtomicCards.json.gz
    cr kb documents list
    cr kb accept
    cr kb schema history
    """


cards.short_help = "Add cards for cr ask and cr card."
schema.short_help = "Print the JSON Schema of an answer."
kb.add_command(cards)
kb.add_command(schema)


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
    kept = _open(kb)
    problems = [*kept.find_damage()]
    if as_json:
        damage = [DamagedFile(file=str(problem.path), what=problem.reason) for problem in problems]
        print_json(ArchiveCheck(documents=len(kept), problems=damage), damage)
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
    kept = _open(kb)
    _export(kept, file)
    click.echo(f"{file}: {counted(len(kept), 'document')}, {file.stat().st_size:,} bytes")


@documents.command("list", short_help="List all documents.")
@lines_option
@kb_option
def list_(*, kb: Path | None, as_json: bool) -> None:
    """List the documents: hash, name, address, and the day each was added.

    \b
    cr kb documents list
    """  # noqa: D301 - click reads \b
    kept = _open(kb)
    listed = [KeptDocument(sha256=sha256, sources=list(kept.sources(sha256))) for sha256 in kept]
    if as_json:
        print_json(ArchiveContents(documents=listed), listed)
        return
    for sha256 in kept:
        for source in kept.sources(sha256):
            click.echo(f"{sha256[:12]}  {source.added[:10]}  {source.name}  {source.address}")


def _open(kb: Path | None) -> Archive:
    """Open the archive of a base."""
    folder = base_folder(kb) / DOCUMENTS
    if not folder.is_dir() and not (folder.parent / CRAWL).is_dir():
        raise ArchiveError(folder, "no archive; cr sync or cr build PATH creates one")
    try:
        return Archive(folder)
    except ArchiveError as error:
        reason = f"{error.reason}; remove {MANIFEST} and run cr build, which writes it anew"
        raise ArchiveError(error.path, reason) from None


def _export(archive: Archive, path: Path) -> None:
    """Write all documents into one ZIP, or none."""
    plain = {sha256: _plain_name(archive, sha256) for sha256 in archive}
    taken = Counter([name.lower() for name in plain.values()])
    names = {
        sha256: name if name and taken[name.lower()] == 1 else f"{sha256[:12]}-{name}"
        for sha256, name in plain.items()
    }
    documents = [
        {
            "sha256": sha256,
            "member": name,
            "sources": [source.as_json() for source in archive.sources(sha256)],
        }
        for sha256, name in names.items()
    ]
    with replaced(path) as beside, zipfile.ZipFile(beside, "w") as packed:
        _write(packed, _PROVENANCE, json_bytes({"documents": documents}))
        for sha256, name in names.items():
            _write(packed, name, archive.load(sha256))


def _plain_name(archive: Archive, sha256: str) -> str:
    """Return the first name of a document, in a form for every file system."""
    first = next((source.name for source in archive.sources(sha256)), "")
    return _ODD.sub("_", first).strip(" .")[-150:]


def _write(packed: zipfile.ZipFile, name: str, data: bytes) -> None:
    member = zipfile.ZipInfo(name)  # without a date, so that equal archives are equal files
    member.compress_type = zipfile.ZIP_DEFLATED
    member.external_attr, member.create_system = _FILE, _UNIX
    packed.writestr(member, data)


@kb.command(short_help="Accept a document as genuine, or revoke that.")
@click.argument("sha", required=False, default="")
@click.option("--revoke", is_flag=True, help="Withdraw an earlier decision.")
@lines_option
@kb_option
def accept(sha: str, *, revoke: bool, as_json: bool, kb: Path | None) -> None:
    """Accept the document whose hash begins with SHA as a genuine edition.

    The document may be an edition with one source, a copy, or a document in quarantine. An accepted
    text counts as an edition of its date, beside other attested texts. The archive's manifest
    records the decision. Without SHA, list all decisions.

    \b
    cr kb accept                      list accepted texts: yours, and those that publishers agree on
    cr kb accept 0a1b2c3d             accept it; cr editions --copies shows hashes
    cr kb accept --revoke 0a1b2c3d    withdraw that
    """  # noqa: D301 - click reads \b
    folder = base_folder(kb)
    if not sha:
        _list_decisions(folder, as_json=as_json)
        return
    now = datetime.now(UTC).isoformat(timespec="seconds")
    with contextlib.closing(SeenTable(folder)) as seen:
        quarantined = [row for row in seen if row.state == QUARANTINED]
        kept = {*Archive(folder / DOCUMENTS), *(row.sha256 for row in quarantined)}
        sha256 = _find(sha, kept)
        released = [row for row in quarantined if row.sha256 == sha256]
        data = seen.load(sha256)
        if released and data is None:
            raise NotFoundError(f"{sha256[:12]}: its bytes in quarantine are missing or damaged")
        documents = [
            Document(row.name, row.address, data or b"", is_named=True, headers=row.headers)
            for row in released
        ]
        with locked(folder):
            archive = Archive(folder / DOCUMENTS)
            if not revoke:
                archive.decide(TrustDecision(sha256, BY_PERSON, now))
            elif not archive.revoke(sha256, BY_PERSON):
                raise NotFoundError(f"{sha256[:12]}: has not been accepted")
            archive.save_manifest()
        events = list(Builder(folder, now).take_in(documents))
        refused = [event.error for event in events if isinstance(event, Refused)]
        for row in released if not refused else ():
            seen.put(replace(row, state=KEPT, reason=""))
    for error in refused:
        click.echo(f"cr: {error}", err=True)
    with KnowledgeBase.open(folder) as base:
        entry = next((edition for edition in base.editions if edition.sha256 == sha256), None)
    if as_json:
        answer = AcceptedDocument(
            sha256=sha256,
            edition=None if entry is None else entry.label,
            attested=None if entry is None else entry.summary.attested,
        )
        print_json(answer, [answer])
    elif entry is None:
        click.echo(f"{sha256[:12]}: no edition of the base any more")
    else:
        by = f"attested by {entry.summary.attested}" if entry.summary.attested else "one source"
        click.echo(f"{sha256[:12]}: {entry.label}, {by}")
    if refused:
        raise click.exceptions.Exit(FINDINGS)


def _list_decisions(folder: Path, *, as_json: bool) -> None:
    decisions = Archive(folder / DOCUMENTS).decisions()
    if as_json:
        print_json(decisions)
        return
    for decision in decisions:
        agreed = f"agreement of {', '.join(decision.publishers or ())}"
        by = agreed if decision.publishers else decision.by
        click.echo(f"{decision.sha256[:12]}  {decision.made}  {by}")
    click.echo(counted(len(decisions), "decision"))


def _find(begun: str, kept: Iterable[str]) -> str:
    """Return the only hash with this beginning."""
    word = begun.strip().lower()
    matches = sorted([sha256 for sha256 in kept if sha256.startswith(word)])
    if len(word) < _LEAST or not matches:
        raise NotFoundError(f"{begun}: no hash in the archive or the quarantine begins like this")
    if len(matches) > 1:
        raise NotFoundError(f"{begun}: {len(matches)} hashes begin like this; give more digits")
    return matches[0]
