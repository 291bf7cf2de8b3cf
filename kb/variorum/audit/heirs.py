"""Finds the heirs of cited numbers, by the date of the citation if it has one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from variorum.answers.cited_heirs import (
    CURRENT,
    DOUBTFUL,
    GONE_SINCE,
    NEVER,
    RENUMBERED,
    REUSED,
    STATUSES,
    Heirs,
    Outcome,
)
from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.stored import Run
from variorum.citations import numbers_between
from variorum.model import RuleNumber

if TYPE_CHECKING:
    from variorum.records.lineage import Change


class NumberMeaning(NamedTuple):
    """A provision that had a number from an edition to another, in a few words, and its heirs."""

    first: str
    last: str
    was: str
    heirs: tuple[str, ...]


class CitationVerdict(NamedTuple):
    """The result of checking a citation by the edition `as_of`, "" if it has no date.

    `heirs` are the correct numbers, the main heir's first, with both ends of a range; a glossary
    entry is "glossary: " and its headword. If the citation is in doubt, they are candidates.
    `confidence` is the chance that the main heir is right. A provision that is gone has `since`, the
    first edition without it. `was` is the cited provision, `now_means` another that has the number
    now. `why` is evidence besides the date, or the reason for doubt; then `meanings` is all that the
    number ever meant. `--fix` may rewrite what is sure, and never what is pinned, such as a
    citation that names its own edition (`is_dated_itself`). A citation is late if its edition lacks
    the number, and the nearest that has it is later. `changes` are what changed since an edition
    that the user asks about.
    """

    status: str
    heirs: tuple[tuple[str, str], ...]
    as_of: str
    confidence: float = 1.0
    since: str = ""
    was: str = ""
    now_means: str = ""
    why: str = ""
    meanings: tuple[NumberMeaning, ...] = ()
    is_sure: bool = False
    is_pinned: bool = False
    is_late: bool = False
    is_dated_itself: bool = False
    changes: "tuple[Change, ...]" = ()

    @property
    def heir(self) -> str:
        """Return the main heir's number, or the first of its range; "" if there is none."""
        return next((first for first, _ in self.heirs), "")

    @property
    def certain(self) -> tuple[str, str] | None:
        """Return both ends of the heir if `--fix` may write it without asking."""
        return self.heirs[0] if self.is_sure and self.status != CURRENT else None


@dataclass(frozen=True, slots=True)
class Meaning:
    """A meaning of a number: the runs of editions with the same outcome."""

    outcome: Outcome
    runs: tuple[Run, ...]


