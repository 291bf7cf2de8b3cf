"""What a number meant in each edition, and what became of that: the verdict by date alone."""

from collections.abc import Iterable, Sequence
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
from variorum.records.audit import Meaning as MeaningRecord
from variorum.rule_numbers import RuleNumber

if TYPE_CHECKING:
    from variorum.records.lineage import Change

# A state by its id, in the edition at a place.
Bearer = tuple[int, int]
# Both ends of a range; of a single number, the number twice.
Heir = tuple[str, str]


class CitationVerdict(NamedTuple):
    """The result of checking a citation by the edition `as_of`, "" if it has no date.

    `heirs` are the correct numbers, the main heir's first; a glossary entry is "glossary: " and its
    headword. If the citation is in doubt, they are candidates. `confidence` is the chance that the
    main heir is right. A provision that is gone has `since`, the first edition without it. `was` is
    the cited provision, `now_means` another that has the number now. `why` is evidence besides the
    date, or the reason for doubt; then `meanings` is all that the number ever meant. `--fix` may
    rewrite what is sure, and never what is pinned, such as a citation that names its own edition
    (`is_dated_itself`). `changes` are what changed since an edition that the user asks about.
    """

    status: str
    heirs: tuple[Heir, ...]
    as_of: str
    confidence: float = 1.0
    since: str = ""
    was: Bearer | None = None
    now_means: Bearer | None = None
    why: str = ""
    meanings: "tuple[Meaning, ...]" = ()
    is_sure: bool = False
    is_pinned: bool = False
    is_dated_itself: bool = False
    changes: "tuple[Change, ...]" = ()

    @property
    def heir(self) -> str:
        """Return the main heir's number, or the first of its range; "" if there is none."""
        return next((first for first, _ in self.heirs), "")

    @property
    def certain(self) -> Heir | None:
        """Return both ends of the heir if `--fix` may write it without asking."""
        return self.heirs[0] if self.is_sure and self.status != CURRENT else None

    @property
    def main(self) -> Heir | None:
        """Return the main heir if a citation can name it: rules or sections, and not candidates."""
        is_named = self.status not in {CURRENT, DOUBTFUL, GONE_SINCE, NEVER}
        heir = next(iter(self.heirs), None) if is_named and not self.is_pinned else None
        return heir if heir and can_stand(heir) else None


def can_stand(heir: Heir) -> bool:
    """Say whether a citation can name an heir: a rule or section whose number is printed once."""
    return all(RuleNumber.read(end) is not None for end in heir)


class Meaning(NamedTuple):
    """A meaning of a number: the runs of editions with the same outcome."""

    outcome: Outcome
    runs: tuple[Run, ...]


