"""What became of each citation: its number, its date and the words beside it, weighed."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from variorum_kb.answers.base import KnowledgeBase
from variorum_kb.answers.editions import EditionEntry
from variorum_kb.answers.fates import (
    CURRENT,
    DOUBTFUL,
    NEVER,
    RENUMBERED,
    REUSED,
    STATUSES,
    Fate,
    Run,
)
from variorum_kb.audit.evidence import Beside, Marks, marks_of, words_beside
from variorum_kb.audit.find import Citation
from variorum_kb.errors import NoEditionError
from variorum_kb.references.find import numbers_between

# "CR 704.5k (2026-08-07)": the writer says which edition is cited.
_PINNED = re.compile(r"\s?[(\[](?:as of |on |of )?(\d{4}-\d\d-\d\d(?:\.\d)?)[)\]]")


class Verdict(NamedTuple):
    """What became of a citation.

    Attributes:
        status: One of STATUSES.
        heirs: The numbers that should stand there, the main one first, of a range both ends of
            each; a glossary entry is "glossary: " and its headword. In doubt, what it may be.
        as_of: The label of the edition it was judged by; "" where it has no date.
        confidence: The chance that the main heir is right.
        since: The first edition without what is gone.
        was: What it meant, in a few words.
        now_means: What bears the number now, if that is something else.
        why: What speaks for it besides the date, or why it is in doubt.
        is_sure: Whether it may be rewritten without asking.
        is_pinned: Whether the writer names the edition, so that nothing is to be rewritten.
    """

    status: str
    heirs: tuple[tuple[str, str], ...]
    as_of: str
    confidence: float = 1.0
    since: str = ""
    was: str = ""
    now_means: str = ""
    why: str = ""
    is_sure: bool = False
    is_pinned: bool = False


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What a number meant through one or more runs of editions, with one and the same fate."""

    fate: Fate
    runs: tuple[Run, ...]


