"""Read the documents that a build adds, and keep those that belong in the base."""

import os
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from variorum.build.outcomes import AlreadyKnown, Event, Refused, not_taken
from variorum.build.sources import WitnessBuild, taken
from variorum.build.workers import Rows, read_one, read_rows
from variorum.documents.archive import Archive, Provenance
from variorum.documents.find import Document, Unreadable
from variorum.errors import ArchiveError, DocumentError, LayoutError, ParseError, TruncatedError
from variorum.reading.paragraphs import ORIGINALS
from variorum.store.merger import Merger
from variorum.system.resource_limits import within_limits


@dataclass(frozen=True, slots=True)
class NewDocuments:
    """Reads the documents that a build adds to its base.

    Attributes:
        archive: The archive of the base.
        merger: Gathers the editions.
        witnesses: Gathers all other documents.
        held: The hashes of documents that need not be read again.
        now: As in `Builder`.
        jobs: As in `Builder`.
    """

    archive: Archive
    merger: Merger
    witnesses: WitnessBuild
    held: set[str]
    now: str
    jobs: int

    def read_again(self) -> Iterator[Event]:
        """Read documents that are in the archive but not in the base."""
        missing = [sha256 for sha256 in self.archive if sha256 not in self.held]
        lost: list[ArchiveError] = []

        def documents() -> Iterator[Document]:
            for sha256 in missing:
                try:
                    data = self.archive.load(sha256)
                except ArchiveError as error:
                    lost.append(error)
                    continue
                self.held.add(sha256)
                name = next((source.name for source in self.archive.sources(sha256)), sha256)
                yield Document(name, str(self.archive.path(sha256)), data, is_named=True)

        for document, outcome in read_rows(documents(), self.jobs):
            yield from self._take(document, outcome)
        yield from map(Refused, lost)

    def take_in(self, documents_given: Iterable[Document | Unreadable]) -> Iterator[Event]:
        """Read new documents; keep those that are editions."""
        events: deque[Event] = deque()
        # For each document being read, by its hash: the later documents with the same bytes.
        twins: dict[str, list[Document]] = {}
        fresh = self._fresh(documents_given, twins, events)
        for document, outcome in read_rows(fresh, self.jobs):
            sha256 = document.sha256
            events += self._take(document, outcome)
            is_edition = not isinstance(outcome, DocumentError) and not _is_original(outcome)
            if is_edition:
                self.held.add(sha256)
                self.keep(document)
            for twin in twins.pop(sha256):
                if is_edition:
                    self.keep(twin)
                    events.append(AlreadyKnown(twin))
                else:
                    events += self._take(twin, read_one(twin))
            while events:
                yield events.popleft()
        yield from events

    def _fresh(
        self,
        documents: Iterable[Document | Unreadable],
        twins: dict[str, list[Document]],
        events: deque[Event],
    ) -> Iterator[Document]:
        """Yield the documents that must be read; add events for the others."""
        for document in documents:
            if isinstance(document, Unreadable):
                events.append(not_taken(document, document.error))
                continue
            sha256 = document.sha256
            if sha256 in self.held:
                self.keep(document)
                events.append(AlreadyKnown(document))
            elif sha256 in self.witnesses.waiting:
                self.witnesses.wait(sha256, document)
            elif sha256 in twins:
                twins[sha256].append(document)
            else:
                twins[sha256] = []
                yield document

    def _take(self, document: Document, outcome: Rows | DocumentError) -> Iterator[Event]:
        """Handle a document that was read: an edition, a possible witness, or neither."""
        sha256 = document.sha256
        if isinstance(outcome, DocumentError):
            if _may_be_witness(document, outcome):
                self.witnesses.wait(sha256, document)
            else:
                yield not_taken(document, outcome)
        elif _is_original(outcome):
            self.witnesses.wait(sha256, document, outcome)
        else:
            self.merger.add(*outcome)
            yield taken(document, outcome)

    def keep(self, document: Document) -> None:
        """Put a document into the archive."""
        # A relative path would mean nothing later.
        is_file = document.address and "://" not in document.address
        address = os.path.abspath(document.address) if is_file else document.address  # noqa: PTH100
        source = Provenance(document.name, address, self.now, document.headers)
        self.archive.save(document.data, source, document.sha256)


def _may_be_witness(document: Document, error: DocumentError) -> bool:
    """Return whether a document that cannot be read as an edition may be a witness."""
    if not isinstance(error, LayoutError | TruncatedError | ParseError):
        return False
    from variorum.build.load import is_edition  # noqa: PLC0415 - imported on first use

    try:
        return not within_limits(is_edition, document.data, document.name)
    except DocumentError:
        return False


def _is_original(rows: Rows) -> bool:
    """Return whether rows come from a document in Word, RTF or PDF format."""
    return rows[0].layout in ORIGINALS