class NumberMeanings:
    """What numbers meant, seen from one edition, the target."""

    def __init__(self, base: KnowledgeBase, target: EditionEntry) -> None:
        self._base, self.target = base, target
        self.heirs = Heirs(base, target)
        self._meanings: dict[str, tuple[Meaning, ...]] = {}
        self._verdicts: dict[tuple[str, str, str], CitationVerdict] = {}
        self._gists: dict[Bearer, str] = {}

    def of(self, number: str) -> tuple[Meaning, ...]:
        """Return the meanings of a number, one for each outcome, oldest first."""
        if number not in self._meanings:
            runs_of: dict[tuple[str, tuple[str, ...], int], list[Run]] = {}
            outcomes: dict[tuple[str, tuple[str, ...], int], Outcome] = {}
            for run in self.heirs.runs(number):
                outcome = self.heirs.outcome_of(run, number)
                key = outcome.status, outcome.heirs, outcome.last
                runs_of.setdefault(key, []).append(run)
                outcomes[key] = outcome
            self._meanings[number] = tuple(
                [Meaning(outcomes[key], tuple(runs)) for key, runs in runs_of.items()]
            )
        return self._meanings[number]

    def shown(self, meaning: Meaning) -> MeaningRecord:
        """Return a meaning as findings have it."""
        labels, outcome = self._base.labels, meaning.outcome
        last = max([run.last for run in meaning.runs])
        was = self.gist(outcome.was)
        return MeaningRecord(labels[meaning.runs[0].first], labels[last], was, list(outcome.heirs))

    def bearer(self, number: str) -> Bearer | None:
        """Return the provision with a number in the target edition, if there is one."""
        bearers = self.heirs.bearers(number, self.target)
        return (bearers[0].state.id, self.target.place) if bearers else None

    def gist(self, bearer: Bearer | None) -> str:
        """Return a provision in a few words; "" for None."""
        if bearer is None:
            return ""
        if bearer not in self._gists:
            self._gists[bearer] = self._base.gist(self._base.states[bearer[0]], bearer[1])
        return self._gists[bearer]

    def verdict(self, first: str, last: str, edition: EditionEntry | None) -> CitationVerdict:
        """Return the verdict on a number or a range, by its edition if that is known."""
        key = first, last, edition.label if edition else ""
        if key not in self._verdicts:
            self._verdicts[key] = (
                self._one(first, edition) if first == last else self._range(first, last, edition)
            )
        return self._verdicts[key]

    def _one(self, number: str, edition: EditionEntry | None) -> CitationVerdict:
        label = edition.label if edition else ""
        bearers = self.heirs.bearers(number, edition) if edition else ()
        outcomes = [*dict.fromkeys(self.heirs.outcome(each, number) for each in bearers)]
        if len(outcomes) == 1:
            return verdict_of(outcomes[0], label, number)
        if outcomes:
            why = f"{number} was printed twice in the edition of {label}"
            heirs = _each_once([outcome.heirs for outcome in outcomes])
            return CitationVerdict(DOUBTFUL, heirs, label, 0.0, why=why)
        # There is no date, or its edition lacks the number.
        meanings = self.of(number)
        if not meanings:
            return CitationVerdict(NEVER, (), label)
        heirs = _each_once([meaning.outcome.heirs for meaning in meanings])
        why = f"not in the edition of {label}" if label else ""
        is_one = len(meanings) == 1
        if is_one or (heirs and len({meaning.outcome.heirs for meaning in meanings}) == 1):
            verdict = verdict_of(meanings[0].outcome, label, number)
            # "rule 110" may be anything: without a date, only a number with a dot is rewritten.
            is_sure = verdict.is_sure and not label and "." in number and is_one
            if is_one and verdict.status != CURRENT:
                why = why or "it never meant anything else"
            verdict = verdict._replace(why=why, is_sure=is_sure)
        elif heirs == ((number, number),):
            verdict = CitationVerdict(CURRENT, heirs, label, why=why)
        else:
            verdict = CitationVerdict(DOUBTFUL, heirs, label, 0.0, why=why)
        return verdict._replace(meanings=meanings)

    def _range(self, first: str, last: str, edition: EditionEntry | None) -> CitationVerdict:
        """Return the verdict on a range, from the verdict on each number in it."""
        numbers = [
            number
            for number in _numbers_between(first, last) or (first, last)
            if number in {first, last}
            or (self.heirs.bearers(number, edition) if edition else self.heirs.runs(number))
        ]
        each = [self._one(number, edition) for number in numbers]
        statuses = {verdict.status for verdict in each}
        if statuses == {CURRENT}:
            return each[0]._replace(heirs=((first, last),))
        ends = [verdict.heir for verdict in (each[0], each[-1]) if verdict.heirs]
        became = [verdict.heir for verdict in each if verdict.heirs]
        between = [
            number
            for number in (_numbers_between(*ends) if ends[1:] else ())
            if self.heirs.bearers(number, self.target)
        ]
        status = max(statuses, key=STATUSES.index)
        if became and statuses <= {CURRENT, RENUMBERED, REUSED}:
            # If the new range also contained a new rule, a person must decide.
            in_order = [number for number in between if number in became]
            is_whole = bool(between) and became == in_order
            status = max(status, RENUMBERED, key=STATUSES.index) if is_whole else DOUBTFUL
        if status == DOUBTFUL and became == numbers:
            status = CURRENT  # there is no other range
        is_all = bool(_numbers_between(first, last)) and became == between
        is_sure = is_all and all(verdict.is_sure for verdict in each)
        changed = [
            f"{number} {'' if verdict.status == NEVER else 'is '}{verdict.heir or verdict.status}"
            for verdict, number in zip(each, numbers, strict=True)
            if verdict.status != CURRENT
        ]
        return max(each, key=lambda verdict: STATUSES.index(verdict.status))._replace(
            status=status,
            heirs=((ends[0], ends[1]),) if ends[1:] and status != GONE_SINCE else (),
            was=each[0].was,
            now_means=each[0].now_means,
            confidence=min([verdict.confidence for verdict in each]),
            why="" if became == between else ", ".join(changed),
            meanings=(),
            is_sure=is_sure and status in {RENUMBERED, REUSED},
        )


def verdict_of(outcome: Outcome, label: str, number: str) -> CitationVerdict:
    """Return the verdict on a number that meant a provision with this outcome."""
    status = outcome.status
    if status == DOUBTFUL and outcome.heirs == (number,):
        status = CURRENT  # no other heir is possible
    return CitationVerdict(
        status,
        _each_once([outcome.heirs]),
        label,
        outcome.confidence,
        outcome.since,
        outcome.was,
        outcome.now_means,
        is_sure=outcome.is_sure,
    )


def _each_once(heirs: Iterable[tuple[str, ...]]) -> tuple[Heir, ...]:
    return tuple(dict.fromkeys([(heir, heir) for each in heirs for heir in each]))


def _numbers_between(first: str, last: str) -> Sequence[str]:
    """Return the numbers of a range; none if it runs backwards or is too long."""
    start, end = RuleNumber.read(first), RuleNumber.read(last)
    if start is None or end is None or not start < end:
        return ()
    if (bool(start.rule), bool(start.letters)) != (bool(end.rule), bool(end.letters)):
        return ()
    between = numbers_between(first, last)
    is_next = end.follows(start) or (not start.rule and end.section == start.section + 1)
    return () if len(between) == 2 and not is_next else between  # noqa: PLR2004 - the two ends alone
