"""Decide which texts of a date are its edition or further issues, and which are copies.

Attested texts (by `facts`, or by decisions in the archive's manifest) are the issues of their date.
For a date without one, the best text is its edition, marked as of one source. Every other text is a
copy: the build compares it with the edition, and no answer about the rules uses it. The order in
which users add documents does not change the result.
"""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import date

from variorum.build.sources import Waiting, WitnessBuild, archived
from variorum.build.workers import read_one
from variorum.documents.archive import Archive
from variorum.documents.decisions import agreement_on
from variorum.documents.find import Document
from variorum.errors import ArchiveError, DocumentError
from variorum.facts import is_known, issues_of, known_editions
from variorum.history.holes import find_cuts, find_holes, missing_line
from variorum.history.in_time import Wordings, nearest_elsewhere
from variorum.model import Condition
from variorum.reading.paragraphs import ORIGINALS
from variorum.rows import State
from variorum.store.merger import EditionRows, Merger
from variorum.stored_rows import BY_FACTS, COPY, NOT_KNOWN, ONE_SOURCE, EditionRow


def attestation_of(archive: Archive, effective: str, sha256: str) -> str:
    """Return what attests a document, one of `rows.ATTESTED`; "" if nothing does."""
    return (
        BY_FACTS if is_known(date.fromisoformat(effective), sha256) else archive.attestation(sha256)
    )


