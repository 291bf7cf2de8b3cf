"""Recognises bare numbers that are citations: before quoted rules, or in files that cite rules."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.stored import Run
from variorum.audit.grammar import COMMENT, Citation, read_list
from variorum.audit.meanings import NumberMeanings
from variorum.rows import text_of
from variorum.rule_numbers import DOTTED
from variorum.text import Word, placed_words, plain_words

# Bare numbers of a file count as citations if this many of those that look like rules' are
# numbers of rules, and if this many are different or the file also cites rules with a word.
_NUMBERS_OF_RULES, _MANY = 0.8, 3
# A line, or the comment in it, that begins with a number and goes on in words.
_BEGINNING = re.compile(
    rf"""
    ^ [ \t]{{0,40}} (?:{COMMENT})? [ \t]* [-*_>|"'`“(\[\\]{{0,4}}
    (?: (?:CR|rules?)[ ] )? (?P<number>{DOTTED}) (?=[.:)\]*_`"—–-]{{0,3}}[ \t]+ [^\W\d_] )
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
_LONGEST, _NEAR = 4000, 40
_LONGEST_BEGINNING = 160


class QuotedRule(NamedTuple):
    """A rule quoted with its number in front, with the edition that has most of its words."""

    citation: Citation
    edition: str
    end: int

    def places_in(self, citations: Sequence[Citation]) -> range:
        """Return the places of the citations of a text, in order, that are in this rule."""
        ends = self.citation.start, self.end
        return range(*[bisect_left(citations, end, key=lambda it: it.start) for end in ends])


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
        self._texts: dict[str, list[tuple[list[str], Run]]] = {}

    def find(self, text: str) -> Iterator[QuotedRule]:
        """Yield the quoted rules of a text in the order they are printed."""
        end = 0
        for dotted in _DOTTED.finditer(text):
            start = dotted.start()
            # A line may be as long as a file.
            begin = text.rfind("\n", max(0, start - _LONGEST_BEGINNING), start) + 1
            is_far = start < end or (not begin and start > _LONGEST_BEGINNING)
            match = None if is_far else _BEGINNING.match(text, begin)
            if match is None or start != match.start("number"):
                continue
            number, behind = match["number"], match.end("number")
            texts = self._texts_of(number.casefold())
            first = plain_words(text[behind : behind + _NEAR])[:1]
            if not any(first and own[:1] == first for own, _ in texts):
                continue  # without a look at more words
            words = placed_words(text[behind : behind + _LONGEST])
            length, edition = self._longest(text, behind, words, texts)
            cited = read_list(text, start, start)[0] if length else []
            if len(cited) == 1 and cited[0].last is None:
                end = behind + words[length - 1].stop
                yield QuotedRule(cited[0], self._base.labels[edition], end)

    def _longest(
        self, text: str, behind: int, words: Sequence[Word], texts: Iterable[tuple[list[str], Run]]
    ) -> tuple[int, int]:
        """Return how many first words of a provision are quoted, and the last edition with them."""
        best = (0, -1)
        for own, run in texts:
            pairs = zip((it.word for it in words), own, strict=False)
            count = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
            is_whole = 0 < count == len(own) and (
                count >= _FEWEST
                or _HEADING_END.match(text, behind + words[count - 1].stop) is not None
            )
            if count >= _FIRST_WORDS or is_whole:
                last = min(run.last, max(run.first, self._numbers.target.place))
                best = max(best, (count, last))
        return best

    def _texts_of(self, number: str) -> list[tuple[list[str], Run]]:
        """Return the words of the provisions that have had a number."""
        if number not in self._texts:
            runs = self._numbers.runs(number)
            rows = [self._base.states[run.state] for run in runs]
            texts = [plain_words(f"{row.heading} {text_of(row.body)}") for row in rows]
            self._texts[number] = list(zip(texts, runs, strict=True))
        return self._texts[number]
