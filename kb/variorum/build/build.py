"""Build a knowledge base from documents: one new file replaces the old one, once; and check one.

A document is an edition, another text of an edition, or a page about rules. What the old file has of
editions is taken from it, so they are not read again. Later editions are added to a copy of it; anything
else is written anew.
"""

import logging
import os
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from functools import cache
from itertools import chain, starmap
from pathlib import Path
from sqlite3 import Connection, connect
from tempfile import TemporaryDirectory
from typing import NamedTuple

from variorum import errors
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.lint import find_findings
from variorum.build.align import follow
from variorum.build.editions import Text, read_texts, settle
from variorum.documents.archive import Archive, Document, agreement_on, find
from variorum.facts import all_verdicts
from variorum.files import DOCUMENTS, FILE, current_meta, locked
from variorum.model import sha256_of
from variorum.records.document import Witness
from variorum.records.upkeep import TrustDecision
from variorum.rows import StaleRow, State
from variorum.store import reader, writer
from variorum.store.reader import Reader, WitnessRows
from variorum.text import listed
from variorum.witnesses.copies import compared
from variorum.witnesses.read import DocumentReader
from variorum.workers import outcomes

log = logging.getLogger(__name__)

_SECONDS = 180  # to compare a document with the editions; the costliest takes 9


class Event(NamedTuple):
    """What happened to a document, which has the name of its file.

    An edition is "taken", and "doubted" if every answer from it will mention doubts; a document that is no
    edition is "heard", or "heard again"; one that the base has is "known". A file found in a folder that
    has nothing to do with the rules is "skipped", any other that cannot be taken in "refused".
    """

    kind: str
    name: str
    text: Text | None = None
    witness: Witness | None = None
    error: errors.VariorumError | None = None


class Builder:
    """Brings the knowledge base in a folder up to date with its documents and new ones; for one build."""

    def __init__(
        self, folder: Path, now: str, jobs: int = 0, decisions: Sequence[TrustDecision] = ()
    ) -> None:
        """Record the time `now` for new documents and `decisions`; work in so many processes at once."""
        self._folder, self._now, self._decisions = folder, now, decisions
        self._jobs = jobs or os.cpu_count() or 1
        # What was read, by its hash: editions, and documents that are none; and which of these the old file has.
        self._texts, self._pages, self._heard = dict[str, Text](), dict[str, Document](), set[str]()
        self._states: dict[State, State] = {}

    def build(
        self, paths: Sequence[Path] = (), documents: Iterable[Document] = ()
    ) -> Iterator[Event]:
        """Add the documents of files, folders and ZIPs, and others; yield what happens to each.

        A caller that stops early leaves the base as it was. Readers see the old file or the new one.
        BaseError: the base is being written, or is of a newer program, or its manifest is damaged.
        """
        with locked(self._folder):
            self._archive = archive_of(self._folder)
            self._archive.decide(*self._decisions)
            with closing(_open_old(self._folder / FILE)) as old:
                yield from self._build(chain(find(paths, self._folder), documents), old)
            self._archive.save_manifest()

    def _build(self, documents: Iterable[Document], old: Reader) -> Iterator[Event]:
        archive, file, rows = self._archive, self._folder / FILE, old.editions()
        self._heard = {sha256 for (sha256,) in old.query("SELECT sha256 FROM witness")}
        held = {row.sha256 for row in rows}
        unread = sorted(archive.sources.keys() - held - self._heard)
        yield from self._read(chain(map(archive.document, unread), documents), held | self._heard)
        archive.decide(*[agreement_on(*it, self._now) for it in archive.sources.items()])
        meta = {**current_meta(), "decisions": sha256_of(repr(sorted(archive.decisions)).encode())}
        editions, others, is_copy = list[Text](), list[tuple[Text, str]](), old.facts() == meta
        if self._texts or not is_copy:
            # What is no edition is read and compared again.
            yield from self._read(map(archive.document, sorted(self._heard)))
            states = {id_: state._replace(id=-1) for id_, state in old.states_by_id().items()}
            for row in rows:
                self._add(Text(row, [states[number] for number in old.states_of(row.place)]))
            editions, others = settle(self._texts.values(), archive)
            last = rows[-1].effective if rows else ""
            days = {it.day for it in editions[len(rows) :]}
            # Later editions may show what readers meant by steps that lead beyond the last.
            shown = [it for it in all_verdicts() if it.old_edition < last < it.new_edition in days]
            is_copy &= not shown and [text.row for text in editions[: len(rows)]] == rows
        elif not self._pages:
            return
        kept = () if is_copy else archive.held - self._texts.keys() - self._pages.keys()
        lost = [archive.name(it) for it in sorted(kept) if archive.document(it).error]
        if not (editions or is_copy):
            reason = "not an edition, and the base has none to compare it with; add editions first"
            for page in self._pages.values():
                yield _not_taken(page, errors.FormatError(reason, page.address))
            if not file.exists():
                return
        if lost or not (editions or is_copy):
            reason = f"kept, cannot be rebuilt: {DOCUMENTS} lacks {listed(lost, 3) or 'editions'}"
            raise errors.BaseError(file, reason, "run cr build with your documents")
        old.close()  # Windows does not replace an open file
        new = [(archive.name(it.row.sha256), it) for it in editions if it.row.sha256 not in held]
        yield from [Event("taken", name, text) for name, text in new if text.is_original]
        archive.save_manifest()  # the documents stay there even if the file cannot be written
        with writer.new_file(file, meta, is_copy=is_copy) as (base, beside):
            _add_editions(base, editions, self._jobs)
            base.commit()
            copies = [(it.row.sha256, (beside, it, day)) for it, day in others]
            pages = [(key, (beside, it.data, it.address)) for key, it in self._pages.items()]
            found = dict(outcomes(_compare, sorted([*copies, *pages]), seconds=_SECONDS))
            for page in [it for it in self._pages.values() if isinstance(found[it.sha256], tuple)]:
                archive.keep(page, self._now)
            writer.put_witnesses(base, found)
        yield from [Event("doubted", name, text) for name, text in new if text.row.doubts]
        yield from starmap(self._compared, found.items())

    def _read(self, documents: Iterable[Document], known: Container[str] = ()) -> Iterator[Event]:
        for document, outcome in read_texts(documents, self._jobs, known):
            sha256, name = document.sha256, document.name
            if isinstance(outcome, errors.OtherDocumentError):
                if self._pages.setdefault(sha256, document) is not document:
                    yield Event("known", name)
            elif isinstance(outcome, errors.VariorumError):
                yield _not_taken(document, outcome)
            else:
                self._archive.keep(document, self._now)
                if outcome is None or sha256 in self._texts:
                    yield Event("known", name)
                elif not (outcome.is_original or sha256 in self._heard):
                    yield Event("taken", name, outcome)
                if outcome:
                    self._add(outcome)

    def _compared(self, sha256: str, outcome: WitnessRows | errors.VariorumError) -> Event:
        if isinstance(outcome, errors.VariorumError):
            return _not_taken(self._pages.get(sha256) or self._archive.document(sha256), outcome)
        kind = "heard again" if sha256 in self._heard else "heard"
        return Event(kind, self._archive.name(sha256), witness=outcome[0])

    def _add(self, text: Text) -> None:
        """Add a text that was read; equal states of all become one object."""
        text.states = [self._states.setdefault(state, state) for state in text.states]
        self._texts.setdefault(text.row.sha256, text)


