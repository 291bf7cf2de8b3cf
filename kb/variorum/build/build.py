"""Build a knowledge base from documents: incrementally, deterministically and atomically."""

import contextlib
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import chain, pairwise
from pathlib import Path

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.build.issues_and_copies import Settlement, set_columns
from variorum.build.new_documents import NewDocuments
from variorum.build.outcomes import Doubted, Event, Refused
from variorum.build.part_versions import current_meta, refuse_newer
from variorum.build.second_process import SecondProcess
from variorum.build.sources import WitnessBuild
from variorum.build.taken_over import TakenOver, copy_editions, take_over
from variorum.build.workers import align_editions
from variorum.documents.archive import Archive
from variorum.documents.decisions import Decision
from variorum.documents.find import Document, Unreadable, find, find_files
from variorum.errors import (
    ArchiveError,
    BaseError,
    BaseVersionError,
    DamagedBaseError,
    NewerBaseError,
    NoBaseError,
)
from variorum.model import Edition
from variorum.rows import State, bits_of
from variorum.store.findings import EditionFindings
from variorum.store.merger import Merger, Pair
from variorum.store.reader import Reader
from variorum.store.witnesses import WitnessRows
from variorum.store.writer import draft_of, write_base
from variorum.stored_rows import LinkRow, StepEvidence
from variorum.system.atomic_files import remove_half_written
from variorum.system.default_folders import DOCUMENTS, FILE
from variorum.system.default_jobs import default_jobs
from variorum.system.lock import locked
from variorum.system.timing import timed
from variorum.thresholds.lineages import RETURNED_CHANCE
from variorum.versions import version_of

log = logging.getLogger(__name__)

_DAY = len("2026-08-07")
# The editions of the sample rulebook, oldest first.
_SAMPLE = Path(__file__).parents[1] / "sample"


def find_documents(paths: Sequence[Path]) -> list[Path]:
    """Return the files that paths name: a file itself, or all files in a folder, sorted.

    Subfolders are searched; hidden files are left out. A folder that cannot be searched is in the
    list itself, so that opening it gives the error.
    """
    return find_files(paths)


def load_sample() -> Iterator[Edition]:
    """Yield the editions of the sample rulebook, oldest first."""
    from variorum.reading.edition import read_edition  # noqa: PLC0415 - imported on first use

    for name, data in _sample():
        yield read_edition(data, name)


def _sample() -> Iterator[tuple[str, bytes]]:
    for file in sorted(_SAMPLE.glob("*.txt")):
        yield file.name, file.read_bytes()


