"""`cr kb accept`: accept a document as genuine, or revoke the decision."""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import click

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.build.build import Builder
from variorum.build.outcomes import Refused
from variorum.cli.options import kb_option, lines_option
from variorum.cli.printing import print_json
from variorum.documents.archive import Archive
from variorum.documents.decisions import Decision
from variorum.documents.find import Document
from variorum.errors import NotFoundError
from variorum.exit_codes import FINDINGS
from variorum.records.upkeep import AcceptedDocument
from variorum.stored_rows import BY_PERSON
from variorum.system.default_folders import DOCUMENTS, base_folder
from variorum.system.lock import locked
from variorum.text.counts import counted
from variorum_crawler.sync.crawl_state import CrawlState
from variorum_crawler.trust.quarantine import Quarantine

# Git uses the same length.
_LEAST = 4


@click.command(short_help="Accept a document as genuine, or revoke that.")
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
    folder = Path(base_folder(kb))
    if not sha:
        _list(folder, as_json=as_json)
        return
    now = datetime.now(UTC).isoformat(timespec="seconds")
    archive, quarantine = Archive(folder / DOCUMENTS), Quarantine(CrawlState(folder))
    sha256 = _find(sha, archive, [entry.sha256 for entry in quarantine])
    documents = [] if sha256 in archive else list(_released(quarantine, sha256))
    with locked(folder):
        archive = Archive(folder / DOCUMENTS)
        if not revoke:
            archive.decide(Decision(sha256, BY_PERSON, now))
        elif not archive.revoke(sha256, BY_PERSON):
            raise NotFoundError(f"{sha256[:12]}: has not been accepted")
        archive.save_manifest()
    refused = [
        event for event in Builder(folder, now).take_in(documents) if isinstance(event, Refused)
    ]
    for event in refused:
        click.echo(f"cr: {event.error}", err=True)
    if not refused:
        state = CrawlState(folder)  # a sync may have written it meanwhile
        Quarantine(state).release(sha256)
        state.save()
    answer = _said(folder, sha256)
    if as_json:
        print_json(answer, [answer])
    else:
        by = f"attested by {answer.attested}" if answer.attested else "one source"
        label = f"{answer.edition}, {by}" if answer.edition else "no edition of the base any more"
        click.echo(f"{sha256[:12]}: {label}")
    if refused:
        raise click.exceptions.Exit(FINDINGS)


def _list(folder: Path, *, as_json: bool) -> None:
    decisions = Archive(folder / DOCUMENTS).decisions()
    if as_json:
        print_json([decision.json() for decision in decisions])
        return
    for decision in decisions:
        by = (
            f"agreement of {', '.join(decision.publishers)}" if decision.publishers else decision.by
        )
        click.echo(f"{decision.sha256[:12]}  {decision.made}  {by}")
    click.echo(counted(len(decisions), "decision"))


def _find(begun: str, archive: Archive, quarantined: Iterable[str]) -> str:
    """Return the only hash in the base with this beginning.

    Raises:
        NotFoundError: There is no such hash, or more than one.
    """
    word = begun.strip().lower()
    kept: set[str] = {*archive, *quarantined}
    matches = sorted([sha256 for sha256 in kept if sha256.startswith(word)])
    if len(word) < _LEAST or not matches:
        raise NotFoundError(f"{begun}: no hash in the archive or the quarantine begins like this")
    if len(matches) > 1:
        raise NotFoundError(f"{begun}: {len(matches)} hashes begin like this; give more digits")
    return matches[0]


def _released(quarantine: Quarantine, sha256: str) -> Iterable[Document]:
    """Yield a document in quarantine, once for each address that served it."""
    entry, data = quarantine.get(sha256), quarantine.load(sha256)
    if entry is None or data is None:
        raise NotFoundError(f"{sha256[:12]}: its bytes in quarantine are missing or damaged")
    for received in entry.received:
        yield Document(
            received.name, received.address, data, is_named=True, headers=received.headers
        )


def _said(folder: Path, sha256: str) -> AcceptedDocument:
    with KnowledgeBase.open(folder) as base:
        entry = next((edition for edition in base.editions if edition.sha256 == sha256), None)
    return AcceptedDocument(
        sha256=sha256,
        edition=None if entry is None else entry.label,
        attested=None if entry is None else entry.as_json().attested,
    )
