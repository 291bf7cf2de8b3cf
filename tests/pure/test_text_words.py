"""The words of a text."""

import calendar
from collections.abc import Callable, Sequence

import pytest

from variorum.text.months import MONTHS
from variorum.text.words import ascii_words, hyphenated_words, tokens_of, words_of


@pytest.mark.parametrize(
    ("find", "expected"),
    [
        (words_of, ["a", "player", "state", "based", "{t}", "-1/-1"]),
        (hyphenated_words, ["A", "PLAYER", "state-based", "T", "1", "1"]),
        (ascii_words, ["a", "player", "state", "based", "t", "1", "1"]),
        (tokens_of, ("A ", "PLAYER ", "state-based ", "{T} ", "−1/−1")),
    ],
)
def test_variants(find: Callable[[str], Sequence[str]], expected: Sequence[str]) -> None:
    """Hyphens, symbols and numbers with a slash differ between the variants."""
    assert find("A PLAYER state-based {T} −1/−1") == expected


def test_words() -> None:
    """Numbers, symbols and contractions are words."""
    assert words_of("It’s 7, {2/W}; don't") == ["it's", "7", "{2/w}", "don't"]


def test_months() -> None:
    """The months are those of the calendar, in order."""
    assert tuple(map(str.lower, calendar.month_name[1:])) == MONTHS
