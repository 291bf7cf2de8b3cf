"""Bring a knowledge base up to date with what its sources offer.

First everything is fetched and kept in `crawl/incoming/`, then it is read and judged, and then what is
trusted is built in by the one way in which documents ever get into a base. Killed at any moment,
the next run takes up what lies there.
"""

import os
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any

from variorum_crawler.places.offer import Offer
from variorum_crawler.places.source import Source
from variorum_crawler.received import Received
from variorum_crawler.sync.asking import Asker, Fetches
from variorum_crawler.sync.crawl_state import ASKED_AGAIN, CrawlState
from variorum_crawler.sync.fetch_offers import Given, OfferFetcher, Wanted
from variorum_crawler.sync.incoming import Incoming
from variorum_crawler.sync.last_run import Last, save_last
from variorum_crawler.sync.progress import Agreed, Event, Failed, Further, Next, Quarantined, Read
from variorum_crawler.sync.report import Report
from variorum_crawler.trust.held import Held, candidate_of, load_held, seen_in
from variorum_crawler.trust.judge import Candidate, Judgement, reason_against, weigh
from variorum_crawler.trust.judged_by import judged_among, judged_by, known_days
from variorum_crawler.trust.quarantine import Quarantine
from variorum_kb.build.build import Builder
from variorum_kb.build.outcomes import PassedOver, Refused
from variorum_kb.build.workers import read_rows
from variorum_kb.documents.archive import Archive
from variorum_kb.documents.find import Document
from variorum_kb.errors import ArchiveError, BaseError, DocumentError, NewerBaseError, NoBaseError
from variorum_kb.facts.editions import known_editions
from variorum_kb.model import Sha256
from variorum_kb.rows import EDITION_COLUMNS
from variorum_kb.system.place import DOCUMENTS


