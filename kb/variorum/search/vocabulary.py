"""Other wordings of what a query says: words of another era, abbreviations, players' words."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from variorum.facts import all_concepts
from variorum.text import plain_words
from variorum.words import stem_of

_FILE = "vocabulary.json"
ERA, ABBREVIATION, PLAYERS = "era", "abbreviation", "players"
# The weight of other words relative to the user's, by the kind of the concept, and the share that
# is left if either of the two has a second meaning.
_WEIGHTS = {ERA: 0.9, ABBREVIATION: 1.0, PLAYERS: 0.8}
_PARTIAL = 0.4

Stems = tuple[str, ...]


class Form(NamedTuple):
    """A wording of a concept.

    Attributes:
        spellings: As words, the main spelling first.
        first: The day of the first edition that prints it; "" if unknown.
        last: The day of the last edition that prints it; "" if it is still in use.
        is_partial: Whether the words also have another meaning.
    """

    spellings: list[str]
    first: str
    last: str
    is_partial: bool


class OtherWords(NamedTuple):
    """Other words for some words of a query, and their weight relative to these."""

    words: Sequence[str]
    weight: float
    kind: str
    form: Form

    @property
    def name(self) -> str:
        """Return the words to show: those of players' concepts as they are, else the main spelling."""
        return " ".join(self.words) if self.kind == PLAYERS else self.form.spellings[0]


class Phrase(NamedTuple):
    """Words of a query that name a concept: from one place to before another, with other words for it."""

    start: int
    stop: int
    others: list[OtherWords]


def save_vocabulary(folder: Path) -> None:
    """Write the vocabulary into the folder of an index, so that a query reads only what it names."""
    rows: list[str] = []
    starts: dict[str, list[str]] = {}
    for place, concept in enumerate(all_concepts()):
        forms: list[Form] = []
        for rank, form in enumerate(concept.form):
            spellings = [" ".join(plain_words(words)) for words in form.words]
            forms.append(
                Form(spellings, str(form.first or ""), str(form.last or ""), form.is_partial)
            )
            for words in spellings:
                stems = list(map(stem_of, words.split(" ")))
                starts.setdefault(stems[0], []).append(f"{place} {rank} {' '.join(stems)}")
        rows.append(json.dumps([concept.kind, forms]))
    (folder / _FILE).write_text(json.dumps([rows, starts]), "utf-8")


class Vocabulary:
    """Finds concepts by the words of any of their forms."""

    def __init__(self, folder: Path) -> None:
        self._rows, self._starts = json.loads((folder / _FILE).read_bytes())

    def knows(self, stem: str) -> bool:
        """Return whether a form begins with a stem."""
        return stem in self._starts

    def find(self, stems: Sequence[str]) -> Iterator[Phrase]:
        """Yield the concepts that the words of a query name, given as stems; the longest of those that overlap."""
        place = 0
        while place < len(stems):
            stop, others = self._at(stems, place)
            if others:
                yield Phrase(place, stop, others)
            place = max(stop, place + 1)

    def _at(self, stems: Sequence[str], place: int) -> tuple[int, list[OtherWords]]:
        """Return the place after the longest form that begins at a place, and other words for it."""
        longest, named = 0, list[tuple[int, int]]()
        for line in self._starts.get(stems[place], ()):
            concept, rank, *wanted = line.split(" ")
            if len(wanted) >= longest and list(stems[place : place + len(wanted)]) == wanted:
                named = named if len(wanted) == longest else []
                named.append((int(concept), int(rank)))
                longest = len(wanted)
        return place + longest, [words for pair in named for words in self._others(*pair)]

    def _others(self, concept: int, rank: int) -> Iterator[OtherWords]:
        """Yield the forms that can replace a form: all others of an era, else the later ones."""
        kind, rows = json.loads(self._rows[concept])
        forms = [Form(*row) for row in rows]
        for place, form in enumerate(forms):
            if place != rank and (place > rank or kind == ERA):
                is_partial = forms[rank].is_partial or form.is_partial
                weight = _WEIGHTS[kind] * (_PARTIAL if is_partial else 1.0)
                for words in form.spellings:
                    yield OtherWords(words.split(" "), weight, kind, form)
