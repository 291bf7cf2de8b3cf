"""How well a text matches a query: words, headings, phrases, sentences, citations."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import NamedTuple

from variorum.search.index import StemmedText
from variorum.search.terms import Term
from variorum.search.vocabulary import Stems
from variorum.text import placed_words, sentence_spans
from variorum.words import stem_of

MARK = "**"
# Fitted to lab/score/queries/tuning.toml: the loss if only some words match; the weight of words that
# are apart; of a heading that names words of the query; of a sentence that has them, with the headings
# above; of a heading above; of words at the beginning; of many citations.
_COVERAGE, _APART, _HEADING, _SENTENCE, _UNDER, _EARLY, _CITED = 1.1, 0.85, 1.4, 0.8, 0.5, 0.8, 0.16
# Of a headword that says more than the query, "Maximum Hand Size", less counts.
_KINDS = {"section": 1.2, "rule": 1.3, "subrule": 1.03, "more": 0.8}
# How many words are the beginning; what share of a query in a heading counts as the whole query. So few
# words need not be in one sentence.
_BEGINNING, _WHOLE, _FEW = 12, 0.85, 3
# The heading of a chapter, section or rule that says what the query says leads.
_LEADING, _LEADS = frozenset({"chapter", "section", "rule"}), 1.6

Runs = list[tuple[int, int]]


def runs_of(
    forms: Iterable[Stems], stems: Stems, at: Mapping[str, Sequence[int]] | None = None
) -> Runs:
    """Return where any of some forms stands in stems: the places of the first and the last stem."""
    runs: Runs = []
    for form in forms:
        starts: Iterable[int] = range(len(stems)) if at is None else at.get(form[0], ())
        length = len(form)
        runs += [(at, at + length - 1) for at in starts if stems[at : at + length] == form]
    return runs


def has_any(text: StemmedText, forms: Sequence[Stems]) -> bool:
    """Return whether a text has any of some forms, in its words or a heading."""
    parts = (text.stems, text.at), (text.heading, None), (text.above, None)
    return any(runs_of(forms, stems, at) for stems, at in parts)


class _Sought(NamedTuple):
    """A term, and where it stands in a text, in its heading and in the one above."""

    term: Term
    there: Runs
    title: Runs
    over: Runs


def score(terms: Sequence[Term], place: int, kind: str, cited: int, text: StemmedText) -> float:
    """Return how well the text at a place, which so many provisions cite, matches the terms of a query."""
    whole = sum([term.tells for term in terms]) or 1.0
    sought: list[_Sought] = []
    base = covered = titled = over = early = 0.0
    for term in terms:
        there = runs_of(term.forms, text.stems, text.at)
        title, high = runs_of(term.forms, text.heading), runs_of(term.forms, text.above)
        is_there = bool(there or title or high)
        much = term.weights.get(place, 0.0)
        sought.append(_Sought(term, there, title, high))
        if much:
            tells = term.tells * (1.0 if is_there or not term.forms else _APART)
            base += tells * much
            covered += tells
            titled += term.tells if title else 0.0
            over += term.tells if high else 0.0
            if there and not term.is_asking:
                early += term.tells * max(0.0, 1 - there[0][0] / _BEGINNING)
    named = {at for each in sought for first, last in each.title for at in range(first, last + 1)}
    fits = len(named) / len(text.heading) if named else 0.0
    says_all = fits == 1.0 and titled / whole > _WHOLE
    more = (
        1
        + _HEADING * titled / whole * fits
        + _SENTENCE * _in_a_sentence(sought, text.ends) / whole
        + _UNDER * over / whole
        + _EARLY * early / whole
        + _CITED * log(1 + cited)
    )
    if says_all and kind in _LEADING:
        more *= _LEADS
    kind = "more" if kind == "glossary" and 0 < fits < 1 else kind
    return base * float((covered / whole) ** _COVERAGE) * more * _KINDS.get(kind, 1.0)


def _in_a_sentence(sought: Sequence[_Sought], ends: Sequence[int]) -> float:
    """Return the points of the best sentence, in addition to the headings above it."""
    if not ends or sum([not each.term.is_loose for each in sought]) <= _FEW:
        return 0.0
    points, above = [0.0] * (len(ends) + 1), 0.0
    for term, there, title, high in sought:
        if title or high:
            above += term.tells
        else:
            for sentence in {bisect_right(ends, first) for first, _ in there}:
                points[sentence] += term.tells
    return above + max(points)


def snippet(printed: str, terms: Sequence[Term]) -> str:
    """Return the sentence of a text with most of the query's words, with marks around these words."""
    words = placed_words(printed)
    stems = tuple([stem_of(word.word) for word in words])
    spans = sentence_spans(printed)
    starts = [start for start, _ in spans]
    found = [(term, runs_of(term.forms, stems)) for term in terms]
    points = [0.0] * len(spans)
    for term, runs in found:
        for sentence in {bisect_right(starts, words[first].start) - 1 for first, _ in runs}:
            points[sentence] += term.tells
    start, stop = spans[points.index(max(points))]
    telling = [runs for term, runs in found if not term.is_asking] or [runs for _, runs in found]
    marked = {at for runs in telling for first, last in runs for at in range(first, last + 1)}
    shown: list[list[int]] = []  # from where to where
    for word in [words[at] for at in sorted(marked) if start <= words[at].start < stop]:
        if shown and not printed[shown[-1][1] : word.start].strip(" -\N{HYPHEN}"):
            shown[-1][1] = word.stop
        else:
            shown.append([word.start, word.stop])
    copied, parts = start, list[str]()
    for first, last in shown:
        parts += [printed[copied:first], MARK, printed[first:last], MARK]
        copied = last
    return "".join([*parts, printed[copied:stop]])
