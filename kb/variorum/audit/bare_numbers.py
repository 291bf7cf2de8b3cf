"""Recognises bare numbers that are citations: before quoted rules, or in files that cite rules."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from typing import NamedTuple

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.stored import Run
from variorum.audit.grammar import COMMENT, Citation, read_list
from variorum.audit.meanings import NumberMeanings
from variorum.rows import text_of
from variorum.rule_numbers import DOTTED
from variorum.text import ascii_words, ascii_words_at

# Bare numbers of a file count as citations if this many of those that look like rules' are
# numbers of rules, and if this many are different or the file also cites rules with a word.
_NUMBERS_OF_RULES, _MANY = 0.8, 3
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


class QuotedRule(NamedTuple):
    """A rule quoted with its number in front, with the edition that has most of its words."""

    citation: Citation
    edition: str
    end: int


def accepted(citations: Sequence[Citation], numbers: NumberMeanings) -> list[Citation]:
    """Return the citations of a text, without bare numbers that may be something else."""
    bare = {citation.first.number for citation in citations if citation.is_bare}
    known = {number for number in bare if numbers.of(number)}
    is_cited = any(not citation.is_bare for citation in citations)
    if len(known) < _NUMBERS_OF_RULES * len(bare) or not (is_cited or len(known) >= _MANY):
        known = set()
    return [each for each in citations if not each.is_bare or each.first.number in known]


class QuotationFinder:
    """Finds the rules that lines of a text quote with their numbers in front."""

    def __init__(self, base: KnowledgeBase, numbers: NumberMeanings) -> None:
        self._base, self._numbers = base, numbers
        self._starts: dict[str, dict[tuple[str, ...], list[Run]]] = {}

    def find(self, text: str) -> Iterator[QuotedRule]:
        """Yield the quoted rules of a text in the order they are printed."""
        end = 0
        for dotted in _DOTTED.finditer(text):
            start = dotted.start()
            match = _BEGINNING.match(text, text.rfind("\n", 0, start) + 1) if start >= end else None
            if match and start in {match.start("number"), match.start("below")}:
                cited, _ = read_list(text, start, start)
                is_one = len(cited) == 1 and cited[0].last is None
                quoted = self._quoted(text, cited[0]) if is_one else None
                if quoted is not None:
                    end = quoted.end
                    yield quoted

    def _quoted(self, text: str, citation: Citation) -> QuotedRule | None:
        near = ascii_words_at(text, citation.end, citation.end + _NEAR)
        start = tuple([word for word, _ in islice(near, _FEWEST)])
        starts = self._starts_of(citation.first.number)
        runs = [run for count in range(1, _FEWEST + 1) for run in starts.get(start[:count], ())]
        words = [*ascii_words_at(text, citation.end, citation.end + _LONGEST)] if runs else []
        best = (0, -1)  # words, and the last edition that has them
        for run in runs:
            own = self._words_of(run.state)
            pairs = zip((word for word, _ in words), own, strict=False)
            count = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
            is_whole = count == len(own) and (
                count >= _FEWEST or _HEADING_END.match(text, words[count - 1][1]) is not None
            )
            if count >= _FIRST_WORDS or is_whole:
                last = min(run.last, max(run.first, self._numbers.target.place))
                best = max(best, (count, last))
        count, edition = best
        end = words[count - 1][1] if count else 0
        return QuotedRule(citation, self._base.labels[edition], end) if count else None

    def _starts_of(self, number: str) -> dict[tuple[str, ...], list[Run]]:
        """Return the provisions that have had a number by their first words."""
        if number not in self._starts:
            starts = self._starts[number] = dict[tuple[str, ...], list[Run]]()
            for run in [run for meaning in self._numbers.of(number) for run in meaning.runs]:
                starts.setdefault(tuple(self._words_of(run.state)[:_FEWEST]), []).append(run)
        return self._starts[number]

    def _words_of(self, state: int) -> list[str]:
        row = self._base.states[state]
        return ascii_words(f"{row.heading} {text_of(row.body)}")
