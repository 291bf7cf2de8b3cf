"""Searches by the command."""

from pathlib import Path

from variorum_kb.search.answer import Search
from variorum_kb.search.search_options import SearchOptions


def agreeing(base: Path, queries: list[str], words: list[str]) -> int:
    """Return for how many queries the command has the same first hit."""
    with Search.open(base) as search:
        hits = [search.search(SearchOptions(query, limit=1))["hits"] for query in queries]
    names = [(hit[0]["number"] or f"glossary: {hit[0]['heading']}") if hit else "" for hit in hits]
    return sum(name == word for name, word in zip(names, words, strict=True))
