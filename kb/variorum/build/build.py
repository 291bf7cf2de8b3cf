"""Build a knowledge base from documents: one new file replaces the old one, once.

A document is an edition, another text of an edition, or a page about rules. Editions that the old file
has are taken from it, and so is what it says of the others, as long as its editions stay as they are.
"""

import logging
import os
from collections.abc import Container, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from copy import copy
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.lint_finder import find_findings
from variorum.build.align import follow
from variorum.build.load import call_to_read
from variorum.build.outcomes import AlreadyKnown, Doubted, Event, Heard, PassedOver, Refused, Taken
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
from variorum.facts import all_verdicts
from variorum.files import locked, remove_half_written
from variorum.paths import DOCUMENTS, FILE
from variorum.records.upkeep import DocumentSource, TrustDecision
from variorum.records.witness import Witness
from variorum.rows import State
from variorum.store.reader import Reader, refuse_forgery
from variorum.store.writer import edition_names, new_file
from variorum.stored_rows import COPY, LONG_COLUMNS, ORIGINAL, EditionRow, StaleRow, WitnessRows
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


def first_sources(folder: Path) -> dict[str, str]:
    """Return the name of the file that each document of a base first came from, by its hash."""
    archive = Archive(folder / DOCUMENTS)
    sources = {sha256: archive.sources(sha256) for sha256 in archive}
    return {sha256: some[0].name for sha256, some in sources.items() if some}


@dataclass(slots=True)
class Builder:
    """Brings the knowledge base in a folder up to date with its documents and new ones.

    `now` is the time to record in the manifest for new documents and `decisions`; so many `jobs` are
    processes that work at once.
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
        return self.take_in(find(paths, self.folder))

    def build_sample(self) -> Iterator[Event]:
        """Add the sample rulebook; otherwise like `build`."""
        files = sorted(_SAMPLE.glob("*.txt"))
        return self.take_in(
            Document(file.name, "", file.read_bytes(), is_named=True) for file in files
        )

    def take_in(self, given: Iterable[Document | Unreadable]) -> Iterator[Event]:
        """Add documents that are already in memory; otherwise like `build`."""
        path = self.folder / FILE
        with locked(self.folder):
            archive = Archive(self.folder / DOCUMENTS)
            for decision in self.decisions:
                archive.decide(decision)
            archive.tidy()
            remove_half_written(path)
            with timed("checking the old base"):
                old = _open_old(path)
            with closing(old):
                yield from _Build(path, archive, old, self.now, self.jobs).run(given)
            archive.save_manifest()

    def open_built(self, today: date | None) -> KnowledgeBase:
        """Open the base that a build has written or checked.

        Raises:
            NoBaseError: There is none, since no edition was added.
        """
        return KnowledgeBase(Reader(self.folder / FILE, is_trusted=True), today)


# The old base -------------------------------------------------------------------------------------

_GONE = (
    "SELECT source, old FROM link WHERE new IS NULL EXCEPT "
    "SELECT source, old FROM link WHERE edition > source + 1 ORDER BY source, old"
)


@dataclass(slots=True)
class _OldBase:
    """What a build takes from the file that it replaces.

    It is None if that is missing or damaged, or another version of the program read the documents.
    Its editions are rows without long columns, with their names; its witnesses go by their hashes. It
    `is_current` if this very program made it.
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

    def texts(self) -> Iterator[Text]:
        """Yield its editions with all that it says of them."""
        if self.reader and self.editions:
            states = self.reader.all_states()
            for place, held in enumerate(self.reader.states_of_all()):
                columns = self.editions[place][0]._asdict() | self.reader.long_columns(place)
                yield Text(EditionRow(**columns), [states[number] for number in held])

    def ids_and_gone(self) -> tuple[dict[State, int], list[tuple[int, State]]]:
        """Return the ids of its states, and what is gone for good, with the last edition that had it."""
        if not self.reader:
            return {}, []
        states = self.reader.all_states()
        gone = [(place, states[number]) for place, number in self.reader.query(_GONE)]
        return {state: number for number, state in states.items()}, gone

    def count_kept(self, editions: Sequence[Text]) -> int:
        """Return how many editions a copy of the file brings: all, or none if they are not the first."""
        blank = dict.fromkeys(LONG_COLUMNS, "")
        rows = [EditionRow(**text.row._asdict() | blank) for text in editions]
        named = [(row, *names) for row, names in zip(rows, edition_names(rows), strict=True)]
        count = len(self.editions)
        is_known = self.is_current and named[:count] == self.editions
        return count if is_known and not self._lies_inside_verdicts(rows[count:]) else 0

    def _lies_inside_verdicts(self, later: Sequence[EditionRow]) -> bool:
        """Return whether later editions show what readers meant by steps that lead beyond the last."""
        last, days = self.editions[-1:], {row.effective for row in later}
        return any(
            it.old_edition < row.effective < it.new_edition in days
            for row, *_ in last
            for it in all_verdicts()
        )


