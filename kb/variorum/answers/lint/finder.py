"""Finds the errors of the editions of a base while it is built.

The findings of an edition depend only on it and on earlier editions, so stored findings stay valid.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any

from variorum.answers.lint.bearers import Bearers
from variorum.answers.lint.finding import as_stored
from variorum.answers.lint.kinds import KINDS
from variorum.answers.lint.slots import Citations
from variorum.answers.lint.stale_citations import Follower, Pointer
from variorum.answers.lookup import ledger_in
from variorum.answers.whole import PrintedCitation
from variorum.model import Irregular, RuleNumber
from variorum.records.edition import LocatedIrregularity
from variorum.records.lint import LintFinding, LintKind
from variorum.rows import name_of
from variorum.rule_numbers import letters_after
from variorum.stored_rows import StaleRow

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase

# Irregularities of the numbering, which are not misprints.
_GAP, _DOUBLE = Irregular.NUMBERS_SKIPPED.value, Irregular.PRINTED_TWICE.value
_HUNDRED = 100


def find_findings(
    base: "KnowledgeBase", first: int = 0, stale: Sequence[StaleRow] = ()
) -> Iterator[tuple[list[str], list[StaleRow]]]:
    """Yield the errors as JSON, and stale citations, of each edition from place `first` on.

    Args:
        base: The base.
        first: The place of the first edition.
        stale: The stale citations of the preceding edition.
    """
    yield from _FindingsFinder(base).find(first, stale)


class _FindingsFinder:
    """Looks for errors in the editions of an open base."""

    def __init__(self, base: "KnowledgeBase") -> None:
        self._base = base
        self._reader = base.reader
        self._citations = Citations(base.reader)
        self._numbers: dict[int, RuleNumber | None] = {}

    def find(
        self, first: int, stale: Sequence[StaleRow]
    ) -> Iterator[tuple[list[str], list[StaleRow]]]:
        """Yield the errors of each edition from the place `first` on; see `find_findings`."""
        follower = Follower(self._citations, self._base.lineages)
        if first:
            follower.start(first - 1, self._reader.states_of(first - 1), stale)
        else:
            self._base.links.load()
        for place in range(first, len(self._base.editions)):
            ids = self._reader.states_of(place)
            links = self._base.links.between(place - 1, place).by_edition.get(place, ())
            follower.go_on(ids, links)
            findings = [*self._cited(ids, follower), *self._numbering(ids, place)]
            order = {kind: place for place, kind in enumerate(KINDS)}
            findings.sort(key=lambda finding: order[finding.kind])
            yield [as_stored(finding) for finding in findings], follower.rows()

    # Citations -----------------------------------------------------------------------------------

    def _cited(self, ids: Sequence[int], follower: Follower) -> Iterator[LintFinding]:
        """Yield the wrong citations, each once, in printed order."""
        titles = _Titles(self._citations, ids)
        for state in ids:
            if state not in self._citations.of:
                continue
            moved: dict[int, list[Pointer]] = defaultdict(list)
            for pointer in follower.stale.get(state, ()):
                if pointer.destination is not None and pointer.destination.is_sure:
                    moved[pointer.place].append(pointer)
            for citation in self._citations.of[state]:
                if not (citation.title or moved) and follower.here.has_ends(citation):
                    continue
                targets = [follower.here.bearers(number) for number in citation.numbers]
                kind = _kind(citation, targets, follower.here, is_stale=bool(moved[citation.place]))
                if kind:
                    yield LintFinding(
                        kind,
                        self._citations.states[state].address,
                        self._citations.part(state, citation.part)[citation.start : citation.stop],
                        titled=titles.number(citation.title),
                        **self._place(citation, targets, follower.here),
                        **self._outcome(citation, moved[citation.place]),
                    )

    def _place(
        self, citation: PrintedCitation, targets: Sequence[tuple[int, ...]], here: Bearers
    ) -> dict[str, Any]:
        """Return the fields for a citation's place and its targets."""
        states = list(dict.fromkeys(target for bearers in targets for target in bearers))
        return {
            "part": citation.part,
            "start": citation.start,
            "end": citation.stop,
            "title": citation.title,
            "targets": [self._citations.states[target].address for target in states],
            "heading": next(iter(here.headings(states[:1])), ""),
        }

    def _outcome(self, citation: PrintedCitation, moved: Sequence[Pointer]) -> dict[str, Any]:
        """Return the fields for the outcome of a citation's former target."""
        heirs: dict[str, str] = {}
        for pointer in moved:
            if pointer.destination is not None and pointer.destination.states:
                heirs[pointer.number] = name_of(
                    self._citations.states[pointer.destination.states[0]]
                )
        lost = [pointer for pointer in moved if pointer.number not in heirs]
        ends = dict.fromkeys(
            heirs.get(end, end) for end in (citation.numbers[0], citation.numbers[-1])
        )
        since = [pointer.since for pointer in moved if pointer.since is not None]
        sure = [
            pointer.destination.confidence for pointer in moved if pointer.destination is not None
        ]
        return {
            "means": "-".join(ends) if moved and not lost else None,
            "gone": bool(lost),
            "since": str(min(since)) if since else None,
            "confidence": round(min(sure), 4) if sure else None,
        }

    # Numbering and misprints ---------------------------------------------------------------------

    def _numbering(self, ids: Sequence[int], place: int) -> Iterator[LintFinding]:
        """Yield the recorded irregularities of numbers and characters, and gaps."""
        odd = ledger_in(self._reader, place).irregularities
        skipped = {irregularity.address for irregularity in odd if irregularity.kind == _GAP}
        yield from self._gaps(ids, skipped)
        yield from _doubles(odd)
        for irregularity in odd:
            if irregularity.kind not in {_GAP, _DOUBLE}:
                start = irregularity.start
                yield LintFinding(
                    "misprint",
                    irregularity.address,
                    irregularity.printed,
                    part=None if start is None else "text",
                    start=start,
                    end=None if start is None else start + len(irregularity.printed),
                    means=irregularity.meant or None,
                    misprint=irregularity.kind,
                    evidence=irregularity.evidence,
                )

    def _gaps(self, ids: Sequence[int], skipped: AbstractSet[str]) -> Iterator[LintFinding]:
        """Yield the gaps in the numbering: recorded gaps, and missing sections.

        A section without rules ("intentionally left blank") is not missing. No edition lacks a
        chapter.
        """
        before = RuleNumber(_HUNDRED - 1)
        for state in ids:
            number = self._number(state)
            if number is None:
                continue  # a chapter, or an entry of the glossary
            address = self._citations.states[state].address
            if not number.rule or address in skipped:
                missing = list(_between(before, number))
                if missing:
                    evidence = f"it follows {before}"
                    yield LintFinding("gap", address, address, missing=missing, evidence=evidence)
            before = number

    def _number(self, state_id: int) -> RuleNumber | None:
        """Return the number that a state has, or should have; None for a chapter or an entry."""
        if state_id not in self._numbers:
            state = self._citations.states[state_id]
            self._numbers[state_id] = RuleNumber.read(state.meant or state.number)
        return self._numbers[state_id]


