"""Search in the whole history of the real rules, compared with the answers of people."""

import shutil
import sqlite3
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from lab.score.searches import EDITION, Plain, Ranks, kept_out, names_of, quotations, rank_of
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.search.answer import Search
from variorum_kb.search.indexes.cache import cache_of
from variorum_kb.search.search_options import SearchOptions

pytestmark = pytest.mark.corpus

DAY = date(2026, 11, 1)


@pytest.fixture(scope="module")
def folder(corpus_base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a base of all editions with writable indexes."""
    copied = tmp_path_factory.mktemp("search")
    shutil.copy(corpus_base / "kb.sqlite", copied)
    return copied


@pytest.fixture(scope="module")
def search(folder: Path) -> Iterator[Search]:
    """Return the search of that base."""
    with Search.open(folder, today=DAY) as opened:
        yield opened


@pytest.fixture(scope="module")
def base(folder: Path) -> Iterator[KnowledgeBase]:
    """Return that base, open."""
    with KnowledgeBase.open(folder, today=DAY) as opened:
        yield opened


def test_accepted_answers_come_first(search: Search, base: KnowledgeBase) -> None:
    """On queries that search was not tuned on, right answers rank high, and higher than with bm25."""
    queries = kept_out()
    plain = Plain(base, EDITION)

    rows = [names_of(search, query.text) for query in queries]
    ours = Ranks(tuple([rank_of(query, names) for query, names in zip(queries, rows, strict=True)]))
    theirs = Ranks(tuple([rank_of(query, plain.names(query.text)) for query in queries]))

    assert ours.first >= 0.75 * len(queries)
    # The promise is 0.92; docs/search.md lists the failures.
    assert ours.five >= 0.91 * len(queries)
    assert ours.mrr >= theirs.mrr + 0.07
    assert [query.text for query, names in zip(queries, rows, strict=True) if not names] == []


def test_numbers_come_first(search: Search, base: KnowledgeBase) -> None:
    """Every hundredth current number is its own first hit."""
    numbers = [
        provision.address
        for provision in base.provisions()
        if provision.number and "#" not in provision.address
    ]

    wrong = [
        number
        for number in numbers[::100]
        if search.search(SearchOptions(number))["hits"][0]["number"] != number
    ]

    assert wrong == []


def test_headwords_find_themselves(search: Search, base: KnowledgeBase) -> None:
    """Nearly every headword finds its entry, or a rule with this heading, in the first three hits."""
    terms = [provision.heading for provision in base.provisions() if provision.kind == "glossary"][
        ::10
    ]

    by_name = {term: search.search(SearchOptions(f'"{term}"', limit=3))["hits"] for term in terms}

    missed = [
        term for term, hits in by_name.items() if term not in [hit["heading"] for hit in hits]
    ]
    assert len(missed) <= len(terms) // 50, missed


@pytest.mark.parametrize(
    ("query", "message", "number"),
    [
        ("state-based effects", "state based effects", "704"),
        ("converted mana cost", "converted mana cost", "202.3"),
        ("local enchantment", "local enchantment", "303.4"),
        ("comes into play tapped", "comes into play tapped", "603.6d"),
        ("removed from the game", "removed from the game", "406.2"),
        ("SBA", "sba", "704"),
        ("EDH", "edh", "903"),
    ],
)
def test_words_of_other_eras(search: Search, query: str, message: str, number: str) -> None:
    """An old term finds today's rules, and the answer names the words that were used."""
    result = search.search(SearchOptions(query, limit=10))

    assert message in [expansion["from"] for expansion in result["expanded"]]
    assert number in [hit["number"] for hit in result["hits"]]


@pytest.mark.parametrize(
    ("query", "on", "number"),
    [
        ("battlefield", "2007-10-01", "217.5"),
        ("exile", "2007-10-01", "217.7"),
        ("state-based actions", "2007-10-01", "420"),
        ("mana value", "2007-10-01", "203.3"),
    ],
)
def test_words_of_today_find_old_texts(search: Search, query: str, on: str, number: str) -> None:
    """A current term finds former texts that used another term."""
    result = search.search(SearchOptions(query, on=on, limit=10))

    names = [hit["number"] or "" for hit in result["hits"]]
    assert any(name == number or name.startswith(f"{number}") for name in names), names
    assert result["expanded"]
    assert {hit["edition"] for hit in result["hits"]} == {on}


def test_former_texts(search: Search) -> None:
    """Removed texts are found, with their period and their outcome."""
    (hit, *_) = search.search(SearchOptions('"attacker must declare" OR "mana burn"', ever=True))[
        "hits"
    ]
    assert hit["stood"]

    hits = search.search(SearchOptions("600.4a", ever=True))["hits"]
    hit = next(item for item in hits if item["number"] == "600.4a")
    assert hit["now"] == "800.4a"
    assert hit["stood"][0][0] == "2005-08-01"


def test_no_query_is_empty_where_bm25_finds(search: Search, base: KnowledgeBase) -> None:
    """Any three words of the rules are answered whenever bm25 answers."""
    plain = Plain(base, EDITION)
    words = [
        word for provision in list(base.provisions())[::40] for word in provision.text.split()[:3]
    ]
    queries = [" ".join(words[place : place + 3]) for place in range(0, len(words) - 3, 3)]

    empty = [text for text in queries if plain.names(text) and not names_of(search, text)]

    assert len(queries) > 90
    assert empty == []


def test_quotations_come_from_somewhere(search: Search, base: KnowledgeBase) -> None:
    """Nearly all of fifty invented quotations lead to their source, and hardly any elsewhere."""
    lines = base.texts.lines
    missed: list[str] = []
    for quotation in quotations(base, 50, seed=7):
        placed = (quotation.number, quotation.edition) if quotation.is_placed else ("", None)
        answer = search.resolve(quotation.text, *placed)
        named = {
            lines[match.state.id]
            for source in answer["sources"]
            for match in base.show(source["number"] or source["heading"], source["edition"])
        }
        if lines[quotation.state] not in named:
            missed.append(f"{quotation.edition} {quotation.number}: {answer['status']}")

    assert len(missed) <= 1, missed


def test_indexes_are_small(search: Search, folder: Path) -> None:
    """Both indexes together take less than half of the promised size."""
    search.search(SearchOptions("trample", ever=True))
    search.search(SearchOptions("trample"))

    size = sum(path.stat().st_size for path in cache_of(folder).rglob("*") if path.is_file())
    assert size < 15e6
    assert sqlite3.connect(folder / "kb.sqlite").execute("SELECT 1").fetchone() == (1,)
