"""Build a knowledge base from documents: one new file replaces the old one, once.

A document is an edition, another text of an edition, or a page about rules. What the old file has of
editions is taken from it, so they are not read again. Later editions are added to a copy of it; anything
else is written anew.
"""

import hashlib
import logging
import os
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.lint import find_findings
from variorum.build.align import follow
from variorum.build.load import Rows, read_rows
from variorum.build.settle import Text, settle
from variorum.documents.archive import Archive
from variorum.documents.find import Document, find
from variorum.errors import (
    ArchiveError,
    BaseError,
    CostlyError,
    DocumentError,
    EncodingError,
    LayoutError,
    NewerBaseError,
    NoBaseError,
    OriginalError,
    OtherDocumentError,
    TooLargeError,
    VariorumError,
)
from variorum.facts import all_verdicts
from variorum.files import locked
from variorum.paths import DOCUMENTS, FILE
from variorum.records.document import Witness
from variorum.records.upkeep import DocumentSource, TrustDecision
from variorum.rows import EditionRow, StaleRow, State
from variorum.store.reader import Reader, WitnessRows, refuse_forgery
from variorum.store.writer import Writer, new_file
from variorum.terminal import timed
from variorum.versions import current_meta
from variorum.workers import Call, outcomes

if TYPE_CHECKING:
    from variorum.witnesses.read import DocumentReader

log = logging.getLogger(__name__)

# The most bytes of documents other than editions in memory; the 23 real ones have 9 MB.
_MOST_WAITING = 256 * 2**20
# Of processor time, to compare a document with the editions; the costliest takes 9.
_SECONDS = 60
# The errors of files that are unrelated to the rules, not of damaged documents.
_FOREIGN = LayoutError | EncodingError | OriginalError | TooLargeError


EventKind = Literal["taken", "doubted", "heard", "heard again", "known", "skipped", "refused"]


class Event(NamedTuple):
    """What happened to a document.

    An edition is "taken", and "doubted" if every answer from it will mention doubts; a document that is no
    edition is "heard", or "heard again"; one that the base has is "known". A file found in a folder that
    has nothing to do with the rules is "skipped", any other that cannot be taken in "refused".
    """

    kind: EventKind
    document: Document
    text: Text | None = None
    witness: Witness | None = None
    error: VariorumError | None = None


