"""`cr kb`: the documents of the knowledge base, listed or accepted, its cards and its schemas."""

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import click

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.build.build import Builder
from variorum.cli import command as opts
from variorum.cli.editions import schema
from variorum.cli.layout import print_note
from variorum.cli.search import cards
from variorum.documents.archive import MANIFEST, Archive
from variorum.documents.find import Document
from variorum.errors import FINDINGS, ArchiveError, NotFoundError
from variorum.files import locked
from variorum.paths import DOCUMENTS, base_folder
from variorum.records.upkeep import AcceptedDocument, ArchiveContents, KeptDocument, TrustDecision
from variorum.rows import BY_PERSON
from variorum.text import counted
from variorum_crawler.seen import ACCEPTED, CRAWL, QUARANTINED, SeenTable

# The least digits that name a hash; Git uses the same length.
_LEAST = 4


@click.group()
def kb() -> None:
    """Manage the knowledge base: its cards, its documents, and the schemas of its answers.

    cr kb cards AtomicCards.json.gz
    cr kb documents
    cr kb accept
    cr kb schema history
    """


cards.short_help = "Add cards for cr ask and cr card."
schema.short_help = "Print the JSON Schema of an answer."


@opts.command(is_alone=True)
def documents(o: SimpleNamespace) -> opts.Answer:
    """List the original documents: hash, name, address, and the day each was added.

    To compare each with its hash, run cr doctor. To take them elsewhere, copy the folder documents/
    of the knowledge base: it is all that cr build needs.

    cr kb documents

    --json --jsonl --kb
    """
    folder = base_folder(o.kb) / DOCUMENTS
    if not folder.is_dir() and not (folder.parent / CRAWL).is_dir():
        raise ArchiveError(folder, "no archive; cr sync or cr build PATH creates one")
    try:
        kept = Archive(folder)
    except ArchiveError as error:
        reason = f"{error.reason}; remove {MANIFEST} and run cr build, which writes it anew"
        raise ArchiveError(error.path, reason) from None
    listed = [KeptDocument(sha256=sha256, sources=list(kept.sources(sha256))) for sha256 in kept]
    return opts.Answer(
        ArchiveContents(documents=listed),
        [
            f"{document.sha256[:12]}  {source.added[:10]}  {source.name}  {source.address}"
            for document in listed
            for source in document.sources
        ],
        listed,
    )


@opts.command(click.Argument(["sha"], default=""), is_alone=True)
def accept(o: SimpleNamespace) -> opts.Answer:
    """Accept the document whose hash begins with SHA as a genuine edition.

    The document may be an edition with one source, a copy, or a document in quarantine. An accepted
    text counts as an edition of its date, beside other attested texts. The archive's manifest
    records the decision. Without SHA, list all decisions.

    cr kb accept                      list accepted texts: yours, and those that publishers agree on
    cr kb accept 0a1b2c3d             accept it; cr editions --copies shows hashes
    cr kb accept --revoke 0a1b2c3d    withdraw that

    --revoke  Withdraw an earlier decision.
    --json --jsonl --kb
    """
    folder = base_folder(o.kb)
    if not o.sha:
        decisions = Archive(folder / DOCUMENTS).decisions()
        return opts.Answer(decisions, _decision_lines(decisions))
    sha256, is_refused = _decide(folder, o.sha, is_revoked=o.revoke)
    with KnowledgeBase.open(folder) as base:
        entry = next((edition for edition in base.editions if edition.sha256 == sha256), None)
    label = entry and entry.label
    attested = entry and entry.summary.attested
    answer = AcceptedDocument(sha256=sha256, edition=label, attested=attested)
    by = f"attested by {attested}" if attested else "one source"
    line = f"{label}, {by}" if label else "no edition of the base any more"
    code = FINDINGS if is_refused else 0
    return opts.Answer(answer, [f"{sha256[:12]}: {line}"], [answer], code)


def _decide(folder: Path, begun: str, *, is_revoked: bool) -> tuple[str, bool]:
    """Write a decision and build; return the whole hash, and whether the document was refused."""
    now = opts.now_words()
    with contextlib.closing(SeenTable(folder)) as seen:
        quarantined = [row for row in seen if row.state == QUARANTINED]
        kept = {*Archive(folder / DOCUMENTS), *(row.sha256 for row in quarantined)}
        sha256 = _find(begun, kept)
        released = [row for row in quarantined if row.sha256 == sha256]
        data = seen.load(sha256)
        if released and data is None:
            raise NotFoundError(f"{sha256[:12]}: its bytes in quarantine are missing or damaged")
        documents = [
            Document(
                row.name,
                row.address,
                data or b"",
                is_named=True,
                headers=tuple(sorted(row.headers.items())),
            )
            for row in released
        ]
        with locked(folder):
            archive = Archive(folder / DOCUMENTS)
            if not is_revoked:
                archive.decide(TrustDecision(sha256, BY_PERSON, now))
            elif not archive.revoke(sha256, BY_PERSON):
                raise NotFoundError(f"{sha256[:12]}: has not been accepted")
            archive.save_manifest()
        events = list(Builder(folder, now).take_in(documents))
        refused = [event.error for event in events if event.kind == "refused"]
        for row in released if not refused else ():
            seen.put(replace(row, state=ACCEPTED, reason=""))
    for error in refused:
        print_note(error)
    return sha256, bool(refused)


def _decision_lines(decisions: list[TrustDecision]) -> Iterator[str]:
    for decision in decisions:
        agreed = f"agreement of {', '.join(decision.publishers or ())}"
        by = agreed if decision.publishers else decision.by
        yield f"{decision.sha256[:12]}  {decision.made}  {by}"
    yield counted(len(decisions), "decision")


def _find(begun: str, kept: Iterable[str]) -> str:
    """Return the only hash with this beginning."""
    word = begun.strip().lower()
    matches = sorted([sha256 for sha256 in kept if sha256.startswith(word)])
    if len(word) < _LEAST or not matches:
        raise NotFoundError(f"{begun}: no hash in the archive or the quarantine begins like this")
    if len(matches) > 1:
        raise NotFoundError(f"{begun}: {len(matches)} hashes begin like this; give more digits")
    return matches[0]


for command in (cards, schema, documents, accept):
    kb.add_command(command)
