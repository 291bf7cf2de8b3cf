"""Finds other wordings of a concept: words of another era, players' slang, abbreviations."""

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from variorum.facts import VOCABULARY, Concept
from variorum.text import plain_words
from variorum.words import stem_of

_FILE = "vocabulary.json"

ERA, ABBREVIATION, PLAYERS = "era", "abbreviation", "players"
# The weight of other words relative to the user's, by the kind of the concept.
_WEIGHTS = {ERA: 0.9, ABBREVIATION: 1.0, PLAYERS: 0.8}
# The weight of words with a second meaning.
_PARTIAL = 0.4


class QueryForm(NamedTuple):
    """A wording of a concept.

    Attributes:
        spellings: Sequences of words, the main spelling first.
        first: The date of the first edition that prints it; "" if unknown.
        last: The date of the last edition that prints it; "" if it is still in use.
        is_partial: Whether the words also have another meaning.
        is_gone: Whether the rules no longer have a word for it.
    """

    spellings: Sequence[Sequence[str]]
    first: str
    last: str
    is_partial: bool
    is_gone: bool

    @property
    def name(self) -> str:
        """Return the main spelling."""
        return " ".join(self.spellings[0])


class Other(NamedTuple):
    """Other words for some words of a query.

    Attributes:
        words: The other words.
        weight: Their weight relative to the user's words.
        kind: The kind of the concept.
        asked: The form in the query.
        form: The form of the other words.
    """

    words: Sequence[str]
    weight: float
    kind: str
    asked: QueryForm
    form: QueryForm


class KnownWords(NamedTuple):
    """Words of a query that belong to a concept.

    Attributes:
        start: The place of the first word, from 0.
        stop: The place after the last word.
        others: The other words.
    """

    start: int
    stop: int
    others: list[Other]


class _Concept(NamedTuple):
    kind: str
    forms: list[QueryForm]


def table_checksum() -> int:
    """Return a checksum of the vocabulary, on which indexes depend."""
    return zlib.crc32(VOCABULARY.read_bytes())


def save_vocabulary(folder: Path, concepts: Iterable[Concept]) -> None:
    """Write a vocabulary, so that a query reads only a small part of it."""
    rows: list[str] = []
    starts: dict[str, list[str]] = {}
    for place, concept in enumerate(concepts):
        forms: list[object] = []
        for rank, form in enumerate(concept.form):
            spellings = [plain_words(words) for words in form.words]
            dates = [day.isoformat() if day else "" for day in (form.first, form.last)]
            forms.append([spellings, *dates, form.is_partial, form.is_gone])
            for words in spellings:
                stems = [stem_of(word) for word in words]
                starts.setdefault(stems[0], []).append(f"{place} {rank} {' '.join(stems)}")
        rows.append(json.dumps([concept.kind, forms], ensure_ascii=False))
    lines = {stem: "\n".join(numbers) for stem, numbers in starts.items()}
    (folder / _FILE).write_text(json.dumps([rows, lines], ensure_ascii=False), "utf-8")


def copy_vocabulary(old: Path, new: Path) -> None:
    """Copy a vocabulary that `save_vocabulary` has written to another folder."""
    (new / _FILE).write_bytes((old / _FILE).read_bytes())


class Vocabulary:
    """Finds concepts by the words of any of their forms."""

    def __init__(self, rows: Sequence[str], starts: Mapping[str, str]) -> None:
        """Prepare to find concepts.

        Args:
            rows: The concepts, as JSON that is read on demand.
            starts: By the first stem of spellings, a line for each spelling: the place of its
                concept, the place of its form, and its stems.
        """
        self._rows = rows
        self._starts = starts
        self._known: dict[int, _Concept] = {}

    @classmethod
    def load(cls, folder: Path) -> "Vocabulary":
        """Load a vocabulary that `save_vocabulary` has written."""
        return cls(*json.loads((folder / _FILE).read_text("utf-8")))

    def find(self, words: Sequence[str]) -> list[KnownWords]:
        """Return the concepts in some words; of overlapping concepts, the longest.

        Any form of a word counts: "came into play", "comes into play".
        """
        stems = [stem_of(word) for word in words]
        known_words: list[KnownWords] = []
        place = 0
        while place < len(stems):
            known = self._at(stems, place)
            if known is not None and known.others:
                known_words.append(known)
            place = place + 1 if known is None else known.stop
        return known_words

    def _at(self, stems: list[str], place: int) -> KnownWords | None:
        fitting: list[tuple[int, int, int]] = []
        for line in self._starts.get(stems[place], "").splitlines():
            numbers, wanted = line.split(" ")[:2], line.split(" ")[2:]
            if stems[place : place + len(wanted)] == wanted:
                fitting.append((len(wanted), int(numbers[0]), int(numbers[1])))
        if not fitting:
            return None
        longest = max(length for length, *_ in fitting)
        others: list[Other] = []
        for length, concept, rank in fitting:
            if length == longest:
                others += _others(self._concept(concept), rank)
        return KnownWords(place, place + longest, others)

    def _concept(self, place: int) -> _Concept:
        if place not in self._known:
            kind, forms = json.loads(self._rows[place])
            self._known[place] = _Concept(kind, [QueryForm(*form) for form in forms])
        return self._known[place]


def _others(concept: _Concept, rank: int) -> list[Other]:
    """Return the forms that can replace a form: all others if the kind is ERA, else later ones."""
    asked = concept.forms[rank]
    first = 0 if concept.kind == ERA else rank + 1
    others: list[Other] = []
    for place, form in enumerate(concept.forms):
        if place < first or place == rank:
            continue
        is_partial = asked.is_partial or form.is_partial
        weight = _WEIGHTS[concept.kind] * (_PARTIAL if is_partial else 1.0)
        others += [Other(words, weight, concept.kind, asked, form) for words in form.spellings]
    return others