def _open_old(path: Path) -> _OldBase:
    old = _OldBase()
    try:
        refuse_forgery(str(path))
        old.reader = reader = Reader(path)
        meta = reader.facts()
        if meta.get("reader") != current_meta()["reader"]:
            log.warning("%s: made by another version of the program; rebuilding it", path)
            return old
        for row in reader.editions():
            columns = {name: row.get(name, "") for name in EditionRow._fields}
            old.editions.append((EditionRow(**columns), row["label"], row["is_chosen"]))
        told = KnowledgeBase(reader).witnesses.all()
        old.witnesses = {witness.sha256: witness for witness in told}
        old.is_current = meta == current_meta()
    except NewerBaseError:
        raise
    except NoBaseError:
        pass
    except BaseError as error:
        log.warning("%s; rebuilding it", str(error).removesuffix("; run cr build to build it anew"))
    return old


# One build ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Build:
    """One build, from the documents to the new file.

    Until all editions are known, documents that were read as editions wait in `texts`, all others in
    `others`, by their hashes. `named` has the documents as they were given; several may have the same
    bytes.
    """

    path: Path
    archive: Archive
    old: _OldBase
    now: str
    jobs: int
    texts: dict[str, Text] = field(default_factory=dict[str, Text])
    others: dict[str, bytes] = field(default_factory=dict[str, bytes])
    named: dict[str, list[Document]] = field(default_factory=dict[str, list[Document]])
    _states: dict[State, State] = field(default_factory=dict[State, State])

    def run(self, given: Iterable[Document | Unreadable]) -> Iterator[Event]:
        """Build; yield what happens to each document."""
        with timed("reading documents"):
            yield from self._read(self._calls(given))
        lost, is_decided = [*self._lost()], self._is_decided_anew()
        yield from lost
        if self.old.is_current and not (self.texts or self.others or lost or is_decided):
            return
        first, editions, others = yield from self._settled(is_anew=bool(lost) or is_decided)
        had = {row.sha256 for row, *_ in self.old.editions}
        new = [text for text in editions if text.row.sha256 not in had]
        for text in new:
            if text.is_original:
                document = self.named[text.row.sha256][0]
                yield Taken(document, text.day, text.row.rules, text.row.condition)
        if not editions and not self.path.exists():
            yield from self._refuse_others()
            return
        if not editions and not self.old.editions:
            raise BaseError(
                f"{self.path}: cannot be rebuilt: {DOCUMENTS} has no edition; "
                "run cr build with your documents"
            )
        # The documents stay in the archive even if the file cannot be written.
        self.archive.save_manifest()
        if first and first == len(editions):
            events = self._add_witnesses(others)
        else:
            with timed("writing the base"):
                events = self._write(editions, first, others)
        for text in new:
            if text.row.doubts:
                yield Doubted(text.day, tuple(text.row.doubts.split("\n")))
        yield from events

    # Reading -------------------------------------------------------------------------------------

    def _calls(self, given: Iterable[Document | Unreadable]) -> Iterator[Call]:
        """Yield what reads the documents that the archive has but the old base lacks, and those given."""
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
        try:
            return call_to_read(self._archived(sha256))
        except ArchiveError as error:
            return Call(None, print, (), file=sha256, outcome=error, is_done=True)

    def _read(self, calls: Iterable[Call], *, are_new: bool = True) -> Iterator[Event]:
        for document, outcome in in_processes(calls, self.jobs):
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
                text = self._add(Text(*outcome))
                self.named[document.sha256] = [document]
                if are_new:
                    self._keep(document)
                if are_new and not text.is_original:
                    yield Taken(document, text.day, text.row.rules, text.row.condition)

    def _add(self, text: Text) -> Text:
        """Add a text that was read; equal states of all become one object."""
        text.states = [self._states.setdefault(state, state) for state in text.states]
        return self.texts.setdefault(text.row.sha256, text)

    def _wait(self, document: Document) -> Iterator[Event]:
        """Keep a document in memory until all editions are known."""
        if sum(map(len, self.others.values())) + len(document.data) > _MOST_WAITING:
            reason = f"over {_MOST_WAITING >> 20} MB of documents other than editions; build some of them first"
            yield _not_taken(document, CostlyError(reason, document.origin))
        else:
            self.others[document.sha256] = document.data
            self.named.setdefault(document.sha256, []).append(document)

    def _keep(self, document: Document) -> None:
        """Put a document into the archive, unless it is from there."""
        if document.address == str(self.archive.path(document.sha256)):
            return
        # A relative path would mean nothing later.
        is_file = document.address and "://" not in document.address
        address = os.path.abspath(document.address) if is_file else document.address  # noqa: PTH100
        source = DocumentSource(document.name, address, self.now, dict(document.headers) or None)
        self.archive.save(document.data, source, document.sha256)

    def _archived(self, sha256: str) -> Document:
        """Return a document of the archive; an ArchiveError if its bytes are missing or changed."""
        name = next((source.name for source in self.archive.sources(sha256)), sha256)
        data = self.archive.load(sha256)
        return Document(name, str(self.archive.path(sha256)), data, is_named=True)

    def _lost(self) -> Iterator[Event]:
        """Yield what leaves the base, because the archive lost it."""
        editions = {row.sha256: f"the edition of {row.effective}" for row, *_ in self.old.editions}
        for sha256, what in {
            **editions,
            **dict.fromkeys(self.old.witnesses, "the witness"),
        }.items():
            if sha256 not in self.archive:
                reason = f"no longer kept, so {what} leaves the base"
                yield Refused(ArchiveError(self.archive.path(sha256), reason))

    def _is_decided_anew(self) -> bool:
        """Return whether a document of the old base is attested otherwise than then."""
        for sha256 in self.archive:
            self.archive.note_agreement(sha256, self.now)
        said = [(row.effective, row.sha256, row.attested) for row, *_ in self.old.editions]
        said += [
            (str(w.dated), w.sha256, "") for w in self.old.witnesses.values() if w.kind == COPY
        ]
        return any(attestation_of(self.archive, day, sha256) != by for day, sha256, by in said)

    def _settled(
        self, *, is_anew: bool
    ) -> Generator[Event, None, tuple[int, list[Text], list[Text]]]:
        """Return the editions, after how many of them the first new one stands, and what to compare.

        As long as its edition stays, so does what is said of a copy or an original, which is not read
        again; without a new edition, so does what is said of pages.
        """
        known = [w for w in self.old.witnesses.values() if w.sha256 in self.archive]
        days = {text.day for text in self.texts.values()}
        for text in self.old.texts():
            if text.row.sha256 in self.archive:
                self._add(text)
        first, editions, others = 0, list[Text](), list[Text]()
        for need in _Need:
            is_enough = first and (need is _Need.ALL or first == len(editions))
            again = [] if is_enough else [w.sha256 for w in known if _need_of(w, days) is need]
            if again or need is _Need.DAY:
                calls = map(self._call_to_read_again, sorted(again))
                yield from self._read(calls, are_new=False)
                with timed("choosing the editions"):
                    editions, others = settle([*self.texts.values()], self.archive, self.now)
                first = 0 if is_anew else self.old.count_kept(editions)
        return first, editions, others

    # Writing -------------------------------------------------------------------------------------

    def _write(self, editions: Sequence[Text], first: int, others: Sequence[Text]) -> list[Event]:
        """Write the editions from the place `first` on behind those that the old file has, or all.

        Return what happened to the documents that are no editions.
        """
        with timed("following provisions between editions"):
            ids, gone = self.old.ids_and_gone() if first else ({}, [])
            links = follow(editions, first, gone, self.jobs)
        self.old.close()
        with new_file(self.path, current_meta(), is_copy=first > 0) as new:
            new.add_editions([(text.row, text.states) for text in editions], links, ids)
            stale = [StaleRow._make(row) for row in new.query("SELECT * FROM stale")]
            with timed("finding errors"), closing(Reader(new.file, is_trusted=True)) as reader:
                found = list(find_findings(KnowledgeBase(reader), first, stale))
            new.add_findings(first, [errors for errors, _ in found], found[-1][1] if found else [])
            witnesses, events = self._compare(new.file, others)
            new.set_witnesses(witnesses)
        return events

    def _add_witnesses(self, others: Sequence[Text]) -> list[Event]:
        """Add documents that are no editions to the old file; return what happened to them."""
        witnesses, events = self._compare(self.path, others)
        if any(witnesses.values()):
            self.old.close()
            with (
                timed("writing the base"),
                new_file(self.path, current_meta(), is_copy=True) as new,
            ):
                new.set_witnesses(witnesses)
        return events

    def _refuse_others(self) -> Iterator[Event]:
        reason = "not an edition, and the base has none to compare it with; add editions first"
        for sha256 in self.others:
            for document in self.named[sha256]:
                yield _not_taken(document, LayoutError(reason, document.origin))

    def _compare(
        self, file: Path, others: Iterable[Text]
    ) -> tuple[dict[str, WitnessRows | None], list[Event]]:
        """Compare all that is no edition with the editions of a file.

        Return the rows of each by its hash, None of what is no witness, and what happened to it.
        """
        contents: dict[str, Text | bytes] = {text.row.sha256: text for text in others} | self.others
        for sha256 in contents:
            if sha256 not in self.named:  # an edition of the old base that is one no more
                self.named[sha256] = [self._archived(sha256)]
        calls = [
            Call(sha256, _compare, (file, sha256, contents[sha256], origin), origin, _SECONDS)
            for sha256 in sorted(contents)
            for origin in [self.named[sha256][0].origin]
        ]
        rows: dict[str, WitnessRows | None] = {}
        events: list[Event] = []
        with timed("comparing other documents"):
            for sha256, outcome in in_processes(calls, 1):
                rows[sha256] = outcome if isinstance(outcome, WitnessRows) else None
                for document in self.named[sha256]:
                    if isinstance(outcome, WitnessRows):
                        if sha256 in self.others:
                            self._keep(document)
                        is_new = sha256 not in self.old.witnesses
                        events.append(Heard(document, outcome.about, is_new))
                    else:
                        error = copy(outcome)
                        error.file = document.origin
                        events.append(_not_taken(document, error))
        return rows, events


class _Need(Enum):
    """When a witness of the old base is read again: for a text of its day, a new edition, or all new."""

    DAY = 0
    EDITION = 1
    ALL = 2


def _need_of(witness: Witness, days: Container[str]) -> _Need:
    is_text = witness.kind.startswith((COPY, ORIGINAL))
    if is_text and witness.dated in days:
        return _Need.DAY
    # A text with a wrong date may be nearer to the new edition.
    is_dated_well = str(witness.from_).startswith(str(witness.dated))
    return _Need.ALL if is_text and is_dated_well else _Need.EDITION


def _not_taken(document: Document | Unreadable, error: VariorumError) -> PassedOver | Refused:
    """Return the event of a document that cannot be added; an unrelated file that was not named is passed over."""
    is_foreign = isinstance(error, _FOREIGN) and not document.is_named
    return PassedOver(error) if is_foreign else Refused(error)


# In another process, with limits ------------------------------------------------------------------

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
