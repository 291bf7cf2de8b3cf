"""Suggests other queries for one with misspelt words."""

from collections import Counter
from collections.abc import Sequence

from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.text import fold_in_place, plain_words
from variorum.words import stem_of

# The least likeness of an unknown word to one that may be meant, and how far others may be behind.
_ALIKE, _NEARLY, _MOST, _SHORTEST = 0.7, 0.05, 3, 3


def suggested_queries(
    query: str, missing: Sequence[str], base: KnowledgeBase, edition: EditionEntry | None
) -> list[str]:
    """Return queries with similar words of an edition, or of all, instead of missing words."""
    wanted = [
        word for word in missing if len(word) >= _SHORTEST and word.replace("'", "").isalpha()
    ]
    if not wanted:
        return []
    texts = base.texts
    outlines = texts.with_keys[0] if edition is None else texts.outlines_in(edition.place)
    counts: Counter[str] = Counter()
    for body in texts.bodies([outline.key for outline in outlines]).values():
        words = plain_words(f"{body.heading}\n{body.text}\n{body.examples}")
        counts.update([word for word in words if word.isalpha() and len(word) >= _SHORTEST])
    likes = [(word, like) for word in wanted if (like := _corrections(word, counts))]
    if not likes:
        return []
    # Only the first missing word has several replacements.
    for word, like in likes[1:]:
        query = _replaced(query, word, like[0])
    return [_replaced(query, likes[0][0], spelling) for spelling in likes[0][1]]


def _replaced(query: str, word: str, spelling: str) -> str:
    place = fold_in_place(query).find(word)
    return query[:place] + spelling + query[place + len(word) :] if place >= 0 else query


def _corrections(word: str, counts: Counter[str]) -> list[str]:
    """Return corrections of a word that no text has, each stem once, likeliest first."""
    from rapidfuzz import process  # noqa: PLC0415 - few searches need it
    from rapidfuzz.distance import DamerauLevenshtein  # noqa: PLC0415 - likewise

    like = DamerauLevenshtein.normalized_similarity
    found = process.extract(word, list(counts), scorer=like, score_cutoff=_ALIKE, limit=40)
    ranked = sorted((-near, form[0] != word[0], -counts[form], form) for form, near, _ in found)
    forms: dict[str, str] = {}
    for near, *_, form in ranked:
        if near <= ranked[0][0] + _NEARLY:
            forms.setdefault(stem_of(form), form)
    return list(forms.values())[:_MOST]
