"""`cr accept`: believe a document, or take that back."""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import click

from variorum_crawler.trust.quarantine import Quarantine
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.build.build import Builder
from variorum_kb.build.outcomes import Refused
from variorum_kb.cli.failures import FINDINGS
from variorum_kb.cli.options import kb_option, lines_option, print_json
from variorum_kb.documents.archive import Archive
from variorum_kb.documents.decisions import Decision
from variorum_kb.documents.find import Document
from variorum_kb.errors import NotFoundError
from variorum_kb.forms.upkeep import AcceptedJson
from variorum_kb.rows import BY_PERSON
from variorum_kb.system.default_folders import DOCUMENTS, base_folder
from variorum_kb.system.lock import locked
from variorum_kb.text.counts import counted

# As git does.
_LEAST = 4


@click.command()
@click.argument("sha", required=False, default="")
@click.option("--revoke", is_flag=True, help="Withdraw an earlier decision.")
@lines_option
@kb_option
def accept(sha: str, *, revoke: bool, as_json: bool, kb: Path | None) -> None:
    """Accept the document whose hash begins with SHA as an edition as published.

    The document may be an edition with one source, a copy, or a document in quarantine. An accepted
    text is an issue of its date, beside other attested ones. The archive's manifest records the
    decision. Without SHA, list all decisions.

    \b
    cr accept                      list decisions, yours and those of publishers who agree
    cr accept 0a1b2c3d             accept it; cr editions --copies shows hashes
    cr accept --revoke 0a1b2c3d    withdraw that
    """  # noqa: D301 - click reads \b
    folder = Path(kb or base_folder())
    if not sha:
        _list(folder, as_json=as_json)
        return
    now = datetime.now(UTC).isoformat(timespec="seconds")
    archive, quarantine = Archive(folder / DOCUMENTS), Quarantine(folder)
    found = _find(sha, archive, [one.sha256 for one in quarantine])
    documents = [] if found in archive else list(_released(quarantine, found))
    with locked(folder):
        archive = Archive(folder / DOCUMENTS)
        if not revoke:
            archive.decide(Decision(found, BY_PERSON, now))
        elif not archive.revoke(found, BY_PERSON):
            raise NotFoundError(f"{found[:12]}: nobody accepted it")
        archive.save_manifest()
    refused = [one for one in Builder(folder, now).take_in(documents) if isinstance(one, Refused)]
    for one in refused:
        click.echo(f"cr: {one.error}", err=True)
    if not refused:
        Quarantine(folder).release(found)
    said = _said(folder, found)
    if as_json:
        print_json(said, [said])
    else:
        by = f"attested by {said['attested']}" if said["attested"] else "one source"
        label = f"{said['edition']}, {by}" if said["edition"] else "no edition of the base any more"
        click.echo(f"{found[:12]}: {label}")
    if refused:
        raise click.exceptions.Exit(FINDINGS)


def _list(folder: Path, *, as_json: bool) -> None:
    found = Archive(folder / DOCUMENTS).decisions()
    if as_json:
        print_json([one.json() for one in found])
        return
    for one in found:
        by = f"agreement of {', '.join(one.publishers)}" if one.publishers else one.by
        click.echo(f"{one.sha256[:12]}  {one.made}  {by}")
    click.echo(counted(len(found), "decision"))


def _find(begun: str, archive: Archive, quarantined: Iterable[str]) -> str:
    """Return the only hash that begins so, of what the base keeps.

    Raises:
        NotFoundError: There is none, or more than one.
    """
    word = begun.strip().lower()
    kept: set[str] = {*archive, *quarantined}
    found = sorted([one for one in kept if one.startswith(word)])
    if len(word) < _LEAST or not found:
        raise NotFoundError(f"{begun}: no document of the archive or the quarantine begins so")
    if len(found) > 1:
        raise NotFoundError(f"{begun}: {len(found)} documents begin so; give more of the hash")
    return found[0]


def _released(quarantine: Quarantine, sha256: str) -> Iterable[Document]:
    """Yield a document in quarantine, once for each address that gave it."""
    entry, data = quarantine.get(sha256), quarantine.load(sha256)
    if entry is None or data is None:
        raise NotFoundError(f"{sha256[:12]}: its bytes in quarantine are missing or damaged")
    for one in entry.received:
        yield Document(one.name, one.address, data, is_named=True, headers=one.headers)


def _said(folder: Path, sha256: str) -> AcceptedJson:
    with KnowledgeBase.open(folder) as base:
        entry = next((one for one in base.editions if one.sha256 == sha256), None)
    return {
        "sha256": sha256,
        "edition": None if entry is None else entry.label,
        "attested": None if entry is None else entry.as_json()["attested"],
    }