@dataclass(slots=True)
class Builder:
    """Brings a knowledge base up to date with its documents and new ones.

    Attributes:
        folder: The folder of the knowledge base.
        now: The time to record in the manifest for new documents.
        jobs: How many processes read at once.
        decisions: Decisions about documents, to record in the manifest.
    """

    folder: Path
    now: str
    jobs: int = field(default_factory=default_jobs)
    decisions: Sequence[Decision] = ()

    def build(self, paths: Sequence[Path]) -> Iterator[Event]:
        """Add documents; yield what happens to each.

        The base is written after everything has been yielded; a caller that stops before leaves it
        unchanged. Readers always see either the old state or the new one.

        Raises:
            BaseBusyError: Another process is writing this base, or has it open on a system where
                that prevents writing.
            ArchiveError: The manifest of the archive is damaged.
            NewerBaseError: A newer program wrote this base.
            NotWritableError: The folder cannot be written; the disk may be full.
        """
        yield from self._build(lambda: find(paths, self.folder))

    def take_in(self, documents: Iterable[Document]) -> Iterator[Event]:
        """Add documents that are already in memory; otherwise like `build`."""
        yield from self._build(lambda: documents)

    def build_sample(self) -> Iterator[Event]:
        """Add the sample rulebook; otherwise like `build`."""
        documents = (Document(name, "", data, is_named=True) for name, data in _sample())
        yield from self._build(lambda: documents)

    def open_built(self, today: date | None) -> KnowledgeBase:
        """Open the base that a build has just verified or written, without reading all of it again.

        Raises:
            NoBaseError: There is none, since no edition was added.
        """
        return KnowledgeBase(Reader(self.folder / FILE, is_trusted=True), today)

    def _build(self, find_all: Callable[[], Iterable[Document | Unreadable]]) -> Iterator[Event]:
        with locked(self.folder):
            archive = Archive(self.folder / DOCUMENTS)
            for decision in self.decisions:
                archive.decide(decision)
            archive.tidy()
            for path in (self.folder / FILE, draft_of(self.folder / FILE)):
                remove_half_written(path)
            witnesses = WitnessBuild(archive, current_meta())
            with timed("checking the old base"):
                merger, meta = self._old_rows(witnesses)
            unkept = _take_unkept(merger, archive) | dict.fromkeys(witnesses.drop_unkept(), "")
            orphans = witnesses.orphans(merger)
            before = len(merger.editions)
            held = {edition.columns.sha256 for edition in merger.editions}
            old = set(held)
            held |= witnesses.known.keys()
            documents = NewDocuments(archive, merger, witnesses, held, self.now, self.jobs)
            with timed("reading documents"):
                yield from documents.read_again()
                yield from documents.take_in(find_all())
            settlement = Settlement(merger, witnesses, archive, self.now, meta == current_meta())
            is_settled = not settlement.is_stale() and len(merger.editions) == before
            if not (is_settled and meta == current_meta() and not unkept):
                with timed("choosing the editions"):
                    settlement.settle()
            yield from witnesses.settle_originals(merger, documents.keep)
            yield from _say_unkept(archive, unkept, held)
            is_current = meta == current_meta() and not unkept and not orphans
            is_current = is_current and is_settled and len(merger.editions) == before
            path = self.folder / FILE
            if is_current and witnesses.are_current(merger):
                archive.save_manifest()
            elif path.exists() and not (merger.editions or meta):
                raise BaseError(
                    f"{path}: cannot be rebuilt: {DOCUMENTS} has no edition; "
                    "run cr build with your documents"
                )
            elif merger.editions or path.exists():
                self._write(merger, meta, witnesses, documents)
                yield from _doubted(merger, old)
            else:
                witnesses.refuse_all()
                archive.save_manifest()
            yield from witnesses.events

    def _write(
        self,
        merger: Merger,
        meta: Mapping[str, str],
        witnesses: WitnessBuild,
        documents: NewDocuments,
    ) -> None:
        """Write the file atomically, after saving the documents that it is made from."""
        path = self.folder / FILE
        is_current = meta == current_meta()
        with timed("copying what has not changed"):
            merger.load()
            set_columns(merger, witnesses.archive, is_current=is_current)
            known = take_over(self.folder / FILE, merger, meta)
        with timed("following provisions between editions"):
            self._align(merger, known)

        states = 0 if merger.kept else merger.count()
        beside = SecondProcess(self.jobs, states, len(witnesses.waiting))

        def lint(file: Path) -> Iterator[EditionFindings]:
            beside.index_texts(file, self.folder, self._today())
            place = merger.kept + len(known.findings)
            return chain(known.findings, beside.find_errors(file, place, known.stale))

        def attest(file: Path) -> list[WitnessRows]:
            with timed("comparing other documents"):
                rows = witnesses.attest(file, merger, documents.keep)
            witnesses.archive.save_manifest()
            return rows

        # The documents stay in the archive even if the file cannot be written.
        witnesses.archive.save_manifest()
        with timed("writing the base"), beside:
            write_base(path, merger, current_meta(), attest, lint)

    def _today(self) -> date | None:
        return date.fromisoformat(self.now[:_DAY]) if self.now else None

    def _align(self, merger: Merger, known: TakenOver) -> None:
        """Align all adjacent editions whose links are not known yet."""
        editions = merger.in_order()
        hashes = [edition.columns.sha256 for edition in editions]
        missing = [
            (place, place + 1)
            for place, pair in enumerate(pairwise(hashes))
            if place + 1 >= merger.kept and pair not in merger.links
        ]
        states = merger.states()
        dated = [(edition.columns.effective, edition.states) for edition in editions]
        for (old, new), links in align_editions(states, dated, missing, self.jobs):
            merger.links[hashes[old], hashes[new]] = links
            log.info("aligned %s with %s", dated[old][0], dated[new][0])
        merger.returns = _returns(merger, hashes, states, known)

    def _old_rows(self, witnesses: WitnessBuild) -> tuple[Merger, dict[str, str]]:
        """Return the rows of the old base, and the content of its table `meta`.

        Both are empty if the base is missing or damaged, or if another version of the program read
        its documents.
        """
        path = self.folder / FILE
        try:
            with contextlib.closing(Reader(path)) as reader:
                meta = reader.facts()
                refuse_newer(path, meta)
                if meta["reader"] != version_of("reader"):
                    log.warning("%s: made by another version of the program; rebuilding it", path)
                    return Merger(), {}
                merger = copy_editions(reader)
                witnesses.take_over(reader)
                return merger, meta
        except NewerBaseError:
            raise
        except NoBaseError:
            pass
        except DamagedBaseError as error:
            log.warning("%s: damaged: %s; rebuilding it", path, error.reason)
        except BaseVersionError as error:
            log.warning("%s: %s; rebuilding it", path, error.reason)
        except BaseError as error:
            log.warning("%s; rebuilding it", error)
        return Merger(), {}