@dataclass(slots=True)
class Settlement:
    """Settles which texts of a build are editions.

    Attributes:
        merger: Has all texts that were read; in the end, the editions.
        witnesses: Receives the copies.
        archive: The archive, with the decisions.
        now: The time to record for agreements found.
        is_current: Whether this program and these facts made the old file.
        brought_back: The hashes of known copies that were read again.
    """

    merger: Merger
    witnesses: WitnessBuild
    archive: Archive
    now: str
    is_current: bool
    brought_back: set[str] = field(default_factory=set[str])

    def is_stale(self) -> bool:
        """Return whether decisions or facts changed since the editions were settled."""
        for sha256 in self.archive:
            self.archive.note_agreement(sha256, self.now)
        editions = [edition.columns for edition in self.merger.editions]
        held = any(
            edition.attested != self._attestation(edition.effective, edition.sha256)
            for edition in editions
        )
        return held or any(self._attestation(day, sha256) for sha256, day in self._known_copies())

    def _known_copies(self) -> list[tuple[str, str]]:
        known = self.witnesses.known
        return [
            (sha256, witness.row.dated)
            for sha256, witness in sorted(known.items())
            if witness.row.kind == COPY
        ]

    def _attestation(self, effective: str, sha256: str) -> str:
        return attestation_of(self.archive, effective, sha256)

    def settle(self) -> None:
        """Keep only editions in the merger; move copies to the documents to compare."""
        self.merger.load()
        self._bring_back()
        self._note_agreements()
        for place, edition in enumerate(self.merger.editions):
            row = edition.columns
            attested = self._attestation(row.effective, row.sha256)
            self.merger.editions[place] = EditionRows(
                row.changed(attested=attested), edition.states
            )
        by_day: dict[str, list[EditionRows]] = {}
        for text in self._texts():
            by_day.setdefault(text.columns.effective, []).append(text)
        chosen = {day: _issues(texts) for day, texts in sorted(by_day.items())}
        self._choose_best(by_day, chosen)
        kept = {text.columns.sha256 for texts in chosen.values() for text in texts}
        copies = [text for text in self._texts() if text.columns.sha256 not in kept]
        self._let_wait(copies, self._find_out_of_time(chosen, copies))

    def _texts(self) -> list[EditionRows]:
        return [
            edition for edition in self.merger.editions if edition.columns.layout not in ORIGINALS
        ]

    def _bring_back(self) -> None:
        """Read attested copies, and copies of dates without an attested text, as editions again."""
        attested = {
            columns.effective
            for columns in (edition.columns for edition in self.merger.editions)
            if self._attestation(columns.effective, columns.sha256)
        }
        for sha256, day in self._known_copies():
            if day not in attested or self._attestation(day, sha256):
                # If the bytes are lost, the copy keeps its old comparison.
                try:
                    rows = read_one(archived(self.archive, sha256))
                except ArchiveError:
                    continue
                if not isinstance(rows, DocumentError):
                    del self.witnesses.known[sha256]
                    self.brought_back.add(sha256)
                    self.merger.add(*rows)

    def _note_agreements(self) -> None:
        """Record agreements: independent publishers of the same words in different bytes."""
        groups: dict[tuple[str, bytes, str, str], list[str]] = {}
        for text in self._texts():
            row = text.columns
            key = (row.effective, text.states.tobytes(), row.introduction, row.credits)
            groups.setdefault(key, []).append(row.sha256)
        # `is_stale` has recorded what attests a document by itself.
        for hashes in [agreeing for agreeing in groups.values() if len(agreeing) > 1]:
            sources = [source for agreeing in hashes for source in self.archive.sources(agreeing)]
            for sha256 in hashes:
                decision = agreement_on(sha256, sources, self.now)
                if decision is not None:
                    self.archive.decide(decision)

    def _choose_best(
        self, by_day: dict[str, list[EditionRows]], chosen: dict[str, list[EditionRows]]
    ) -> None:
        """Choose the edition of each day without an attested text."""
        settled = sorted(
            (day, (chosen[day] or texts)[-1].states)
            for day, texts in by_day.items()
            if chosen[day] or len(texts) == 1
        )
        for day, texts in by_day.items():
            if len(texts) == 1:
                chosen[day] = texts
            elif not chosen[day]:
                before = [held for held_day, held in settled if held_day < day][-1:]
                after = [held for held_day, held in settled if held_day > day][:1]
                beside = set[int]().union(*before, *after)
                ranks = [_rank(text, beside) for text in texts]
                chosen[day] = [texts[ranks.index(min(ranks))]]

    def _find_out_of_time(
        self, chosen: dict[str, list[EditionRows]], copies: list[EditionRows]
    ) -> dict[str, str]:
        """Find misdated copies: texts that repeat an edition of a distant date.

        Returns:
            The day of the copied edition, by the hash of the copy.
        """
        attested = [day for day, texts in chosen.items() if texts[-1].columns.attested]
        known = self._known_in_time({chosen[day][-1].columns.sha256 for day in attested})
        doubtful = [day for day, texts in chosen.items() if not texts[-1].columns.attested]
        doubtful = [day for day in doubtful if chosen[day][-1].columns.sha256 not in known]
        if not (attested and doubtful):
            return {}
        states, wordings = self.merger.states(), Wordings()
        held = {
            day: wordings.of([states[state] for state in chosen[day][-1].states])
            for day in attested
        }
        elsewhere: dict[str, str] = {}
        for day in doubtful:
            text = chosen[day][-1]
            here = wordings.of([states[state] for state in text.states])
            nearest = nearest_elsewhere(day, here, held)
            if nearest:
                elsewhere[text.columns.sha256] = nearest
                copies.append(text)
        return elsewhere

    def _known_in_time(self, attested: AbstractSet[str]) -> set[str]:
        """Return the hashes of the old file's editions whose dates need no new check.

        Args:
            attested: The hashes of the editions with which all others are compared.
        """
        stored = self.merger.stored if self.is_current else ()
        is_same = attested == {edition.sha256 for edition in stored if edition.attested}
        return {edition.sha256 for edition in stored} if is_same else set()

    def _let_wait(self, copies: Iterable[EditionRows], elsewhere: dict[str, str]) -> None:
        states = self.merger.states()
        for copy in copies:
            row = copy.columns
            self.merger.editions.remove(copy)
            document = self._document(row.sha256)
            rows = (row, [states[state] for state in copy.states])
            day = elsewhere.get(row.sha256, row.effective)
            self.witnesses.waiting[row.sha256] = Waiting(
                [document], rows, is_kept=True, copy_of=day
            )

    def _document(self, sha256: str) -> Document:
        """Return a document without its bytes, since its provisions are known."""
        name = next((source.name for source in self.archive.sources(sha256)), sha256)
        return Document(name, str(self.archive.path(sha256)), b"", is_named=True)


def _issues(texts: Sequence[EditionRows]) -> list[EditionRows]:
    """Return the attested texts of a day.

    A text that only a decision attests is no separate issue if it equals a better text.
    """
    by_hash = sorted(texts, key=lambda text: text.columns.sha256)
    known = [text for text in by_hash if text.columns.attested == BY_FACTS]
    attested = [text for text in by_hash if text.columns.attested]
    distinct: dict[tuple[bytes, str, str], EditionRows] = {}
    for text in sorted(
        attested,
        key=lambda candidate: (candidate.columns.attested != BY_FACTS, _rank(candidate, set())),
    ):
        row = text.columns
        distinct.setdefault((text.states.tobytes(), row.introduction, row.credits), text)
    return [*known, *(text for text in distinct.values() if text.columns.attested != BY_FACTS)]


