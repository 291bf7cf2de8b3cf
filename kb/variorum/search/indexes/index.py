"""A search index in parts, which finds the texts that have a word."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from variorum.search.indexes.document_terms import count_terms
from variorum.search.indexes.postings import LENGTH_OF_BYTE, Part
from variorum.search.indexes.text_table import IndexedText, TextTable
from variorum.search.queries.rank import BM25_B, BM25_K, FIELD_WEIGHTS, USUAL_LENGTH

if TYPE_CHECKING:
    from array import array

TITLES = ("heading", "term")
# The key of an obsolete document.
GONE = 2**32 - 1
# The file of a part with a digest of each document, and the size of a digest.
MARKS, _MARK_SIZE = "marks.bin", 8


def count_documents(part: Path) -> int:
    """Return how many documents a part has."""
    return (part / MARKS).stat().st_size // _MARK_SIZE


class Index:
    """An open index; the places of its documents count through all parts."""

    def __init__(self, parts: Iterable[Path], keys: "array[int]") -> None:
        """Open an index.

        Args:
            parts: The folders of its parts.
            keys: The key of the document at each place; GONE for an obsolete document.
        """
        self._folders = list(parts)
        self._counts = [count_documents(folder) for folder in self._folders]
        self._starts = list(accumulate(self._counts, initial=0))[:-1]
        self._parts = [Part(folder) for folder in self._folders]
        self._texts = [TextTable(folder) for folder in self._folders]
        self._keys = keys
        self._has_gone = GONE in keys
        self._weights: dict[str, dict[int, float]] = {}

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self.keys) if self._has_gone else len(self._keys)

    @cached_property
    def keys(self) -> dict[int, int]:
        """Return the keys of all documents by their places."""
        return {place: key for place, key in enumerate(self._keys) if key != GONE}

    def key(self, place: int) -> int:
        """Return the key of a document."""
        return self._keys[place]

    @cached_property
    def _cited(self) -> "list[array[int]]":
        pairs = zip(self._parts, self._counts, strict=True)
        return [part.column("cited", "I", count) for part, count in pairs]

    @cached_property
    def _damping(self) -> list[float]:
        """Return, for each document, how soon further occurrences of a word add no weight."""
        usual = [
            BM25_K * (1 - BM25_B + BM25_B * length / USUAL_LENGTH) for length in LENGTH_OF_BYTE
        ]
        pairs = zip(self._parts, self._counts, strict=True)
        return [usual[byte] for part, count in pairs for byte in part.lengths("text", count)]

    def text(self, place: int) -> IndexedText:
        """Return a document in the form for ranking."""
        part = bisect_right(self._starts, place) - 1
        place -= self._starts[part]
        return self._texts[part].text(place, self._cited[part][place])

    def weights(self, word: str) -> dict[int, float]:
        """Return the places of the documents with a word, with the word's weight in each.

        The weight is from 0 to 1: higher in a heading, for repeated words and in short texts.
        """
        known = self._weights.get(word)
        if known is None:
            known = self._weights[word] = self._weigh(word)
        return known

    def _weigh(self, word: str) -> dict[int, float]:
        points: dict[int, float] = {}
        for field, weight in FIELD_WEIGHTS.items():
            more = dict(self._postings(field, word))
            if weight != 1.0:
                more = {place: weight * times for place, times in more.items()}
            # The smaller table is added to the larger; most words are in few headings but many
            # texts.
            few, many = sorted((points, more), key=len)
            for place, much in few.items():
                many[place] = many.get(place, 0.0) + much
            points = many
        damping = self._damping
        return {place: much / (much + damping[place]) for place, much in points.items()}

    def _postings(self, field: str, word: str) -> Iterable[tuple[int, float]]:
        if len(self._parts) == 1 and not self._has_gone:
            return self._parts[0].postings(field, word)
        return [
            (start + place, times)
            for start, part in zip(self._starts, self._parts, strict=True)
            for place, times in part.postings(field, word)
            if not self._has_gone or self._keys[start + place] != GONE
        ]

    def numbered(self, prefix: str) -> dict[str, list[int]]:
        """Return the numbers with a prefix, in order, each with the places of its bearers."""
        numbers = sorted(
            {number for part in self._parts for number, _ in part.terms("number", prefix)}
        )
        return {
            number: [place for place, _ in self._postings("number", number)] for number in numbers
        }

    def all_words(self) -> tuple[dict[str, int], set[str]]:
        """Return all words with their numbers of documents, and the words in titles.

        A document counts once for each field. Obsolete documents do not count.
        """
        counts: dict[str, int] = {}
        titles: set[str] = set()
        for start, count, folder, part in zip(
            self._starts, self._counts, self._folders, self._parts, strict=True
        ):
            gone = [place for place in range(count) if self._keys[start + place] == GONE]
            less: Mapping[int, int] = count_terms(folder, gone) if gone else {}
            for place, (field, word, times) in enumerate(part.all_terms()):
                left = times - less.get(place, 0)
                if left and field in FIELD_WEIGHTS:
                    counts[word] = counts.get(word, 0) + left
                    if field in TITLES:
                        titles.add(word)
        return counts, titles