class NumberVerdicts:
    """Finds the heirs of numbers in one edition."""

    def __init__(self, base: KnowledgeBase, target: EditionEntry) -> None:
        self._base, self.target = base, target
        self._heirs = Heirs(base, target)
        self._meanings: dict[str, tuple[Meaning, ...]] = {}
        self._verdicts: dict[tuple[str, str, str], CitationVerdict] = {}

    def of(self, first: str, last: str, edition: EditionEntry | None) -> CitationVerdict:
        """Return the verdict on a number or a range."""
        key = first, last, edition.label if edition else ""
        if key not in self._verdicts:
            self._verdicts[key] = self._by_date(first, last, edition)
        return self._verdicts[key]

    def gist(self, number: str) -> str:
        """Return the provision with a number in the target edition, in a few words; "" without any."""
        bearers = self._heirs.bearers(number, self.target)
        return self._base.headings.gist(bearers[0].state, self.target.place) if bearers else ""

    def _by_date(self, first: str, last: str, edition: EditionEntry | None) -> CitationVerdict:
        if first == last:
            return self._one(first, edition)
        between = [
            number
            for number in _numbers_between(first, last) or (first, last)
            if number in {first, last}
            or (self._heirs.bearers(number, edition) if edition else self._heirs.runs(number))
        ]
        return self._range([self._one(number, edition) for number in between], between)

    def _one(self, number: str, edition: EditionEntry | None) -> CitationVerdict:
        if edition is not None:
            bearers = self._heirs.bearers(number, edition)
            outcomes = {self._heirs.outcome(bearer, number): None for bearer in bearers}
            if len(outcomes) == 1:
                return verdict_of(next(iter(outcomes)), edition.label, number)
            if outcomes:
                why = f"{number} was printed twice in the edition of {edition.label}"
                heirs = [outcome.heirs for outcome in outcomes]
                return CitationVerdict(DOUBTFUL, _each_once(heirs), edition.label, 0.0, why=why)
        return self._undated(number, edition)

    def _undated(self, number: str, edition: EditionEntry | None) -> CitationVerdict:
        """Return the verdict on a number without a date, or on a number that its edition lacks."""
        label = edition.label if edition else ""
        meanings = self.meanings_of(number)
        if not meanings:
            return CitationVerdict(NEVER, (), label)
        is_late = edition is not None and _is_after(meanings, edition)
        heirs = _each_once([meaning.outcome.heirs for meaning in meanings])
        why = f"not in the edition of {label}" if label else ""
        meant = tuple([self.meant(meaning) for meaning in meanings])
        if len({meaning.outcome.heirs for meaning in meanings}) == 1 and (
            heirs or len(meanings) == 1
        ):
            verdict = verdict_of(meanings[0].outcome, label, number)
            # "rule 110" may be anything: without a date, only a number with a dot is rewritten.
            is_one = len(meanings) == 1
            is_sure = verdict.is_sure and edition is None and "." in number and is_one
            if is_one and verdict.status != CURRENT:
                why = why or "it never meant anything else"
            verdict = verdict._replace(why=why, is_sure=is_sure)
        elif heirs == ((number, number),):
            verdict = CitationVerdict(CURRENT, heirs, label, why=why)
        else:
            verdict = CitationVerdict(DOUBTFUL, heirs, label, 0.0, why=why)
        return verdict._replace(meanings=meant, is_late=is_late)

    def meant(self, meaning: Meaning) -> NumberMeaning:
        """Return a meaning in the form of findings."""
        first, last = meaning.runs[0].first, max([run.last for run in meaning.runs])
        outcome = meaning.outcome
        return NumberMeaning(
            self._base.labels[first], self._base.labels[last], outcome.was, outcome.heirs
        )

    def meanings_of(self, number: str) -> tuple[Meaning, ...]:
        """Return the meanings of a number, one for each outcome, oldest first."""
        if number not in self._meanings:
            runs_of: dict[tuple[str, tuple[str, ...], int], list[Run]] = {}
            outcomes: dict[tuple[str, tuple[str, ...], int], Outcome] = {}
            for run in self._heirs.runs(number):
                outcome = self._heirs.outcome_of(run, number)
                key = outcome.status, outcome.heirs, outcome.last
                runs_of.setdefault(key, []).append(run)
                outcomes[key] = outcome
            self._meanings[number] = tuple(
                [Meaning(outcomes[key], tuple(runs)) for key, runs in runs_of.items()]
            )
        return self._meanings[number]

    def _range(self, each: Sequence[CitationVerdict], numbers: Sequence[str]) -> CitationVerdict:
        """Return the verdict on a range, given the verdict on each number in it."""
        statuses = {verdict.status for verdict in each}
        if statuses == {CURRENT}:
            return each[0]._replace(heirs=((numbers[0], numbers[-1]),))
        ends = [verdict.heir for verdict in (each[0], each[-1]) if verdict.heirs]
        became = [verdict.heir for verdict in each if verdict.heirs]
        between = self._between(ends)
        status = max(statuses, key=STATUSES.index)
        if became and statuses <= {CURRENT, RENUMBERED, REUSED}:
            # If the new range also contained a new rule, a person must decide.
            is_in_order = became == [number for number in between or became if number in became]
            is_whole = is_in_order and len(ends) > 1 and _ascends(ends)
            status = max(status, RENUMBERED, key=STATUSES.index) if is_whole else DOUBTFUL
        if status == DOUBTFUL and became == list(numbers):
            status = CURRENT  # there is no other range
        is_all = bool(_numbers_between(numbers[0], numbers[-1])) and became == between
        is_sure = is_all and not [verdict for verdict in each if not verdict.is_sure]
        return max(each, key=_severity)._replace(
            status=status,
            heirs=((ends[0], ends[1]),) if ends[1:] and status != GONE_SINCE else (),
            was=each[0].was,
            now_means=each[0].now_means,
            confidence=min([verdict.confidence for verdict in each]),
            why="" if became == between else _each_said(each, numbers),
            meanings=(),
            is_sure=is_sure and status in {RENUMBERED, REUSED},
        )

    def _between(self, ends: Sequence[str]) -> list[str]:
        """Return the numbers of the target edition from one end of a range to the other."""
        numbers = _numbers_between(ends[0], ends[1]) if ends[1:] else ()
        return [number for number in numbers if self._heirs.bearers(number, self.target)]


