"""Build a knowledge base from documents: one new file replaces the old one, once."""

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from copy import copy
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.build.align import follow
from variorum.build.load import call_to_read
from variorum.build.outcomes import (
    AlreadyKnown,
    Copied,
    Doubted,
    Event,
    Heard,
    PassedOver,
    Refused,
    Taken,
)
from variorum.build.settle import Text, attestation_of, settle
from variorum.documents.archive import Archive
from variorum.documents.find import Document, Unreadable, find
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
from variorum.files import locked, remove_half_written
from variorum.model import Edition
from variorum.paths import DOCUMENTS, FILE
from variorum.records.upkeep import DocumentSource, TrustDecision
from variorum.records.witness import Witness
from variorum.rows import State
from variorum.store.reader import Reader, refuse_forgery
from variorum.store.writer import edition_names, new_file
from variorum.stored_rows import COPY, LONG_COLUMNS, EditionRow, StaleRow, WitnessRows
from variorum.terminal import timed
from variorum.versions import current_meta
from variorum.workers import Call, in_processes

if TYPE_CHECKING:
    from variorum.witnesses.compare import Comparer

log = logging.getLogger(__name__)

_SAMPLE = Path(__file__).parents[1] / "sample"
# The most bytes of documents other than editions in memory; the 23 real ones have 9 MB.
_MOST_WAITING = 256 * 2**20
# Of processor time, to compare a document with the editions; the costliest takes 9.
_SECONDS = 60
# The errors of files that are unrelated to the rules, not of damaged documents.
_FOREIGN = LayoutError | EncodingError | OriginalError | TooLargeError


def load_sample() -> Iterator[Edition]:
    """Yield the editions of the sample rulebook, oldest first."""
    from variorum.reading.edition import read_edition  # noqa: PLC0415 - imported on first use

    for name, data in _sample():
        yield read_edition(data, name)


def _sample() -> Iterator[tuple[str, bytes]]:
    for file in sorted(_SAMPLE.glob("*.txt")):
        yield file.name, file.read_bytes()


def first_sources(folder: Path) -> dict[str, str]:
    """Return the name of the file that each document of a base first came from, by its hash."""
    archive = Archive(folder / DOCUMENTS)
    sources = {sha256: archive.sources(sha256) for sha256 in archive}
    return {sha256: some[0].name for sha256, some in sources.items() if some}


