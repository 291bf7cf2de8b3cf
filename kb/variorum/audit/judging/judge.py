"""Judges each citation by its number, its date and the words beside it."""

import re
from collections.abc import Sequence

from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.audit.citations.bare_numbers import BareNumbers
from variorum.audit.citations.number_lists import Citation
from variorum.audit.citations.parallel_lists import words_beside_each
from variorum.audit.judging.by_date import NumberVerdicts
from variorum.audit.judging.by_words import WordJudge
from variorum.audit.judging.names_of_numbers import NamesOfNumbers
from variorum.audit.judging.rule_words import RuleWords
from variorum.audit.judging.says_else import with_explained
from variorum.audit.judging.sentence import sentences_of
from variorum.audit.judging.verdict import CitationVerdict
from variorum.audit.judging.words_beside import CitationContext
from variorum.errors import NoEditionError

# "CR 704.5k (2026-08-07)": the author names the edition.
_PINNED = re.compile(
    r"\s?[(\[](?:as of |on |of )?"
    r"(?:(?P<edition>\d{4}-\d\d-\d\d(?:\.\d)?|[A-Z0-9]{3})|(?P<month>\d{4}-\d\d))[)\]]"
)


class CitationJudge:
    """Judges citations against one target edition.

    Attributes:
        bare_numbers: Recognises citations without a word before them.
    """

    def __init__(self, base: KnowledgeBase, target: EditionEntry) -> None:
        self._base = base
        self._numbers = NumberVerdicts(base, target)
        self._names = NamesOfNumbers(base, self._numbers)
        self._rules = RuleWords(base, target)
        self._words = WordJudge(base, self._rules, self._numbers, self._names)
        self.bare_numbers = BareNumbers(base, target, self._numbers)

    def judge_all(
        self, text: str, citations: Sequence[Citation], days: Sequence[str]
    ) -> list[CitationVerdict]:
        """Return the verdicts on the citations of a text.

        Args:
            text: The whole text.
            citations: In order.
            days: The edition or day of each; "" if unknown.
        """
        if not citations:
            return []
        by_date = [
            self._dated(citation, day, text) for citation, day in zip(citations, days, strict=True)
        ]
        if not self._base.has_words:
            return by_date
        beside = words_beside_each(text, citations)
        contexts = [
            self._names.look(citation, verdict, words)
            for citation, verdict, words in zip(citations, by_date, beside, strict=True)
        ]
        elsewhere = _agreed(citations, contexts)
        sentences = with_explained(self._rules, citations, sentences_of(text, citations))
        weighed = [
            self._words.weigh(
                citation, verdict, words, context or elsewhere.get(citation.first.number), sentence
            )
            for citation, verdict, words, context, sentence in zip(
                citations, by_date, beside, contexts, sentences, strict=True
            )
        ]
        # If the program does not understand a whole citation, no part of it is certain.
        return [
            verdict._replace(is_sure=False) if citation.is_open else verdict
            for citation, verdict in zip(citations, weighed, strict=True)
        ]

    def _dated(self, citation: Citation, day: str, text: str) -> CitationVerdict:
        pinned = _PINNED.match(text, citation.end)
        # A month means its last edition.
        label = pinned["edition"] or f"{pinned['month']}-28" if pinned else citation.edition
        named = self._edition(label)
        edition = named or self._edition(day)
        first, last = citation.first.number, (citation.last or citation.first).number
        verdict = self._numbers.of(first, last, edition)
        if named is not None:
            return verdict._replace(is_sure=False, is_pinned=True)
        return verdict

    def _edition(self, day: str) -> EditionEntry | None:
        try:
            return self._base.edition(day) if day else None
        except NoEditionError:  # git's date precedes the first edition
            return None


def _agreed(
    citations: Sequence[Citation], contexts: Sequence[CitationContext | None]
) -> dict[str, CitationContext]:
    """Return the meaning of each number that the text names correctly somewhere."""
    meant: dict[str, dict[int, CitationContext]] = {}
    for citation, context in zip(citations, contexts, strict=True):
        if context is not None and context.is_strong:
            meant.setdefault(citation.first.number, {})[context.which] = context
    return {
        number: next(iter(each.values()))._replace(is_strong=False)
        for number, each in meant.items()
        if len(each) == 1
    }
