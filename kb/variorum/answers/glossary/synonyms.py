"""Synonyms for the website: old and new words, abbreviations and players' words."""

from typing import NamedTuple

from variorum.facts import Concept, all_concepts


class Wording(NamedTuple):
    """A wording of a concept.

    Attributes:
        words: Its spellings, the main spelling first.
        first: The effective date of the first edition that prints the main spelling; "" if unknown.
        last: The effective date of the last edition that prints it; "" if it is still in use.
        is_partial: Whether the words also have another meaning.
        is_gone: Whether the rules no longer have a word for it. The next wording is then the
            nearest in meaning.
    """

    words: tuple[str, ...]
    first: str
    last: str
    is_partial: bool
    is_gone: bool


class Synonyms(NamedTuple):
    """Wordings with the same meaning.

    Attributes:
        kind: "era" if the wordings are interchangeable; "abbreviation" or "players" if each wording
            stands for the later ones.
        wordings: The wordings in order.
    """

    kind: str
    wordings: tuple[Wording, ...]


def all_synonyms() -> list[Synonyms]:
    """Return the concepts of the vocabulary, without evidence, in its order."""
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
