"""`cr kb`: the documents of the knowledge base, listed or accepted, its cards and its schemas."""

import contextlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from types import SimpleNamespace

import click

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.build.build import Builder
from variorum.cli import command as opts
from variorum.cli.editions import schema
from variorum.cli.search import cards
from variorum.cli.wording import print_note
from variorum.documents.archive import Archive
from variorum.errors import FINDINGS, BaseError, NoBaseError, NotFoundError
from variorum.files import DOCUMENTS, base_folder, locked
from variorum.records.upkeep import AcceptedDocument, KeptDocument, TrustDecision
from variorum.rows import BY_PERSON
from variorum.text import counted
from variorum_crawler.seen import ACCEPTED, QUARANTINED, SeenTable

_LEAST = 4  # digits that name a hash, as in Git


@click.group()
def kb() -> None:
    """Manage the knowledge base: its cards, its documents, and the schemas of its answers.

    cr kb cards AtomicCards.json.gz
    cr kb documents
    cr kb schema history
    """


cards.short_help = "Add cards for cr search and cr card."
schema.short_help = "Print the JSON Schema of an answer."


@opts.command("[WORDS]...", is_alone=True)
def documents(o: SimpleNamespace) -> opts.Answer:
    """List the original documents: hash, day, kind, name and address; those whose line has WORDS.

    The folder documents/ of the base is all that cr build needs; cr doctor compares it with the hashes.

    cr kb documents 2009    all of a year, also bulletin, Word, a part of a name

    --json --jsonl --kb
    """
    folder, words = base_folder(o.kb), " ".join(o.words)
    if not (archive := folder / DOCUMENTS).is_dir():
        raise NoBaseError(archive, "no archive", "cr sync or cr build PATH creates one")
    listed, lines, known = list[KeptDocument](), list[str](), dict[str, tuple[str, str]]()
    with contextlib.suppress(BaseError), KnowledgeBase.open(folder) as base:
        known = {it.sha256: (it.dated or it.from_ or "", it.kind) for it in base.witnesses.all}
        known |= {it.sha256: (it.label, "edition") for it in base.editions}
    kept = Archive(archive).sources
    for sha in sorted(kept, key=lambda it: known.get(it, ("",))):
        day, kind = known.get(sha, ("", "unread"))
        ends = [f"{it.name}  {it.address}" for it in kept[sha]] or ["of an unknown source"]
        rows = [f"{sha[:12]}  {day:<12}  {kind:<10}  {end}" for end in ends]
        if re.search(rf"(?<!\d){re.escape(words)}", "\n".join(rows), re.IGNORECASE):
            listed.append(KeptDocument(sha, kept[sha]))
            lines += rows
    return opts.Answer({"documents": listed}, lines or ["no documents"], listed)


@opts.command(click.Argument(["sha"], default=""), is_alone=True)
def accept(o: SimpleNamespace) -> opts.Answer:
    """Accept the document with the hash SHA as a genuine edition.

    The document may be an edition with one source, a copy, or a document in quarantine. An accepted
    text counts as an edition of its date, beside other attested texts. The archive's manifest
    records the decision. The beginning of SHA is enough; without it, list all decisions.

    cr kb accept                      list accepted texts: yours, and those that publishers agree on
    cr kb accept 0a1b2c3d             accept it; cr editions --copies shows hashes
    cr kb accept --revoke 0a1b2c3d    withdraw that

    --revoke  Withdraw an earlier decision.
    --json --jsonl --kb
    """
    folder, now = base_folder(o.kb), opts.now_words()
    if not o.sha:
        decided = Archive(folder / DOCUMENTS).decisions
        decisions = [decided[key] for key in sorted(decided)]
        return opts.Answer(decisions, _decision_lines(decisions))
    seen = SeenTable(folder)
    waiting = {row.sha256 for row in seen if row.state == QUARANTINED and seen.load(row.sha256)}
    sha256 = _find(o.sha, waiting.union(Archive(folder / DOCUMENTS).sources))
    released, data = seen.of(sha256) if sha256 in waiting else [], seen.load(sha256) or b""
    with locked(folder):
        archive = Archive(folder / DOCUMENTS)
        if not o.revoke:
            archive.decide(TrustDecision(sha256, BY_PERSON, now))
        elif not archive.decisions.pop((sha256, BY_PERSON), None):
            raise NotFoundError(f"{sha256[:12]}: has not been accepted")
        archive.save_manifest()
    documents = [row.document(data, is_named=True) for row in released]
    events = [*Builder(folder, now).build(documents=documents)]
    refused = [event.error for event in events if event.kind == "refused"]
    if released and not refused:
        SeenTable(folder).put(*[replace(row, state=ACCEPTED, reason="") for row in released])
    for error in refused:
        print_note(error)
    with KnowledgeBase.open(folder) as base:
        entry = next((edition for edition in base.editions if edition.sha256 == sha256), None)
    label, attested = (entry.label, entry.attested or None) if entry else (None, None)
    answer = AcceptedDocument(sha256=sha256, edition=label, attested=attested)
    by = f"attested by {attested}" if attested else "one source"
    line = f"{label}, {by}" if label else "no edition of the base any more"
    code = FINDINGS if refused else 0
    return opts.Answer(answer, [f"{sha256[:12]}: {line}"], [answer], code)


def _decision_lines(decisions: list[TrustDecision]) -> Iterator[str]:
    for decision in decisions:
        agreed = f"agreement of {', '.join(decision.publishers or ())}"
        by = agreed if decision.publishers else decision.by
        yield f"{decision.sha256[:12]}  {decision.made}  {by}"
    yield counted(len(decisions), "decision")


def _find(begun: str, kept: Iterable[str]) -> str:
    matches = [sha256 for sha256 in kept if sha256.startswith(begun.strip().lower())]
    if len(begun.strip()) < _LEAST or len(matches) != 1:
        count = f"{len(matches) or 'no'} documents of the archive or the quarantine begin like this"
        raise NotFoundError(f"{begun}: {count}; give {_LEAST} digits or more of one hash")
    return matches[0]


for command in (cards, schema, documents, accept):
    kb.add_command(command)
