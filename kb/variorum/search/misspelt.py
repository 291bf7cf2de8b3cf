"""Suggests other queries for one with misspelt words."""

from collections import Counter
from collections.abc import Sequence

from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.text import fold_in_place, plain_words
from variorum.words import stem_of

# The least likeness of an unknown word to one that may be meant, in per cent.
_MISSPELT = 72
_MOST, _SHORTEST = 3, 3
_DOUBLE_QUOTES = '"\u201c\u201d'


def suggested_queries(
    query: str, missing: Sequence[str], base: KnowledgeBase, edition: EditionEntry | None
) -> list[str]:
    """Return suggested queries, with similar words of an edition, or of all, instead of missing words."""
    unknown = [
        word for word in missing if len(word) >= _SHORTEST and word.replace("'", "").isalpha()
    ]
    if not unknown:
        return []
    counts = _counts(base, edition)
    likes = {word: _corrections(word, counts) for word in unknown}
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


def _counts(base: KnowledgeBase, edition: EditionEntry | None) -> Counter[str]:
    """Return how often each word occurs that may be meant."""
    texts = base.texts
    outlines = texts.with_keys[0] if edition is None else texts.outlines_in(edition.place)
    counts: Counter[str] = Counter()
    for body in texts.bodies([outline.key for outline in outlines]).values():
        counts.update(plain_words(f"{body.heading}\n{body.text}\n{body.examples}"))
    return Counter(
        {word: n for word, n in counts.items() if word.isalpha() and len(word) >= _SHORTEST}
    )


def _replaced(query: str, word: str, spelling: str) -> str:
    place = fold_in_place(query).find(word)
    return query[:place] + spelling + query[place + len(word) :] if place >= 0 else query


def _corrections(word: str, counts: Counter[str]) -> list[str]:
    """Return corrections of a word that no text has, likeliest first."""
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - few searches need it
    from rapidfuzz.distance import DamerauLevenshtein  # noqa: PLC0415 - likewise

    near = process.extract(word, counts.keys(), scorer=fuzz.ratio, score_cutoff=_MISSPELT, limit=40)
    ranked = sorted(
        (DamerauLevenshtein.distance(word, form), form[0] != word[0], -counts[form], form)
        for form, *_ in near
    )
    best = ranked[0][0] if ranked else 0
    forms: dict[str, str] = {}
    for distance, *_, form in ranked:
        if distance <= best + (best > 1):
            forms.setdefault(stem_of(form), form)
    return list(forms.values())[:_MOST]
