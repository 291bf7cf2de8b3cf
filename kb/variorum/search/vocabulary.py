"""Other wordings of what a query says: words of another era, abbreviations, players' words."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from variorum.facts import ConceptForm, all_concepts
from variorum.text import plain_words
from variorum.words import stem_of

PLAYERS, _ERA = "players", "era"
# The weight of other words relative to the user's, by the kind of the concept, and the share that
# is left if either of the two has a second meaning.
_WEIGHTS, _PARTIAL = {_ERA: 0.9, "abbreviation": 1.0, PLAYERS: 0.8}, 0.4

Stems = tuple[str, ...]


def stems_of(words: Sequence[str]) -> Stems:
    """Return the stems of words."""
    return tuple(map(stem_of, words))


class OtherWords(NamedTuple):
    """Other words for some words of a query, and their weight relative to these.

    `name` is what is shown: players' words as they are, else the main spelling of the form, with the days
    of the first and the last edition that print it, or ""; `until` is the last that prints the user's.
    """

    words: Sequence[str]
    weight: float
    kind: str
    name: str
    first: str
    last: str
    until: str


class Named(NamedTuple):
    """Words of a query that name a concept: from one place to before another, with other words for it."""

    start: int
    stop: int
    others: list[OtherWords]


class Vocabulary(msgspec.Struct, array_like=True):
    """Concepts, each its kind and its forms; and by first stems all spellings' stems, with their concept and form."""

    concepts: list[tuple[str, list[ConceptForm]]]
    starts: dict[str, list[tuple[Stems, int, int]]]

    def knows(self, stem: str) -> bool:
        """Return whether a form begins with a stem."""
        return stem in self.starts

    def find(self, stems: Sequence[str]) -> Iterator[Named]:
        """Yield the concepts that the words of a query name, given as stems; the longest of those that overlap."""
        place = 0
        while place < len(stems):
            rows = [
                row
                for row in self.starts.get(stems[place], ())
                if tuple(stems[place : place + len(row[0])]) == row[0]
            ]
            longest = max([len(form) for form, *_ in rows], default=1)
            named = [(concept, rank) for form, concept, rank in rows if len(form) == longest]
            if others := [words for where in named for words in self._others(*where)]:
                yield Named(place, place + longest, others)
            place += longest

    def find_apart(self, stems: Sequence[str]) -> Iterator[tuple[Stems, list[OtherWords]]]:
        """Yield what players say whose words a query has, but not in a row, with other words for it."""
        row, asked = f" {' '.join(stems)} ", dict.fromkeys(stems)
        for form, concept, rank in [it for stem in asked for it in self.starts.get(stem, ())]:
            is_apart = asked.keys() >= {*form} and f" {' '.join(form)} " not in row
            if is_apart and len(form) > 1 and self.concepts[concept][0] == PLAYERS:
                yield form, [*self._others(concept, rank)]

    def _others(self, concept: int, rank: int) -> Iterator[OtherWords]:
        """Yield the forms that can replace a form: all others of an era, else the later ones."""
        kind, forms = self.concepts[concept]
        own = forms[rank]
        for place, form in enumerate(forms):
            if place > rank or (place < rank and kind == _ERA):
                weight = _WEIGHTS[kind] * (_PARTIAL if form.is_partial or own.is_partial else 1.0)
                days = form.first, form.last, "" if own.is_partial else own.last
                for words in form.words:
                    name = words if kind == PLAYERS else form.words[0]
                    yield OtherWords(words.split(" "), weight, kind, name, *days)


def read_vocabulary() -> Vocabulary:
    """Return the vocabulary of the table of facts."""
    vocabulary = Vocabulary([], {})
    for place, (kind, of_kind) in enumerate(all_concepts()):
        forms = [it._replace(words=tuple(map(_plain, it.words))) for it in of_kind]
        vocabulary.concepts.append((kind, forms))
        for rank, form in enumerate(forms):
            for stems in [stems_of(words.split(" ")) for words in form.words]:
                vocabulary.starts.setdefault(stems[0], []).append((stems, place, rank))
    return vocabulary


def _plain(words: str) -> str:
    return " ".join(plain_words(words))
