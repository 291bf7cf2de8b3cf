"""Whoosh's files, read without Whoosh."""

from pathlib import Path
from typing import Any

import pytest

from variorum_kb.search.indexes import whoosh_index
from variorum_kb.search.indexes.postings import LENGTH_OF_BYTE, Part
from variorum_kb.search.indexes.whoosh_index import Entry, schema
from variorum_kb.search.indexes.whoosh_index import write as write_part

pytestmark = pytest.mark.slow


def _long(count: int) -> list[Entry]:
    """Return documents, some with many words, some with a word many times."""
    return [
        Entry(
            "rule",
            f"{number // 9}.{number % 9}" if number % 5 else "",
            "Lamp Ünder" if number % 7 == 0 else "",
            "" if number % 5 else "Keeper",
            "Above" * (number % 3),
            "lamp " * (number % 11) + "wall " * (number % 4 * 90),
            "keeper" if number % 2 else "",
            number % 300 * 1000,
        )
        for number in range(count)
    ]


@pytest.mark.parametrize("count", [1, 300])
def test_as_whoosh(tmp_path: Path, count: int) -> None:
    """Terms, postings and columns of a part are those that Whoosh reads."""
    write_part(tmp_path, _long(count))
    part = Part(tmp_path)
    whoosh: Any = whoosh_index
    opened = whoosh.index.open_dir(str(tmp_path), schema=schema(), readonly=True)

    with opened.reader() as reader:
        for field in ("number", "heading", "term", "above", "text", "examples"):
            expected = {
                word.decode(): reader.doc_frequency(field, word) for word in reader.lexicon(field)
            }
            assert dict(part.terms(field)) == expected
            for word in expected:
                matcher = reader.postings(field, word)
                postings = list(part.postings(field, word))
                assert [place for place, _ in postings] == list(matcher.all_ids())
                matcher = reader.postings(field, word)
                for _, times in postings:
                    assert times == matcher.weight()
                    matcher.next()
        assert list(part.column("cited", "I", count)) == list(reader.column_reader("cited"))
        assert [LENGTH_OF_BYTE[byte] for byte in part.lengths("text", count)] == [
            reader.doc_field_length(place, "text") or 0 for place in range(count)
        ]
    assert list(part.terms("number", "1.")) == [
        (term, often) for term, often in part.terms("number") if term.startswith("1.")
    ]
    assert not list(part.postings("text", "zzz"))
    assert not list(part.postings("nothing", "lamp"))
