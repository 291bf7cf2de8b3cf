"""Other wordings of what a query says: words of another era, abbreviations, players' words."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from variorum.facts import all_concepts
from variorum.text import plain_words
from variorum.words import stem_of

_FILE = "vocabulary.json"
PLAYERS, _ERA = "players", "era"
# The weight of other words relative to the user's, by the kind of the concept, and the share that
# is left if either of the two has a second meaning.
_WEIGHTS, _PARTIAL = {_ERA: 0.9, "abbreviation": 1.0, PLAYERS: 0.8}, 0.4

Stems = tuple[str, ...]


class OtherWords(NamedTuple):
    """Other words for some words of a query, and their weight relative to these.

    `name` is what is shown: players' words as they are, else the main spelling of the form, with the days
    of the first and the last edition that print it, or "".
    """

    words: Sequence[str]
    weight: float
    kind: str
    name: str
    first: str
    last: str


class Named(NamedTuple):
    """Words of a query that name a concept: from one place to before another, with other words for it."""

    start: int
    stop: int
    others: list[OtherWords]


def save_vocabulary(folder: Path) -> None:
    """Write the vocabulary into the folder of an index: the forms of concepts, and these by their first stems."""
    rows: list[tuple[str, list[tuple[list[str], str, str, bool]]]] = []
    starts: dict[str, list[tuple[list[str], int, int]]] = {}
    for place, concept in enumerate(all_concepts()):
        spelt = [[" ".join(plain_words(words)) for words in form.words] for form in concept.form]
        days = [(str(form.first or ""), str(form.last or "")) for form in concept.form]
        forms = zip(spelt, days, concept.form, strict=True)
        rows.append(
            (concept.kind, [(words, *ends, form.is_partial) for words, ends, form in forms])
        )
        for rank, spellings in enumerate(spelt):
            for words in spellings:
                stems = list(map(stem_of, words.split(" ")))
                starts.setdefault(stems[0], []).append((stems, place, rank))
    (folder / _FILE).write_text(json.dumps([rows, starts]), "utf-8")


class Vocabulary:
    """Finds concepts by the words of any of their forms."""

    def __init__(self, folder: Path) -> None:
        self._rows, self._starts = json.loads((folder / _FILE).read_bytes())

    def knows(self, stem: str) -> bool:
        """Return whether a form begins with a stem."""
        return stem in self._starts

    def find(self, stems: Sequence[str]) -> Iterator[Named]:
        """Yield the concepts that the words of a query name, given as stems; the longest of those that overlap."""
        place = 0
        while place < len(stems):
            rows = [
                (len(form), concept, rank)
                for form, concept, rank in self._starts.get(stems[place], ())
                if list(stems[place : place + len(form)]) == form
            ]
            longest = max([length for length, *_ in rows], default=1)
            named = [row for length, *row in rows if length == longest]
            others = [words for concept, rank in named for words in self._others(concept, rank)]
            if others:
                yield Named(place, place + longest, others)
            place += longest

    def _others(self, concept: int, rank: int) -> Iterator[OtherWords]:
        """Yield the forms that can replace a form: all others of an era, else the later ones."""
        kind, forms = self._rows[concept]
        for place, (spellings, first, last, is_partial) in enumerate(forms):
            if place > rank or (place < rank and kind == _ERA):
                weight = _WEIGHTS[kind] * (_PARTIAL if is_partial or forms[rank][3] else 1.0)
                for words in spellings:
                    name = words if kind == PLAYERS else spellings[0]
                    yield OtherWords(words.split(" "), weight, kind, name, first, last)
