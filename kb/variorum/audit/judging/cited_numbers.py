"""Collects the facts of a cited number that the ranking of rules needs."""

from variorum.answers.cited_heirs import DOUBTFUL, GONE_SINCE
from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.audit.judging.by_date import Meaning, NumberVerdicts
from variorum.audit.judging.names_of_numbers import NamesOfNumbers
from variorum.audit.judging.rule_places import CitedNumber
from variorum.audit.judging.sentence import stems_of
from variorum.audit.judging.verdict import CitationVerdict
from variorum.model import RuleNumber
from variorum.rows import text_of

# People remember what a section's number meant if at least this many editions, some three years,
# printed it so. By hand: the result for the 101 corrections is the same from 1 to 36.
_REMEMBERED_FROM = 12
# They remember it for this many editions after the last one that printed it so. Measured on the
# 101 corrections: at 30, 9 fewer are reported; without a limit, as many.
_REMEMBERED_FOR = 60


class CitedNumbers:
    """Collects and caches the facts of cited numbers."""

    def __init__(self, base: KnowledgeBase, numbers: NumberVerdicts, names: NamesOfNumbers) -> None:
        self._base = base
        self._numbers = numbers
        self._names = names
        self._cited: dict[tuple[str, str, str], CitedNumber | None] = {}
        self._once: dict[str, frozenset[str]] = {}
        self._stems: dict[tuple[str, int], frozenset[str]] = {}

    def of(self, number: str, verdict: CitationVerdict) -> CitedNumber | None:
        """Return the facts of a cited number; None if it means no rule of today."""
        if verdict.status in {DOUBTFUL, GONE_SINCE} or not verdict.heirs:
            return None
        today = verdict.heir
        key = number, today, verdict.as_of
        if key not in self._cited:
            self._cited[key] = self._of(number, today, verdict.as_of)
        return self._cited[key]

    def _of(self, number: str, today: str, as_of: str) -> CitedNumber | None:
        if RuleNumber.read(today) is None:
            return None
        meaning = self._meaning(number, today, self._base.edition(as_of) if as_of else None)
        also = self.stems_of(number, meaning) if meaning else frozenset[str]()
        return self.missing(number)._replace(
            today=today, once=self.once_of(number) - {today}, also=also
        )

    def _meaning(self, number: str, today: str, edition: EditionEntry | None) -> Meaning | None:
        """Return a number's meaning in an edition; without one, the last whose main heir is `today`."""
        if edition is not None:
            return self._numbers.meaning_at(number, edition)
        with_heir = [
            meaning
            for meaning in self._numbers.meanings_of(number)
            if meaning.outcome.heirs[:1] == (today,)
        ]
        return with_heir[-1] if with_heir else None

    def missing(self, number: str) -> CitedNumber:
        """Return the facts of a number that its edition lacks."""
        sections = [
            heir[:3]
            for meaning in self._numbers.meanings_of(number[:3])
            if self._is_remembered(meaning)
            for heir in _others(meaning, number[:3])
        ]
        return CitedNumber(number, number, self.once_of(number), frozenset(sections))

    def _is_remembered(self, meaning: Meaning) -> bool:
        lasted = sum([run.last - run.first + 1 for run in meaning.runs])
        ended = max([run.last for run in meaning.runs])
        return lasted >= _REMEMBERED_FROM and ended >= self._numbers.target.place - _REMEMBERED_FOR

    def once_of(self, number: str) -> frozenset[str]:
        """Return today's numbers of everything that a number ever meant."""
        if number not in self._once:
            meanings = self._numbers.meanings_of(number)
            self._once[number] = frozenset(
                heir for meaning in meanings for heir in _others(meaning, number)
            )
        return self._once[number]

    def stems_of(self, number: str, meaning: Meaning) -> frozenset[str]:
        """Return the stems of all words of a provision while it had a number."""
        key = number, meaning.runs[0].state
        if key not in self._stems:
            states = self._base.states
            bodies = [text_of(states[run.state].body) for run in meaning.runs]
            texts = [*bodies, *self._names.names_of(meaning)]
            self._stems[key] = frozenset(stem for text in texts for stem in stems_of(text))
        return self._stems[key]


def _others(meaning: Meaning, number: str) -> list[str]:
    """Return the heirs of a meaning that are rules, without the number itself."""
    return [
        heir
        for heir in meaning.outcome.heirs
        if heir != number and RuleNumber.read(heir) is not None
    ]