@dataclass(slots=True)
class Builder:
    """Brings a knowledge base up to date with its documents and new ones.

    Attributes:
        folder: The folder of the knowledge base.
        now: The time to record in the manifest for new documents.
        jobs: How many processes work at once.
        decisions: Decisions about documents, to record in the manifest.
    """

    folder: Path
    now: str
    jobs: int = field(default_factory=lambda: os.cpu_count() or 1)
    decisions: Sequence[TrustDecision] = ()

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
        return self._build(lambda: find(paths, self.folder))

    def take_in(self, documents: Iterable[Document]) -> Iterator[Event]:
        """Add documents that are already in memory; otherwise like `build`."""
        return self._build(lambda: documents)

    def build_sample(self) -> Iterator[Event]:
        """Add the sample rulebook; otherwise like `build`."""
        return self.take_in(Document(name, "", data, is_named=True) for name, data in _sample())

    def open_built(self, today: date | None) -> KnowledgeBase:
        """Open the base that a build has written or checked.

        Raises:
            NoBaseError: There is none, since no edition was added.
        """
        return KnowledgeBase(Reader(self.folder / FILE, is_trusted=True), today)

    def _build(self, find_all: Callable[[], Iterable[Document | Unreadable]]) -> Iterator[Event]:
        path = self.folder / FILE
        with locked(self.folder):
            archive = Archive(self.folder / DOCUMENTS)
            for decision in self.decisions:
                archive.decide(decision)
            archive.tidy()
            remove_half_written(path)
            with timed("checking the old base"):
                old = _old_base(path)
            with closing(old):
                yield from self._bring_up_to_date(path, archive, old, find_all)

    def _bring_up_to_date(
        self,
        path: Path,
        archive: Archive,
        old: "_OldBase",
        find_all: Callable[[], Iterable[Document | Unreadable]],
    ) -> Iterator[Event]:
        documents = _Documents(archive, old, self.now)
        with timed("reading documents"):
            yield from documents.read(find_all(), self.jobs)
        yield from documents.unkept()
        if old.is_current and not documents.have_changed():
            yield from self._add_witnesses(path, old, documents)
            archive.save_manifest()
            return
        yield from documents.read_other_texts(self.jobs)
        with timed("choosing the editions"):
            texts = [*documents.texts.values()]
            editions, others = settle(texts, archive, self.now)
        yield from documents.taken_originals(editions)
        if not editions and not path.exists():
            yield from documents.refuse_all()
            archive.save_manifest()
            return
        if not editions and not old.editions:
            raise BaseError(
                f"{path}: cannot be rebuilt: {DOCUMENTS} has no edition; "
                "run cr build with your documents"
            )
        # The documents stay in the archive even if the file cannot be written.
        archive.save_manifest()
        with timed("writing the base"):
            events = self._write(path, old, editions, documents, others)
        archive.save_manifest()
        yield from events

    def _add_witnesses(self, path: Path, old: "_OldBase", documents: "_Documents") -> list[Event]:
        """Add documents that are no editions to a base; return what happened to them."""
        if not documents.others:
            return []
        with timed("comparing other documents"):
            witnesses, events = documents.compared(path, ())
        if witnesses:
            documents.archive.save_manifest()
            old.close()
            with timed("writing the base"), new_file(path, current_meta(), is_copy=True) as new:
                new.add_witnesses(witnesses, are_all=False)
        return events

    def _write(
        self,
        path: Path,
        old: "_OldBase",
        editions: Sequence[Text],
        documents: "_Documents",
        others: Sequence[Text],
    ) -> list[Event]:
        """Write the new file; return what happened to the documents that are no editions."""
        first = len(old.editions) if old.goes_on_with(editions) else 0
        with timed("following provisions between editions"):
            ids, gone = old.ids_and_gone() if first else ({}, [])
            links = follow(editions, first, gone, self.jobs)
        old.close()
        with new_file(path, current_meta(), is_copy=first > 0) as new:
            rows = [(text.row, text.states) for text in editions]
            new.add_editions(rows, links, ids)
            stale = new.query("SELECT * FROM stale")
            with timed("finding errors"):
                new.add_findings(
                    first, *_find_errors(new.file, first, [StaleRow._make(row) for row in stale])
                )
            with timed("comparing other documents"):
                witnesses, events = documents.compared(new.file, others)
            new.add_witnesses(witnesses, are_all=True)
        known = {row.sha256 for row, *_ in old.editions}
        doubted: list[Event] = [
            Doubted(text.day, tuple(text.row.doubts.split("\n")))
            for text in editions
            if text.row.doubts and text.row.sha256 not in known
        ]
        return doubted + events


# The old base -------------------------------------------------------------------------------------


_GONE = (
    "SELECT source, old FROM link WHERE new IS NULL EXCEPT "
    "SELECT source, old FROM link WHERE edition > source + 1 ORDER BY source, old"
)


