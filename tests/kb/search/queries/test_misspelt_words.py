"""Suggestions for misspelt words."""

import pytest

from variorum_kb.search.indexes.lexicon import Lexicon
from variorum_kb.search.queries.misspelt_words import corrections_of

COUNTS = {
    "boat": 40,
    "sail": 12,
    "sails": 6,
    "salvage": 3,
    "regenerate": 2,
    "regeneration": 4,
    "control": 7,
    "controller": 5,
    "lamp": 8,
    "lamb": 1,
}


@pytest.fixture
def lexicon() -> Lexicon:
    """Return a small lexicon."""
    return Lexicon.of(COUNTS)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("salvge", ["salvage"]),
        ("regenerat", ["regenerate"]),
        ("regneration", ["regeneration"]),
        ("lanp", ["lamp"]),
        ("controler", ["controller"]),
        ("cotnrol", ["control"]),
        ("bo", []),
        ("704.5m", []),
        ("two words", []),
        ("xylophone", []),
    ],
)
def test_likeness(lexicon: Lexicon, word: str, expected: list[str]) -> None:
    """A misspelt word leads to the most similar words, likeliest first."""
    assert corrections_of(word, lexicon)[: len(expected) or None] == expected


def test_likeness_names_a_word_once(lexicon: Lexicon) -> None:
    """Only one form of a word is suggested, and at most three words."""
    assert corrections_of("saill", lexicon) == ["sail"]
    many = Lexicon.of(dict.fromkeys(["bark", "barn", "bars", "bare", "bard"], 1))
    assert len(corrections_of("barx", many)) == 3
    assert corrections_of("lork", Lexicon.of({"work": 9, "lark": 1})) == ["lark", "work"]