def _rank(text: EditionRows, beside: set[int]) -> tuple[bool, int, int, str]:
    """Order texts of a day, the best first.

    A text that lost characters comes last; among the others, the best has most in common with the
    adjacent editions.
    """
    row = text.columns
    condition = Condition(row.condition)
    in_common = len(beside.intersection(text.states))
    return condition is Condition.LOSSY, -in_common, condition.rank, row.sha256


def set_columns(merger: Merger, archive: Archive, *, is_current: bool) -> None:
    """Set the columns that depend on facts, decisions and other editions: issue, set and doubts.

    Args:
        merger: The editions.
        archive: The archive, with the decisions.
        is_current: Whether this program and these facts made the old file. Then an edition keeps
            its holes, unless its adjacent editions have changed.
    """
    documents: dict[str, list[str]] = {}
    for edition in merger.editions:
        documents.setdefault(edition.columns.effective, []).append(edition.columns.sha256)
    for place, edition in enumerate(merger.editions):
        row = edition.columns
        effective = date.fromisoformat(row.effective)
        facts = known_editions().get(effective)
        row = row.changed(
            issue=issues_of(effective, documents[row.effective])[row.sha256],
            set_code=facts.set_code if facts else "",
            set_name=facts.set_name if facts else "",
            attested=attestation_of(archive, row.effective, row.sha256),
        )
        merger.editions[place] = EditionRows(row, edition.states)
    editions = merger.in_order()
    beside = _beside([edition.columns for edition in editions])
    before = _beside(merger.stored) if is_current else {}
    known = {edition.sha256: edition.doubts for edition in merger.stored}
    states = merger.states()
    held = {edition.columns.sha256: edition.states for edition in editions}
    for place, edition in enumerate(merger.editions):
        row = edition.columns
        sha256 = row.sha256
        lines = [*_plain_doubts(row)]
        if before.get(sha256) == beside[sha256]:
            lines += [line for line in known[sha256].split("\n") if line not in {"", *_PLAIN}]
        elif row.attested != BY_FACTS:
            texts = [
                held[text_hash] if text_hash else () for text_hash in (sha256, *beside[sha256])
            ]
            lines += _holes(*[[states[state] for state in ids] for ids in texts])
        doubts = row.changed(doubts="\n".join(lines))
        merger.editions[place] = EditionRows(doubts, edition.states)


# Doubts that do not depend on other editions.
_PLAIN = (ONE_SOURCE, NOT_KNOWN, Condition.LOSSY.value)


def _beside(editions: Sequence[EditionRow]) -> dict[str, tuple[str, str]]:
    """Return the neighbours: the last edition of the preceding date, the first of the next.

    Args:
        editions: The editions, in order.

    Returns:
        Their two hashes, by the hash of each edition; an empty string if there is no neighbour.
    """
    days: dict[str, list[str]] = {}
    for edition in editions:
        days.setdefault(edition.effective, []).append(edition.sha256)
    by_day = ["", *days.values(), ""]
    neighbours: dict[str, tuple[str, str]] = {}
    for before, here, after in zip(by_day, by_day[1:], by_day[2:], strict=False):
        for sha256 in here:
            neighbours[sha256] = (before[-1] if before else "", after[0] if after else "")
    return neighbours


def _plain_doubts(row: EditionRow) -> Iterator[str]:
    """Yield the doubts about an edition that do not depend on holes."""
    if not row.attested:
        yield ONE_SOURCE
        facts = known_editions().get(date.fromisoformat(row.effective))
        if facts and row.layout not in ORIGINALS:
            yield NOT_KNOWN
    if row.condition == Condition.LOSSY.value:
        yield row.condition


def _holes(here: Sequence[State], before: Sequence[State], after: Sequence[State]) -> Iterator[str]:
    """Yield the holes in an edition, compared with adjacent ones."""
    missing = missing_line(find_holes(here, before, after), before or after)
    if missing:
        yield missing
    cut = find_cuts(here, before, after)
    if cut:
        yield f"words missing in {', '.join([state.address for state in cut])}"
