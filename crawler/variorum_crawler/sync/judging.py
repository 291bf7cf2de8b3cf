"""Read and judge the documents of a run."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from variorum.build.workers import read_rows
from variorum.documents.decisions import Addressed, Decision, agreement_on, publishers_of
from variorum.documents.find import Document
from variorum.errors import DocumentError
from variorum.facts import known_editions
from variorum.model import Sha256
from variorum.rows import State
from variorum.witnesses.copies import describe
from variorum_crawler.received import Received
from variorum_crawler.sync.documents import Documents
from variorum_crawler.sync.fetch_offers import OfferFetcher, Wanted
from variorum_crawler.sync.progress import Agreed, Event, Further, Next, Quarantined, Read
from variorum_crawler.trust.held_editions import candidate_of, load_held
from variorum_crawler.trust.judge import Candidate, Judgement, weigh
from variorum_crawler.trust.judged_by import known_days
from variorum_crawler.trust.suspicious_text import Signs, controls_in, load_editions


@dataclass(slots=True, kw_only=True)
class Judging:
    """Reads and judges the documents of one run.

    Attributes:
        folder: The folder of the knowledge base.
        jobs: How many processes read at once.
        now: The start of the run.
        offers: The fetched documents and their offers.
        judgements: The judgements so far, by the hash of the document.
        agreements: The documents whose words independent publishers served.
    """

    folder: Path
    jobs: int
    now: str
    documents: Documents
    offers: OfferFetcher
    judgements: dict[Sha256, Judgement] = field(default_factory=dict[Sha256, Judgement])
    agreements: list[Decision] = field(default_factory=list[Decision])
    _states: dict[str, tuple[str, Sequence[State]]] = field(
        default_factory=dict[str, tuple[str, Sequence[State]]]
    )
    _trusted: list[Candidate] = field(default_factory=list[Candidate])
    _unread: dict[str, date] = field(default_factory=dict[str, date])

    def judge(self, again: list[Wanted]) -> Iterator[Event]:
        """Judge the new documents; add to `again` the offers whose other addresses must be asked.

        Those are offers whose document was quarantined or has another day than offered. Documents
        in the table of facts are trusted; they are read only for comparison.
        """
        known = known_days()
        new = [sha256 for sha256 in self.offers.given if self._is_new(sha256)]
        self._unread |= {sha256: known[sha256] for sha256 in new if sha256 in known}
        self.judgements |= {sha256: Judgement() for sha256 in new if sha256 in known}
        odd = [sha256 for sha256 in new if sha256 not in known]
        if not odd:
            return
        yield Next("reading", len(odd))
        candidates: list[Candidate] = []
        yield from self._read(odd, candidates, again)
        days = {candidate.effective for candidate in candidates}
        yield from self._read(self._to_compare_with(days), candidates, again)
        unread = [Candidate(Sha256(sha256), day, 0) for sha256, day in self._unread.items()]
        held = [*self._known_of(days), *self._trusted, *unread]
        candidates = self._with_signs(candidates)
        judgements = weigh(candidates, held, known_editions(), self.documents.today)
        for candidate in candidates:
            yield from self._act_on(candidate, judgements[candidate.sha256], again)

    def _to_compare_with(self, days: set[date]) -> list[Sha256]:
        """Return the unread documents of some days, and of the nearest day before each of these."""
        there = sorted(set(self._unread.values()))
        before = {there[place - 1] for day in days if (place := bisect_left(there, day))}
        hashes = [Sha256(sha256) for sha256, day in self._unread.items() if day in days | before]
        for sha256 in hashes:
            del self._unread[sha256]
        return hashes

    def _read(
        self, documents: list[Sha256], candidates: list[Candidate], again: list[Wanted]
    ) -> Iterator[Event]:
        for document, outcome in read_rows(map(self._document, documents), self.jobs):
            yield Read()
            sha256 = Sha256(document.name)
            if isinstance(outcome, DocumentError):
                line = f"line {outcome.line}: " if outcome.line else ""
                yield from self._quarantine(sha256, line + outcome.message, again)
            else:
                row, states = outcome
                self._states[sha256] = (row.effective, states)
                candidates.append(candidate_of(row.named(), states))

    def _with_signs(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Return candidates with any signs in their texts that speak against trusting them."""
        known = known_days()
        believed = {candidate.sha256 for candidate in self._trusted} | known.keys()
        read = {day: states for sha256, (day, states) in self._states.items() if sha256 in believed}
        signs = Signs(load_editions(self.folder) | read)
        candidates_with_signs: list[Candidate] = []
        for candidate in candidates:
            if candidate.sha256 not in known and candidate.sha256 in self._states:
                day, states = self._states[candidate.sha256]
                received = [given.received for given in self.offers.given[candidate.sha256]]
                candidate = replace(  # noqa: PLW2901 - the same candidate, with its signs
                    candidate,
                    differs=signs.differs(day, states) or self._differs(candidate.sha256),
                    against=signs.against(day, states),
                    controls=controls_in(self.documents.load(candidate.sha256), candidate.sha256),
                    publishers=len(publishers_of(received)),
                )
            candidates_with_signs.append(candidate)
        return candidates_with_signs

    def _differs(self, sha256: str) -> str:
        """Return how a text differs from another of its day in this run."""
        day, states = self._states[sha256]
        same_day = [
            held
            for held_sha256, (of, held) in sorted(self._states.items())
            if of == day and held_sha256 != sha256
        ]
        return describe(same_day[0], states) if same_day else ""

    def _note_agreement(self, sha256: str, copy: Sequence[Received]) -> None:
        """Remember that publishers served the words of a document that we have or now fetched."""
        received = [document.received for document in self.offers.given.get(Sha256(sha256), ())]
        sources: list[Addressed] = [*self.documents.archive.sources(sha256), *received, *copy]
        decision = agreement_on(sha256, sources, self.now)
        if decision is not None:
            self.agreements.append(decision)

    def _act_on(
        self, candidate: Candidate, judgement: Judgement, again: list[Wanted]
    ) -> Iterator[Event]:
        sha256 = candidate.sha256
        self.judgements[sha256] = judgement
        if sha256 not in self.documents.days and not judgement.reason:
            self.documents.days[sha256] = candidate.effective
            again += self._still_wanted(sha256)
        received = self.offers.given[sha256][0].received
        if judgement.reason:
            yield from self._quarantine(sha256, judgement.reason, again)
        elif judgement.copy_of:
            self.documents.state.saw_copy(sha256, judgement.copy_of)
            copies = [document.received for document in self.offers.given[sha256]]
            self._note_agreement(judgement.copy_of, copies)
            yield Agreed()
        elif not candidate.is_original:
            self._trusted.append(candidate)
        if judgement.is_further:
            yield Further(received, candidate.effective)

    def _still_wanted(self, sha256: Sha256) -> Iterator[Wanted]:
        """Yield the offers whose documents do not have the offered day."""
        for document in self.offers.given[sha256]:
            wanted = document.wanted
            if (
                wanted
                and wanted.addresses
                and self.documents.is_of_another_day(wanted.offer, sha256)
            ):
                yield wanted

    def _known_of(self, dates: set[date]) -> list[Candidate]:
        """Return all held editions; load the words of those with the given dates."""
        if not dates & {edition.candidate.effective for edition in self.documents.held}:
            return [edition.candidate for edition in self.documents.held]
        return [edition.candidate for edition in load_held(self.folder, dates)]

    def _is_new(self, sha256: Sha256) -> bool:
        """Return whether a document must be judged: it is neither in the archive nor a known copy."""
        if self.documents.state.copy_of(sha256) in self.documents.archive:
            self.judgements.setdefault(
                sha256, Judgement(copy_of=self.documents.state.copy_of(sha256))
            )
        return sha256 not in self.judgements and sha256 not in self.documents.archive

    def _document(self, sha256: Sha256) -> Document:
        return Document(sha256, "", self.documents.load(sha256), is_named=False)

    def _quarantine(self, sha256: Sha256, reason: str, again: list[Wanted]) -> Iterator[Event]:
        data = self.documents.load(sha256)
        self.judgements[sha256] = Judgement(reason)
        for given in self.offers.given.pop(sha256):
            entry, is_new = self.documents.quarantine.put(given.received, reason, data)
            yield Quarantined(entry, given.received.address, is_new)
            if given.wanted is not None and given.wanted.addresses:
                again.append(given.wanted)
