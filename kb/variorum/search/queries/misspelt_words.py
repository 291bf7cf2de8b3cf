"""Suggests other queries for one with misspelt words."""

from collections.abc import Sequence

from variorum.search.indexes.lexicon import Lexicon
from variorum.text import fold_in_place
from variorum.words import stem_of

# The least likeness of an unknown word to one that may be meant.
_MISSPELT = 0.72

_MOST = 3
_SHORTEST = 3
_DOUBLE_QUOTES = '"\u201c\u201d'


def suggested_queries(query: str, missing: Sequence[str], lexicon: Lexicon) -> list[str]:
    """Return suggested queries, with similar words instead of the missing words."""
    likes = {word: corrections_of(word, lexicon) for word in missing}
    known = {word: like for word, like in likes.items() if like}
    if not known:
        return []
    if sum(map(query.count, _DOUBLE_QUOTES)) % 2:  # a quotation mark is not closed
        query = query.translate(dict.fromkeys(map(ord, _DOUBLE_QUOTES)))
    # Only the first missing word has several replacements.
    first, *others = known
    for word in others:
        query = _replaced(query, word, known[word][0])
    return [_replaced(query, first, like) for like in known[first]]


def _replaced(query: str, word: str, spelling: str) -> str:
    place = fold_in_place(query).find(word)
    return query[:place] + spelling + query[place + len(word) :] if place >= 0 else query


def corrections_of(word: str, lexicon: Lexicon) -> list[str]:
    """Return corrections of a word that no text has, likeliest first."""
    if len(word) < _SHORTEST or not word.replace("'", "").isalpha():
        return []
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - imported on first use
    from rapidfuzz.distance import DamerauLevenshtein  # noqa: PLC0415 - as above

    words = lexicon.counts
    spellings = [form for form in words if form.isalpha() and len(form) >= _SHORTEST]
    near = process.extract(
        word, spellings, scorer=fuzz.ratio, score_cutoff=_MISSPELT * 100, limit=40
    )
    ranked = sorted(
        (DamerauLevenshtein.distance(word, form), form[0] != word[0], -words[form], form)
        for form, *_ in near
    )
    best = ranked[0][0] if ranked else 0
    forms: dict[str, str] = {}
    for distance, *_, form in ranked:
        if distance <= best + (best > 1):
            forms.setdefault(stem_of(form), form)
    return list(forms.values())[:_MOST]
