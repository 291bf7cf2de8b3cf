"""Finds which meaning of a number the words beside it name or quote."""

from variorum.answers.cited_heirs import CURRENT, RENUMBERED
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.audit.citations.number_lists import Citation
from variorum.audit.judging.by_date import Meaning, NumberVerdicts
from variorum.audit.judging.verdict import CitationVerdict
from variorum.audit.judging.words_beside import Beside, CitationContext, Marks, Names
from variorum.rows import text_of


class NamesOfNumbers:
    """Looks for the former headings and texts of numbers beside citations."""

    def __init__(self, base: KnowledgeBase, numbers: NumberVerdicts) -> None:
        self._base = base
        self._numbers = numbers
        self._marks: dict[str, Marks] = {}
        self._keywords: dict[str, Names] = {}
        self._own: dict[str, frozenset[str]] = {}

    def look(
        self, citation: Citation, verdict: CitationVerdict, beside: Beside
    ) -> CitationContext | None:
        """Return the meaning that the words beside a citation name or quote."""
        number = citation.first.number
        if citation.last is not None or len(self._numbers.meanings_of(number)) == 1:
            return None
        in_doubt = verdict.status not in {CURRENT, RENUMBERED} or not verdict.as_of
        return self._marks_of(number).look(beside, in_doubt=in_doubt)

    def misnamed(self, number: str, beside: Beside) -> str:
        """Return the keyword beside a number if the number belongs to another keyword."""
        keywords = self._keywords_of(number.partition(".")[0])
        own = self._own_names(number)
        # Any rule may mention keywords, so only a rule of a keyword is judged.
        if own.isdisjoint(keywords.names):
            return ""
        named = keywords.beside(beside)
        if not named or any(name.name in own for name in keywords.among(beside)):
            return ""
        return named

    def _own_names(self, number: str) -> frozenset[str]:
        """Return the headings of all provisions that a number ever meant."""
        if number not in self._own:
            meanings = self._numbers.meanings_of(number)
            self._own[number] = frozenset(
                name for meaning in meanings for name in self.names_of(meaning)
            )
        return self._own[number]

    def _keywords_of(self, section: str) -> Names:
        if section not in self._keywords:
            self._keywords[section] = Names(self._base.headings.keywords(section))
        return self._keywords[section]

    def _marks_of(self, number: str) -> Marks:
        if number not in self._marks:
            self._marks[number] = Marks(
                [
                    (
                        self.names_of(meaning),
                        {text_of(self._base.states[run.state].body) for run in meaning.runs},
                    )
                    for meaning in self._numbers.meanings_of(number)
                ]
            )
        return self._marks[number]

    def names_of(self, meaning: Meaning) -> list[str]:
        """Return the headings of a provision, and of those above it, while it had a number."""
        states, over = self._base.states, self._base.headings.over
        each_over = [over(states[run.state], run.last) for run in meaning.runs]
        return list(dict.fromkeys([name for names in each_over for name in names]))
