"""Writes a part of an index with Whoosh; `postings.py` reads it."""

# Some parts of Whoosh have no types; their values are Any in this module only.

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from whoosh import columns, fields, index
from whoosh.analysis.acore import Token
from whoosh.analysis.analyzers import Analyzer
from whoosh.system import pack_uint

from variorum.search.indexes.document_terms import save_terms
from variorum.search.indexes.text_table import TextWriter
from variorum.search.queries.rank import FIELD_WEIGHTS
from variorum.text import placed_words, plain_words

_MANY = 1_000


class Entry(NamedTuple):
    """A document of an index.

    Attributes:
        kind: A value of model.Kind.
        number: As printed; "" for a glossary entry.
        heading: Its heading; "" for a glossary entry.
        term: The headword of a glossary entry, else "".
        above: The headings above it.
        text: Its paragraphs.
        examples: Its examples.
        cited: How many provisions cite it.
    """

    kind: str
    number: str
    heading: str
    term: str
    above: str
    text: str
    examples: str
    cited: int


class WordAnalyzer(Analyzer):
    """Splits texts into words for Whoosh."""

    def __call__(self, value: str, **_: object) -> Iterator[Token]:
        """Yield the words of a text."""
        token = Token()
        for position, word in enumerate(placed_words(value)):
            token.text, token.boost, token.pos = word.word, 1.0, position
            yield token


class WordField(fields.TEXT):
    """Counts the words of a text in one step; Whoosh would count them one by one."""

    def index(  # type: ignore[override]
        self, value: Sequence[str], **_: object
    ) -> Iterator[tuple[bytes, int, float, bytes]]:
        """Yield each word with its frequency, its weight and its stored frequency."""
        for word, frequency in Counter(value).items():
            yield word.encode(), frequency, float(frequency), pack_uint(frequency)


class _Postings:
    """The postings of a part, by field and word.

    A posting takes 8 bytes; a tuple of Whoosh takes 200.
    """

    def __init__(self) -> None:
        self._found: defaultdict[tuple[str, bytes], array[int]] = defaultdict(lambda: array("I"))

    def add(self, posting: tuple[str, bytes, int, float, bytes]) -> None:
        """Add a posting of the newest document."""
        field, word, document, weight, _ = posting
        self._found[field, word].extend((document, int(weight)))

    def iter_postings(self) -> Iterator[tuple[str, bytes, int, float, bytes]]:
        """Yield all postings in the order of fields, words and documents."""
        for field, word in sorted(self._found):
            numbers = iter(self._found[field, word])
            is_counted = field in FIELD_WEIGHTS
            for document, frequency in zip(numbers, numbers, strict=True):
                stored = pack_uint(frequency) if is_counted else b""
                yield field, word, document, float(frequency), stored

    def save_terms(self, folder: Path, count: int) -> None:
        """Write the words of the documents, as places in the order of all postings."""
        documents = [array("I") for _ in range(count)]
        for place, (field, word) in enumerate(sorted(self._found)):
            for document in self._found[field, word][::2] if field in FIELD_WEIGHTS else ():
                documents[document].append(place)
        save_terms(folder, documents, len(self._found))

    def cleanup(self) -> None:
        """Release the postings."""
        self._found.clear()


class _Lengths:
    """The lengths of the documents of a part, each read once."""

    def __init__(self, reader: Any) -> None:  # noqa: ANN401 - Whoosh's
        self._reader = reader

    def doc_field_length_reader(self, field: str) -> Callable[[int], int | None]:
        """Return a function that gives the length of a document's field."""
        length_of = self._reader.doc_field_length_reader(field)
        return [length_of(number) for number in range(self._reader.doc_count_all())].__getitem__

    def close(self) -> None:
        """Close the file of lengths."""
        self._reader.close()


def schema() -> fields.Schema:
    """Return the fields and columns of an index."""
    words = WordField(analyzer=WordAnalyzer(), phrase=False, spelling=False)
    kinds: Any = columns
    return fields.Schema(
        cited=fields.COLUMN(kinds.NumericColumn("I")),
        number=fields.ID(),
        **dict.fromkeys(FIELD_WEIGHTS, words),
    )


def write(folder: Path, entries: Iterable[Entry]) -> None:
    """Write a part of an index into an empty folder; its documents keep their order."""
    opened: Any = index.create_in(str(folder), schema())
    writer = opened.writer()
    lengths, postings = writer.per_document_reader, _Postings()
    writer.pool, writer.per_document_reader = postings, lambda: _Lengths(lengths())
    texts = TextWriter()
    words_in = lru_cache(_MANY)(plain_words)  # many texts have the same headings above them
    for entry in entries:
        heading, term, above = map(words_in, (entry.heading, entry.term, entry.above))
        nearest = words_in(entry.above.partition("\n")[0])
        text = f"{entry.text}\n{entry.examples}".strip()
        spelt = texts.spelt(entry.kind, (heading or term, nearest), text, len(entry.text))
        texts.add(spelt.row)
        writer.add_document(
            number=entry.number,
            heading=heading,
            term=term,
            above=above,
            text=spelt.words[: spelt.own],
            examples=spelt.words[spelt.own :],
            cited=entry.cited,
        )
    postings.save_terms(folder, texts.count())
    writer.commit(merge=False)
    opened.close()
    texts.save(folder)
