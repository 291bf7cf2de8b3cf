"""Bring a knowledge base up to date with the offers of its sources.

A run asks every address, judges new documents, and builds in the trusted ones like `cr build`. What
it saw is written down at once, so that the next run continues one that was killed.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from email.utils import format_datetime
from pathlib import Path
from urllib.parse import urlsplit

from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.build.build import Builder
from variorum.build.load import read_rows
from variorum.build.settle import Text
from variorum.documents.archive import (
    REDIRECTED,
    Addressed,
    Archive,
    agreement_on,
    publisher_of,
    publishers_of,
)
from variorum.documents.find import Document
from variorum.errors import ArchiveError, BaseError, DocumentError
from variorum.model import Sha256, sha256_of
from variorum.paths import DOCUMENTS
from variorum.records.upkeep import FailedSource, QuarantinedDocument, SyncResult, TrustDecision
from variorum.terminal import timed
from variorum.text import counted
from variorum_crawler.errors import FetchError, SourceError
from variorum_crawler.fetch import Fetched, Fetcher
from variorum_crawler.judge import Judge, controls_in, judged_by, known_hashes, reason_against
from variorum_crawler.offers import find_offers
from variorum_crawler.seen import COPY, FAILED, KEPT, QUARANTINED, TRUSTED, WAITING, Seen, SeenTable
from variorum_crawler.sources import Offer, Source

# After this many failures in a row, a host is not asked again in this run; each of these requests
# has already been retried.
_MOST_FAILURES = 4
# A line has no room for more labels.
_LISTED = 3


@dataclass(slots=True, kw_only=True)
class Sync:
    """A run of `cr sync`; the caller holds the lock of the crawl and closes the table.

    Attributes:
        folder: The folder of the knowledge base.
        now: When the run began, in UTC.
        jobs: How many processes read at once.
        show: Called with what is being done, for a line that is redrawn.
        tell: Called with each problem, for a line that stays.
        report: Complete after `run`.
    """

    folder: Path
    fetcher: Fetcher
    seen: SeenTable
    now: datetime
    jobs: int
    show: Callable[[str], None]
    tell: Callable[[str], None]
    report: SyncResult = field(init=False)
    _archive: Archive = field(init=False)
    _editions: tuple[EditionEntry, ...] = ()
    # By host: its failures in a row.
    _failures: Counter[str] = field(default_factory=Counter[str])
    # What each address gave in this run, for other sources with the same address.
    _asked: dict[str, str | FetchError] = field(default_factory=dict[str, str | FetchError])
    _whole: dict[str, bool] = field(default_factory=dict[str, bool])
    # Problems from before the first answer: without a network, one line says them all.
    _untold: list[str] | None = field(default_factory=list[str])
    _unreached: dict[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        """Begin an empty report."""
        self.report = SyncResult(str(self.folder))

    def run(self, sources: Iterable[Source]) -> None:
        """Fetch, judge and build.

        Raises:
            BaseBusyError: Another process is building this base.
            NewerBaseError: A newer program wrote this base.
            ArchiveError: The archive is damaged.
            NotWritableError: The folder cannot be written; the disk may be full.
        """
        self._build([])  # brings a base of an older program up to date
        self._look_again()
        with timed("fetching from sources"):
            for source in sources:
                self._ask_source(source)
        self._tell_untold()
        before = {edition.sha256 for edition in self._editions}
        if rows := self._unbuilt():
            self._build(rows)
        with timed("judging what was fetched"):
            is_trusted = self._judge()
        if is_trusted:
            self._build(self._unbuilt())
        self._tell_new(before)

    def finish(self) -> None:
        """Forget what the next run would tell again if this one were killed before."""
        for row in self.seen:
            if row.state == TRUSTED and row.sha256 in self._archive:
                self.seen.put(replace(row, state=KEPT))
        self.seen.tidy()

    # What is known.

    def _is_kept(self, sha256: str) -> bool:
        """Return whether the archive has a document, undamaged."""
        if sha256 not in self._whole:
            self._whole[sha256] = False
            with suppress(ArchiveError):
                self._whole[sha256] = sha256 in self._archive and bool(self._archive.load(sha256))
        return self._whole[sha256]

    def _is_there(self, row: Seen) -> bool:
        """Return whether we have the document of a row, or that of which it is a copy."""
        if row.state == COPY:
            return self._is_kept(row.reason)
        return self._is_kept(row.sha256) or self.seen.load(row.sha256) is not None

    def _load(self, sha256: str) -> bytes:
        data = self.seen.load(sha256)
        return self._archive.load(sha256) if data is None else data

    def _look_again(self) -> None:
        """Judge again what another version judged; forget documents that are lost."""
        for row in self.seen:
            if row.state == FAILED:
                continue
            if not self._is_there(row):
                self.seen.drop(row)
            elif row.state in {QUARANTINED, WAITING} and self._is_kept(row.sha256):
                self.seen.put(replace(row, state=KEPT, reason=""))  # a person built it in
            elif row.state == QUARANTINED and row.judged_by != judged_by():
                self.seen.put(replace(row, state=WAITING))

    # Asking.

    def _ask_source(self, source: Source) -> None:
        self.show(f"asking {source.name}")
        offered = given = 0
        reason = ""
        try:
            for offer in find_offers(source, self._fetch):
                offered += 1
                given += self._ask_offer(source.name, offer)
                self.show(f"asking {source.name}: {offered}")
        except (FetchError, SourceError) as error:
            reason = str(error)
        if offered and not given:
            reason = reason or "none of its documents could be fetched"
        if reason:
            self._fail(source.name, "", reason)
        before = self.seen.failure(source.name)
        if reason and not before:
            self.seen.put(Seen(address=source.name, state=FAILED, since=self._time()))
        elif before and not reason:
            self.seen.drop(before)

    def _ask_offer(self, source: str, offer: Offer) -> bool:
        """Ask the addresses of an offer in turn until one gives a document; return whether one does.

        An edition that the facts have is not asked for again once it is in the archive.
        """
        same_day = [held.sha256 for held in self._editions if held.effective == offer.effective]
        if any(sha256 in known_hashes() and self._is_kept(sha256) for sha256 in same_day):
            return True
        is_given = False
        for address in sorted(offer.addresses, key=lambda address: not self._is_held(address)):
            try:
                state = self._ask(offer, address)
            except FetchError as error:
                self._fail(source, address, error.reason)
            else:
                is_given = True
                if state != QUARANTINED:
                    break
        return is_given

    def _is_held(self, address: str) -> bool:
        row = self.seen.last(address)
        return row is not None and row.state in {KEPT, COPY, TRUSTED}

    def _ask(self, offer: Offer, address: str) -> str:
        """Ask an address; return the state of its document.

        Raises:
            FetchError: The address serves no document.
        """
        answer = self._asked.get(address)
        if answer is None:
            try:
                answer = self._receive(offer, address)
            except FetchError as error:
                answer = error
            self._asked[address] = answer
        if isinstance(answer, FetchError):
            raise answer
        return answer

    def _receive(self, offer: Offer, address: str) -> str:
        before = self.seen.last(address)
        if before and not self._is_there(before):
            before = None
        fetched = self._fetch(address, before.conditions if before else None)
        if not fetched.is_modified:
            if before is None:
                reason = "says that nothing changed, but we have nothing from there"
                raise FetchError(reason, address)
            return before.state
        sent = dict(fetched.headers)
        etag, changed = sent.get("etag", ""), sent.get("last-modified", "")
        sha256 = sha256_of(fetched.body)
        if before and before.sha256 == sha256:
            if etag or changed:
                self.seen.put(replace(before, etag=etag, last_modified=changed))
            return before.state
        if publisher_of(fetched.final_url) != publisher_of(address):
            sent[REDIRECTED] = fetched.final_url
        answered = format_datetime(self.now, usegmt=True)
        row = Seen(
            address=address,
            state=WAITING,
            since=self._time(),
            sha256=sha256,
            name=offer.name,
            etag=etag,
            # Without validators, the next request asks about the time of this answer.
            last_modified=changed or ("" if etag else sent.get("date", answered)),
            sent=json.dumps(sorted(sent.items())),
        )
        if not self._is_kept(sha256):
            self.seen.keep(sha256, fetched.body)
        return self._note(row, reason_against(fetched.body, fetched.url, fetched.final_url))

    def _note(self, row: Seen, reason: str) -> str:
        """Write down a fetched document; return its state."""
        if row.sha256 in self._archive:
            row = replace(row, state=KEPT)
        elif row.sha256 in known_hashes():
            row = replace(row, state=TRUSTED)
        self.seen.put(row)
        if reason and row.state == WAITING:
            self._quarantine(row.sha256, reason)
            return QUARANTINED
        for twin in self.seen.of(row.sha256):
            if twin.state == QUARANTINED:  # another publisher may confirm it
                self.seen.put(replace(twin, state=WAITING))
        return row.state

    def _fetch(self, url: str, conditions: Mapping[str, str] | None = None) -> Fetched:
        host = urlsplit(url).netloc
        if self._failures[host] >= _MOST_FAILURES:
            failed = f"failed {_MOST_FAILURES} times in a row"
            reason = (
                f"not asked: {host} {'cannot be reached' if host in self._unreached else failed}"
            )
            raise FetchError(reason, url, is_passing=True)
        self.report.requests += 1
        self.report.conditional += bool(conditions)
        try:
            fetched = self.fetcher.fetch(url, conditions)
        except FetchError as error:
            self._failures[host] = self._failures[host] + 1 if error.is_passing else 0
            if error.is_of_host:
                self._failures[host] = _MOST_FAILURES
                self._unreached[host] = error.reason
            else:
                self._tell_untold(is_online=True)
            raise
        self._tell_untold(is_online=True)
        self._failures[host] = 0
        self.report.unchanged += not fetched.is_modified
        return fetched

    def _fail(self, source: str, address: str, reason: str) -> None:
        self.report.failed.append(FailedSource(source=source, address=address, reason=reason))
        if not address:
            self.report.failed_sources.append(source)
        line = f"{source}: {address}: {reason}" if address else f"{source} failed: {reason}"
        if self._untold is not None:
            self._untold.append(line)
        elif not reason.startswith("not asked: "):
            self.tell(line)

    def _tell_untold(self, *, is_online: bool = False) -> None:
        """Tell the problems from before the first answer; in one line if none ever came."""
        lines, self._untold = self._untold or [], None
        if not lines:
            return
        if len(self._unreached) > 1 and not is_online:
            host, reason = next(iter(self._unreached.items()))
            others = counted(len(self._unreached) - 1, "other host")
            lines = [f"no network? neither {host} nor {others} can be asked: {reason}"]
        for line in lines:
            self.tell(line)

    # Judging.

    def _judge(self) -> bool:
        """Judge the documents that wait, oldest editions first; return whether one is trusted."""
        waiting = list(dict.fromkeys(row.sha256 for row in self.seen if row.state == WAITING))
        if not waiting:
            return False
        self.show(f"reading {counted(len(waiting), 'document')}")
        texts: list[tuple[str, int, str, Text]] = []
        documents = (Document(sha, "", self._load(sha), is_named=False) for sha in waiting)
        for document, outcome in read_rows(documents, self.jobs):
            if reason := reason_against(document.data):
                self._quarantine(document.sha256, reason)
            elif isinstance(outcome, DocumentError):
                line = f"line {outcome.line}: " if outcome.line else ""
                self._quarantine(document.sha256, line + outcome.message)
            else:
                text = Text(*outcome)
                publishers = len(publishers_of(self.seen.of(document.sha256)))
                texts.append((text.day, -publishers, controls_in(document.data), text))
        judge = Judge.of_base(self.folder, self.now.date())
        is_trusted = False
        for _, publishers, controls, text in sorted(texts, key=lambda read: read[:2]):
            judgement = judge.judge(text, controls, -publishers)
            if judgement.reason:
                self._quarantine(text.row.sha256, judgement.reason)
                continue
            is_trusted = True
            self.report.agreements += bool(judgement.copy_of)
            for row in self.seen.of(text.row.sha256):
                state = COPY if judgement.copy_of else TRUSTED
                self.seen.put(replace(row, state=state, reason=judgement.copy_of))
        return is_trusted

    def _quarantine(self, sha256: str, reason: str) -> None:
        rows = self.seen.of(sha256)
        if not any(row.reason for row in rows):
            address = rows[-1].address
            self.report.quarantined.append(
                QuarantinedDocument(sha256=Sha256(sha256), address=address, reason=reason)
            )
            self.tell(f"quarantined {sha256[:12]} of {address}: {reason}")
        since = rows[0].since
        for row in rows:
            self.seen.put(
                replace(row, state=QUARANTINED, reason=reason, judged_by=judged_by(), since=since)
            )

    # Building.

    def _unbuilt(self) -> list[Seen]:
        """Return each trusted document and address that the archive lacks."""
        kept = {
            (sha256, source.address)
            for sha256 in self._archive
            if self._is_kept(sha256)
            for source in self._archive.sources(sha256)
        }
        rows = [row for row in self.seen if row.state in {TRUSTED, KEPT}]
        return [row for row in rows if (row.sha256, row.address) not in kept]

    def _agreements(self) -> list[TrustDecision]:
        """Return the decisions of independent publishers that served the words of a document."""
        copies: dict[str, list[Addressed]] = {}
        for row in self.seen:
            if row.state == COPY:
                copies.setdefault(row.reason, []).append(row)
        decisions = [
            agreement_on(
                sha256, [*self._archive.sources(sha256), *self.seen.of(sha256), *rows], self._time()
            )
            for sha256, rows in copies.items()
        ]
        return [decision for decision in decisions if decision]

    def _build(self, rows: list[Seen]) -> None:
        """Build in documents; without any, bring the base up to date."""
        self._archive = Archive(self.folder / DOCUMENTS)
        if rows:
            self.show(f"building {counted(len(rows), 'document')}")
            new = {row.sha256 for row in rows} - set(self._archive)
            self.report.agreements += len(rows) - len(new)
        documents = (
            Document(
                row.name, row.address, self._load(row.sha256), is_named=False, headers=row.headers
            )
            for row in rows
        )
        builder = Builder(self.folder, self._time(), self.jobs, self._agreements())
        for event in builder.take_in(documents):
            if isinstance(event.error, DocumentError):
                for row in rows:
                    if row.address == event.error.file:
                        self._quarantine(row.sha256, event.error.message)
            elif event.kind == "refused":
                self._fail("archive", "", str(event.error))
        self._archive = Archive(self.folder / DOCUMENTS)
        self._whole.clear()
        self._editions = ()
        with suppress(BaseError), KnowledgeBase.open(self.folder) as base:
            self._editions = base.editions

    def _tell_new(self, before: set[str]) -> None:
        """Complete the report; a run that was killed after its build has told nothing yet."""
        before -= {row.sha256 for row in self.seen if row.state == TRUSTED}
        new = [edition for edition in self._editions if edition.sha256 not in before]
        self.report.new = [edition.label for edition in new]
        self.report.further = [
            edition.label
            for edition in new
            if edition.issue > 1 and edition.sha256 not in known_hashes()
        ]
        self.report.editions = len(self._editions)
        quarantined = {row.sha256 for row in self.seen if row.state == QUARANTINED}
        self.report.in_quarantine = len(quarantined)

    def _time(self) -> str:
        return self.now.isoformat(timespec="seconds")


def is_well(report: SyncResult) -> bool:
    """Return whether nothing needs attention."""
    is_hooked = report.hook in {"", "done"}
    return not (report.quarantined or report.failed_sources) and is_hooked


def report_line(report: SyncResult) -> str:
    """Return a report in one line."""
    new = report.new
    words = [f"{len(new)} new ({_listed(new)})" if new else "nothing new"]
    if further := report.further:
        words.append(f"{counted(len(further), 'further issue')} ({_listed(further)})")
    if report.quarantined:
        words.append(f"{len(report.quarantined)} put in quarantine")
    if report.failed_sources:
        words.append(f"failed: {', '.join(report.failed_sources)}")
    words.append(counted(report.editions, "edition"))
    requests = f"{counted(report.requests, 'request')}, {report.unchanged} unchanged"
    return f"{report.base}: {', '.join(words)}; {requests}"


def _listed(labels: list[str]) -> str:
    return ", ".join(labels) if len(labels) <= _LISTED else f"{labels[0]} … {labels[-1]}"
