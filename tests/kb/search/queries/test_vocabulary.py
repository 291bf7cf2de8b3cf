"""Synonyms."""

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

import pytest

from variorum_kb.facts.vocabulary import Concept, ConceptForm, all_concepts
from variorum_kb.search.queries.vocabulary import Vocabulary, save_vocabulary, table_checksum
from variorum_kb.text.search_words import plain_words

OLD, MIDDLE, NEW = date(1999, 5, 14), date(2008, 6, 20), date(2010, 1, 22)


def form(
    *words: str, first: date | None = None, last: date | None = None, **more: bool
) -> ConceptForm:
    """Return words for a concept."""
    return ConceptForm(
        words, first, last, more.get("is_partial", False), more.get("is_gone", False)
    )


CONCEPTS = (
    Concept(
        "bay",
        "era",
        (
            form("harbor", "harbour", first=OLD, last=MIDDLE),
            form("haven", first=OLD, last=OLD, is_partial=True),
            form("bay", first=NEW),
        ),
        (),
    ),
    Concept(
        "put to sea",
        "era",
        (
            form("put out to sea", first=OLD, last=MIDDLE),
            form("leave the quay", "leaves the quay", first=NEW),
        ),
        (),
    ),
    Concept("tide check", "abbreviation", (form("tc"), form("tide check")), ()),
    Concept("sunk", "players", (form("glug"), form("is sunk"), form("sinks")), ()),
    Concept("quay", "players", (form("put out"), form("light")), ()),
    Concept("sea", "players", (form("sea"), form("open sea")), ()),
)


@pytest.fixture
def vocabulary(tmp_path: Path) -> Vocabulary:
    """Return a vocabulary of invented concepts."""
    save_vocabulary(tmp_path, CONCEPTS)
    return Vocabulary.load(tmp_path)


@pytest.fixture
def others(vocabulary: Vocabulary) -> Callable[[str], list[tuple[str, float]]]:
    """Return a function that returns the synonyms of one concept's words."""

    def find(words: str) -> list[tuple[str, float]]:
        (known,) = vocabulary.find(words.split())
        return [(" ".join(spelling.words), round(spelling.weight, 3)) for spelling in known.others]

    return find


def places(vocabulary: Vocabulary, words: str) -> Sequence[tuple[int, int]]:
    """Return the words of a query that the vocabulary knows, with their places."""
    return [(known_words.start, known_words.stop) for known_words in vocabulary.find(words.split())]


def test_eras_lead_both_ways(others: Callable[[str], list[tuple[str, float]]]) -> None:
    """Former words of the rules lead to today's words, and the reverse."""
    assert ("bay", 0.9) in others("harbor")
    assert others("bay")[:2] == [("harbor", 0.9), ("harbour", 0.9)]


def test_words_with_another_meaning(others: Callable[[str], list[tuple[str, float]]]) -> None:
    """Words that also mean other things count less, in the query and in texts."""
    assert ("haven", 0.36) in others("bay")
    assert others("haven") == [("harbor", 0.36), ("harbour", 0.36), ("bay", 0.36)]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("tc", [("tide check", 1.0)]),
        ("glug", [("is sunk", 0.8), ("sinks", 0.8)]),
        ("is sunk", [("sinks", 0.8)]),
    ],
)
def test_others_lead_one_way(
    others: Callable[[str], list[tuple[str, float]]],
    words: str,
    expected: list[tuple[str, float]],
) -> None:
    """Abbreviations and players' words lead to those of the rules."""
    assert others(words) == expected


@pytest.mark.parametrize("words", ["tide check", "sinks", "open sea", "anchor", ""])
def test_nothing_leads_back(vocabulary: Vocabulary, words: str) -> None:
    """The rules' own words do not lead to players' words; unknown words lead to nothing."""
    assert vocabulary.find(words.split()) == []


@pytest.mark.parametrize(
    "words", ["leave the quay", "leaves the quay", "leaving the quay", "left the quay"]
)
def test_inflected_forms(vocabulary: Vocabulary, words: str) -> None:
    """Any form of a word counts."""
    assert places(vocabulary, words) == [(0, 3)]


def test_longest_match(vocabulary: Vocabulary) -> None:
    """If words overlap, only the longest count."""
    assert places(vocabulary, "put out to sea") == [(0, 4)]
    assert places(vocabulary, "put out to lunch") == [(0, 2)]


def test_several_concepts(vocabulary: Vocabulary) -> None:
    """Each concept of a query is found in its place."""
    assert places(vocabulary, "when the harbor was put out to sea by tc") == [
        (2, 3),
        (4, 8),
        (9, 10),
    ]


def test_words_of_several_concepts(tmp_path: Path) -> None:
    """If words belong to two concepts, the synonyms of both are used."""
    concepts = [
        Concept("one", "players", (form("rope"), form("line")), ()),
        Concept("two", "players", (form("rope"), form("knot")), ()),
    ]
    save_vocabulary(tmp_path, concepts)

    (known,) = Vocabulary.load(tmp_path).find(["ropes"])

    assert [spelling.form.name for spelling in known.others] == ["line", "knot"]


def test_the_table_of_facts(tmp_path: Path) -> None:
    """Every form of the table is found by its own words, if it has synonyms."""
    save_vocabulary(tmp_path, all_concepts())
    loaded = Vocabulary.load(tmp_path)

    for concept in all_concepts():
        forms = concept.form if concept.kind == "era" else concept.form[:1]
        for spelling in (words for item in forms for words in item.words):
            assert loaded.find(plain_words(spelling)), spelling


def test_checksum() -> None:
    """The checksum of the table is unchanged."""
    assert table_checksum() == table_checksum() > 0
