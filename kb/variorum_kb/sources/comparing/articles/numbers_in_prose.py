"""Resolves the numbers that prose cites, in the editions that it can be about."""

from dataclasses import dataclass

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.references.find import Reference, find_references
from variorum_kb.references.ranges import numbers_between
from variorum_kb.rows import full_text
from variorum_kb.sources.comparing.articles.discussed_provisions import telling_of
from variorum_kb.sources.comparing.articles.prose_quotations import EditionRange
from variorum_kb.text.keys import fold_title
from variorum_kb.text.sentences import sentences_of
from variorum_kb.thresholds.prose import CITED_GUESSED, CITED_NUMBER, CITED_TOLD_APART

_MOST = 3


@dataclass(frozen=True, slots=True)
class Cited:
    """A number cited by a paragraph.

    Attributes:
        number: As printed; for a range, the first number that exists.
        state: The id of the provision; None if no edition of that time has it.
        edition: The place of the last such edition; None if there is none.
        confidence: The chance that this provision is meant.
        evidence: The evidence, in our words.
        sentence: The citing sentence.
        is_supported: Whether the paragraph shares words with the provision.
    """

    number: str
    state: int | None
    edition: int | None
    confidence: float
    evidence: tuple[str, ...]
    sentence: str
    is_supported: bool


class NumberResolver:
    """Resolves numbers in a range of editions."""

    def __init__(self, base: KnowledgeBase, span: EditionRange) -> None:
        self._base = base
        self._span = span
        self._known: dict[str, list[tuple[int, int]]] = {}

    def find(self, text: str) -> tuple[Cited, ...]:
        """Return the provisions that a paragraph cites, each once, at most three."""
        citations: dict[str, Cited] = {}
        for sentence in sentences_of(text):
            for reference in find_references(sentence):
                citation = self._resolve(reference, text, sentence)
                citations.setdefault(citation.number, citation)
        # Numbers that exist come first.
        order = sorted(citations.values(), key=lambda citation: citation.state is None)
        return tuple(order[:_MOST])

    def stand_for(self, number: str, text: str) -> Cited:
        """Return a citation for the number with which a paragraph begins."""
        standing = self._standing(number)
        if standing:
            return self._choose(number, standing, text, text)
        return _missing(number, text)

    def _resolve(self, reference: Reference, text: str, sentence: str) -> Cited:
        for number in numbers_between(reference.first, reference.last):
            standing = self._titled(number, reference.title) or self._standing(number)
            if standing:
                return self._choose(number, standing, text, sentence)
        return _missing(reference.first, sentence)

    def _titled(self, number: str, title: str) -> list[tuple[int, int]]:
        """Return the states of any edition with a number and the title printed after the number."""
        if not title:
            return []
        texts = self._base.texts
        states = texts.bearers(number)
        rows = texts.rows(states)
        wanted = fold_title(title)
        titled = [
            (state, texts.stood([state])[-1][1])
            for state in states
            if fold_title(rows[state].heading) == wanted
        ]
        here = [bearer for bearer in self._standing(number) if bearer in titled]
        return here or sorted(titled, key=lambda bearer: (-bearer[1], bearer[0]))

    def _choose(
        self, number: str, standing: list[tuple[int, int]], text: str, sentence: str
    ) -> Cited:
        """Choose among the provisions with a number by the words around it."""
        lines = self._base.texts.lines
        rows = self._base.texts.rows([state for state, _ in standing])
        words = telling_of(text)
        shared = {
            state: len(words & telling_of(f"{rows[state].heading} {full_text(rows[state].body)}"))
            for state, _ in standing
        }
        newest: dict[int, tuple[int, int]] = {}
        for state, edition in standing:  # the latest first
            newest.setdefault(lines[state], (state, edition))
        order = sorted(
            newest.values(), key=lambda bearer: (-shared[bearer[0]], -bearer[1], bearer[0])
        )
        state, edition = order[0]
        label = self._base.editions[edition].label
        evidence = [f"cites {number}: so numbered in the edition of {label}"]
        confidence = CITED_NUMBER
        if order[1:]:
            is_told = shared[state] > shared[order[1][0]]
            confidence = CITED_TOLD_APART if is_told else CITED_GUESSED
            how = "told apart by its words" if is_told else "the latest is taken"
            evidence.append(f"{len(order)} provisions bore this number in its time: {how}")
        return Cited(
            number, state, edition, confidence, tuple(evidence), sentence, shared[state] > 0
        )

    def _standing(self, number: str) -> list[tuple[int, int]]:
        """Return the states with a number at that time, each with its last edition."""
        if number not in self._known:
            texts = self._base.texts
            lasts = [
                (state, self._span.last_of(texts.stood([state]))) for state in texts.bearers(number)
            ]
            self._known[number] = sorted(
                [(state, last) for state, last in lasts if last is not None],
                key=lambda bearer: (-bearer[1], bearer[0]),
            )
        return self._known[number]


def _missing(number: str, sentence: str) -> Cited:
    evidence = (f"cites {number}, which no edition of its time has",)
    return Cited(number, None, None, 0.0, evidence, sentence, is_supported=False)
