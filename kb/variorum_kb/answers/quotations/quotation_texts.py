"""Finds texts of a base by their letters."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from variorum_kb.store.reader import Reader
from variorum_kb.text.folding import LIGATURES, respell

_PARTING = "\n\x00\n"
_LETTERS = re.compile(r"[a-z]+")
# Searching one long string for this many words takes as long as indexing all texts.
_SCANNED = 200
# At most this many texts with some of the words are returned.
MOST_TEXTS = 2000


class HeldTexts:
    """All distinct texts of a base, by their ids."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._placed: dict[str, frozenset[int]] = {}

    def have_letters(self, letters: str) -> bool:
        """Return whether any text has some letters, whatever their case."""
        return respell(letters.casefold(), LIGATURES) in self._library[0]

    def with_all(self, words: Iterable[str]) -> list[int]:
        """Return the texts with all of some words, which may be parts of longer words."""
        holding = sorted([self._holding(word) for word in words], key=len)
        places = holding[0].intersection(*holding[1:]) if holding else frozenset[int]()
        return [self._bodies[place][0] for place in places]

    def with_most(self, words: Sequence[str]) -> list[int]:
        """Return the texts with at least half of some words, most words first."""
        counts = Counter([place for word in words for place in self._holding(word)])
        least = (len(words) + 1) // 2
        some = sorted([(-count, place) for place, count in counts.items() if count >= least])
        return [self._bodies[place][0] for _, place in some[:MOST_TEXTS]]

    @cached_property
    def _bodies(self) -> list[tuple[int, str]]:
        rows = self._reader.query("SELECT id, body FROM reading ORDER BY id")
        return [(number, respell(body.casefold(), LIGATURES)) for number, body in rows]

    @cached_property
    def _library(self) -> tuple[str, list[int]]:
        """Return all texts as one string, which is fast to search, and where each begins."""
        starts: list[int] = []
        length = 0
        for _, body in self._bodies:
            starts.append(length)
            length += len(body) + len(_PARTING)
        return _PARTING.join([body for _, body in self._bodies]), starts

    @cached_property
    def _index(self) -> tuple[str, Mapping[str, list[int]]]:
        """Return all words as one string, and the places of the texts with each word."""
        holding: dict[str, list[int]] = {}
        for place, (_, body) in enumerate(self._bodies):
            for word in set(_LETTERS.findall(body)):
                holding.setdefault(word, []).append(place)
        return "\n".join(["", *holding, ""]), holding

    def _holding(self, word: str) -> frozenset[int]:
        """Return the places of the texts with some letters."""
        if word not in self._placed:
            is_scanned = len(self._placed) < _SCANNED
            self._placed[word] = frozenset((self._scan if is_scanned else self._look_up)(word))
        return self._placed[word]

    def _scan(self, word: str) -> Iterable[int]:
        library, starts = self._library
        place = library.find(word)
        while place >= 0:
            which = bisect_right(starts, place) - 1
            yield which
            place = library.find(word, starts[which] + len(self._bodies[which][1]))

    def _look_up(self, letters: str) -> Iterable[int]:
        words, holding = self._index
        place = words.find(letters)
        while place >= 0:
            end = words.index("\n", place)
            yield from holding[words[words.rindex("\n", 0, place) + 1 : end]]
            place = words.find(letters, end)