def archive_of(folder: Path) -> Archive:
    """Return the archive of a base, with the hashes of the documents that the base holds."""
    with suppress(errors.BaseError), closing(Reader.open(folder / FILE)) as base:
        held = base.query("SELECT sha256 FROM edition UNION SELECT sha256 FROM witness")
        return Archive(folder / DOCUMENTS, {sha256 for (sha256,) in held})
    return Archive(folder / DOCUMENTS)


def _open_old(path: Path) -> Reader:
    """Return the file that a build replaces; an empty one if it is missing, damaged or of another version."""
    try:
        old = Reader.open(path, is_trusted=False)
        if old.facts().items() >= current_meta().items():
            return old
        old.close()
        log.warning("%s: made by another version of the program; rebuilding it", path)
    except errors.NewerBaseError:
        raise
    except errors.NoBaseError:
        pass
    except errors.BaseError as error:
        log.warning("%s; rebuilding it", error.what)
    return Reader(reader.empty_base(), "")


def _add_editions(base: Connection, editions: Sequence[Text], jobs: int) -> None:
    ((first,),) = base.execute("SELECT count(*) FROM edition")
    if not editions[first:]:
        return
    ids = writer.add_editions(base, [(text.row, text.states) for text in editions[first:]])
    writer.add_links(base, follow(editions, ids, first, jobs))
    stale = [StaleRow(*row) for row in base.execute("SELECT * FROM stale")]
    found = list(find_findings(KnowledgeBase(Reader(base, "")), first, stale))
    writer.add_findings(base, first, [told for told, _ in found])
    base.execute("DELETE FROM stale")
    writer.insert(base, "stale", found[-1][1])


def _not_taken(document: Document, error: errors.VariorumError) -> Event:
    if isinstance(error, errors.DocumentError):
        error.file = error.file or document.address
    # What is unrelated to the rules, not a damaged document.
    is_foreign = isinstance(error, errors.FormatError | errors.TooLargeError)
    kind = "skipped" if is_foreign and not document.is_named else "refused"
    return Event(kind, document.name, error=error)


# In another process, with limits ------------------------------------------------------------------


@cache
def _reader(file: Path) -> DocumentReader:
    base = Reader(connect(file), str(file), reader.checksums_of(file)[1])
    return DocumentReader(KnowledgeBase(base))


def _compare(file: Path, content: Text | bytes, about: str) -> WitnessRows:
    """Compare a page, given its name, or another text of an edition, given the edition's day."""
    if isinstance(content, bytes):
        return _reader(file).witness(content, about)
    return compared(_reader(file).base, content.row, content.states, about)


# Whether a base is sound --------------------------------------------------------------------------


def verify(folder: Path, *, jobs: int = 1) -> Iterator[errors.BaseError]:
    """Compare documents with their hashes; if all are there, a second base built from them with the first.

    Yield what is wrong; change nothing. BaseError: the base or its manifest cannot be read, or is being written.
    """
    with ExitStack() as stack:
        if (folder / FILE).exists():
            with suppress(errors.FileError):  # then no other process writes it either
                stack.enter_context(locked(folder))
        archive = archive_of(folder)
        yield from (problems := [*archive.problems()])
        here = stack.enter_context(closing(Reader.open(folder / FILE)))
        if problems:
            return
        anew = Path(stack.enter_context(TemporaryDirectory()))
        copies = map(archive.document, sorted(archive.sources))
        list(Builder(anew, "", jobs, [*archive.decisions.values()]).build(documents=copies))
        there = stack.enter_context(closing(Reader.open(anew / FILE)))
        for (table,) in here.query(reader.TABLES):
            rows, expected = (Counter(it.query(f"SELECT * FROM {table}")) for it in (here, there))  # noqa: S608
            if rows != expected:
                what = f"the table {table} differs from one built anew from the documents"
                yield errors.BaseError(folder / FILE, what, "remove this file and run cr build")
