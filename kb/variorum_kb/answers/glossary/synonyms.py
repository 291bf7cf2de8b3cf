"""Synonyms for the website: words of other years, abbreviations and players' words."""

from typing import NamedTuple

from variorum_kb.facts.vocabulary import Concept, all_concepts


class Wording(NamedTuple):
    """Words for a concept.

    Attributes:
        words: All spellings that mean the same, the main one first.
        first: The effective date of the first edition that prints the main one, "" if unknown.
        last: The date of the last, or "" if it is still in use.
        is_partial: Whether these words also have another meaning.
        is_gone: Whether the rules have no word for it any more; the next wording is the nearest in
            sense.
    """

    words: tuple[str, ...]
    first: str
    last: str
    is_partial: bool
    is_gone: bool


class Synonyms(NamedTuple):
    """Wordings that mean the same.

    Attributes:
        kind: "era" if the wordings are interchangeable; "abbreviation" or "players" if each stands
            for those after it.
        wordings: The wordings in order.
    """

    kind: str
    wordings: tuple[Wording, ...]


def all_synonyms() -> list[Synonyms]:
    """Return the concepts of the vocabulary, without their evidence, in the order of its table."""
    return [_synonyms(concept) for concept in all_concepts()]


def _synonyms(concept: Concept) -> Synonyms:
    return Synonyms(
        concept.kind,
        tuple(
            [
                Wording(
                    form.words,
                    form.first.isoformat() if form.first else "",
                    form.last.isoformat() if form.last else "",
                    form.is_partial,
                    form.is_gone,
                )
                for form in concept.form
            ]
        ),
    )
