"""The parts of rule numbers."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum.rule_numbers import (
    NUMBER,
    SUBRULE_LETTERS,
    is_below,
    letters_after,
    letters_of,
    order_of,
    range_end,
    stem_of,
)

LETTERS = st.sampled_from(["", *SUBRULE_LETTERS, *(f"a{letter}" for letter in SUBRULE_LETTERS)])
PARTS = st.tuples(st.integers(100, 999), st.integers(1, 300), LETTERS)


def printed(section: int, rule: int, letters: str) -> str:
    """Return a number as it is printed."""
    return f"{section}.{rule}{letters}"


@given(PARTS, PARTS)
def test_numbers_sort_as_printed(one: tuple[int, int, str], two: tuple[int, int, str]) -> None:
    """Sections come first, then rules, then letters, and z before aa."""
    wanted = [(section, rule, len(letters), letters) for section, rule, letters in (one, two)]

    assert (order_of(printed(*one)) < order_of(printed(*two))) is (wanted[0] < wanted[1])
    assert (order_of(printed(*one)) == order_of(printed(*two))) is (one == two)


@given(PARTS)
def test_stem_and_letters(parts: tuple[int, int, str]) -> None:
    """A number is its rule and its letters, and is below its rule, its section and its chapter."""
    number = printed(*parts)
    assert re.fullmatch(NUMBER, number)
    rule = printed(*parts[:2], "")

    assert (stem_of(number), letters_of(number)) == (rule, parts[2])
    for above in (number, rule, str(parts[0]), str(parts[0])[0]):
        assert is_below(number, above)
    assert not is_below(number, f"{rule}0")
    assert is_below(rule, number) is (not parts[2])


@given(LETTERS)
def test_next_letters(letters: str) -> None:
    """The letters of the next subrule are later, and never l or o."""
    following = letters_after(letters)

    assert order_of(f"100.1{letters}") < order_of(f"100.1{following}")
    assert {"l", "o"}.isdisjoint(following)


@pytest.mark.parametrize("text", ["7", "70", "002", "702.", "702.0", "306.b", "704.5mb", "702.9B"])
def test_no_number(text: str) -> None:
    """Chapters, misprints and amounts are no rule numbers."""
    assert not re.fullmatch(NUMBER, text)


@pytest.mark.parametrize(
    ("first", "ending", "last"),
    [
        ("603.7d", "f", "603.7f"),
        ("704.5y", "aa", "704.5aa"),
        ("702.9", "12", "702.12"),
        ("702.99a", "702.101c", "702.101c"),
        ("212", "215", "215"),
        ("306", "11", "311"),
        ("7", "9", "9"),
        ("702", "c", ""),
    ],
)
def test_range_end(first: str, ending: str, last: str) -> None:
    """The short end of a range omits the part that it shares with the first number."""
    assert range_end(first, ending) == last
