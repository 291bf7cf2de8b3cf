"""The words of an index."""

from pathlib import Path

import pytest

from variorum_kb.search.indexes.lexicon import Lexicon

COUNTS = {
    "boat": 40,
    "boats": 25,
    "the": 90,
    "sail": 12,
    "sails": 6,
    "sailing": 9,
    "salvage": 3,
    "regenerate": 2,
    "regenerates": 1,
    "regeneration": 4,
    "can't": 20,
    "cannot": 2,
    "704.5k": 1,
    "+1/+1": 2,
    "control": 7,
    "controller": 5,
    "lamp": 8,
    "lamb": 1,
}


@pytest.fixture
def lexicon() -> Lexicon:
    """Return a small lexicon."""
    return Lexicon.of(COUNTS, ["boats", "salvage"])


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("sail", ["sail", "sailing", "sails"]),
        ("sailed", ["sail", "sailing", "sails"]),
        ("control", ["control"]),
        ("can't", ["can't", "cannot"]),
        ("cant", ["can't", "cannot"]),
        ("704.5k", ["704.5k"]),
        ("anchor", []),
    ],
)
def test_forms(lexicon: Lexicon, word: str, expected: list[str]) -> None:
    """A word has all of its own forms in the index, and no other word's."""
    assert sorted(lexicon.forms(word)) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("regenerated", ["regeneration"]),
        ("regeneration", ["regenerate", "regenerates"]),
        ("sail", []),
        ("anchor", []),
    ],
)
def test_relatives(lexicon: Lexicon, word: str, expected: list[str]) -> None:
    """A noun leads to its verb, and the reverse."""
    assert lexicon.relatives(word) == expected


def test_terms(lexicon: Lexicon) -> None:
    """Words of a heading are terms, in any form."""
    assert lexicon.is_term("boat")
    assert lexicon.is_term("salvaging")
    assert not lexicon.is_term("sail")


def test_common_words(lexicon: Lexicon) -> None:
    """A word is common if it is at least a third as frequent as the most frequent one."""
    assert lexicon.is_common("the")
    assert lexicon.is_common("boat")
    assert not lexicon.is_common("sail")
    assert not lexicon.is_common("anchor")


def test_no_words() -> None:
    """A lexicon may be empty."""
    empty = Lexicon.of({})

    assert empty.forms("boat") == empty.relatives("boat") == empty.beginning("boa") == []
    assert not empty.is_common("boat")


def test_beginnings(lexicon: Lexicon) -> None:
    """Words are found by their first letters."""
    assert sorted(lexicon.beginning("sal")) == ["salvage"]
    assert sorted(lexicon.beginning("sai")) == ["sail", "sailing", "sails"]
    assert lexicon.beginning("xyz") == []


def test_saved_and_loaded(lexicon: Lexicon, tmp_path: Path) -> None:
    """A saved and loaded lexicon answers the same."""
    lexicon.save(tmp_path)

    loaded = Lexicon.load(tmp_path)

    for word in [*COUNTS, "regenerating", "salvge", "anchor"]:
        assert loaded.forms(word) == lexicon.forms(word)
        assert loaded.relatives(word) == lexicon.relatives(word)
        assert loaded.counts == lexicon.counts
        assert loaded.is_term(word) is lexicon.is_term(word)
        assert loaded.is_common(word) is lexicon.is_common(word)


def test_order_of_words_does_not_matter(tmp_path: Path) -> None:
    """Equal words give equal bytes, in any order."""
    for name, counts in (("one", COUNTS), ("other", dict(reversed(COUNTS.items())))):
        (tmp_path / name).mkdir()
        Lexicon.of(counts, ["boats", "salvage"]).save(tmp_path / name)

    assert len({(tmp_path / word / "words.json").read_bytes() for word in ("one", "other")}) == 1