@dataclass(slots=True)
class Sync:
    """One run.

    Attributes:
        folder: Of the knowledge base; the caller holds the lock of its crawl.
        fetcher: Fetches what is on the web.
        now: When the run began, in UTC.
        jobs: How many processes read at once.
        report: What has happened so far; whole when `run` has ended.
    """

    folder: Path
    fetcher: Fetches
    now: datetime
    jobs: int = field(default_factory=lambda: os.cpu_count() or 1)
    report: Report = field(init=False)
    _archive: Archive = field(init=False)
    _state: CrawlState = field(init=False)
    _offers: OfferFetcher = field(init=False)
    _held: tuple[Held, ...] = ()
    _whole: dict[str, bool] = field(default_factory=dict[str, bool])
    _trusted: list[Candidate] = field(default_factory=list[Candidate])
    _judgements: dict[Sha256, Judgement] = field(default_factory=dict[Sha256, Judgement])
    _unread: dict[str, date] = field(default_factory=dict[str, date])
    _passed_over: set[str] = field(default_factory=set[str])
    _days: dict[str, date] = field(default_factory=dict[str, date])

    def __post_init__(self) -> None:
        """Open what lies in the folder.

        Raises:
            ArchiveError: The manifest, or the list of the quarantine, is damaged.
        """
        self.report = Report(str(self.folder))
        self._archive = Archive(self.folder / DOCUMENTS)
        self._state = CrawlState(self.folder, self.now)
        quarantine = Quarantine(self.folder, judged_by(), self._time())
        seen = seen_in(self._archive)
        asker = Asker(self.fetcher, self._state, seen, self._is_held, self._is_aside)
        self._offers = OfferFetcher(
            asker=asker,
            incoming=Incoming(self.folder),
            quarantine=quarantine,
            is_held=self._is_held,
            is_to_spare=self._is_to_spare,
            is_other=self._is_other,
        )

    def run(self, sources: Iterable[Source]) -> Iterator[Event]:
        """Fetch, judge and build; yield what happens.

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
        self._days = known_days()
        self._days |= {one.candidate.sha256: one.candidate.effective for one in self._held}
        self._take_out_of_quarantine()
        for source in sources:
            yield from self._offers.visit(source)
        again: list[Wanted] = []
        yield from self._read_and_judge(again)
        while again:
            waiting, again = again, []
            for wanted in waiting:
                yield from self._offers.see_to(wanted)
            yield from self._read_and_judge(again)
        yield from self._build()
        self._finish()

    def _time(self) -> str:
        return self.now.isoformat(timespec="seconds")

    def _open_base(self) -> Iterator[Event]:
        """Learn what is held; a base that an older program wrote is first built anew."""
        try:
            self._held = load_held(self.folder)
        except NewerBaseError:
            raise
        except BaseError:
            if len(self._archive):
                yield from Builder(self.folder, self._time(), self.jobs).take_in([])
                self._held = self._load_held()

    def _load_held(self) -> tuple[Held, ...]:
        """Return the editions that the base holds; none where there is nothing to make one of."""
        try:
            return load_held(self.folder)
        except NoBaseError:
            return ()

    def _is_held(self, sha256: str) -> bool:
        """Say whether the archive has a document, whole; what rotted is fetched anew."""
        if sha256 not in self._whole:
            try:
                kept = self._state.copy_of(sha256) or sha256
                self._whole[sha256] = kept in self._archive and bool(self._archive.load(kept))
            except ArchiveError:
                self._whole[sha256] = False
        return self._whole[sha256]

    def _is_to_spare(self, offer: Offer, address: str) -> bool:
        """Say whether an address that is gone need not be asked: its edition is held anyway."""
        gone = self._state.gone_since(address)
        is_recent = gone is not None and self.now.date() - gone < ASKED_AGAIN
        return is_recent and any(one.candidate.effective == offer.effective for one in self._held)

    def _is_other(self, offer: Offer, sha256: str) -> bool:
        """Say whether a document is known to be of another day than an offer says."""
        day = self._days.get(self._state.copy_of(sha256) or sha256)
        return None not in {day, offer.effective} and day != offer.effective

    def _is_aside(self, sha256: str) -> bool:
        return self._offers.quarantine.load(sha256) is not None

    def _take_out_of_quarantine(self) -> None:
        """Let what somebody built in meanwhile go; have judged anew what other rules judged."""
        quarantine = self._offers.quarantine
        for entry in tuple(quarantine):
            if self._is_held(entry.sha256):
                quarantine.release(entry.sha256)
            elif entry.judged_by != judged_by() and (data := quarantine.load(entry.sha256)):
                if reason_against(data, "", ""):
                    quarantine.put(entry.received[0], entry.reason, data)
                else:
                    again = [Given(None, received) for received in entry.received]
                    self._offers.given[entry.sha256] = again

    def _load(self, sha256: Sha256) -> bytes:
        data = self._offers.incoming.load(sha256)
        if data is None:  # an empty file is a file
            data = self._offers.quarantine.load(sha256)
        return self._archive.load(sha256) if data is None else data

    # What was given is read and judged.

    def _read_and_judge(self, again: list[Wanted]) -> Iterator[Event]:
        """Judge what was given; put into `again` who may have it from elsewhere.

        What the facts know is trusted, and read by the build alone; unless another document is to
        be compared with it.
        """
        known = known_days()
        new = [one for one in self._offers.given if self._is_new(one)]
        self._unread |= {one: known[one] for one in new if one in known}
        self._judgements |= {one: Judgement() for one in new if one in known}
        odd = [one for one in new if one not in known]
        if not odd:
            return
        yield Next("reading", len(odd))
        candidates: list[Candidate] = []
        yield from self._read(odd, candidates, again)
        days = {one.effective for one in candidates}
        yield from self._read(self._to_compare_with(days), candidates, again)
        unread = [Candidate(Sha256(one), day, 0) for one, day in self._unread.items()]
        held = [*self._known_of(days), *self._trusted, *unread]
        judgements = weigh(candidates, held, known_editions(), self.now.date())
        for one in candidates:
            yield from self._act_on(one, judgements[one.sha256], again)

    def _to_compare_with(self, days: set[date]) -> list[Sha256]:
        """Return the documents not read yet that are of some days, or of the last before each."""
        there = sorted(set(self._unread.values()))
        before = {there[place - 1] for day in days if (place := bisect_left(there, day))}
        wanted = [Sha256(one) for one, day in self._unread.items() if day in days | before]
        for one in wanted:
            del self._unread[one]
        return wanted

    def _read(
        self, documents: list[Sha256], candidates: list[Candidate], again: list[Wanted]
    ) -> Iterator[Event]:
        for document, outcome in read_rows(map(self._document, documents), self.jobs):
            yield Read()
            sha256 = Sha256(document.name)
            if isinstance(outcome, DocumentError):
                yield from self._refuse(sha256, outcome, again)
            else:
                columns, states = outcome
                row: dict[str, Any] = {**dict(zip(EDITION_COLUMNS, columns, strict=True))}
                candidates.append(candidate_of(row, states))

    def _act_on(
        self, candidate: Candidate, judgement: Judgement, again: list[Wanted]
    ) -> Iterator[Event]:
        sha256 = candidate.sha256
        self._judgements[sha256] = judgement
        if sha256 not in self._days and not judgement.reason:
            self._days[sha256] = candidate.effective
            again += self._still_wanted(sha256)
        received = self._offers.given[sha256][0].received
        if judgement.reason:
            yield from self._put_aside(sha256, judgement.reason, again)
        elif judgement.copy_of:
            self._state.saw_copy(sha256, judgement.copy_of)
            yield Agreed(received, judgement.copy_of)
        elif not candidate.is_original:
            self._trusted.append(candidate)
        if judgement.is_further:
            yield Further(received, candidate.effective)

    def _still_wanted(self, sha256: Sha256) -> Iterator[Wanted]:
        """Yield the offers for which a document is of another day than they say."""
        for one in self._offers.given[sha256]:
            wanted = one.wanted
            if wanted and wanted.addresses and self._is_other(wanted.offer, sha256):
                yield wanted

    def _known_of(self, dates: set[date]) -> list[Candidate]:
        """Return the editions that are held, those of some dates with their words."""
        if not dates & {one.candidate.effective for one in self._held}:
            return [one.candidate for one in self._held]
        return [one.candidate for one in load_held(self.folder, dates)]

    def _is_new(self, sha256: Sha256) -> bool:
        """Say whether a document has to be judged: it is not in the archive, nor a mere copy."""
        if self._state.copy_of(sha256) in self._archive:
            self._judgements.setdefault(sha256, Judgement(copy_of=self._state.copy_of(sha256)))
        is_judged = sha256 in self._judgements or self._is_passed_over(sha256)
        return not is_judged and sha256 not in self._archive

    def _is_passed_over(self, sha256: str) -> bool:
        """Say whether a file of this computer proved to be no edition, judged as it would be now."""
        return self._state.passed_over(sha256) == judged_among(self._held)

    def _document(self, sha256: Sha256) -> Document:
        return Document(sha256, "", self._load(sha256), is_named=False)

    def _refuse(self, sha256: Sha256, error: DocumentError, again: list[Wanted]) -> Iterator[Event]:
        """Put aside what came from the web; what lies on this computer is the build's to refuse.

        A folder holds files of any kind, and witnesses that are no editions.
        """
        self._judgements[sha256] = Judgement()
        if any("://" in one.received.address for one in self._offers.given[sha256]):
            line = f"line {error.line}: " if error.line else ""
            yield from self._put_aside(sha256, line + error.message, again)

    def _put_aside(self, sha256: Sha256, reason: str, again: list[Wanted]) -> Iterator[Event]:
        data = self._load(sha256)
        self._judgements[sha256] = Judgement(reason)
        for given in self._offers.given.pop(sha256):
            entry, is_new = self._offers.quarantine.put(given.received, reason, data)
            yield Quarantined(entry, given.received.address, is_new)
            if given.wanted is not None and given.wanted.addresses:
                again.append(given.wanted)

    # What is trusted is built in.

    def _build(self) -> Iterator[Event]:
        """Build in what is trusted; without anything new, see that the base is up to date."""
        trusted = list(self._to_build())
        if trusted:
            self._offers.incoming.remember_held(one.candidate.sha256 for one in self._held)
            new = {one.sha256 for one in trusted} - set(self._archive)
            self.report.agreements += len(trusted) - len(new)
            yield Next("building", len(trusted))
        documents = (
            Document(
                one.name, one.address, self._load(one.sha256), is_named=False, headers=one.headers
            )
            for one in trusted
        )
        for event in Builder(self.folder, self._time(), self.jobs).take_in(documents):
            refused = list(_refused(event, trusted))
            for received, reason in refused:
                data = self._load(received.sha256)
                entry, is_new = self._offers.quarantine.put(received, reason, data)
                yield Quarantined(entry, received.address, is_new)
            if isinstance(event, PassedOver) and isinstance(event.error, DocumentError):
                file = event.error.file
                self._passed_over |= {one.sha256 for one in trusted if one.address == file}
            if not refused:
                yield event

    def _to_build(self) -> Iterator[Received]:
        """Yield what is trusted, from wherever it came, unless the manifest says so already."""
        for sha256, given in self._offers.given.items():
            if self._is_passed_over(sha256):
                self.report.passed_over += 1
                continue
            is_held = self._is_held(sha256)
            known = {one.address for one in self._archive.sources(sha256) if is_held}
            judgement = self._judgements.get(sha256, Judgement())
            for one in given:
                if one.received.address not in known and judgement.is_built_in:
                    known.add(one.received.address)
                    yield one.received

    def _finish(self) -> None:
        before = self._offers.incoming.held_before()
        before = {one.candidate.sha256 for one in self._held} if before is None else before
        offers, self._archive = self._offers, Archive(self.folder / DOCUMENTS)
        self._whole.clear()
        for received in offers.fetched:
            if self._is_held(received.sha256) or self._is_aside(received.sha256):
                self._state.saw_document(
                    received.address, self._state.seen_of(received.sha256, received.headers)
                )
        for address in offers.gone:
            self._state.found_gone(address, self.now.date())
        for entry in tuple(offers.quarantine):
            if entry.sha256 in self._archive:
                offers.quarantine.release(entry.sha256)
        held = self._load_held()
        self._state.keep_passed_over(self._passed_over, judged_among(held))
        self._state.save()
        new = [one for one in held if one.candidate.sha256 not in before]
        further = {one for one, judgement in self._judgements.items() if judgement.is_further}
        self.report.new = [one.label for one in new]
        self.report.further = [one.label for one in new if one.candidate.sha256 in further]
        self.report.editions = len(held)
        self.report.in_quarantine = len(offers.quarantine)
        failed = self.report.failed_sources
        ended: Last = {"since": self._time(), "new": self.report.new, "failed_sources": failed}
        save_last(self.folder, ended)
        offers.incoming.clear()
        self.report.requests = offers.asker.requests
        self.report.conditional = offers.asker.conditional
        self.report.unchanged = offers.asker.unchanged

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
            case PassedOver():
                self.report.passed_over += 1
            case Refused(error):
                self.report.fail("archive", "", str(error))
            case _:
                pass


def _refused(event: Event, trusted: Iterable[Received]) -> Iterator[tuple[Received, str]]:
    """Yield the documents that the build refuses all the same, each with the reason.

    A file of this computer that is no edition is merely passed over.
    """
    if isinstance(event, PassedOver | Refused) and isinstance(event.error, DocumentError):
        for received in trusted:
            is_passed_over = isinstance(event, PassedOver) and "://" not in received.address
            if received.address == event.error.file and not is_passed_over:
                yield received, event.error.message
