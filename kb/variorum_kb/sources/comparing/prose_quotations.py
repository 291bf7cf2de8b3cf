"""Checks quotations in prose word for word against the rules."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.quotations.quotation_matching import Quoted
from variorum_kb.answers.quotations.quotation_search import Identifier
from variorum_kb.history.word_diffs.diff import GONE, SAME, Piece, word_diff
from variorum_kb.model import Kind
from variorum_kb.rows import State, full_text, text_of
from variorum_kb.rule_numbers import PRINTED
from variorum_kb.sources.comparing.attestation_types import Attestation, PassageVerdict
from variorum_kb.sources.reading.passages.passages import Passage, PassageKind
from variorum_kb.text.folding import fold_words
from variorum_kb.text.likeness import likeness, likest_part, part_likeness
from variorum_kb.thresholds.quotations import (
    ALMOST_QUOTED,
    ARTICLE_QUOTES,
    ARTICLE_QUOTES_UNNUMBERED,
    QUOTED_ALONE_CONFIDENCE,
    QUOTED_WITH_NUMBER_CONFIDENCE,
)

_LEFT_OUT = re.compile(r"\[?(?:\.\.\.|…|\. \. \.)\]?")
_OWN_NUMBER = re.compile(rf"\s*(?:rule\s+)?{PRINTED}\.?\s+", re.IGNORECASE)
# Shorter quotations without a number may come from anywhere.
_FEWEST_WORDS = 6
# Shorter quotations without a number that nearly match a rule usually come from a card.
_FEWEST_ALIKE = 10
_FEWEST_OF_PART = 3


@dataclass(frozen=True, slots=True)
class EditionRange:
    """The editions that prose can be about, as places."""

    first: int
    last: int

    def last_of(self, runs: Iterable[tuple[int, int]]) -> int | None:
        """Return the last edition that is in the range and in one of the runs; None if none is."""
        ends = [
            min(last, self.last)
            for first, last in runs
            if first <= self.last and last >= self.first
        ]
        return max(ends, default=None)


class QuotationChecker:
    """Compares quotations with the rules of the editions that prose can be about."""

    def __init__(self, base: KnowledgeBase, identifier: Identifier, span: EditionRange) -> None:
        self._base = base
        self._identifier = identifier
        self._span = span

    def check(self, passage: Passage, linked: Sequence[int]) -> Iterator[Attestation]:
        """Yield a paragraph's quotations from the rules; other quotations are left out."""
        text = passage.text
        for quotation in passage.quotations:
            words = _OWN_NUMBER.sub("", text[quotation.start : quotation.end], count=1)
            bearers = self._bearers(quotation.number) if quotation.number else []
            state = self._same(words, bearers)
            if state is None:
                state = self._unnumbered(words)
            near = (state, 1.0) if state is not None else self._nearest(words, bearers)
            if near is None and len(words.split()) >= _FEWEST_ALIKE:
                near = self._nearest(words, linked, at_least=ARTICLE_QUOTES_UNNUMBERED)
            if near is not None:
                quoted = replace(
                    passage,
                    kind=PassageKind.TEXT,
                    number=quotation.number,
                    paragraphs=(replace(passage.paragraphs[0], text=words),),
                )
                yield self._attestation(quoted, *near)

    def saying(self, number: str, words: str) -> list[int]:
        """Return the states with a number that contain some words."""
        words = _OWN_NUMBER.sub("", words, count=1)
        states = self._base.texts.bearers(number)
        return [state for state in states if self._same(words, [state]) is not None]

    def check_rule(self, passage: Passage) -> Attestation | None:
        """Return the attestation of a paragraph that begins with a number.

        It is a quotation if it has the rule's words or nearly these. Otherwise it discusses the
        rule, and the result is None.
        """
        words = passage.text
        bearers = self._bearers(passage.number) if passage.number else []
        state = self._same(words, bearers)
        near = (state, 1.0) if state is not None else self._nearest(words, bearers)
        if near is None:
            return None
        return self._attestation(passage, *near)

    def _bearers(self, number: str) -> list[int]:
        states = self._base.texts.bearers(number)
        inside = [state for state in states if self.edition_of(state) is not None]
        return [*inside, *[state for state in states if state not in inside]]

    def edition_of(self, state: int) -> int | None:
        """Return the last edition of the range that has a state; None if there is none."""
        return self._span.last_of(self._base.texts.stood([state]))

    def _same(self, words: str, states: Sequence[int]) -> int | None:
        """Return the first state that contains the words, with or without omissions."""
        parts = [fold_words(part) for part in _LEFT_OUT.split(words)]
        parts = [part for part in parts if part]
        if not parts or max(len(part.split()) for part in parts) < _FEWEST_OF_PART:
            return None
        rows = self._base.texts.rows(states)
        for state in states:
            if _holds(fold_words(full_text(rows[state].body)), parts):
                return state
        return None

    def _unnumbered(self, words: str) -> int | None:
        """Return a state with words quoted without a number, preferably within the range."""
        longest = max(_LEFT_OUT.split(words), key=len)
        if len(longest.split()) < _FEWEST_WORDS:
            return None
        quoted = Quoted("", "", longest, is_cut_before=True, is_cut_after=True)
        (quotation,) = self._identifier.find([quoted])
        inside = [state for state in quotation.states if self.edition_of(state) is not None]
        latest = sorted(inside or quotation.states, key=lambda state: (-self._last(state), state))
        return self._same(words, latest)

    def _last(self, state: int) -> int:
        return self._base.texts.stood([state])[-1][1]

    def _nearest(
        self, words: str, states: Sequence[int], at_least: float = ARTICLE_QUOTES
    ) -> tuple[int, float] | None:
        """Return the state with the most similar words, if they are similar enough."""
        if len(words.split()) < _FEWEST_WORDS:
            return None
        rows = self._base.texts.rows(states)
        quoted = fold_words(words)
        best: tuple[int, float] | None = None
        for state in states:
            ratio = _likeness(quoted, fold_words(text_of(rows[state].body)))
            if ratio >= at_least and (best is None or ratio > best[1]):
                best = state, ratio
        return best

    def _attestation(self, quoted: Passage, state: int, likeness: float) -> Attestation:
        row = self._base.texts.rows([state])[state]
        inside = self.edition_of(state)
        edition = self._last(state) if inside is None else inside
        label = self._base.editions[edition].label
        is_same = likeness == 1.0
        how = "this" if is_same else "almost this"
        evidence = [f"the edition of {label} says {how} in {_name(row)}"]
        if inside is None:
            evidence.append("no edition of its time says so")
        if quoted.number and quoted.number != row.number:
            evidence.append(f"not in {quoted.number}, which stands beside the quotation")
        return Attestation(
            kind=quoted.kind.value,
            verdict=PassageVerdict.AGREES if is_same else PassageVerdict.DIFFERS,
            number=quoted.number,
            words=quoted.text,
            line=quoted.first,
            provision=state,
            edition=edition,
            supplied="" if quoted.number or not row.number else "number",
            likeness=round(likeness, 4),
            confidence=round(_sure(quoted.number, row, likeness), 2),
            evidence=tuple(evidence),
            pieces=() if is_same else _pieces(quoted.text, row),
        )