@dataclass(slots=True)
class _OldBase:
    """What a build takes from the file that it replaces.

    Attributes:
        reader: The open file, if it is sound.
        editions: Its editions without their long columns, with labels and whether a bare date means them.
        witnesses: Its other documents, by hash.
        is_current: This program made it.
    """

    reader: Reader | None = None
    editions: list[tuple[EditionRow, str, int]] = field(
        default_factory=list[tuple[EditionRow, str, int]]
    )
    witnesses: dict[str, Witness] = field(default_factory=dict[str, Witness])
    is_current: bool = False

    def close(self) -> None:
        """Close the file, which Windows does not replace before."""
        if self.reader:
            self.reader.close()

    def texts(self, known: dict[State, State]) -> Iterator[Text]:
        """Yield its editions with all that it says of them; states are made known, each once."""
        if self.reader and self.editions:
            held = self.reader.states_of_all()
            states = [known.setdefault(state, state) for state in self.reader.all_states().values()]
            for place, (row, _, _) in enumerate(self.editions):
                whole = EditionRow(**row._asdict() | self.reader.long_columns(place))
                yield Text(whole, [states[number] for number in held[place]])

    def ids_and_gone(self) -> tuple[dict[State, int], list[tuple[int, State]]]:
        """Return the ids of its states, and what is gone for good, with the last edition that had it."""
        if not self.reader:
            return {}, []
        states, gone = self.reader.all_states(), self.reader.query(_GONE)
        ids = {state: number for number, state in states.items()}
        return ids, [(place, states[number]) for place, number in gone]

    def goes_on_with(self, editions: Sequence[Text]) -> bool:
        """Return whether only later editions are new, and nothing is said anew of the others."""
        blank = dict.fromkeys(LONG_COLUMNS, "")
        rows = [EditionRow(**text.row._asdict() | blank) for text in editions]
        named = [(row, *names) for row, names in zip(rows, edition_names(rows), strict=True)]
        return (
            self.is_current
            and bool(self.editions)
            and (named[: len(self.editions)] == self.editions)
        )


def _old_base(path: Path) -> _OldBase:
    """Return the old base; nothing of it if it is missing or damaged, or its documents must be read anew."""
    old = _OldBase()
    try:
        refuse_forgery(str(path))
        old.reader = reader = Reader(path)
        meta = reader.facts()
        if meta.get("reader") != current_meta()["reader"]:
            log.warning("%s: made by another version of the program; rebuilding it", path)
            return old
        unread = dict.fromkeys(LONG_COLUMNS, "")
        for row in reader.editions():
            columns = EditionRow._make([(row | unread)[name] for name in EditionRow._fields])
            old.editions.append((columns, row["label"], row["is_chosen"]))
        old.witnesses = {
            witness.sha256: witness for witness in KnowledgeBase(reader).witnesses.all()
        }
        old.is_current = meta == current_meta()
    except NewerBaseError:
        raise
    except NoBaseError:
        pass
    except BaseError as error:
        log.warning("%s; rebuilding it", str(error).removesuffix("; run cr build to build it anew"))
    return old


