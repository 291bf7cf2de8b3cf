"""Add documents that are not editions to a knowledge base.

A build collects them while it reads documents. When the new file has all editions, the build
compares each document with them and stores the result in the same file. An original attests the
text of its date; if there is no text, the original is the edition.
"""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.build.outcomes import Copied, Event, Heard, Refused, Taken, not_taken
from variorum.build.workers import Rows, read_one
from variorum.documents.archive import Archive
from variorum.documents.find import Document
from variorum.errors import ArchiveError, CostlyError, DocumentError, LayoutError
from variorum.model import Condition
from variorum.reading.paragraphs import ORIGINALS
from variorum.store.merger import Merger
from variorum.store.reader import Reader
from variorum.store.witnesses import WitnessRows, load_witnesses
from variorum.stored_rows import COPY, ORIGINAL, WitnessRow
from variorum.system.resource_limits import limited
from variorum.witnesses.read import SECONDS

if TYPE_CHECKING:  # the comparison takes longer to import than most builds take
    from variorum.witnesses.compare import Comparer

# Formats of originals, the one that loses least first. If a date has only originals, the first of
# these is the edition.
_BEST = ("docx", "rtf", "pdf")

# The most bytes of waiting documents in memory; the 23 real documents have 9 MB.
_MOST_WAITING = 256 * 2**20

Keep = Callable[[Document], None]


@dataclass(slots=True)
class Waiting:
    """A document that waits to be compared with the editions.

    Attributes:
        documents: All documents with the same bytes.
        rows: The rows of an original or a copy; None for other documents.
        is_kept: Whether the archive has it already.
        copy_of: The day of the edition that a copy is compared with; "" for other documents.
    """

    documents: list[Document]
    rows: Rows | None
    is_kept: bool
    copy_of: str = ""


