"""Build a knowledge base from documents: one new file replaces the old one, once; and check one.

A document is an edition, another text of an edition, or a page about rules. What the old file has of
editions is taken from it, so they are not read again. Later editions are added to a copy of it; anything
else is written anew.
"""

import logging
import os
import shutil
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from operator import itemgetter
from pathlib import Path
from sqlite3 import Connection
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal, NamedTuple

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.lint import find_findings
from variorum.build.align import follow
from variorum.build.editions import Text, reading, settle
from variorum.documents.archive import Archive
from variorum.documents.find import Document, find
from variorum.errors import (
    ArchiveError,
    BaseError,
    DocumentError,
    FormatError,
    LayoutError,
    NewerBaseError,
    NoBaseError,
    NotWritableError,
    OtherDocumentError,
    TooLargeError,
    VariorumError,
)
from variorum.facts import all_verdicts
from variorum.files import locked, writable
from variorum.model import sha256_of
from variorum.paths import DOCUMENTS, FILE
from variorum.records.document import Witness
from variorum.records.upkeep import DocumentSource, TrustDecision
from variorum.rows import EditionRow, StaleRow, State
from variorum.store import writer
from variorum.store.reader import TABLES, Reader, WitnessRows, refuse_forgery
from variorum.store.writer import new_file
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
_FOREIGN = LayoutError | FormatError | TooLargeError


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
    old: Reader | None = field(init=False, default=None)
    old_editions: dict[str, EditionRow] = field(init=False, default_factory=dict[str, EditionRow])
    old_witnesses: set[str] = field(init=False, default_factory=set[str])
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
                self.old_editions = {row.sha256: row for row in self.old.editions()}
                known = self.old.query("SELECT sha256 FROM witness")
                self.old_witnesses = {sha256 for (sha256,) in known}
            yield from self._take_in(documents)
            self.archive.save_manifest()

    def _take_in(self, documents: Iterable[Document]) -> Iterator[Event]:
        held, kept = {*self.old_editions, *self.old_witnesses}, {*self.archive}
        with timed("reading documents"):
            yield from self._read(chain(self._archived(kept - held), documents), held & kept)
        lost = sorted(held - {*self.archive})
        for sha256 in lost:
            reason = "no longer kept, so it leaves the base"
            error = ArchiveError(self.archive.path(sha256), reason)
            yield Event("refused", Document(sha256, "", b"", is_named=True), error=error)
        self.archive.note_agreements(self.now)
        decided = repr([(decision.sha256, decision.by) for decision in self.archive.decisions()])
        meta = {**current_meta(), "decisions": sha256_of(decided.encode())}
        is_current = self.old is not None and self.old.facts() == meta and not lost
        if is_current and not (self.texts or self.pages):
            return
        editions, others = list[Text](), list[Text]()
        if self.texts or not is_current:
            # What is no edition is read and compared again.
            yield from self._read(self._archived(kept & self.old_witnesses))
            self._add_old()
            with timed("choosing the editions"):
                editions, others = settle([*self.texts.values()], self.archive)
            if not editions:
                yield from self._without_editions()
                return
        is_copy = is_current and (not editions or self._is_begun([text.row for text in editions]))
        yield from self._write(editions, others, meta, is_copy=is_copy)

    def _add_old(self) -> None:
        """Add the editions of the old file whose documents are still kept."""
        states = self.old.all_states() if self.old else {}
        for place, (sha256, row) in enumerate(self.old_editions.items()):
            if self.old and sha256 in self.archive:
                self._add(Text(row, [states[number] for number in self.old.states_of(place)]))

    def _without_editions(self) -> Iterator[Event]:
        if (self.folder / FILE).exists():
            reason = f"{DOCUMENTS} has no edition; run cr build with your documents"
            raise BaseError(f"{self.folder / FILE}: cannot be rebuilt: {reason}")
        reason = "not an edition, and the base has none to compare it with; add editions first"
        for page in self.pages.values():
            yield _not_taken(page, LayoutError(reason, page.origin))

    def _is_begun(self, rows: Sequence[EditionRow]) -> bool:
        """Return whether the editions of the old file are the first, and say all that is to say of them."""
        count = len(self.old_editions)
        last, days = rows[count - 1].effective, {row.effective for row in rows[count:]}
        # Later editions may show what readers meant by steps that lead beyond the last.
        spans = [(it.old_edition, it.new_edition) for it in all_verdicts()]
        is_shown = any(first < last < then in days for first, then in spans)
        return rows[:count] == [*self.old_editions.values()] and not is_shown

    # Reading -------------------------------------------------------------------------------------

    def _archived(self, hashes: Iterable[str]) -> Iterator[Document]:
        return map(self._kept, sorted(hashes))

    def _kept(self, sha256: str) -> Document:
        sources, address = self.archive.sources(sha256), str(self.archive.path(sha256))
        name = sources[0].name if sources else sha256
        try:
            return Document(name, address, self.archive.load(sha256), is_named=True)
        except ArchiveError as error:
            return Document(name, address, b"", is_named=True, error=error)

    def _read(self, documents: Iterable[Document], known: Container[str] = ()) -> Iterator[Event]:
        """Read documents, but for known ones; keep those that are editions, and what may be a page."""
        calls = ((it, None if it.error or it.sha256 in known else reading(it)) for it in documents)
        for document, outcome in outcomes(calls, self.jobs):
            sha256, error = document.sha256, document.error or outcome
            if isinstance(error, OtherDocumentError):
                if sum(len(page.data) for page in self.pages.values()) > _MOST_WAITING:
                    most = f"over {_MOST_WAITING >> 20} MB of documents other than editions"
                    reason = f"{most}; build some of them first"
                    yield _not_taken(document, DocumentError(reason, document.origin))
                elif self.pages.setdefault(sha256, document) is not document:
                    yield Event("known", document)
            elif isinstance(error, VariorumError):
                yield _not_taken(document, error)
            else:
                self._keep(document)
                if outcome is None or sha256 in self.texts:
                    yield Event("known", document)
                    continue
                row, states = outcome
                text = self._add(Text(row, states, document=replace(document, data=b"")))
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
        self,
        editions: Sequence[Text],
        others: Sequence[Text],
        meta: Mapping[str, str],
        *,
        is_copy: bool,
    ) -> Iterator[Event]:
        """Write a new file, or add what is new to a copy of the old one; without editions, pages alone."""
        new = [(it, it.document) for it in editions if it.row.sha256 not in self.old_editions]
        yield from [Event("taken", it, text) for text, it in new if it and text.is_original]
        # The documents stay in the archive even if the file cannot be written.
        self.archive.save_manifest()
        if self.old:
            self.old.close()  # Windows does not replace an open file
        file = self.folder / FILE
        with timed("writing the base"), new_file(file, meta, is_copy=is_copy) as base:
            if not is_copy or len(editions) > len(self.old_editions):
                add_editions(base, editions, self.jobs)
            if editions:
                base.execute("DELETE FROM passage")
                base.execute("DELETE FROM witness")
            base.commit()
            witnesses, events = self._compare(writer.file_of(base), others)
            writer.add_witnesses(base, witnesses)
        yield from [Event("doubted", it, text) for text, it in new if it and text.row.doubts]
        yield from events

    def _compare(
        self, file: Path, others: Iterable[Text]
    ) -> tuple[dict[str, WitnessRows], list[Event]]:
        """Compare pages, and other texts of editions, with the editions of a file.

        Return the rows of each by its hash, and what happened to the documents.
        """
        read = dict[str, tuple[Document, Text | bytes]]()
        read |= {sha256: (page, page.data) for sha256, page in self.pages.items()}
        read |= {it.row.sha256: (it.document or self._kept(it.row.sha256), it) for it in others}
        calls = [
            (it, Call(_compare, (file, content, it.origin), it.origin, _SECONDS))
            for _, (it, content) in sorted(read.items(), key=itemgetter(0))
        ]
        witnesses, events = dict[str, WitnessRows](), list[Event]()
        with timed("comparing other documents"):
            for document, outcome in outcomes(calls):
                if not isinstance(outcome, WitnessRows):
                    events.append(_not_taken(document, outcome))
                    continue
                sha256 = outcome.about.sha256
                witnesses[sha256] = outcome
                if sha256 in self.pages:
                    self._keep(document)
                kind: EventKind = "heard again" if sha256 in self.old_witnesses else "heard"
                events.append(Event(kind, document, witness=outcome.about))
        return witnesses, events