# Its documents ------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Documents:
    """The documents of a build, old and new.

    Attributes:
        archive: The archive of the base.
        old: The old base.
        now: As in `Builder`.
        texts: All that were read as editions, by hash.
        others: All others that may quote rules, by hash.
        named: The documents as they were given, by hash; those with equal bytes together.
    """

    archive: Archive
    old: _OldBase
    now: str
    texts: dict[str, Text] = field(default_factory=dict[str, Text])
    others: dict[str, bytes] = field(default_factory=dict[str, bytes])
    named: dict[str, list[Document]] = field(default_factory=dict[str, list[Document]])
    _states: dict[State, State] = field(default_factory=dict[State, State])

    def read(self, given: Iterable[Document | Unreadable], jobs: int) -> Iterator[Event]:
        """Read what is in the archive but not in the base, and what is given."""
        for document, outcome in in_processes(self._calls(given), jobs):
            if isinstance(document, Unreadable):
                yield _not_taken(document, document.error)
            elif document is None:
                yield Refused(outcome)
            elif outcome is None or document.sha256 in self.texts:
                self._keep(document)
                yield AlreadyKnown(document)
            elif isinstance(outcome, OtherDocumentError):
                yield from self._wait(document)
            elif isinstance(outcome, DocumentError):
                yield _not_taken(document, outcome)
            else:
                text = self._add(document, *outcome)
                self._keep(document)
                if not text.is_original:
                    yield Taken(document, text.day, text.row.rules, text.row.condition)

    def _calls(self, given: Iterable[Document | Unreadable]) -> Iterator[Call]:
        held = {row.sha256 for row, *_ in self.old.editions} | self.old.witnesses.keys()
        for sha256 in self.archive:
            if sha256 not in held:
                yield self._call_to_read_again(sha256)
        held &= {*self.archive}
        for document in given:
            if isinstance(document, Unreadable) or document.sha256 in held:
                yield Call(document, print, (), is_done=True)
            else:
                yield call_to_read(document)

    def _call_to_read_again(self, sha256: str) -> Call:
        """Return the call that reads a document of the archive; if it is lost, an error."""
        try:
            return call_to_read(archived(self.archive, sha256))
        except ArchiveError as error:
            return Call(None, print, (), file=sha256, outcome=error, is_done=True)

    def _wait(self, document: Document) -> Iterator[Event]:
        """Keep a document in memory until all editions are known."""
        if sum(map(len, self.others.values())) + len(document.data) > _MOST_WAITING:
            reason = f"over {_MOST_WAITING >> 20} MB of documents other than editions; build some of them first"
            yield _not_taken(document, CostlyError(reason, document.origin))
        else:
            self.others[document.sha256] = document.data
            self.named.setdefault(document.sha256, []).append(document)

    def _add(self, document: Document, row: EditionRow, states: Iterable[State]) -> Text:
        own = self._states
        text = Text(row, [own.setdefault(state, state) for state in states])
        self.texts[document.sha256] = text
        self.named[document.sha256] = [document]
        return text

    def _keep(self, document: Document) -> None:
        """Put a document into the archive."""
        # A relative path would mean nothing later.
        is_file = document.address and "://" not in document.address
        address = os.path.abspath(document.address) if is_file else document.address  # noqa: PTH100
        source = DocumentSource(document.name, address, self.now, dict(document.headers) or None)
        self.archive.save(document.data, source, document.sha256)

    def unkept(self) -> Iterator[Event]:
        """Yield what leaves the base, because the archive lost it."""
        left = {row.sha256: f"the edition of {row.effective}" for row, *_ in self.old.editions}
        left |= dict.fromkeys(self.old.witnesses, "the witness")
        for sha256, what in left.items():
            if sha256 not in self.archive:
                reason = f"no longer kept, so {what} leaves the base"
                yield Refused(ArchiveError(self.archive.path(sha256), reason))

    def have_changed(self) -> bool:
        """Return whether editions, or decisions about them, are others than those of the old base."""
        for sha256 in self.archive:
            self.archive.note_agreement(sha256, self.now)
        said = [(row.effective, row.sha256, row.attested) for row, *_ in self.old.editions]
        copies = [
            (str(witness.dated), sha256, "")
            for sha256, witness in self.old.witnesses.items()
            if witness.kind == COPY
        ]
        is_decided_anew = any(
            attestation_of(self.archive, day, sha256) != attested
            for day, sha256, attested in said + copies
        )
        return bool(self.texts) or is_decided_anew or any(self.unkept())

    def read_other_texts(self, jobs: int) -> Iterator[Event]:
        """Take the editions of the old base, and read its other documents again."""
        for text in self.old.texts(self._states):
            if text.row.sha256 in self.archive:
                self.texts.setdefault(text.row.sha256, text)
        again = [sha256 for sha256 in self.old.witnesses if sha256 in self.archive]
        calls = [self._call_to_read_again(sha256) for sha256 in again]
        for document, outcome in in_processes(calls, jobs):
            if document is None:
                yield Refused(outcome)
            elif isinstance(outcome, OtherDocumentError):
                yield from self._wait(document)
            elif isinstance(outcome, DocumentError):
                yield Refused(outcome)
            else:
                self._add(document, *outcome)

    def taken_originals(self, editions: Iterable[Text]) -> Iterator[Event]:
        """Yield an event for each original that is the edition of its day."""
        known = {row.sha256 for row, *_ in self.old.editions}
        for text in editions:
            if text.is_original and text.row.sha256 not in known:
                document = self.named[text.row.sha256][0]
                yield Taken(document, text.day, text.row.rules, text.row.condition)

    def refuse_all(self) -> Iterator[Event]:
        """Refuse all other documents, because the base has no edition."""
        reason = "not an edition, and the base has none to compare it with; add editions first"
        for sha256 in self.others:
            for document in self.named[sha256]:
                yield _not_taken(document, LayoutError(reason, document.origin))

    def compared(self, file: Path, texts: Iterable[Text]) -> tuple[list[WitnessRows], list[Event]]:
        """Compare all that is no edition with the editions of a file; return the rows, and events."""
        kinds: dict[str, Text | bytes] = {text.row.sha256: text for text in texts} | self.others
        calls = [
            Call(sha256, _compare, (file, sha256, kinds[sha256], origin), origin, _SECONDS)
            for sha256 in sorted(kinds)
            for origin in [self._documents(sha256)[0].origin]
        ]
        rows: list[WitnessRows] = []
        events: list[Event] = []
        for sha256, outcome in in_processes(calls, 1):
            is_new = sha256 not in self.old.witnesses
            if not isinstance(outcome, DocumentError):
                rows.append(outcome)
            for document in self._documents(sha256):
                if isinstance(outcome, DocumentError):
                    error = copy(outcome)
                    error.file = document.origin
                    events.append(_not_taken(document, error))
                    continue
                if sha256 in self.others and document.data:
                    self._keep(document)
                events.append(_heard(document, outcome.about, is_new=is_new))
        return rows, events

    def _documents(self, sha256: str) -> list[Document]:
        """Return the documents with a hash, as they were given."""
        if sha256 not in self.named:  # an edition of the old base that is one no more
            self.named[sha256] = [archived(self.archive, sha256)]
        return self.named[sha256]


