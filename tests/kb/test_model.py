"""Rule numbers and the other records of the model."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.edition_texts import page
from variorum_kb.errors import NotARuleNumberError
from variorum_kb.model import RuleNumber
from variorum_kb.reading.edition import read_edition
from variorum_kb.rule_numbers import SUBRULE_LETTERS

LETTER = st.sampled_from(SUBRULE_LETTERS)
NUMBERS = st.builds(
    RuleNumber,
    st.integers(100, 999),
    st.integers(1, 300),
    st.one_of(st.just(""), LETTER, st.builds("".join, st.tuples(LETTER, LETTER))),
)


@given(NUMBERS)
def test_round_trip(number: RuleNumber) -> None:
    """A printed number reads back as the same number."""
    assert RuleNumber.parse(str(number)) == number


@given(NUMBERS)
def test_successors_follow(number: RuleNumber) -> None:
    """The successor of a number is greater, and never uses l or o."""
    for following in number.successors():
        assert following.follows(number)
        assert following > number
        assert not number.follows(following)
        assert set(following.letters) <= set(SUBRULE_LETTERS)


def test_counts() -> None:
    """Rules and subrules are counted together, and so are all irregularities."""
    assert read_edition(page(), "a.txt").counts() == {
        "sections": 2,
        "rules": 7,
        "examples": 2,
        "glossary": 2,
        "irregularities": 0,
    }


@given(NUMBERS, NUMBERS)
def test_order_is_total(first: RuleNumber, second: RuleNumber) -> None:
    """Any two numbers are ordered or equal."""
    assert (first < second) + (second < first) + (first == second) == 1


@pytest.mark.parametrize(
    "text",
    ["", "7", "70", "702.", "702.0", "306.b", "702.9abc", "702.9B", "\N{FULLWIDTH DIGIT SEVEN}02"],
)
def test_error_no_number(text: str) -> None:
    """For a malformed number, the error names it."""
    with pytest.raises(NotARuleNumberError) as caught:
        RuleNumber.parse(text)

    assert str(caught.value) == f"{text!r} is not a rule number such as 702, 702.9 or 702.9b"
