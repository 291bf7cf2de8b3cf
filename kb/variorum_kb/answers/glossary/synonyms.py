"""Which words mean the same, as the website ships them: of other years, abbreviations, players'."""

from typing import NamedTuple

from variorum_kb.facts.vocabulary import Concept, all_concepts


class Wording(NamedTuple):
    """Words for a concept.

    Attributes:
        words: All spellings that mean the same, the main one first.
        first: The effective date of the first edition that prints the main one, "" if unknown.
        last: That of the last, "" of what lives.
        is_partial: These words have another meaning, too.
        is_gone: The rules put nothing in their place; what follows is the nearest in sense.
    """

    words: tuple[str, ...]
    first: str
    last: str
    is_partial: bool
    is_gone: bool


class Synonyms(NamedTuple):
    """Wordings that mean the same.

    Attributes:
        kind: "era", any stands for any other; "abbreviation" and "players", each stands for those
            that follow it.
        wordings: In their order.
    """

    kind: str
    wordings: tuple[Wording, ...]


def all_synonyms() -> list[Synonyms]:
    """Return what the vocabulary of facts says, without its evidence, in the order of its table."""
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