def archived(archive: Archive, sha256: str) -> Document:
    """Return a document of the archive.

    Raises:
        ArchiveError: Its bytes are missing or have changed.
    """
    name = next((source.name for source in archive.sources(sha256)), sha256)
    return Document(name, str(archive.path(sha256)), archive.load(sha256), is_named=True)


def _not_taken(document: Document | Unreadable, error: VariorumError) -> PassedOver | Refused:
    """Return the event of a document that cannot be added; an unrelated file that was not named is passed over."""
    is_foreign = isinstance(error, _FOREIGN) and not document.is_named
    return PassedOver(error) if is_foreign else Refused(error)


def _heard(document: Document, witness: Witness, *, is_new: bool) -> Event:
    if witness.kind == COPY:
        return Copied(document, witness.evidence[0], is_new)
    return Heard(document, witness.kind, witness.matched, witness.of, is_new)


# What other processes do --------------------------------------------------------------------------

_comparers: "dict[Path, Comparer]" = {}


def _compare(file: Path, sha256: str, content: Text | bytes, origin: str) -> WitnessRows:
    """Compare a document with the editions of a file."""
    from variorum.witnesses.compare import Comparer  # noqa: PLC0415 - imported on first use

    comparer = _comparers.get(file)
    if comparer is None:
        comparer = _comparers[file] = Comparer(KnowledgeBase(Reader(file, is_trusted=True)))
    if isinstance(content, bytes):
        return comparer.compare_page(sha256, content, origin)
    return comparer.compare_text(content.row, content.states, content.copy_of, origin)


def _find_errors(
    file: Path, first: int, stale: Sequence[StaleRow]
) -> tuple[list[list[str]], list[StaleRow]]:
    """Return the errors of the editions of a file from `first` on, and what is stale in the last."""
    from variorum.answers.lint_finder import find_findings  # noqa: PLC0415 - imported on first use

    with closing(Reader(file, is_trusted=True)) as reader:
        found = list(find_findings(KnowledgeBase(reader), first, stale))
    return [findings for findings, _ in found], found[-1][1] if found else list(stale)