class Judge:
    """Judges citations by one target edition."""

    def __init__(self, base: KnowledgeBase, target: EditionEntry) -> None:
        self._base = base
        self._target = target
        self._fates = base.fates(target)
        self._meanings: dict[str, tuple[_Meaning, ...]] = {}
        self._marks: dict[str, Marks] = {}
        self._verdicts: dict[tuple[str, str, str], Verdict] = {}

    def judge(self, citation: Citation, day: str, text: str, left: int, right: int) -> Verdict:
        """Return what became of a citation.

        Args:
            citation: As it was found.
            day: The edition, or the day, it was written by; "" if nobody knows.
            text: In which it stands.
            left: Where the citation before it ends.
            right: Where the next one begins.
        """
        pinned = _PINNED.match(text, citation.end)
        edition = self._edition(pinned[1] if pinned else day)
        first = citation.first.number
        last = (citation.last or citation.first).number
        key = first, last, edition.label if edition else ""
        if key not in self._verdicts:
            self._verdicts[key] = self._by_date(first, last, edition)
        verdict = self._verdicts[key]
        if verdict.status not in {CURRENT, NEVER}:
            beside = words_beside(text, citation.start, citation.end, left, right)
            verdict = self._by_words(verdict, first, last, edition, beside)
        if pinned and edition is not None:
            verdict = verdict._replace(is_sure=False, is_pinned=True)
        return verdict

    def _edition(self, day: str) -> EditionEntry | None:
        try:
            return self._base.edition(day) if day else None
        except NoEditionError:  # written before the first edition, or so git says
            return None

    # By date -------------------------------------------------------------------------------------

    def _by_date(self, first: str, last: str, edition: EditionEntry | None) -> Verdict:
        if first == last:
            return self._one(first, edition)
        place = self._target.place if edition is None else edition.place
        between = [
            number
            for number in numbers_between(first, last)
            if number in {first, last} or self._fates.bearers(number, place)
        ]
        return self._range([self._one(number, edition) for number in between], between)

    def _one(self, number: str, edition: EditionEntry | None) -> Verdict:
        if edition is not None:
            runs = self._fates.bearers(number, edition.place)
            fates = {self._fates.fate(run, edition.place, number): None for run in runs}
            if len(fates) == 1:
                return _verdict(next(iter(fates)), edition.label)
            if fates:
                why = f"{number} was printed twice in the edition of {edition.label}"
                return _doubt(edition.label, [fate.heirs for fate in fates], why)
        return self._undated(number, edition)

    def _undated(self, number: str, edition: EditionEntry | None) -> Verdict:
        label = edition.label if edition else ""
        meanings = self._meanings_of(number)
        if not meanings:
            return Verdict(NEVER, (), label)
        stood = "; ".join([self._stood(one) for one in meanings])
        if len(meanings) > 1:
            heirs = [one.fate.heirs for one in meanings]
            why = f"not in the edition of {label}; {stood}" if label else f"no date; {stood}"
            return _doubt(label, heirs, why)
        verdict = _verdict(next(iter(meanings)).fate, label)
        if not label:
            return verdict._replace(
                why="" if verdict.status == CURRENT else "it meant nothing else"
            )
        return verdict._replace(why=f"not in the edition of {label}; {stood}", is_sure=False)

    def _stood(self, meaning: _Meaning) -> str:
        """Say when a number meant something, and what."""
        labels = [edition.label for edition in self._base.editions]
        first, last = meaning.runs[0].first, max(run.last for run in meaning.runs)
        when = labels[first] if first == last else f"{labels[first]} to {labels[last]}"
        return f"{when} {meaning.fate.was or 'a provision without words'}"

    def _meanings_of(self, number: str) -> tuple[_Meaning, ...]:
        """Return what a number meant through all editions, each fate once, in order of time."""
        if number not in self._meanings:
            found: dict[tuple[str, tuple[str, ...], int], list[Run]] = {}
            fates: dict[tuple[str, tuple[str, ...], int], Fate] = {}
            for run in self._fates.runs(number):
                fate = self._fates.fate_of(run, number)
                key = fate.status, fate.heirs, fate.last
                found.setdefault(key, []).append(run)
                fates[key] = fate
            self._meanings[number] = tuple(
                [_Meaning(fates[key], tuple(runs)) for key, runs in found.items()]
            )
        return self._meanings[number]

    def _range(self, each: Sequence[Verdict], numbers: Sequence[str]) -> Verdict:
        """Return what became of a range, given what became of each number in it."""
        statuses = {one.status for one in each}
        if statuses == {CURRENT}:
            return each[0]._replace(heirs=((numbers[0], numbers[-1]),))
        ends = [one.heirs[0][0] for one in (each[0], each[-1]) if one.heirs]
        became = [one.heirs[0][0] for one in each if one.heirs]
        between = self._between(ends)
        status = max(statuses, key=STATUSES.index)
        if statuses <= {CURRENT, RENUMBERED, REUSED}:
            # What is new between them is in the range now, too; for a person to decide.
            is_in_order = became == [number for number in between if number in became]
            status = max(status, RENUMBERED, key=STATUSES.index) if is_in_order else DOUBTFUL
        is_sure = became == between and all(one.is_sure for one in each)
        return max(each, key=_severity)._replace(
            status=status,
            heirs=((ends[0], ends[1]),) if ends[1:] else (),
            was=each[0].was,
            confidence=min([one.confidence for one in each]),
            why="" if became == between else _each_said(each, numbers),
            is_sure=is_sure and status in {RENUMBERED, REUSED},
        )

    def _between(self, ends: Sequence[str]) -> list[str]:
        """Return the numbers of the target edition from one end of a range to the other."""
        numbers = numbers_between(ends[0], ends[1]) if ends[1:] else ()
        return [one for one in numbers if self._fates.bearers(one, self._target.place)]

    # By words ------------------------------------------------------------------------------------

    def _by_words(
        self, verdict: Verdict, first: str, last: str, edition: EditionEntry | None, beside: Beside
    ) -> Verdict:
        """Weigh what the words beside a citation say against its date."""
        meanings = self._meanings_of(first)
        if first != last or len(meanings) < 2:  # noqa: PLR2004 - nothing to be told apart
            return verdict
        said = self._marks_of(first, meanings).look(beside)
        if said is None:
            return verdict
        meant = _verdict(meanings[said.which].fate, verdict.as_of)
        if (meant.status, meant.heirs) == (verdict.status, verdict.heirs):
            return verdict
        why = f"beside it: “{said.words}”"
        if verdict.status == DOUBTFUL or edition is None:
            return meant._replace(why=why, is_sure=meant.is_sure and said.is_strong and not edition)
        if said.is_strong:
            stood = self._stood(meanings[said.which])
            return meant._replace(why=f"{why}, which it meant {stood}", is_sure=False)
        return verdict._replace(why=f"but {why}", is_sure=False)

    def _marks_of(self, number: str, meanings: Iterable[_Meaning]) -> Marks:
        if number not in self._marks:
            self._marks[number] = marks_of(
                [
                    (
                        [
                            name
                            for run in one.runs
                            for name in self._fates.headings(run.state, run.last)
                        ],
                        [self._fates.words(run.state) for run in one.runs],
                    )
                    for one in meanings
                ]
            )
        return self._marks[number]


def _severity(verdict: Verdict) -> int:
    return STATUSES.index(verdict.status)


def _verdict(fate: Fate, label: str) -> Verdict:
    return Verdict(
        fate.status,
        tuple([(heir, heir) for heir in fate.heirs]),
        label,
        fate.confidence,
        fate.since,
        fate.was,
        fate.now_means,
        is_sure=fate.is_sure,
    )


def _doubt(label: str, heirs: Iterable[tuple[str, ...]], why: str) -> Verdict:
    each = dict.fromkeys([(heir, heir) for one in heirs for heir in one])
    return Verdict(DOUBTFUL, tuple(each), label, 0.0, why=why)


def _each_said(each: Sequence[Verdict], numbers: Sequence[str]) -> str:
    """Say of a range what became of each number."""
    became = [
        f"{number} is {one.heirs[0][0] if one.heirs else one.status}"
        for one, number in zip(each, numbers, strict=True)
    ]
    return ", ".join(became)