@dataclass(slots=True)
class Builder:
    """Brings the knowledge base in a folder up to date with its documents and new ones; for one build.

    `now` is the time to record in the manifest for new documents and `decisions`; so many `jobs` are
    processes that work at once. What was read waits by its hash: `texts` of editions, and `pages`.
    """

    folder: Path
    now: str
    jobs: int = field(default_factory=lambda: os.cpu_count() or 1)
    decisions: Sequence[TrustDecision] = ()
    archive: Archive = field(init=False)
    old: Reader | None = field(init=False)
    old_editions: list[EditionRow] = field(init=False, default_factory=list[EditionRow])
    old_witnesses: list[str] = field(init=False, default_factory=list[str])
    texts: dict[str, Text] = field(init=False, default_factory=dict[str, Text])
    pages: dict[str, Document] = field(init=False, default_factory=dict[str, Document])
    _states: dict[State, State] = field(init=False, default_factory=dict[State, State])

    def build(self, paths: Sequence[Path]) -> Iterator[Event]:
        """Add documents; yield what happens to each.

        A caller that stops early leaves the base as it was. Readers see the old file or the new one.

        Raises:
            BaseBusyError: Another process is writing this base, or has it open on a system where
                that prevents writing.
            ArchiveError: The manifest of the archive is damaged.
            NewerBaseError: A newer program wrote this base.
            NotWritableError: The folder cannot be written; the disk may be full.
        """
        return self.take_in(find(paths, self.folder))

    def take_in(self, documents: Iterable[Document]) -> Iterator[Event]:
        """Add documents that are already in memory; otherwise like `build`."""
        with locked(self.folder), ExitStack() as stack:
            self.archive = Archive(self.folder / DOCUMENTS)
            for decision in self.decisions:
                self.archive.decide(decision)
            with timed("checking the old base"):
                self.old = _open_old(self.folder / FILE)
            if self.old:
                stack.callback(self.old.close)
                self.old_editions = self.old.editions()
                self.old_witnesses = [
                    sha for (sha,) in self.old.query("SELECT sha256 FROM witness")
                ]
            yield from self._take_in(documents)
            self.archive.save_manifest()

    def _take_in(self, documents: Iterable[Document]) -> Iterator[Event]:
        held = {*[row.sha256 for row in self.old_editions], *self.old_witnesses}
        kept = {*self.archive}
        with timed("reading documents"):
            yield from self._read(chain(self._archived(kept - held), documents), held & kept)
        lost = sorted(sha256 for sha256 in held if sha256 not in self.archive)
        for sha256 in lost:
            reason = "no longer kept, so it leaves the base"
            error = ArchiveError(self.archive.path(sha256), reason)
            yield Event("refused", Document(sha256, "", b"", is_named=True), error=error)
        self.archive.note_agreements(self.now)
        meta = {**current_meta(), "decisions": self._decided()}
        is_current = self.old is not None and self.old.facts() == meta and not lost
        if is_current and not self.texts:
            if self.pages:
                yield from self._add_pages()
            return
        # What is no edition is read and compared again.
        yield from self._read(self._archived(kept.intersection(self.old_witnesses)))
        states = self.old.all_states() if self.old else {}
        for place, row in enumerate(self.old_editions):
            if self.old and row.sha256 in self.archive:
                self._add(Text(row, [states[number] for number in self.old.states_of(place)]))
        with timed("choosing the editions"):
            editions, others = settle([*self.texts.values()], self.archive)
        if editions:
            first = self._count_kept([text.row for text in editions]) if is_current else 0
            ids = {state: number for number, state in states.items()} if first else {}
            yield from self._write(editions, first, ids, others)
        elif (self.folder / FILE).exists():
            reason = f"{DOCUMENTS} has no edition; run cr build with your documents"
            raise BaseError(f"{self.folder / FILE}: cannot be rebuilt: {reason}")
        else:
            reason = "not an edition, and the base has none to compare it with; add editions first"
            for document in self.pages.values():
                yield _not_taken(document, LayoutError(reason, document.origin))

    def _decided(self) -> str:
        """Return what tells whether documents are trusted as before."""
        said = repr([(decision.sha256, decision.by) for decision in self.archive.decisions()])
        return hashlib.blake2b(said.encode(), digest_size=8).hexdigest()

    def _count_kept(self, rows: Sequence[EditionRow]) -> int:
        """Return how many editions a copy of the old file brings: all, or none if they are not the first."""
        count = len(self.old_editions)
        if not count or rows[:count] != self.old_editions:
            return 0
        # Later editions may show what readers meant by steps that lead beyond the last.
        last, days = rows[count - 1].effective, {row.effective for row in rows[count:]}
        spans = [(it.old_edition, it.new_edition) for it in all_verdicts()]
        return 0 if any(first < last < then in days for first, then in spans) else count

    # Reading -------------------------------------------------------------------------------------

    def _archived(self, hashes: Iterable[str]) -> Iterator[Document]:
        names = self.archive.names()
        for sha256 in sorted(hashes):
            document = Document(
                names.get(sha256, sha256), str(self.archive.path(sha256)), b"", is_named=True
            )
            try:
                yield replace(document, data=self.archive.load(sha256))
            except ArchiveError as error:
                yield replace(document, error=error)

    def _read(self, documents: Iterable[Document], known: Container[str] = ()) -> Iterator[Event]:
        """Read documents, but for known ones; keep those that are editions, and what may be a page."""
        events = list[Event]()

        def unknown() -> Iterator[Document]:
            for document in documents:
                if document.error:
                    events.append(_not_taken(document, document.error))
                elif document.sha256 in known:
                    self._keep(document)
                    events.append(Event("known", document))
                else:
                    yield document

        for document, outcome in read_rows(unknown(), self.jobs):
            events += self._sort(document, outcome)
            yield from events
            events.clear()
        yield from events

    def _sort(self, document: Document, outcome: Rows | DocumentError) -> Iterator[Event]:
        sha256 = document.sha256
        if isinstance(outcome, OtherDocumentError):
            if sum(len(page.data) for page in self.pages.values()) > _MOST_WAITING:
                reason = f"over {_MOST_WAITING >> 20} MB of documents other than editions; build some of them first"
                yield _not_taken(document, CostlyError(reason, document.origin))
            elif sha256 in self.pages:
                yield Event("known", document)
            else:
                self.pages[sha256] = document
        elif isinstance(outcome, DocumentError):
            yield _not_taken(document, outcome)
        elif sha256 in self.texts:
            self._keep(document)
            yield Event("known", document)
        else:
            self._keep(document)
            text = self._add(Text(*outcome, document=replace(document, data=b"")))
            if not (text.is_original or sha256 in self.old_witnesses):
                yield Event("taken", document, text)

    def _add(self, text: Text) -> Text:
        """Add a text that was read; equal states of all become one object."""
        text.states = [self._states.setdefault(state, state) for state in text.states]
        return self.texts.setdefault(text.row.sha256, text)

    def _keep(self, document: Document) -> None:
        """Put a document into the archive, unless it is from there."""
        if document.address == str(self.archive.path(document.sha256)):
            return
        # A relative path would mean nothing later.
        is_file = document.address and "://" not in document.address
        address = os.path.abspath(document.address) if is_file else document.address  # noqa: PTH100
        source = DocumentSource(document.name, address, self.now, dict(document.headers) or None)
        self.archive.save(document.data, source, document.sha256)

    # Writing -------------------------------------------------------------------------------------

    def _write(
        self, editions: Sequence[Text], first: int, ids: dict[State, int], others: Sequence[Text]
    ) -> Iterator[Event]:
        """Write the editions from the place `first` on behind those of the old file, or all."""
        known = {row.sha256 for row in self.old_editions}
        new = [text for text in editions if text.row.sha256 not in known]
        for text in new:
            if text.is_original and text.document:
                yield Event("taken", text.document, text)
        # The documents stay in the archive even if the file cannot be written.
        self.archive.save_manifest()
        with timed("writing the base"), self._new_file(is_copy=first > 0) as file:
            if first < len(editions):
                add_editions(file, editions, first, ids, self.jobs)
            file.query("DELETE FROM passage")
            file.query("DELETE FROM witness")
            witnesses, events = self._compare(file.file, others)
            file.add_witnesses(witnesses)
        for text in new:
            if text.row.doubts and text.document:
                yield Event("doubted", text.document, text)
        yield from events

    def _new_file(self, *, is_copy: bool) -> AbstractContextManager[Writer]:
        if self.old:
            self.old.close()  # Windows does not replace an open file
        return new_file(self.folder / FILE, self._decided(), is_copy=is_copy)

    def _add_pages(self) -> Iterator[Event]:
        """Add the documents that are no editions to the old file."""
        witnesses, events = self._compare(self.folder / FILE, [])
        if witnesses:
            with self._new_file(is_copy=True) as file:
                file.add_witnesses(witnesses)
        yield from events

    def _compare(
        self, file: Path, others: Iterable[Text]
    ) -> tuple[dict[str, WitnessRows], list[Event]]:
        """Compare all that is no edition with the editions of a file.

        Return the rows of each witness by its hash, and what happened to the documents.
        """
        contents: dict[str, Text | bytes] = {it.sha256: it.data for it in self.pages.values()}
        documents = dict(self.pages)
        for text in others:
            sha256 = text.row.sha256
            contents[sha256] = text
            documents[sha256] = text.document or next(self._archived([sha256]))
        hashes = sorted(documents)
        calls = (
            Call(_compare, (file, contents[sha256], origin), origin, _SECONDS)
            for sha256 in hashes
            for origin in [documents[sha256].origin]
        )
        witnesses, events = dict[str, WitnessRows](), list[Event]()
        with timed("comparing other documents"):
            for sha256, outcome in zip(hashes, outcomes(calls), strict=False):
                if not isinstance(outcome, WitnessRows):
                    events.append(_not_taken(documents[sha256], outcome))
                    continue
                witnesses[sha256] = outcome
                if sha256 in self.pages:
                    self._keep(documents[sha256])
                is_new = sha256 not in self.old_witnesses
                kind: EventKind = "heard" if is_new else "heard again"
                events.append(Event(kind, documents[sha256], witness=outcome.about))
        return witnesses, events


