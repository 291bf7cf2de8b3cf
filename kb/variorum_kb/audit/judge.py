"""What became of each citation: its number, its date and the words beside it, weighed."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.answers.heirs import (
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
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.stored.number_runs import Run
from variorum_kb.audit.number_lists import Citation
from variorum_kb.audit.words_beside import Beside, CitationContext, Marks, Names, words_beside
from variorum_kb.errors import NoEditionError
from variorum_kb.model import RuleNumber
from variorum_kb.references.ranges import numbers_between
from variorum_kb.rows import text_of

# "CR 704.5k (2026-08-07)": the writer says which edition is cited.
_PINNED = re.compile(
    r"\s?[(\[](?:as of |on |of )?"
    r"(?:(?P<edition>\d{4}-\d\d-\d\d(?:\.\d)?|[A-Z0-9]{3})|(?P<month>\d{4}-\d\d))[)\]]"
)


# So many words of a quotation are shown.
_SHOWN = 8


class NumberMeaning(NamedTuple):
    """The provision that a number meant for a time.

    Attributes:
        first: The label of the first edition.
        last: Of the last one.
        was: The provision, in a few words.
        heirs: What it is called now.
    """

    first: str
    last: str
    was: str
    heirs: tuple[str, ...]


class CitationVerdict(NamedTuple):
    """The result of checking a citation.

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
        meanings: Of what is in doubt, all that the number ever meant, in order of time.
        is_sure: Whether it may be rewritten without asking.
        is_pinned: Whether the writer names the edition, so that nothing is to be rewritten.
        is_late: Whether the number came only after the edition it was judged by.
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


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What a number meant through one or more runs of editions, with one and the same outcome."""

    outcome: Outcome
    runs: tuple[Run, ...]


class CitationJudge:
    """Judges citations by one target edition."""

    def __init__(self, base: KnowledgeBase, target: EditionEntry) -> None:
        self._base = base
        self._target = target
        self._labels = base.labels
        self._heirs = Heirs(base, target)
        self._meanings: dict[str, tuple[_Meaning, ...]] = {}
        self._marks: dict[str, Marks] = {}
        self._keywords: dict[str, Names] = {}
        self._verdicts: dict[tuple[str, str, str], CitationVerdict] = {}

    def judge_all(
        self, text: str, citations: Sequence[Citation], days: Sequence[str]
    ) -> list[CitationVerdict]:
        """Return what became of the citations of a text.

        Args:
            text: All of it.
            citations: In order.
            days: The edition or the day each was written by; "" where nobody knows.
        """
        if not citations:
            return []
        by_date = [self._dated(one, day, text) for one, day in zip(citations, days, strict=True)]
        beside = list(_beside(text, citations))
        said = [
            self._look(one, verdict, words)
            for one, verdict, words in zip(citations, by_date, beside, strict=True)
        ]
        elsewhere = _agreed(citations, said)
        weighed = [
            self._weigh(one, verdict, words, heard or elsewhere.get(one.first.number))
            for one, verdict, words, heard in zip(citations, by_date, beside, said, strict=True)
        ]
        # Of what was not understood as a whole, no part is sure.
        return [
            verdict._replace(is_sure=False) if one.is_open else verdict
            for one, verdict in zip(citations, weighed, strict=True)
        ]

    def _dated(self, citation: Citation, day: str, text: str) -> CitationVerdict:
        pinned = _PINNED.match(text, citation.end)
        # Of a month, the edition at its end.
        said = pinned["edition"] or f"{pinned['month']}-28" if pinned else ""
        named = self._edition(said)
        edition = named or self._edition(day)
        first, last = citation.first.number, (citation.last or citation.first).number
        key = first, last, edition.label if edition else ""
        if key not in self._verdicts:
            self._verdicts[key] = self._by_date(first, last, edition)
        verdict = self._verdicts[key]
        if named is not None:
            return verdict._replace(is_sure=False, is_pinned=True)
        return verdict

    def _edition(self, day: str) -> EditionEntry | None:
        try:
            return self._base.edition(day) if day else None
        except NoEditionError:  # written before the first edition, or so git says
            return None

    # By date -------------------------------------------------------------------------------------

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
            outcomes = {self._heirs.outcome(one, number): None for one in bearers}
            if len(outcomes) == 1:
                return _verdict(next(iter(outcomes)), edition.label, number)
            if outcomes:
                why = f"{number} was printed twice in the edition of {edition.label}"
                heirs = [outcome.heirs for outcome in outcomes]
                return CitationVerdict(DOUBTFUL, _each_once(heirs), edition.label, 0.0, why=why)
        return self._undated(number, edition)

    def _undated(self, number: str, edition: EditionEntry | None) -> CitationVerdict:
        """Return what became of a number that has no date, or that its edition does not have."""
        label = edition.label if edition else ""
        meanings = self._meanings_of(number)
        if not meanings:
            return CitationVerdict(NEVER, (), label)
        is_late = edition is not None and meanings[0].runs[0].first > edition.place
        heirs = _each_once([one.outcome.heirs for one in meanings])
        why = f"not in the edition of {label}" if label else ""
        meant = tuple([self._meant(one) for one in meanings])
        if len({one.outcome.heirs for one in meanings}) == 1 and (heirs or len(meanings) == 1):
            verdict = _verdict(meanings[0].outcome, label, number)
            # "rule 110" may be anything: what is rewritten without a date has a dot.
            is_one = len(meanings) == 1
            is_sure = verdict.is_sure and edition is None and "." in number and is_one
            if is_one and verdict.status != CURRENT:
                why = why or "it never meant anything else"
            verdict = verdict._replace(why=why, is_sure=is_sure)
        elif heirs == ((number, number),) and all(one.outcome.heirs for one in meanings):
            verdict = CitationVerdict(CURRENT, heirs, label, why=why)
        else:
            verdict = CitationVerdict(DOUBTFUL, heirs, label, 0.0, why=why)
        return verdict._replace(meanings=meant, is_late=is_late)

    def _meant(self, meaning: _Meaning) -> NumberMeaning:
        first, last = meaning.runs[0].first, max([run.last for run in meaning.runs])
        outcome = meaning.outcome
        return NumberMeaning(self._labels[first], self._labels[last], outcome.was, outcome.heirs)

    def _meanings_of(self, number: str) -> tuple[_Meaning, ...]:
        """Return what a number meant through all editions, each outcome once, in order of time."""
        if number not in self._meanings:
            found: dict[tuple[str, tuple[str, ...], int], list[Run]] = {}
            outcomes: dict[tuple[str, tuple[str, ...], int], Outcome] = {}
            for run in self._heirs.runs(number):
                outcome = self._heirs.outcome_of(run, number)
                key = outcome.status, outcome.heirs, outcome.last
                found.setdefault(key, []).append(run)
                outcomes[key] = outcome
            self._meanings[number] = tuple(
                [_Meaning(outcomes[key], tuple(runs)) for key, runs in found.items()]
            )
        return self._meanings[number]

    def _range(self, each: Sequence[CitationVerdict], numbers: Sequence[str]) -> CitationVerdict:
        """Return what became of a range, given what became of each number in it."""
        statuses = {one.status for one in each}
        if statuses == {CURRENT}:
            return each[0]._replace(heirs=((numbers[0], numbers[-1]),))
        ends = [one.heirs[0][0] for one in (each[0], each[-1]) if one.heirs]
        became = [one.heirs[0][0] for one in each if one.heirs]
        between = self._between(ends)
        status = max(statuses, key=STATUSES.index)
        if became and statuses <= {CURRENT, RENUMBERED, REUSED}:
            # What is new between them is in the range now, too; for a person to decide.
            is_in_order = became == [number for number in between or became if number in became]
            is_whole = is_in_order and len(ends) > 1 and _ascends(ends)
            status = max(status, RENUMBERED, key=STATUSES.index) if is_whole else DOUBTFUL
        is_all = bool(_numbers_between(numbers[0], numbers[-1])) and became == between
        is_sure = is_all and not [one for one in each if not one.is_sure]
        return max(each, key=_severity)._replace(
            status=status,
            heirs=((ends[0], ends[1]),) if ends[1:] and status != GONE_SINCE else (),
            was=each[0].was,
            now_means=each[0].now_means,
            confidence=min([one.confidence for one in each]),
            why="" if became == between else _each_said(each, numbers),
            meanings=(),
            is_sure=is_sure and status in {RENUMBERED, REUSED},
        )

    def _between(self, ends: Sequence[str]) -> list[str]:
        """Return the numbers of the target edition from one end of a range to the other."""
        numbers = _numbers_between(ends[0], ends[1]) if ends[1:] else ()
        return [one for one in numbers if self._heirs.bearers(one, self._target)]

    # By words ------------------------------------------------------------------------------------

    def _look(
        self, citation: Citation, verdict: CitationVerdict, beside: Beside
    ) -> CitationContext | None:
        """Return which of its meanings the words beside a citation speak of."""
        number = citation.first.number
        if citation.last is not None or len(self._meanings_of(number)) == 1:
            return None
        in_doubt = verdict.status not in {CURRENT, RENUMBERED} or not verdict.as_of
        return self._marks_of(number).look(beside, in_doubt=in_doubt)

    def _weigh(
        self,
        citation: Citation,
        verdict: CitationVerdict,
        beside: Beside,
        said: CitationContext | None,
    ) -> CitationVerdict:
        """Weigh what the words beside a citation say against its date."""
        number = citation.first.number
        if said is not None and citation.last is None:
            meant = self._meanings_of(number)[said.which]
            other = _verdict(meant.outcome, verdict.as_of, number)
            if (other.status, other.heirs) != (verdict.status, verdict.heirs):
                return self._against(verdict, other, self._meant(meant), said)
        if verdict.is_sure and (name := self._misnamed(number, beside)):
            return verdict._replace(why=f"but beside it: “{name}”", is_sure=False)
        return verdict

    def _against(
        self,
        verdict: CitationVerdict,
        other: CitationVerdict,
        meant: NumberMeaning,
        said: CitationContext,
    ) -> CitationVerdict:
        """Return the verdict by the words, where it is not that by the date."""
        words = said.words.split()
        shown = " ".join(words[:_SHOWN]) + ("…" if words[_SHOWN:] else "")
        why = f"beside it: “{shown}”"
        if not verdict.as_of:
            is_sure = other.is_sure and said.is_strong and not verdict.is_pinned
            return other._replace(why=why, is_sure=is_sure)
        if said.is_strong or (verdict.status == DOUBTFUL and not verdict.was):
            why = f"{why}, which it meant {_when(meant)}"
            return other._replace(why=why, is_sure=False, is_pinned=verdict.is_pinned)
        return verdict._replace(why=f"but {why}", is_sure=False)

    def _misnamed(self, number: str, beside: Beside) -> str:
        """Return the keyword that stands beside the number of another keyword's rule."""
        keywords = self._keywords_of(number.partition(".")[0])
        named = keywords.beside(beside)
        if not named:
            return ""
        own = {name for one in self._meanings_of(number) for name in self._names(one)}
        # Rules of all kinds speak of keywords; of those that have none, nobody says which.
        if not own & keywords.names or any(name.name in own for name in keywords.among(beside)):
            return ""
        return named

    def _keywords_of(self, section: str) -> Names:
        if section not in self._keywords:
            self._keywords[section] = Names(self._base.headings.keywords(section))
        return self._keywords[section]

    def _marks_of(self, number: str) -> Marks:
        if number not in self._marks:
            self._marks[number] = Marks(
                [
                    (
                        self._names(one),
                        {text_of(self._base.states[run.state].body) for run in one.runs},
                    )
                    for one in self._meanings_of(number)
                ]
            )
        return self._marks[number]

    def _names(self, meaning: _Meaning) -> list[str]:
        states, over = self._base.states, self._base.headings.over
        found = [over(states[run.state], run.last) for run in meaning.runs]
        return list(dict.fromkeys([name for names in found for name in names]))


