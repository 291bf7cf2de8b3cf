"""An index in parts, each of Whoosh: written from texts, searched for those that have a word."""

# Whoosh says the types of some of its parts; the others come in here as Any, and go no further.
# pyright: reportUnknownMemberType=false

from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from whoosh import columns, fields, index
from whoosh.analysis.acore import Token
from whoosh.analysis.analyzers import Analyzer
from whoosh.reading import MultiReader, TermNotFound

from variorum_kb.search.rank import BM25_B, BM25_K, FIELD_WEIGHTS, USUAL_LENGTH
from variorum_kb.search.unpickling import guard
from variorum_kb.text.search_words import placed_words, plain_words

if TYPE_CHECKING:
    from array import array

_TITLES = ("heading", "term")
_MEMORY_MB = 256
# In the place of a document's key, if the document is no longer wanted.
GONE = 2**32 - 1


class Entry(NamedTuple):
    """A document of an index.

    Attributes:
        number: As printed; "" of a glossary entry.
        heading: Its own, "" of a glossary entry.
        term: The headword of a glossary entry, else "".
        above: The headings it stands under.
        text: Its paragraphs.
        examples: Its examples.
        cited: How many provisions cite it.
    """

    number: str
    heading: str
    term: str
    above: str
    text: str
    examples: str
    cited: int


class WordAnalyzer(Analyzer):
    """Gives Whoosh the words of a text as this project counts them."""

    def __call__(self, value: str, **_: object) -> Iterator[Token]:
        """Yield the words of a text."""
        token = Token()
        for position, word in enumerate(placed_words(value)):
            token.text, token.boost, token.pos = word.word, 1.0, position
            yield token


def _schema() -> fields.Schema:
    words = fields.TEXT(analyzer=WordAnalyzer(), phrase=False, spelling=False)
    kinds: Any = columns
    return fields.Schema(
        cited=fields.COLUMN(kinds.NumericColumn("I")),
        under=fields.COLUMN(kinds.VarBytesColumn()),
        number=fields.ID(),
        **dict.fromkeys(FIELD_WEIGHTS, words),
    )


def write(folder: Path, entries: Iterable[Entry]) -> None:
    """Write a part of an index into an empty folder; its documents keep their order."""
    opened: Any = index.create_in(str(folder), _schema())
    writer = opened.writer(limitmb=_MEMORY_MB)
    for entry in entries:
        under = entry.above.partition("\n")[0].encode()
        writer.add_document(under=under, **entry._asdict())
    writer.commit(merge=False)
    opened.close()


class Index:
    """An open index; the places of its documents count through all parts."""

    def __init__(self, parts: Iterable[Path], keys: "array[int]") -> None:
        """Open an index.

        Args:
            parts: The folders of its parts.
            keys: By which the base finds the documents, by their places; GONE of those that are no
                longer wanted.
        """
        whoosh: Any = index
        guard()
        self._opened = [whoosh.open_dir(str(one), schema=_schema(), readonly=True) for one in parts]
        readers = [one.reader() for one in self._opened]
        self._reader: Any = readers[0] if len(readers) == 1 else MultiReader(readers)
        self._cited = self._reader.column_reader("cited")
        self._under = self._reader.column_reader("under")
        self._keys = keys
        self._has_gone = GONE in keys
        self._weights: dict[str, dict[int, float]] = {}

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self.keys) if self._has_gone else len(self._keys)

    def close(self) -> None:
        """Let go of the files."""
        self._reader.close()
        for one in self._opened:
            one.close()

    @cached_property
    def keys(self) -> dict[int, int]:
        """Return the keys of all documents by their places."""
        return {place: key for place, key in enumerate(self._keys) if key != GONE}

    def key(self, place: int) -> int:
        """Return the key of a document."""
        return self._keys[place]

    def cited(self, place: int) -> int:
        """Return how many provisions cite a document."""
        return int(self._cited[place])

    def under(self, place: int) -> str:
        """Return the nearest heading that a document stands under, "" without one."""
        return bytes(self._under[place]).decode()

    def weights(self, word: str) -> dict[int, float]:
        """Return the places of the documents that have a word, with what it tells about each.

        That is from 0 to 1: more where the word stands in a heading, is repeated, or the text is
        short.
        """
        known = self._weights.get(word)
        if known is None:
            known = self._weights[word] = self._weigh(word)
        return known

    def _weigh(self, word: str) -> dict[int, float]:
        points: dict[int, float] = {}
        for field, weight in FIELD_WEIGHTS.items():
            for place, times in self._postings(field, word):
                points[place] = points.get(place, 0.0) + weight * times
        length = self._reader.doc_field_length
        return {
            place: much
            / (
                much
                + BM25_K * (1 - BM25_B + BM25_B * (length(place, "text", 0) or 0) / USUAL_LENGTH)
            )
            for place, much in points.items()
        }

    def _postings(self, field: str, word: str) -> Iterator[tuple[int, float]]:
        try:
            matcher = self._reader.postings(field, word)
        except TermNotFound:
            return
        while matcher.is_active():
            place = matcher.id()
            if not self._has_gone or self._keys[place] != GONE:
                yield place, matcher.weight()
            matcher.next()

    def numbered(self, prefix: str) -> dict[str, list[int]]:
        """Return the numbers that begin so, in order, each with the places of its bearers."""
        found = [term.decode() for term in self._reader.expand_prefix("number", prefix)]
        return {
            number: [place for place, _ in self._postings("number", number)] for number in found
        }

    def all_words(self) -> tuple[dict[str, int], set[str]]:
        """Return all words, each with how many documents have it, and those that stand in titles.

        A document counts once for each field, and also if it is no longer wanted.
        """
        counts: dict[str, int] = {}
        titles: set[str] = set()
        for field in FIELD_WEIGHTS:
            for word in self._reader.field_terms(field):
                times = int(self._reader.doc_frequency(field, word))
                counts[word] = counts.get(word, 0) + times
                if field in _TITLES:
                    titles.add(word)
        return counts, titles


def count_words(entries: Iterable[Entry]) -> tuple[dict[str, int], set[str]]:
    """Return the same as `Index.all_words` of the documents themselves."""
    counts: dict[str, int] = {}
    titles: set[str] = set()
    for entry in entries:
        for field in FIELD_WEIGHTS:
            words = set(plain_words(getattr(entry, field)))
            for word in words:
                counts[word] = counts.get(word, 0) + 1
            if field in _TITLES:
                titles |= words
    return counts, titles
