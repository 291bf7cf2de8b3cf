"""Bring a knowledge base up to date with the offers of its sources.

A run first fetches all documents into `crawl/incoming/`. Then it reads and judges them, and builds
in the trusted ones like `cr build`. If it is killed, the next run fetches what is missing.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from variorum.build.build import Builder
from variorum.build.outcomes import PassedOver, Refused
from variorum.documents.archive import Archive
from variorum.documents.find import Document
from variorum.errors import BaseError, DocumentError, NewerBaseError, NoBaseError
from variorum.system.default_folders import DOCUMENTS
from variorum.system.default_jobs import default_jobs
from variorum.system.timing import timed
from variorum_crawler.fetch.fetcher import Fetcher
from variorum_crawler.places.sources import Source
from variorum_crawler.received import Received
from variorum_crawler.sync.conditional_requests import Asker
from variorum_crawler.sync.crawl_state import CrawlState, Incoming
from variorum_crawler.sync.documents import Documents
from variorum_crawler.sync.fetch_offers import Given, OfferFetcher, Wanted
from variorum_crawler.sync.judging import Judging
from variorum_crawler.sync.progress import Agreed, Event, Failed, Next, Quarantined
from variorum_crawler.sync.report import Report
from variorum_crawler.trust.held_editions import Held, load_held, seen_in
from variorum_crawler.trust.judge import Judgement, reason_against
from variorum_crawler.trust.judged_by import judged_by, known_days
from variorum_crawler.trust.quarantine import Quarantine


@dataclass(slots=True)
class Sync:
    """A run of `cr sync`.

    Attributes:
        folder: The folder of the knowledge base; the caller holds the lock of its crawl.
        fetcher: Fetches from the web.
        now: When the run began, in UTC.
        jobs: How many processes read at once.
        report: The events so far; complete after `run`.
    """

    folder: Path
    fetcher: Fetcher
    now: datetime
    jobs: int = field(default_factory=default_jobs)
    report: Report = field(init=False)
    _documents: Documents = field(init=False)
    _offers: OfferFetcher = field(init=False)
    _judging: Judging = field(init=False)

    def __post_init__(self) -> None:
        """Open the files of the folder.

        Raises:
            ArchiveError: The manifest is damaged.
        """
        self.report = Report(str(self.folder))
        state = CrawlState(self.folder, self._time())
        self._documents = documents = Documents(
            today=self.now.date(),
            archive=Archive(self.folder / DOCUMENTS),
            quarantine=Quarantine(state, judged_by()),
            incoming=Incoming(self.folder),
            state=state,
        )
        asker = Asker(
            self.fetcher,
            documents.state,
            self.report,
            seen_in(documents.archive),
            documents.is_held,
            documents.is_quarantined,
        )
        self._offers = OfferFetcher(asker=asker, documents=documents)
        self._judging = Judging(
            folder=self.folder,
            jobs=self.jobs,
            now=self._time(),
            documents=documents,
            offers=self._offers,
        )

    def run(self, sources: Iterable[Source]) -> Iterator[Event]:
        """Fetch, judge and build; yield the events.

        Raises:
            BaseBusyError: Another process is building this base.
            NewerBaseError: A newer program wrote this base.
            ArchiveError: The archive is damaged.
            NotWritableError: The folder cannot be written; the disk may be full.
        """
        for event in self._run(sources):
            self._count(event)
            yield event

    def _run(self, sources: Iterable[Source]) -> Iterator[Event]:
        yield from self._open_base()
        held = [edition.candidate for edition in self._documents.held]
        self._documents.days = known_days() | {
            edition.sha256: edition.effective for edition in held
        }
        self._take_out_of_quarantine()
        with timed("fetching from sources"):
            for source in sources:
                yield from self._offers.fetch_source(source)
        with timed("judging what was fetched"):
            yield from self._judge()
        yield from self._build()
        self._finish()

    def close(self) -> None:
        """Forget what the next run would tell again, if this one were killed before."""
        self._documents.state.forget_held()

    def _judge(self) -> Iterator[Event]:
        """Judge documents; if some are refused, fetch and judge others in their place."""
        again: list[Wanted] = []
        yield from self._judging.judge(again)
        while again:
            waiting, again = again, []
            for wanted in waiting:
                yield from self._offers.fetch_offer(wanted)
            yield from self._judging.judge(again)

    def _time(self) -> str:
        return self.now.isoformat(timespec="seconds")

    def _open_base(self) -> Iterator[Event]:
        """Load the editions of the base; rebuild a base of an older program first."""
        try:
            self._documents.held = load_held(self.folder)
        except NewerBaseError:
            raise
        except BaseError:
            if len(self._documents.archive):
                yield from Builder(self.folder, self._time(), self.jobs).take_in([])
                self._documents.held = self._load_held()

    def _load_held(self) -> tuple[Held, ...]:
        """Return the editions that the base holds; none if there is no base."""
        try:
            return load_held(self.folder)
        except NoBaseError:
            return ()

    def _take_out_of_quarantine(self) -> None:
        """Release documents that a person built in; judge again those that another version judged."""
        quarantine = self._documents.quarantine
        for entry in tuple(quarantine):
            if self._documents.is_held(entry.sha256):
                quarantine.release(entry.sha256)
            elif entry.judged_by != judged_by() and (data := quarantine.load(entry.sha256)):
                if reason_against(data, "", ""):
                    quarantine.put(entry.received[0], entry.reason, data)
                else:
                    again = [Given(None, received) for received in entry.received]
                    self._offers.given[entry.sha256] = again

    def _build(self) -> Iterator[Event]:
        """Build in trusted documents; without any, only check that the base is up to date."""
        documents = self._documents
        trusted = list(self._to_build())
        if trusted:
            held = (edition.candidate.sha256 for edition in documents.held)
            documents.state.remember_held(held)
            new = {document.sha256 for document in trusted} - set(documents.archive)
            self.report.agreements += len(trusted) - len(new)
            yield Next("building", len(trusted))
        builder = Builder(self.folder, self._time(), self.jobs, self._judging.agreements)
        built = builder.take_in(map(self._document, trusted))
        for event in built:
            refused = list(_refused(event, trusted))
            for received, reason in refused:
                data = documents.load(received.sha256)
                entry, is_new = documents.quarantine.put(received, reason, data)
                yield Quarantined(entry, received.address, is_new)
            if not refused:
                yield event

    def _document(self, received: Received) -> Document:
        return Document(
            received.name,
            received.address,
            self._documents.load(received.sha256),
            is_named=False,
            headers=received.headers,
        )

    def _to_build(self) -> Iterator[Received]:
        """Yield each trusted document and address that the manifest lacks."""
        for sha256, given in self._offers.given.items():
            is_held = self._documents.is_held(sha256)
            addresses = {
                source.address for source in self._documents.archive.sources(sha256) if is_held
            }
            judgement = self._judging.judgements.get(sha256, Judgement())
            for document in given:
                if document.received.address not in addresses and judgement.is_built_in:
                    addresses.add(document.received.address)
                    yield document.received

    def _finish(self) -> None:
        """Store the state, complete the report, and empty `crawl/incoming/`."""
        documents, quarantine = self._documents, self._documents.quarantine
        before = documents.state.held_before()
        if before is None:
            before = {edition.candidate.sha256 for edition in documents.held}
        documents.reopen_archive()
        for entry in tuple(quarantine):
            if entry.sha256 in documents.archive:
                quarantine.release(entry.sha256)
        held = self._load_held()
        self._remember()
        new = [edition for edition in held if edition.candidate.sha256 not in before]
        judgements = self._judging.judgements
        further = {sha256 for sha256, judgement in judgements.items() if judgement.is_further}
        self.report.new = [edition.label for edition in new]
        self.report.further = [
            edition.label for edition in new if edition.candidate.sha256 in further
        ]
        self.report.editions = len(held)
        self.report.in_quarantine = len(quarantine)
        documents.state.end(self.report.new, self.report.failed_sources)
        documents.state.save()
        documents.incoming.clear()

    def _remember(self) -> None:
        """Remember what each address served, and which are gone."""
        documents, state = self._documents, self._documents.state
        for received in self._offers.fetched.values():
            if documents.is_held(received.sha256) or documents.is_quarantined(received.sha256):
                version = state.seen_of(received.sha256, received.headers)
                state.saw_document(received.address, version)
        for address in self._offers.gone:
            state.found_gone(address, documents.today)

    def _count(self, event: Event) -> None:
        match event:
            case Failed(source, address, reason):
                self.report.fail(source, address, reason)
            case Quarantined(entry, address, True):
                self.report.quarantined.append(
                    {"sha256": entry.sha256, "address": address, "reason": entry.reason}
                )
            case Agreed():
                self.report.agreements += 1
            case Refused(error):
                self.report.fail("archive", "", str(error))
            case _:
                pass


def _refused(event: Event, trusted: Iterable[Received]) -> Iterator[tuple[Received, str]]:
    """Yield the trusted documents that the build refused, with the reason."""
    if isinstance(event, PassedOver | Refused) and isinstance(event.error, DocumentError):
        for received in trusted:
            if received.address == event.error.file:
                yield received, event.error.message