def _open_old(path: Path) -> Reader | None:
    """Return the file that a build replaces; None if it is missing, damaged or of another version."""
    try:
        refuse_forgery(str(path))
        reader = Reader(path)
        if reader.facts().items() >= current_meta().items():
            return reader
        reader.close()
        log.warning("%s: made by another version of the program; rebuilding it", path)
    except NewerBaseError:
        raise
    except NoBaseError:
        pass
    except BaseError as error:
        log.warning("%s; rebuilding it", str(error).removesuffix("; run cr build to build it anew"))
    return None


def add_editions(base: Connection, editions: Sequence[Text], jobs: int) -> None:
    """Add to an open file all that follows from editions, of which it has the first or none."""
    ((first,),) = base.execute("SELECT count(*) FROM edition")
    last = dict(base.execute("SELECT provision, max(last) FROM span GROUP BY provision"))
    ids = writer.add_editions(base, [(text.row, text.states) for text in editions[first:]])
    with timed("following provisions between editions"):
        writer.add_links(base, follow(editions, ids, last, jobs))
    stale = [StaleRow(*row) for row in base.execute("SELECT * FROM stale")]
    base.commit()
    with timed("finding errors"), closing(Reader(writer.file_of(base), is_trusted=True)) as reader:
        found = list(find_findings(KnowledgeBase(reader), first, stale))
    writer.add_findings(base, first, [errors for errors, _ in found])
    base.execute("DELETE FROM stale")
    writer.insert(base, "stale", found[-1][1])