def _is_after(meanings: Iterable[Meaning], edition: EditionEntry) -> bool:
    """Say whether the nearest edition that has a number is later than a given one, which lacks it."""
    place = edition.place
    runs = [run for meaning in meanings for run in meaning.runs]
    nearest = min(runs, key=lambda run: max(run.first - place, place - run.last))
    return nearest.first > place


def verdict_of(outcome: Outcome, label: str, number: str) -> CitationVerdict:
    """Return the verdict on a number that meant a provision with this outcome."""
    status = outcome.status
    if status == DOUBTFUL and outcome.heirs == (number,):
        status = CURRENT  # no other heir is possible
    return CitationVerdict(
        status,
        tuple([(heir, heir) for heir in outcome.heirs]),
        label,
        outcome.confidence,
        outcome.since,
        outcome.was,
        outcome.now_means,
        is_sure=outcome.is_sure,
    )


def _each_once(heirs: Iterable[tuple[str, ...]]) -> tuple[tuple[str, str], ...]:
    return tuple(dict.fromkeys([(heir, heir) for each in heirs for heir in each]))


def _ascends(ends: Sequence[str]) -> bool:
    """Say whether two numbers, rules of a section or subrules of a rule, may be a range."""
    start, end = (RuleNumber.read(end) for end in (ends[0], ends[-1]))
    if start is None or end is None or not start < end:
        return False
    if bool(start.rule) != bool(end.rule) or bool(start.letters) != bool(end.letters):
        return False
    return not start.rule or (
        start.section == end.section and (not start.letters or start.rule == end.rule)
    )


def _numbers_between(first: str, last: str) -> tuple[str, ...]:
    """Return the numbers of a range; none if it runs backwards or is too long."""
    start, end = RuleNumber.read(first), RuleNumber.read(last)
    if start is None or end is None or not start < end:
        return ()
    if (bool(start.rule), bool(start.letters)) != (bool(end.rule), bool(end.letters)):
        return ()
    between = numbers_between(first, last)
    is_next = end.follows(start) or (not start.rule and end.section == start.section + 1)
    return () if len(between) == 2 and not is_next else between  # noqa: PLR2004 - the two ends alone


def _severity(verdict: CitationVerdict) -> int:
    return STATUSES.index(verdict.status)


def _each_said(each: Sequence[CitationVerdict], numbers: Sequence[str]) -> str:
    """Describe the outcome of each changed number of a range."""
    became = [
        f"{number} {_outcome(verdict)}"
        for verdict, number in zip(each, numbers, strict=True)
        if verdict.status != CURRENT
    ]
    return ", ".join(became)


def _outcome(verdict: CitationVerdict) -> str:
    if verdict.heirs:
        return f"is {verdict.heir}"
    return NEVER if verdict.status == NEVER else f"is {verdict.status}"