def _open_old(path: Path) -> Reader | None:
    """Return the file that a build replaces; None if it is missing, damaged or of another reader of documents."""
    try:
        refuse_forgery(str(path))
        reader = Reader(path)
    except NewerBaseError:
        raise
    except NoBaseError:
        return None
    except BaseError as error:
        why = str(error).removesuffix("; run cr build to build it anew")
        log.warning("%s; rebuilding it", why)
        return None
    if reader.facts().get("reader") == current_meta()["reader"]:
        return reader
    log.warning("%s: made by another version of the program; rebuilding it", path)
    reader.close()
    return None


def add_editions(
    new: Writer, editions: Sequence[Text], first: int, ids: dict[State, int], jobs: int
) -> None:
    """Add to a file all that follows from the editions from the place `first` on.

    `ids` are those of the states that it has, from the editions before.
    """
    gone = new.query(
        "SELECT source, old FROM link WHERE new IS NULL EXCEPT "
        "SELECT source, old FROM link WHERE edition > source + 1 ORDER BY source, old"
    )
    new.add_editions([(text.row, text.states) for text in editions[first:]], ids)
    with timed("following provisions between editions"):
        new.add_links(follow(editions, ids, first, gone, jobs))
    stale = [StaleRow._make(row) for row in new.query("SELECT * FROM stale")]
    with timed("finding errors"), closing(Reader(new.file, is_trusted=True)) as reader:
        found = list(find_findings(KnowledgeBase(reader), first, stale))
    new.add_findings(first, [errors for errors, _ in found], found[-1][1])


def _not_taken(document: Document, error: VariorumError) -> Event:
    is_foreign = isinstance(error, _FOREIGN) and not document.is_named
    return Event("skipped" if is_foreign else "refused", document, error=error)


# In another process, with limits ------------------------------------------------------------------

_readers: "dict[Path, DocumentReader]" = {}


def _compare(file: Path, content: Text | bytes, origin: str) -> WitnessRows:
    """Compare a document with the editions of a file."""
    from variorum.witnesses.read import DocumentReader  # noqa: PLC0415 - imported on first use

    if file not in _readers:
        _readers[file] = DocumentReader(KnowledgeBase(Reader(file, is_trusted=True)))
    if isinstance(content, bytes):
        return _readers[file].witness(content, origin)
    return _readers[file].compared(content.row, content.states, content.copy_of, origin)