def _not_taken(document: Document, error: VariorumError) -> Event:
    is_foreign = isinstance(error, _FOREIGN) and not document.is_named
    return Event("skipped" if is_foreign else "refused", document, error=error)


# In another process, with limits ------------------------------------------------------------------


@cache
def _reader(file: Path) -> "DocumentReader":
    from variorum.witnesses.read import DocumentReader  # noqa: PLC0415 - imported on first use

    return DocumentReader(KnowledgeBase(Reader(file, is_trusted=True)))


def _compare(file: Path, content: Text | bytes, origin: str) -> WitnessRows:
    """Compare a document with the editions of a file."""
    if isinstance(content, bytes):
        return _reader(file).witness(content, origin)
    return _reader(file).compared(content.row, content.states, content.copy_of, origin)


# Whether a base is sound --------------------------------------------------------------------------


def verify(folder: Path, *, jobs: int = 1) -> Iterator[tuple[str, str, str]]:
    """Compare documents with their hashes; if all are there, a second base built from them with the first.

    Yield which file is wrong, in what, and what to do about it. Nothing in its folder is changed.

    Raises:
        ArchiveError: The manifest is damaged.
        BaseBusyError: Another process is writing it.
        BaseError: It cannot be opened.
    """
    with ExitStack() as stack:
        # If we may not write the folder, assume that no other process writes it either.
        with suppress(NotWritableError):
            stack.enter_context(locked(folder) if folder.exists() else nullcontext())
        archive, is_whole = Archive(folder / DOCUMENTS), True
        for path, what, remedy in archive.problems():
            is_whole = False
            yield f"{DOCUMENTS}/{path.relative_to(archive.folder).as_posix()}", what, remedy
        reader = stack.enter_context(closing(Reader(folder / FILE)))
        if not is_whole:
            return
        anew = Path(stack.enter_context(TemporaryDirectory()))
        with writable(anew):
            shutil.copytree(archive.folder, anew / DOCUMENTS)
        list(Builder(anew, "", jobs).build([]))
        expected = stack.enter_context(closing(Reader(anew / FILE)))
        for (table,) in expected.query(TABLES):
            rows = f"SELECT * FROM {table}"  # noqa: S608 - a name of ours
            if Counter(reader.query(rows)) != Counter(expected.query(rows)):
                what = f"the table {table} differs from one built anew from the documents"
                yield FILE, what, "cr build builds it anew"
