"""Resolves the numbers that prose cites, in the editions that it can be about."""

from functools import cache
from typing import NamedTuple

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.articles.topics import telling_of
from variorum.citations import Reference, find_references, numbers_between
from variorum.rows import full_text
from variorum.text import fold_title, sentences_of

_MOST = 3
# The chance that prose means the only rule with the number it cites; one of several, told by its
# words; the latest of several, if nothing tells it.
_ONLY, _TOLD_APART, _GUESSED = 0.98, 0.9, 0.6


class Cited(NamedTuple):
    """A number cited by a paragraph.

    Attributes:
        number: As printed; for a range, the first number that exists.
        state: The id of the rule's state; None if no edition of that time has it.
        edition: The place of the last such edition; None if there is none.
        chance: The chance that this rule is meant.
        evidence: In our words.
        sentence: The citing sentence.
        is_supported: Whether the paragraph shares words with the rule.
    """

    number: str
    state: int | None
    edition: int | None
    chance: float
    evidence: tuple[str, ...]
    sentence: str
    is_supported: bool


class NumberResolver:
    """Resolves numbers in a range of editions."""

    def __init__(self, base: KnowledgeBase, first: int, last: int) -> None:
        self._base, self._first, self._last = base, first, last
        self._standing = cache(self._find_standing)

    def find(self, text: str) -> tuple[Cited, ...]:
        """Return the rules that a paragraph cites, each once, at most three."""
        citations: dict[str, Cited] = {}
        for sentence in sentences_of(text):
            for reference in find_references(sentence):
                citation = self._resolve(reference, text, sentence)
                citations.setdefault(citation.number, citation)
        # Numbers that exist come first.
        order = sorted(citations.values(), key=lambda citation: citation.state is None)
        return tuple(order[:_MOST])

    def _resolve(self, reference: Reference, text: str, sentence: str) -> Cited:
        for number in numbers_between(reference.first, reference.last):
            standing = self._titled(number, reference.title) or self._standing(number)
            if standing:
                return self._choose(number, standing, text, sentence)
        evidence = (f"cites {reference.first}, which no edition of its time has",)
        return Cited(reference.first, None, None, 0.0, evidence, sentence, is_supported=False)

    def _titled(self, number: str, title: str) -> list[tuple[int, int]]:
        """Return the states of any edition with a number and the title printed after the number."""
        if not title:
            return []
        texts = self._base.texts
        states = texts.bearers(number)
        rows = self._base.states.of(states)
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
        """Choose among the rules with a number by the words around it."""
        lines = self._base.texts.lines
        rows = self._base.states.of([state for state, _ in standing])
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
        chance = _ONLY
        if order[1:]:
            is_told = shared[state] > shared[order[1][0]]
            chance = _TOLD_APART if is_told else _GUESSED
            how = "told apart by its words" if is_told else "the latest is taken"
            evidence.append(f"{len(order)} provisions bore this number in its time: {how}")
        return Cited(number, state, edition, chance, tuple(evidence), sentence, shared[state] > 0)

    def _find_standing(self, number: str) -> list[tuple[int, int]]:
        """Return the states with a number at that time, each with its last edition."""
        texts = self._base.texts
        standing = [
            (state, min(last, self._last))
            for state in texts.bearers(number)
            for first, last in texts.stood([state])
            if first <= self._last and last >= self._first
        ]
        latest = dict(sorted(standing))
        return sorted(latest.items(), key=lambda bearer: (-bearer[1], bearer[0]))
