"""Bring a knowledge base up to date with the places where editions are published.

A run asks every place, judges new documents, and builds in the trusted ones like `cr build`. What it saw is
written down at once, so that the next run continues one that was killed.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import groupby
from pathlib import Path

from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.build.build import Builder
from variorum.build.load import read_rows
from variorum.build.settle import Text
from variorum.documents.archive import (
    REDIRECTED,
    Archive,
    agreement_on,
    publisher_of,
    publishers_of,
)
from variorum.documents.find import Document
from variorum.errors import ArchiveError, BaseError, DocumentError
from variorum.facts import known_editions
from variorum.model import Sha256, sha256_of
from variorum.paths import DOCUMENTS
from variorum.records.upkeep import FailedSource, QuarantinedDocument, SyncResult, TrustDecision
from variorum.terminal import timed
from variorum.text import counted
from variorum_crawler import judge
from variorum_crawler.fetch import Answer, Fetcher, FetchError, NotAskedError
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
    _archive: Archive = field(init=False)
    # The documents of the archive that are undamaged.
    _whole: set[str] = field(default_factory=set[str])
    _editions: tuple[EditionEntry, ...] = ()

    def run(self, places: Iterable[Place]) -> None:
        """Fetch, judge and build.

        Raises:
            BaseBusyError: Another process is building this base.
            NewerBaseError: A newer program wrote this base.
            ArchiveError: The archive is damaged.
            NotWritableError: The folder cannot be written; the disk may be full.
        """
        self.report = SyncResult(str(self.folder))
        self._build([])  # brings a base of an older program up to date
        held = {edition.sha256 for edition in self._editions}
        for row in self.seen:
            if row.state == TRUSTED:
                held.discard(row.sha256)  # a run that was killed after its build has told nothing
            if not self._whole.intersection({row.sha256, row.copy_of}):
                if self.seen.load(row.sha256) is None:
                    self.seen.drop(row)  # its document is lost
            elif row.state in {INCOMING, QUARANTINED}:
                self.seen.put(replace(row, state=ACCEPTED, reason=""))  # a person built it in
        with timed("fetching from sources"):
            for source, its_places in groupby(places, lambda place: place.source):
                self._ask_source(source, its_places)
        self.report.requests = self.fetcher.requests
        self._tell_failures()
        self._build_trusted()
        with timed("judging what was fetched"):
            is_trusted = self._judge()
        if is_trusted:
            self._build_trusted()
        self.report.new = [it.label for it in self._editions if it.sha256 not in held]
        self.report.editions = len(self._editions)
        quarantined = {row.sha256 for row in self.seen if row.state == QUARANTINED}
        self.report.in_quarantine = len(quarantined)

    def finish(self) -> None:
        """Forget what the next run would tell again if this one were killed before."""
        for row in self.seen:
            if row.state == TRUSTED and row.sha256 in self._archive:
                self.seen.put(replace(row, state=ACCEPTED))
        self.seen.tidy()

    # Asking --------------------------------------------------------------------------------------

    def _ask_source(self, source: str, places: Iterable[Place]) -> None:
        """Ask the places of a source; one that fails does not hide the others."""
        offered = given = 0
        reasons: list[str] = []
        for place in places:
            try:
                for candidate in candidates(place, self._fetch):
                    self.show(f"asking {source}: {offered}")
                    offered += 1
                    given += self._ask(source, candidate)
            except FetchError as error:
                reasons.append(str(error))
        if offered and not given and not reasons:
            reasons.append("none of its documents could be fetched")
        if reasons:
            self.report.failed.append(FailedSource(source=source, address="", reason=reasons[0]))
            self.report.failed_sources.append(source)

    def _ask(self, source: str, candidate: Candidate) -> bool:
        """Ask the addresses of a candidate until one gives a document; return whether one does.

        An edition that the facts have is not asked for again once it is in the archive.
        """
        facts = candidate.day and known_editions().get(candidate.day)
        if facts and self._whole.intersection(facts.issues):
            return True
        accepted = {row.address for row in self.seen if row.state in {ACCEPTED, TRUSTED}}
        is_given = False
        for address in sorted(candidate.addresses, key=lambda address: address not in accepted):
            try:
                row = self._receive(candidate, address)
            except FetchError as error:
                reason = FailedSource(source=source, address=address, reason=error.reason)
                # A host that cannot be reached is told once.
                if not isinstance(error, NotAskedError):
                    self.report.failed.append(reason)
                continue
            is_given = True
            if row.state != QUARANTINED:
                break
        return is_given

    def _receive(self, candidate: Candidate, address: str) -> Seen:
        """Return the row of an address after asking it.

        Raises:
            FetchError: The address serves no document.
        """
        before = self.seen.at(address)
        if before and candidate.is_fixed:
            return before
        answer = self._fetch(address, before)
        if before and not answer.is_modified:
            return before
        if reason := judge.page_instead(answer.body):
            raise FetchError(reason)
        headers = {name: answer.headers[name] for name in _KEPT if name in answer.headers}
        if publisher_of(answer.final_url) != publisher_of(address):
            headers[REDIRECTED] = answer.final_url
        sha256, sent = sha256_of(answer.body), json.dumps(headers)
        if before and before.sha256 == sha256:
            row = replace(before, sent=sent)
        else:
            state = TRUSTED if sha256 in judge.known_hashes() else INCOMING
            state = ACCEPTED if sha256 in self._archive else state
            row = Seen(address, sha256, state, self.now, candidate.name, sent)
        if sha256 not in self._whole:
            self.seen.keep(sha256, answer.body)
        self.seen.put(row)
        return row

    def _fetch(self, url: str, before: Seen | None = None) -> Answer:
        conditions = before.conditions if before else {}
        self.report.conditional += bool(conditions)
        answer = self.fetcher.fetch(url, conditions)
        self.report.unchanged += not answer.is_modified
        return answer

    def _tell_failures(self) -> None:
        unreached = self.fetcher.unreached()
        if not self.fetcher.is_online and unreached[1:]:
            others = counted(len(unreached) - 1, "other host")
            reason = next((it.reason for it in self.report.failed if it.address), "")
            self.tell(f"no network? neither {unreached[0]} nor {others} can be asked: {reason}")
            return
        for failed in self.report.failed:
            where = f": {failed.address}:" if failed.address else " failed:"
            self.tell(f"{failed.source}{where} {failed.reason}")

    # Judging -------------------------------------------------------------------------------------

    def _judge(self) -> bool:
        """Judge what waits, oldest editions first; return whether a document is trusted.

        What is in quarantine is judged again if anything else is new, or the judge is another one.
        """
        rows = [row for row in self.seen if row.state in {INCOMING, QUARANTINED}]
        is_old = self.seen.judge == judge.version()
        if is_old and all(row.state == QUARANTINED for row in rows):
            return False
        waiting = {row.sha256: row for row in rows}
        if waiting:
            self.show(f"reading {counted(len(waiting), 'document')}")
        texts: list[tuple[str, int, Text]] = []
        documents = (Document(sha, "", self._load(sha), is_named=False) for sha in waiting)
        for document, outcome in read_rows(documents, self.jobs):
            if isinstance(outcome, DocumentError):
                line = f"line {outcome.line}: " if outcome.line else ""
                self._quarantine(document.sha256, line + outcome.message)
            else:
                text = Text(*outcome)
                publishers = len(publishers_of(self.seen.of(document.sha256)))
                texts.append((text.day, -publishers, text))
        judging, is_trusted = (
            judge.Judge.of_base(self.folder, date.fromisoformat(self.now[:10])),
            False,
        )
        for _, publishers, text in sorted(texts, key=lambda read: read[:2]):
            sha256, copied = text.row.sha256, judging.copied(text)
            reason = "" if copied else next(judging.reasons_against(text, -publishers), "")
            if reason:
                self._quarantine(sha256, reason)
                continue
            is_trusted = True
            judging.trust(text)
            state = ACCEPTED if copied else TRUSTED
            for row in self.seen.of(sha256):
                self.seen.put(replace(row, state=state, copy_of=copied, reason=""))
        self.seen.judge = judge.version()
        return is_trusted

    def _load(self, sha256: str) -> bytes:
        data = self.seen.load(sha256)
        return self._archive.load(sha256) if data is None else data

    def _quarantine(self, sha256: str, reason: str) -> None:
        rows = self.seen.of(sha256)
        if reason not in {row.reason for row in rows}:
            address = rows[-1].address
            self.report.quarantined.append(
                QuarantinedDocument(sha256=Sha256(sha256), address=address, reason=reason)
            )
            self.tell(f"quarantined {sha256[:12]} of {address}: {reason}")
        for row in rows:
            self.seen.put(replace(row, state=QUARANTINED, reason=reason))

    # Building ------------------------------------------------------------------------------------

    def _build_trusted(self) -> None:
        """Build in each trusted document, and each further address of one that the archive has."""
        known = {
            (sha256, source.address)
            for sha256 in self._whole
            for source in self._archive.sources(sha256)
        }
        rows = [row for row in self.seen if row.state in {TRUSTED, ACCEPTED} and not row.copy_of]
        rows = [row for row in rows if (row.sha256, row.address) not in known]
        decisions = self._agreements()
        if rows or {(it.sha256, it.by) for it in decisions}.difference(
            (it.sha256, it.by) for it in self._archive.decisions()
        ):
            self.show(f"building {counted(len(rows), 'document')}")
            self._build(rows, decisions)

    def _agreements(self) -> list[TrustDecision]:
        """Return the decisions of independent publishers that served the words of a document."""
        rows = [*self.seen]
        decisions = []
        for copied in {row.copy_of for row in rows if row.copy_of}:
            served = [row for row in rows if copied in {row.sha256, row.copy_of}]
            sources = [*self._archive.sources(copied), *served]
            decisions.append(agreement_on(copied, sources, self.now))
        return [decision for decision in decisions if decision]

    def _build(self, rows: Sequence[Seen], decisions: Sequence[TrustDecision] = ()) -> None:
        """Build in documents; without any, bring the base up to date."""
        documents = (
            Document(
                row.name,
                row.address,
                self._load(row.sha256),
                is_named=False,
                headers=tuple(sorted(row.headers.items())),
            )
            for row in rows
        )
        builder = Builder(self.folder, self.now, self.jobs, decisions)
        for event in builder.take_in(documents):
            if isinstance(event.error, DocumentError):
                for row in rows:
                    if row.address == event.error.file:
                        self._quarantine(row.sha256, event.error.message)
            elif event.kind == "refused":
                self.tell(f"archive failed: {event.error}")
        self._archive, self._whole, self._editions = Archive(self.folder / DOCUMENTS), set(), ()
        for sha256 in self._archive:
            with suppress(ArchiveError):
                self._archive.load(sha256)
                self._whole.add(sha256)
        with suppress(BaseError), KnowledgeBase.open(self.folder) as base:
            self._editions = base.editions
