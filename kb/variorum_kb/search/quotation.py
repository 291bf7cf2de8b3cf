"""Finds the texts that a quotation may come from."""

import re
from collections.abc import Callable, Sequence
from itertools import takewhile
from math import log
from typing import NamedTuple

from variorum_kb.answers.question_parser import NUMBER, parse_question
from variorum_kb.rule_numbers import SECTION
from variorum_kb.search.queries.engine import Searcher
from variorum_kb.text.likeness import likeness, likest_part, share_in_order
from variorum_kb.text.search_words import placed_words
from variorum_kb.text.sentences import sentence_spans
from variorum_kb.thresholds.quotations import QUOTED_AS_LIKE, QUOTED_FROM, QUOTED_WHOLE

# How many texts are compared word by word. If more texts share the most words, these are compared,
# up to the second number.
_COMPARED, _MOST_COMPARED = 80, 1500


class QuotationCandidate(NamedTuple):
    """A text that has quoted words.

    Attributes:
        key: The key of the text.
        likeness: From 0 to 1: the share of the quoted words that it has in the same order. Other
            words between them lower it.
        whole: The likeness of the quotation to the whole text, from 0 to 1.
    """

    key: int
    likeness: float
    whole: float


def split_quotation(text: str) -> tuple[str, str]:
    """Split a quotation into the rule's number before it and the words.

    The number is "" if there is none.

    >>> split_quotation("704.5k If two permanents")
    ('704.5k', 'If two permanents')
    >>> split_quotation("“CR 704.5k: Two permanents”")
    ('704.5k', 'Two permanents”')
    >>> split_quotation("“Two permanents”")
    ('', '“Two permanents”')
    """
    match = _OPENING.match(text)
    kind, number, _ = parse_question(match["number"]) if match else ("", "", "")
    if match is None or kind != NUMBER or "." not in number:
        return "", text
    return number, text[match.end() :]


# A number, with words for rules before it and signs around it.
_OPENING = re.compile(
    rf"[\s\"“‘'(\[]*(?:(?:CR|C\.R\.|rule|§)[\s:]*)?(?P<number>{SECTION}\.\S+?)[.:,)\]]*\s+(?=\S)",
    re.IGNORECASE,
)


def candidates(
    searcher: Searcher, words: Sequence[str], allowed: Callable[[int], bool]
) -> list[QuotationCandidate]:
    """Return the texts with some words in a row, exactly or nearly, most similar first.

    Args:
        searcher: The searcher of the index.
        words: The words of the quotation, from `plain_words`.
        allowed: Returns whether the text with a key may be the source.
    """
    ranked: list[QuotationCandidate] = []
    for key in _sharing(searcher, words, allowed):
        printed = searcher.printed(key)
        fit = _fit(words, printed)
        if fit >= QUOTED_FROM:
            ranked.append(QuotationCandidate(key, fit, likeness(words, printed)))
    return sorted(
        ranked, key=lambda candidate: (-candidate.likeness, -candidate.whole, candidate.key)
    )


def _sharing(searcher: Searcher, words: Sequence[str], allowed: Callable[[int], bool]) -> list[int]:
    """Return the texts that share most words, and the rarest words, with a quotation."""
    index = searcher.kept.index
    points: dict[int, float] = {}
    for word in sorted(set(words)):
        having = index.weights(word)
        tells = log(1 + len(index) / (len(having) + 1))
        for place in having:
            points[place] = points.get(place, 0.0) + tells
    keys = index.keys
    ordered = sorted((-much, keys[place]) for place, much in points.items())
    chosen = [(much, key) for much, key in ordered if allowed(key)]
    most = chosen[0][0] if chosen else 0.0
    complete = sum(1 for _ in takewhile(lambda shared: shared[0] == most, chosen))
    return [key for _, key in chosen[: max(_COMPARED, min(complete, _MOST_COMPARED))]]


def _fit(words: Sequence[str], printed: Sequence[str]) -> float:
    """Return how well a text contains some words, from 0 to 1."""
    if not printed:
        return 0.0
    shared = share_in_order(words, printed)
    if len(printed) <= len(words):
        # The quotation is longer than the text.
        return min(shared, likeness(words, printed))
    part = likest_part(words, printed)
    if part is None:
        return 0.0
    begin, end, alike = part
    # The quotation may omit words, so its part of the text may be longer.
    room = len(words) // _ROOM + 1
    start, stop = max(0, begin - room), end + room
    in_place = share_in_order(words, printed[start:stop])
    return (in_place + alike) / 2


_ROOM = 4


def chosen(
    ranked: Sequence[QuotationCandidate], line_of: Callable[[int], int]
) -> list[list[QuotationCandidate]]:
    """Return the likeliest candidates, grouped by lineage, best first.

    Args:
        ranked: The result of `candidates`.
        line_of: Returns the lineage of a text.
    """
    if not ranked:
        return []
    best = ranked[0]
    near = [
        candidate for candidate in ranked if candidate.likeness >= best.likeness - QUOTED_AS_LIKE
    ]
    wholes = [candidate for candidate in near if candidate.whole >= QUOTED_WHOLE]
    lines: dict[int, list[QuotationCandidate]] = {}
    for candidate in wholes or near:
        lines.setdefault(line_of(candidate.key), []).append(candidate)
    return list(lines.values())


def quoted_part(text: str, words: Sequence[str]) -> str:
    """Return the sentences of a text that have quoted words, without marks."""
    printed = placed_words(text)
    part = likest_part(words, [word.word for word in printed])
    if part is None or part[0] == part[1]:
        return text
    start, stop = printed[part[0]].start, printed[part[1] - 1].stop
    touched = [span for span in sentence_spans(text) if span[0] < stop and span[1] > start]
    return text[touched[0][0] : touched[-1][1]]
