"""Bring a knowledge base up to date with the places where editions are published.

A run asks every place, judges new documents, and builds in the trusted ones like `cr build`. What it saw is
written down at once, so that the next run continues one that was killed.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from http import HTTPStatus
from itertools import groupby
from pathlib import Path

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.build.build import Builder
from variorum.build.editions import Text, read_texts
from variorum.documents import archive as documents
from variorum.documents.archive import Document
from variorum.errors import BaseError, DocumentError
from variorum.facts import known_editions
from variorum.files import DOCUMENTS
from variorum.model import sha256_of
from variorum.records.upkeep import FailedSource, QuarantinedDocument, SyncResult, TrustDecision
from variorum.rows import EditionRow
from variorum.text import counted
from variorum_crawler.fetch import Fetcher, FetchError, NotAskedError
from variorum_crawler.judge import Judge, known_hashes, page_instead
from variorum_crawler.places import Candidate, Place, candidates
from variorum_crawler.seen import ACCEPTED, INCOMING, QUARANTINED, TRUSTED, Seen, SeenTable

# In the last two, the Wayback Machine says when it saw a page, and when the page last changed.
_KEPT = (
    *("content-disposition", "content-length", "content-type", "date", "etag", "last-modified"),
    *("memento-datetime", "x-archive-orig-last-modified"),
)


@dataclass(slots=True, kw_only=True)
class Sync:
    """A run of `cr sync`, begun at `now` in UTC; the caller holds the lock of the crawl.

    `show` is called with what is being done, for a line that is redrawn; `tell` with each problem, for a
    line that stays. The report is complete after `run`.
    """

    folder: Path
    fetcher: Fetcher
    seen: SeenTable
    now: str
    jobs: int
    show: Callable[[str], None]
    tell: Callable[[str], None]
    report: SyncResult = field(init=False)
    _archive: documents.Archive = field(init=False)
    # The documents of the archive that are undamaged.
    _whole: set[str] = field(default_factory=set[str])
    _editions: tuple[EditionRow, ...] = ()

    def run(self, places: Iterable[Place]) -> None:
        """Fetch, judge and build; an error of the base, the archive or the disk ends the run."""
        self.report = SyncResult(str(self.folder))
        self._build([])  # brings a base of an older program up to date
        held = {edition.sha256 for edition in self._editions}
        for row in self.seen:
            if row.state == TRUSTED:
                held.discard(row.sha256)  # a run that was killed after its build has told nothing
            if not self._whole.intersection({row.sha256, row.copy_of}):
                if self.seen.load(row.sha256) is None:
                    del self.seen.rows[row.address]  # its document is lost
            elif row.state in {INCOMING, QUARANTINED}:
                self.seen.put(replace(row, state=ACCEPTED, reason=""))  # a person built it in
        for source, its_places in groupby(places, lambda place: place.source):
            self._ask_source(source, its_places)
        self._tell_failures()
        self._build_trusted()
        if self._judge():
            self._build_trusted()
        self.report.new = [it.label for it in self._editions if it.sha256 not in held]
        self.report.editions, self.report.requests = len(self._editions), self.fetcher.requests
        quarantined = {row.sha256 for row in self.seen if row.state == QUARANTINED}
        self.report.in_quarantine = len(quarantined)

    def finish(self) -> None:
        """Forget what the next run would tell again if this one were killed before."""
        told = [
            it for it in self.seen if it.state == TRUSTED and it.sha256 in self._archive.sources
        ]
        self.seen.put(*[replace(row, state=ACCEPTED) for row in told])
        self.seen.tidy()

    # Asking --------------------------------------------------------------------------------------

    def _ask_source(self, source: str, places: Iterable[Place]) -> None:
        """Ask the places of a source; one that fails does not hide the others."""
        offered = given = 0
        reasons: list[str] = []
        for place in places:
            try:
                for candidate in candidates(place, self.fetcher.fetch):
                    self.show(f"asking {source}: {offered}")
                    offered += 1
                    given += self._ask(source, candidate)
            except FetchError as error:
                reasons.append(str(error))
        if offered and not given:
            reasons.append("none of its documents could be fetched")
        if reasons:
            self.report.failed.append(FailedSource(source, "", reasons[0]))
            self.report.failed_sources.append(source)

    def _ask(self, source: str, candidate: Candidate) -> bool:
        """Ask the addresses of a candidate until one gives a document; return whether one does.

        An edition that the facts have is not asked for again once it is in the archive.
        """
        *_, issues = known_editions().get(str(candidate.day), [()])
        if self._whole.intersection(issues):
            return True
        good = {row.address for row in self.seen if row.state in {ACCEPTED, TRUSTED}}
        is_given = False
        for address in sorted(candidate.addresses, key=lambda address: address not in good):
            row = self.seen.rows.get(address)
            try:
                if row is None or not candidate.is_fixed:
                    row = self._receive(candidate.name, address, row)
            except NotAskedError:
                continue  # the error of its host was told before
            except FetchError as error:
                self.report.failed.append(FailedSource(source, address, error.reason))
                continue
            is_given = True
            if row.state != QUARANTINED:
                break
        return is_given

    def _receive(self, name: str, address: str, before: Seen | None) -> Seen:
        answer = self.fetcher.fetch(address, before.conditions if before else {})
        if before and answer.status == HTTPStatus.NOT_MODIFIED:
            self.report.unchanged += 1
            return before
        if reason := page_instead(answer.body):
            raise FetchError(reason)
        headers = {name: answer.headers[name] for name in _KEPT if name in answer.headers}
        if documents.publisher_of(answer.url) != documents.publisher_of(address):
            headers[documents.REDIRECTED] = answer.url
        sha256 = sha256_of(answer.body)
        if before and before.sha256 == sha256:
            row = replace(before, headers=headers)
        else:
            state = TRUSTED if sha256 in known_hashes() else INCOMING
            state = ACCEPTED if sha256 in self._archive.sources else state
            row = Seen(address, sha256, state, self.now, name, headers)
        if sha256 not in self._whole:
            self.seen.keep(sha256, answer.body)
        self.seen.put(row)
        return row

    def _tell_failures(self) -> None:
        refused = self.fetcher.refused()
        if not self.fetcher.is_online and len(refused) > 1:
            host, reason = next(iter(refused.items()))
            others = counted(len(refused) - 1, "other host")
            self.tell(f"no network? neither {host} nor {others} can be asked: {reason}")
            return
        for failed in self.report.failed:
            where = f": {failed.address}:" if failed.address else " failed:"
            self.tell(f"{failed.source}{where} {failed.reason}")

    # Judging -------------------------------------------------------------------------------------

    def _judge(self) -> bool:
        """Judge what came and what is in quarantine, oldest editions first; return whether any is trusted."""
        waiting = {row.sha256 for row in self.seen if row.state in {INCOMING, QUARANTINED}}
        if not waiting:
            return False
        self.show(f"reading {counted(len(waiting), 'document')}")
        texts: list[tuple[str, int, Text]] = []
        unread = (Document(sha, sha, self._load(sha), is_named=False) for sha in sorted(waiting))
        for document, outcome in read_texts(unread, self.jobs):
            if isinstance(outcome, DocumentError):
                line = f"line {outcome.line}: " if outcome.line else ""
                self._quarantine(document.sha256, line + outcome.message)
            else:
                publishers = len(documents.publishers_of(self.seen.of(document.sha256)))
                texts.append((outcome.day, -publishers, outcome))
        judge, is_trusted = Judge.of_base(self.folder, date.fromisoformat(self.now[:10])), False
        for _, publishers, text in sorted(texts, key=lambda read: read[:2]):
            copied = judge.copied(text)
            reason = "" if copied else next(judge.reasons_against(text, -publishers), "")
            if reason:
                self._quarantine(text.row.sha256, reason)
                continue
            is_trusted = True
            judge.trust(text)
            state = ACCEPTED if copied else TRUSTED
            rows = self.seen.of(text.row.sha256)
            self.seen.put(*[replace(it, state=state, copy_of=copied, reason="") for it in rows])
        return is_trusted

    def _load(self, sha256: str) -> bytes:
        return self.seen.load(sha256) or self._archive.document(sha256).data

    def _quarantine(self, sha256: str, reason: str) -> None:
        rows = self.seen.of(sha256)
        if not any(row.reason for row in rows):
            address = rows[-1].address
            self.report.quarantined.append(QuarantinedDocument(sha256, address, reason))
            self.tell(f"quarantined {sha256[:12]} of {address}: {reason}")
        now = [replace(row, state=QUARANTINED, reason=reason) for row in rows]
        self.seen.put(*[row for row in now if row not in rows])

    # Building ------------------------------------------------------------------------------------

    def _build_trusted(self) -> None:
        """Build in each trusted document, each further address of one, and new agreements."""
        known = {
            (sha256, source.address)
            for sha256 in self._whole
            for source in self._archive.sources[sha256]
        }
        rows = [row for row in self.seen if row.state in {TRUSTED, ACCEPTED} and not row.copy_of]
        rows = [row for row in rows if (row.sha256, row.address) not in known]
        decided = {sha256 for sha256, _ in self._archive.decisions}
        decisions = [it for it in self._agreements() if it.sha256 not in decided]
        if rows or decisions:
            self.show(f"building {counted(len(rows), 'document')}")
            self._build(rows, decisions)

    def _agreements(self) -> Iterable[TrustDecision]:
        """Yield the decisions of independent publishers that served the words of a document."""
        rows = [*self.seen]
        for copied in {row.copy_of for row in rows if row.copy_of}:
            served = [row for row in rows if copied in {row.sha256, row.copy_of}]
            sources = [*self._archive.sources.get(copied, ()), *served]
            if decision := documents.agreement_on(copied, sources, self.now):
                yield decision

    def _build(self, rows: Sequence[Seen], decisions: Sequence[TrustDecision] = ()) -> None:
        new = (row.document(self._load(row.sha256)) for row in rows)
        for event in Builder(self.folder, self.now, self.jobs, decisions).build(documents=new):
            if isinstance(event.error, DocumentError):
                for row in rows:
                    if row.address == event.error.file:
                        self._quarantine(row.sha256, event.error.message)
            elif event.kind == "refused":
                self.tell(f"archive failed: {event.error}")
        archive = self._archive = documents.Archive(self.folder / DOCUMENTS)
        self._whole = {it for it in archive.sources if not archive.document(it).error}
        self._editions = ()
        with suppress(BaseError), KnowledgeBase.open(self.folder) as base:
            self._editions = base.editions