@dataclass(slots=True)
class WitnessBuild:
    """Compares documents that are not editions with the editions of a build.

    Attributes:
        archive: The archive of the base.
        meta: The content of the table `meta` in the new file.
        waiting: The documents to compare, by hash.
        known: The witnesses of the old file, by hash.
        editions: The hashes of the old file's editions, in order.
        is_by_same_program: Whether this version of the program wrote the old file.
        events: What happened to each document that waited.
    """

    archive: Archive
    meta: Mapping[str, str]
    waiting: dict[str, Waiting] = field(default_factory=dict[str, Waiting])
    known: dict[str, WitnessRows] = field(default_factory=dict[str, WitnessRows])
    editions: list[str] = field(default_factory=list[str])
    is_by_same_program: bool = False
    events: list[Event] = field(default_factory=list[Event])

    def take_over(self, reader: Reader) -> None:
        """Read the witnesses of the old file.

        Raises:
            BaseError: The file is damaged; nothing is taken over.
        """
        self.known = {witness.sha256: witness for witness in load_witnesses(reader)}
        rows = reader.query("SELECT sha256 FROM edition ORDER BY id")
        self.editions = [str(sha256) for (sha256,) in rows]
        self.is_by_same_program = reader.facts() == self.meta

    def drop_unkept(self) -> Iterator[str]:
        """Remove witnesses that the archive no longer has; yield their hashes."""
        for sha256 in [
            witness_hash for witness_hash in self.known if witness_hash not in self.archive
        ]:
            del self.known[sha256]
            yield sha256

    def wait(self, sha256: str, document: Document, rows: Rows | None = None) -> None:
        """Add a document to those that wait for the editions."""
        if sha256 in self.waiting:
            self.waiting[sha256].documents.append(document)
        elif self._held() + len(document.data) > _MOST_WAITING:
            reason = f"over {_MOST_WAITING >> 20} MB of documents other than editions; build some of them first"
            self.events.append(not_taken(document, CostlyError(reason, document.origin)))
        else:
            is_kept = sha256 in self.archive
            self.waiting[sha256] = Waiting([document], rows, is_kept)

    def _held(self) -> int:
        """Return how many bytes wait."""
        return sum([len(waiting.documents[0].data) for waiting in self.waiting.values()])

    # Originals -----------------------------------------------------------------------------------

    def settle_originals(self, merger: Merger, keep: Keep) -> Iterator[Event]:
        """Decide which originals are editions themselves; the others keep waiting.

        Args:
            merger: Has all editions that were read.
            keep: Puts a document into the archive.
        """
        texts = {
            edition.columns.effective
            for edition in merger.editions
            if edition.columns.layout not in ORIGINALS
        }
        waiting = [entry.rows[0] for entry in self.waiting.values() if entry.rows]
        rivals = texts | {row.effective for row in waiting if row.layout in ORIGINALS}
        held: set[str] = set()
        for edition in [
            candidate for candidate in merger.editions if candidate.columns.layout in ORIGINALS
        ]:
            if edition.columns.effective in rivals:
                states = merger.states()
                merger.editions.remove(edition)
                sha256 = edition.columns.sha256
                held.add(sha256)
                rows = (edition.columns, [states[state] for state in edition.states])
                self.waiting[sha256] = Waiting([archived(self.archive, sha256)], rows, is_kept=True)
        for sha256, original, rows in self._best_originals(texts):
            del self.waiting[sha256]
            merger.add(*rows)
            if sha256 not in held:
                for document in () if original.is_kept else original.documents:
                    keep(document)
                yield taken(original.documents[0], rows)

    def _best_originals(self, texts: set[str]) -> list[tuple[str, Waiting, Rows]]:
        """Return, for each date without a text, the original that is the edition."""
        best: dict[str, tuple[tuple[int, int, str], Waiting, Rows]] = {}
        for sha256, waiting in sorted(self.waiting.items()):
            if (
                waiting.rows is None
                or waiting.copy_of
                or (day := waiting.rows[0].effective) in texts
            ):
                continue
            columns = waiting.rows[0]
            rank = (Condition(columns.condition).rank, _BEST.index(columns.layout), sha256)
            if day not in best or rank < best[day][0]:
                best[day] = (rank, waiting, waiting.rows)
        return [(sha256, waiting, rows) for (_, _, sha256), waiting, rows in best.values()]

    def orphans(self, merger: Merger) -> list[str]:
        """Remove originals whose date no longer has a text; return their hashes."""
        days = {edition.columns.effective for edition in merger.editions}
        orphaned = [
            sha256
            for sha256, witness in self.known.items()
            if witness.row.kind.startswith(ORIGINAL) and witness.row.dated not in days
        ]
        for sha256 in orphaned:
            del self.known[sha256]
        return orphaned

    # Comparing -----------------------------------------------------------------------------------

    def are_current(self, merger: Merger) -> bool:
        """Return whether the stored comparison is current."""
        return not self.waiting and (not self.known or self._is_same(merger))

    def _is_same(self, merger: Merger) -> bool:
        """Return whether this program compared the known witnesses with exactly these editions."""
        editions = [edition.columns.sha256 for edition in merger.in_order()]
        return self.is_by_same_program and self.editions == editions

    def attest(self, path: Path, merger: Merger, keep: Keep) -> list[WitnessRows]:
        """Compare documents with the editions of a file; add to `events`.

        If an edition came or went, the known witnesses are compared again.

        Args:
            path: A file with all editions, and no witness yet.
            merger: The editions.
            keep: Puts a document into the archive.
        """
        if not merger.editions:
            self.refuse_all()
            return []
        is_same = self._is_same(merger)
        again = (
            [] if is_same else [row for sha, row in self.known.items() if sha not in self.waiting]
        )
        for witness in again:
            self._wait_again(witness)
        rows = list(self.known.values()) if is_same else []
        if not self.waiting:
            return rows
        from variorum.witnesses.compare import Comparer  # noqa: PLC0415 - imported on first use

        with contextlib.closing(Reader(path, is_trusted=True)) as reader:
            comparer = Comparer(KnowledgeBase(reader))
            for sha256, waiting in sorted(self.waiting.items()):
                try:
                    witness = _compare(comparer, sha256, waiting)
                except DocumentError as error:
                    self._refuse(waiting, error)
                    continue
                rows.append(witness)
                for document in () if waiting.is_kept else waiting.documents:
                    keep(document)
                self.events += _heard(waiting, witness.row, is_new=sha256 not in self.known)
        return rows

    def _wait_again(self, known: WitnessRows) -> None:
        try:
            document = archived(self.archive, known.sha256)
        except ArchiveError as error:
            self.events.append(Refused(error))
            return
        is_copy = known.row.kind == COPY
        is_text = is_copy or known.row.kind.startswith(ORIGINAL)
        rows = read_one(document) if is_text else None
        if isinstance(rows, DocumentError):
            self.events.append(Refused(rows))
        else:
            copy_of = known.row.dated if is_copy else ""
            self.waiting[known.sha256] = Waiting([document], rows, True, copy_of)

    def refuse_all(self) -> None:
        """Refuse all waiting documents, because the base has no edition."""
        for waiting in self.waiting.values():
            name = waiting.documents[0].origin
            reason = "not an edition, and the base has none to compare it with; add editions first"
            self._refuse(waiting, LayoutError(reason, name))

    def _refuse(self, waiting: Waiting, error: DocumentError) -> None:
        for document in waiting.documents:
            named_error = copy(error)
            named_error.file = document.origin
            self.events.append(not_taken(document, named_error))


def taken(document: Document, rows: Rows) -> Taken:
    """Return the event of an edition that was read."""
    row, _ = rows
    return Taken(document, row.effective, row.rules, row.condition)


def _heard(waiting: Waiting, row: WitnessRow, *, is_new: bool) -> Iterator[Event]:
    for document in waiting.documents:
        if waiting.copy_of:
            yield Copied(document, row.evidence.partition("\n")[0], is_new)
        else:
            yield Heard(document, row.kind, row.matched, row.total, is_new)


def _compare(comparer: "Comparer", sha256: str, waiting: Waiting) -> WitnessRows:
    document = waiting.documents[0]
    with limited(document.origin, SECONDS):
        if waiting.rows:
            return comparer.compare_text(*waiting.rows, waiting.copy_of, document.origin)
        return comparer.compare_page(sha256, document.data, document.origin)


def archived(archive: Archive, sha256: str) -> Document:
    """Return a document of the archive.

    Raises:
        ArchiveError: Its bytes are missing or have changed.
    """
    name = next((source.name for source in archive.sources(sha256)), sha256)
    return Document(name, str(archive.path(sha256)), archive.load(sha256), is_named=True)
