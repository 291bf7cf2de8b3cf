"""How well a text matches a query: words, headings, phrases, sentences, citations."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from math import log

from variorum.search.index import Index, StemmedText
from variorum.search.terms import Term
from variorum.search.vocabulary import Stems
from variorum.text import placed_words, sentence_spans
from variorum.words import stem_of

MARK = "**"
# Fitted to lab/score/queries/tuning.toml: the loss if only some words match; the weight of words that
# are apart; of a heading that names words of the query; of a sentence that has them, with the headings
# above; of a heading above; of words at the beginning; of many citations.
_COVERAGE, _APART, _HEADING, _SENTENCE, _UNDER, _EARLY, _CITED = 1.1, 0.85, 1.4, 0.8, 0.5, 0.8, 0.16
# A variant that the query does not name counts less.
_KINDS = {"section": 1.2, "rule": 1.3, "subrule": 1.03, "variant": 0.8}
# How many words are the beginning; what share of a query in a heading counts as the whole query. So few
# words need not be in one sentence.
_BEGINNING, _WHOLE, _FEW = 12, 0.85, 3
# The heading of a chapter, section or rule that says what the query says leads.
_LEADING, _LEADS = frozenset({"chapter", "section", "rule"}), 1.6

Runs = list[tuple[int, int]]


def _runs(forms: Iterable[Stems], stems: Stems) -> Runs:
    return [
        (at, at + len(form) - 1)
        for form in forms
        if form[0] in stems
        for at in range(len(stems))
        if stems[at : at + len(form)] == form
    ]


def places_in(text: StemmedText, forms: Iterable[Stems]) -> tuple[Runs, Runs, Runs]:
    """Return where any of some forms stands in the words of a text, its heading, and the heading above."""
    forms = list(forms)
    return _runs(forms, text.stems), _runs(forms, text.heading), _runs(forms, text.above)


def has_any(text: StemmedText, forms: Iterable[Stems]) -> bool:
    """Return whether a text has any of some forms, in its words or a heading."""
    return any(places_in(text, forms))


def counts_of(text: StemmedText, wanted: Iterable[Iterable[Stems]]) -> tuple[int, int]:
    """Return how many of some words, each in any of its forms, a text has, and how many in one sentence."""
    parts = [places_in(text, forms) for forms in wanted]
    sentences = [{bisect_right(text.ends, at) for at, _ in there} for there, *_ in parts]
    together = Counter(chain.from_iterable(sentences)).values()
    return sum(map(any, parts)), max(together, default=0)


def score(terms: Sequence[Term], index: Index, place: int) -> float:
    """Return how well the text at a place matches the terms of a query."""
    text, kind = index.text(place), index.columns.kinds[place]
    whole = sum([term.tells for term in terms]) or 1.0
    base = covered = titled = over = early = in_headings = 0.0
    in_sentences, named = [0.0] * (len(text.ends) + 1), set[int]()
    for term in terms:
        there, title, high = places_in(text, term.forms)
        if title or high:
            in_headings += term.tells
        else:
            for sentence in {bisect_right(text.ends, first) for first, _ in there}:
                in_sentences[sentence] += term.tells
        named.update([at for first, last in title for at in range(first, last + 1)])
        if much := term.weights.get(place, 0.0):
            tells = term.tells * (1.0 if there or title or high or not term.forms else _APART)
            base += tells * much
            covered += tells
            titled += term.tells if title else 0.0
            over += term.tells if high else 0.0
            if there and not term.is_asking:
                early += term.tells * max(0.0, 1 - there[0][0] / _BEGINNING)
    fits = len(named) / len(text.heading) if named else 0.0
    is_long = bool(text.ends) and sum([not term.is_loose for term in terms]) > _FEW
    more = (
        1
        + _HEADING * titled / whole * fits
        + _SENTENCE * (in_headings + max(in_sentences) if is_long else 0.0) / whole
        + _UNDER * over / whole
        + _EARLY * early / whole
        + _CITED * log(1 + index.columns.cited[place])
    )
    if fits == 1.0 and titled / whole > _WHOLE and kind in _LEADING:
        more *= _LEADS
    kind = "variant" if index.columns.numbers[place][:1] in {"8", "9"} and not over else kind
    return base * float((covered / whole) ** _COVERAGE) * more * _KINDS.get(kind, 1.0)


def snippet(printed: str, terms: Sequence[Term]) -> str:
    """Return the sentence of a text with most of the query's words, with marks around these words."""
    words, spans = placed_words(printed), sentence_spans(printed)
    stems, starts = tuple([stem_of(word.word) for word in words]), [start for start, _ in spans]
    found = [(term, _runs(term.forms, stems)) for term in terms]
    points = [0.0] * len(spans)
    for term, runs in found:
        for sentence in {bisect_right(starts, words[first].start) - 1 for first, _ in runs}:
            points[sentence] += term.tells
    start, stop = spans[points.index(max(points))]
    telling = [runs for term, runs in found if not term.is_asking] or [runs for _, runs in found]
    marked = {at for runs in telling for first, last in runs for at in range(first, last + 1)}
    shown, parts = start, list[str]()
    for word in [words[at] for at in sorted(marked) if start <= words[at].start < stop]:
        between = printed[shown : word.start]
        if parts and not between.strip(" -\N{HYPHEN}"):
            parts[-1:] = [between, printed[word.start : word.stop], MARK]
        else:
            parts += [between, MARK, printed[word.start : word.stop], MARK]
        shown = word.stop
    return "".join([*parts, printed[shown:stop]])