def _likeness(words: str, text: str) -> float:
    """Return the likeness of words to the most similar part of a text, below 1."""
    is_part = len(words) <= len(text)
    return min((part_likeness if is_part else likeness)(words, text), ALMOST_QUOTED)


def _holds(text: str, parts: Sequence[str]) -> bool:
    """Say whether a text contains all parts in order."""
    place = 0
    padded = f" {text} "
    for part in parts:
        start = padded.find(f" {part} ", place)
        if start < 0:
            return False
        place = start + len(part)
    return True


def _name(row: State) -> str:
    return f"the entry {row.heading}" if row.kind == Kind.GLOSSARY.value else f"rule {row.number}"


def _sure(number: str, row: State, likeness: float) -> float:
    """Return the confidence that words come from a provision."""
    if number and number == row.number:
        return QUOTED_WITH_NUMBER_CONFIDENCE * likeness
    return QUOTED_ALONE_CONFIDENCE * likeness


def _pieces(words: str, row: State) -> tuple[Piece, ...]:
    """Return the word diff from a provision; omissions around the quotation do not count."""
    pieces = word_diff(_window(words, row), words)
    if pieces[1:] and pieces[0][0] == GONE and pieces[1][0] == SAME:
        del pieces[0]
    if pieces[1:] and pieces[-1][0] == GONE and pieces[-2][0] == SAME:
        del pieces[-1]
    return tuple(pieces)


def _window(words: str, row: State) -> str:
    """Return the part of a provision most similar to some words, extended to whole words."""
    text = text_of(row.body)
    if len(words) > len(text):
        return text
    place = likest_part(words, text)
    if place is None:
        return text
    start, stop, _ = place
    while start and not text[start - 1].isspace():
        start -= 1
    while stop < len(text) and not text[stop].isspace():
        stop += 1
    return text[start:stop]
