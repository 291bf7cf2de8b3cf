"""Rule numbers and the other records of the model."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum.rule_numbers import SUBRULE_LETTERS, RuleNumber, order_of

LETTER = st.sampled_from(SUBRULE_LETTERS)
NUMBERS = st.builds(
    lambda *parts: order_of("{}.{}{}".format(*parts)),
    st.integers(100, 999),
    st.integers(1, 300),
    st.one_of(st.just(""), LETTER, st.builds("".join, st.tuples(LETTER, LETTER))),
)


@given(NUMBERS)
def test_round_trip(number: RuleNumber) -> None:
    """A printed number reads back as the same number."""
    assert RuleNumber.read(str(number)) == number


@given(NUMBERS)
def test_successors_follow(number: RuleNumber) -> None:
    """The successor of a number is greater, and never uses l or o."""
    for following in number.successors():
        assert following.follows(number)
        assert following > number
        assert not number.follows(following)
        assert set(following.letters) <= set(SUBRULE_LETTERS)


@given(NUMBERS, NUMBERS)
def test_order_is_total(first: RuleNumber, second: RuleNumber) -> None:
    """Any two numbers are ordered or equal."""
    assert (first < second) + (second < first) + (first == second) == 1


@pytest.mark.parametrize(
    "text",
    ["", "7", "70", "702.", "702.0", "306.b", "702.9abc", "702.9B", "\N{FULLWIDTH DIGIT SEVEN}02"],
)
def test_no_number(text: str) -> None:
    """A malformed number is none."""
    assert RuleNumber.read(text) is None
