"""Recognises bare numbers that are citations: before quoted rules, or in files that cite rules."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.audit.heirs import NumberVerdicts
from variorum.audit.numbers import COMMENT, Citation, read_citation
from variorum.rows import text_of
from variorum.rule_numbers import DOTTED
from variorum.text import ascii_words, ascii_words_at

# Bare numbers of a file count as citations if this many of those that look like rules' are
# numbers of rules.
_NUMBERS_OF_RULES = 0.8

# A line, or the comment in it, that begins with a number and goes on in words.
_BEGINNING = re.compile(
    rf"""
    ^ [ \t]{{0,40}} (?:{COMMENT})? [ \t]* [-*_>|"'`“(\[\\]{{0,4}}
    (?: (?:CR|rules?)[ ] )? (?P<number>{DOTTED}) (?=[.:)\]*_`"—–-]{{0,3}}[ \t]+ [^\W\d_] )
    # "702.52. Dredge 702.52a Dredge is": a heading, and a rule under it.
    (?: \.? [ ] [a-z][a-z' -]{{1,30}}[ ] (?P<below>{DOTTED}) (?=\.?[ ]) )?
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE | re.ASCII,
)
# The start of a rule's number. Testing it first rules out most lines quickly.
_DOTTED = re.compile(r"[1-9]\d\d\.[1-9]", re.ASCII)
_HEADING_END = re.compile(
    r"[.:*_`#\"”]{0,3}[ \t]*(?:\r?$|[1-9]\d\d\.\d+[a-z])", re.MULTILINE | re.ASCII
)
# A quotation has at least this many of its rule's first words. A shorter rule must be quoted whole,
# and must be a heading or have at least the second number of words.
_FIRST_WORDS, _FEWEST = 5, 3
_LONGEST, _NEAR = 4000, 120
# This many different numbers are not a coincidence.
_MANY = 3


class QuotedRule(NamedTuple):
    """A rule quoted with its number in front."""

    citation: Citation
    edition: str
    end: int


class BareNumbers:
    """Recognises citations without a word before them."""

    def __init__(self, base: KnowledgeBase, target: EditionEntry, numbers: NumberVerdicts) -> None:
        self._base = base
        self._target = target
        self._numbers = numbers
        self._starts: dict[int, tuple[str, ...]] = {}

    def quoted(self, text: str) -> Iterator[QuotedRule]:
        """Yield the rules that lines of a text quote with their numbers in front."""
        end = 0
        for dotted in _DOTTED.finditer(text):
            start = dotted.start()
            match = _BEGINNING.match(text, text.rfind("\n", 0, start) + 1)
            if match is None or start not in {match.start("number"), match.start("below")}:
                continue
            citation = read_citation(text, start, start) if start >= end else None
            if citation is None or citation.last is not None:
                continue
            quotation = self._quoted(text, citation)
            if quotation is not None:
                end = quotation.end
                yield quotation

    def _quoted(self, text: str, citation: Citation) -> QuotedRule | None:
        near = ascii_words_at(text, citation.end, citation.end + _NEAR)
        start = tuple([word for word, _ in islice(near, _FEWEST)])
        runs = [
            run
            for meaning in self._numbers.meanings_of(citation.first.number)
            for run in meaning.runs
            if _begins(start, self._start_of(run.state))
        ]
        words = list(ascii_words_at(text, citation.end, citation.end + _LONGEST)) if runs else []
        best = (0, -1)  # words, and the last edition that has them
        for run in runs:
            own = self._words_of(run.state)
            count = _shared(words, own)
            is_whole = count == len(own) and (count >= _FEWEST or _is_heading(text, words, count))
            if count >= _FIRST_WORDS or is_whole:
                last = min(run.last, max(run.first, self._target.place))
                best = max(best, (count, last))
        count, edition = best
        if not count:
            return None
        _, end = words[count - 1]
        return QuotedRule(citation, self._base.labels[edition], end)

    def _start_of(self, state: int) -> tuple[str, ...]:
        """Return the first words of a rule.

        Few lines match these, so the rest of a rule is rarely read.
        """
        if state not in self._starts:
            self._starts[state] = tuple(self._words_of(state)[:_FEWEST])
        return self._starts[state]

    def _words_of(self, state: int) -> list[str]:
        row = self._base.states[state]
        return ascii_words(f"{row.heading} {text_of(row.body)}")

    def accepted(self, citations: Sequence[Citation]) -> list[Citation]:
        """Return the citations of a text, without bare numbers that may be something else.

        Bare numbers count if nearly all in the text are numbers of rules. There must also be
        several, or the text must also cite rules with a word before the number.
        """
        bare = {citation.first.number for citation in citations if citation.is_bare}
        known = {number for number in bare if self._numbers.meanings_of(number)}
        is_cited = any(not citation.is_bare for citation in citations)
        if (
            not known
            or len(known) < _NUMBERS_OF_RULES * len(bare)
            or not (is_cited or len(known) >= _MANY)
        ):
            return [citation for citation in citations if not citation.is_bare]
        return [
            citation
            for citation in citations
            if not citation.is_bare or citation.first.number in known
        ]


def _begins(start: tuple[str, ...], own: tuple[str, ...]) -> bool:
    return bool(own) and start[: len(own)] == own


def _is_heading(text: str, words: Sequence[tuple[str, int]], count: int) -> bool:
    """Say whether the first `count` words of a line are a heading.

    After a heading, the line ends or the number of a subrule follows.
    """
    return count > 0 and _HEADING_END.match(text, words[count - 1][1]) is not None


def _shared(words: Sequence[tuple[str, int]], own: Sequence[str]) -> int:
    """Return how many first words a text and a rule share."""
    count = 0
    for (word, _), wanted in zip(words, own, strict=False):
        if word != wanted:
            break
        count += 1
    return count