def _doubted(merger: Merger, old: set[str]) -> Iterator[Event]:
    """Yield an event for each new edition that has doubts."""
    for edition in merger.in_order():
        row = edition.columns
        if row.doubts and row.sha256 not in old:
            yield Doubted(row.effective, tuple(row.doubts.split("\n")))


def _say_unkept(archive: Archive, unkept: Mapping[str, str], held: set[str]) -> Iterator[Event]:
    for sha256, effective in unkept.items():
        if sha256 not in held:
            leaving = f"the edition of {effective}" if effective else "the witness"
            reason = f"no longer kept, so {leaving} leaves the base"
            yield Refused(ArchiveError(archive.path(sha256), reason))


def _returns(
    merger: Merger, hashes: Sequence[str], states: Sequence[State], known: TakenOver
) -> dict[Pair, list[LinkRow]]:
    """Return the links of provisions that come back in editions that are not taken over."""
    from variorum.history.aligning.returns import find_returns  # noqa: PLC0415 - imported on first use

    first = max(merger.kept - 1, 0)
    ends: list[tuple[list[State], list[State]]] = [([], []) for _ in hashes[first:]]
    for place, pair in enumerate(pairwise(hashes[first:])):
        for link in merger.links[pair]:
            if link.new < 0:
                ends[place][0].append(states[link.old])
            elif link.old < 0:
                ends[place + 1][1].append(states[link.new])
    absent = [(place, states[number]) for place, number in known.absent]
    returns: dict[Pair, list[LinkRow]] = {}
    for source, before, place, after in find_returns(ends, first, absent):
        kinds = bits_of(["kept" if before.address == after.address else "renumbered"])
        why = StepEvidence("", "", ("same words, which came back after an absence",))
        row = LinkRow(merger.id_of(before), merger.id_of(after), 0, kinds, 0, RETURNED_CHANCE, why)
        returns.setdefault((hashes[source], hashes[place]), []).append(row)
    return returns


def _take_unkept(merger: Merger, archive: Archive) -> dict[str, str]:
    """Remove editions whose documents are no longer kept; return their dates by hash."""
    unkept = {
        edition.columns.sha256: edition.columns.effective
        for edition in merger.editions
        if edition.columns.sha256 not in archive
    }
    merger.editions = [
        edition for edition in merger.editions if edition.columns.sha256 not in unkept
    ]
    return unkept


def first_sources(folder: Path) -> dict[str, str]:
    """Return the name of the file that each document of a base first came from, by its hash.

    Raises:
        ArchiveError: The archive is damaged.
    """
    archive = Archive(folder / DOCUMENTS)
    return {
        sha256: archive.sources(sha256)[0].name for sha256 in archive if archive.sources(sha256)
    }