def _kind(
    citation: PrintedCitation, targets: Sequence[tuple[int, ...]], here: Bearers, *, is_stale: bool
) -> LintKind | None:
    """Return the kind of error of a citation; None if it is correct."""
    if not (targets[0] and targets[-1]):
        return "dangling"
    if is_stale:
        return "stale"
    states = [target for bearers in targets for target in bearers]
    return "title" if citation.title and not here.fits(citation.title, states) else None


class _Titles:
    """Finds the number of a heading in an edition by the title that a citation gives."""

    def __init__(self, citations: Citations, ids: Sequence[int]) -> None:
        self._citations = citations
        self._ids = ids
        self._known: dict[str, list[str]] = {}

    def number(self, title: str) -> str | None:
        """Return the number of the only provision with a heading."""
        fold_title = self._citations.fold_title
        if title and not self._known:
            for state_id in self._ids:
                state = self._citations.states[state_id]
                if state.heading and state.kind != "glossary":
                    self._known.setdefault(fold_title(state.heading), []).append(state.address)
        numbers = self._known.get(fold_title(title), []) if title else []
        return numbers[0] if len(numbers) == 1 else None


def _between(before: RuleNumber, after: RuleNumber) -> Iterator[str]:
    """Yield the numbers missing between two numbers, of the second number's kind.

    >>> [*_between(RuleNumber(100, 1, "h"), RuleNumber(100, 1, "m"))]
    ['100.1i', '100.1j', '100.1k']
    """
    if not after.rule:
        first = after.section // _HUNDRED * _HUNDRED
        yield from map(str, range(max(before.section + 1, first), after.section))
    elif not after.letters:
        yield from (f"{after.section}.{rule}" for rule in range(before.rule + 1, after.rule))
    else:
        letters = letters_after(before.letters)
        while (len(letters), letters) < (len(after.letters), after.letters):
            yield f"{after.section}.{after.rule}{letters}"
            letters = letters_after(letters)


def _doubles(odd: Sequence[LocatedIrregularity]) -> Iterator[LintFinding]:
    """Yield each number that is printed twice, with the number that one bearer should have."""
    bearers: dict[str, list[str]] = defaultdict(list)
    meant: dict[str, str] = {}
    for oddity in odd:
        if oddity.kind == _DOUBLE:
            bearers[oddity.printed].append(oddity.address)
        elif oddity.kind == Irregular.MISNUMBERED.value:
            meant[oddity.address] = oddity.meant
    for number, addresses in bearers.items():
        means = next((meant[address] for address in addresses if address in meant), None)
        yield LintFinding("double", number, number, targets=addresses, means=means)