def _beside(text: str, citations: Sequence[Citation]) -> Iterable[Beside]:
    left = 0
    for citation, following in zip(citations, [*citations[1:], None], strict=True):
        right = len(text) if following is None else following.start
        yield words_beside(text, citation.start, citation.end, left, right)
        left = citation.end


def _agreed(
    citations: Sequence[Citation], said: Sequence[CitationContext | None]
) -> dict[str, CitationContext]:
    """Return what numbers mean in a text that names each rightly in one place at least."""
    found: dict[str, dict[int, CitationContext]] = {}
    for citation, one in zip(citations, said, strict=True):
        if one is not None and one.is_strong:
            found.setdefault(citation.first.number, {})[one.which] = one
    return {
        number: next(iter(each.values()))._replace(is_strong=False)
        for number, each in found.items()
        if len(each) == 1
    }


def _verdict(outcome: Outcome, label: str, number: str) -> CitationVerdict:
    status = outcome.status
    if status == DOUBTFUL and outcome.heirs == (number,):
        status = CURRENT  # there is no other it could have become
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
    return tuple(dict.fromkeys([(heir, heir) for one in heirs for heir in one]))


def _ascends(ends: Sequence[str]) -> bool:
    """Say whether two numbers may be a range: rules of a section, letters of a rule."""
    one, other = (RuleNumber.read(end) for end in (ends[0], ends[-1]))
    if one is None or other is None or not one < other:
        return False
    if bool(one.rule) != bool(other.rule) or bool(one.letters) != bool(other.letters):
        return False
    return not one.rule or (
        one.section == other.section and (not one.letters or one.rule == other.rule)
    )


def _numbers_between(first: str, last: str) -> tuple[str, ...]:
    """Return all numbers that a range may name; none if it runs backwards, or endlessly."""
    one, other = RuleNumber.read(first), RuleNumber.read(last)
    if one is None or other is None or not one < other:
        return ()
    if (bool(one.rule), bool(one.letters)) != (bool(other.rule), bool(other.letters)):
        return ()
    found = numbers_between(first, last)
    is_next = other.follows(one) or (not one.rule and other.section == one.section + 1)
    return () if len(found) == 2 and not is_next else found  # noqa: PLR2004 - the two ends alone


def _severity(verdict: CitationVerdict) -> int:
    return STATUSES.index(verdict.status)


def _when(meant: NumberMeaning) -> str:
    return f"in {meant.first}" if meant.first == meant.last else f"{meant.first} to {meant.last}"


def _each_said(each: Sequence[CitationVerdict], numbers: Sequence[str]) -> str:
    """Say of a range what became of each number that did not stay."""
    became = [
        f"{number} is {one.heirs[0][0] if one.heirs else one.status}"
        for one, number in zip(each, numbers, strict=True)
        if one.status != CURRENT
    ]
    return ", ".join(became)
