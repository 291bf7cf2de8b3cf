"""Write a part of an index with Whoosh; `postings.py` reads it."""

# Whoosh says the types of some of its parts; the others come in here as Any, and go no further.
# pyright: reportUnknownMemberType=false

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from whoosh import columns, fields, index
from whoosh.analysis.acore import Token
from whoosh.analysis.analyzers import Analyzer

from variorum_kb.search.index import TITLES
from variorum_kb.search.rank import FIELD_WEIGHTS
from variorum_kb.text.search_words import placed_words, plain_words

_MEMORY_MB = 256


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


def schema() -> fields.Schema:
    """Return the fields and columns of an index."""
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
    opened: Any = index.create_in(str(folder), schema())
    writer = opened.writer(limitmb=_MEMORY_MB)
    for entry in entries:
        under = entry.above.partition("\n")[0].encode()
        writer.add_document(under=under, **entry._asdict())
    writer.commit(merge=False)
    opened.close()


def count_words(entries: Iterable[Entry]) -> tuple[dict[str, int], set[str]]:
    """Return the same as `Index.all_words` of the documents themselves."""
    counts: dict[str, int] = {}
    titles: set[str] = set()
    for entry in entries:
        for field in FIELD_WEIGHTS:
            words = set(plain_words(getattr(entry, field)))
            for word in words:
                counts[word] = counts.get(word, 0) + 1
            if field in TITLES:
                titles |= words
    return counts, titles
