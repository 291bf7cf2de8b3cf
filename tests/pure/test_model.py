"""Rule numbers and the other records of the model."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.edition_texts import page
from variorum.errors import WrongUsageError
from variorum.model import Kind, Paragraph, Provision, RuleNumber
from variorum.reading.edition import read_edition
from variorum.rule_numbers import SUBRULE_LETTERS

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
    counts = {"sections": 2, "rules": 7, "examples": 2, "glossary": 2, "irregularities": 0}
    assert read_edition(page(), "a.txt").counts() == counts


@pytest.mark.parametrize(
    ("changes", "is_complete"),
    [({}, True), ({"unaccounted": (3,)}, False), ({"characters_kept": 1}, False)],
)
def test_ledger(changes: dict[str, Any], *, is_complete: bool) -> None:
    """A ledger is complete if no line and no character is missing."""
    ledger = read_edition(page(), "a.txt").ledger

    assert replace(ledger, **changes).is_complete is is_complete


def test_paragraphs() -> None:
    """A provision's text has its plain paragraphs, one a line; its examples are apart."""
    paragraphs = [("A lamp.", "", 1), ("It burns.", "Example:", 2), ("A boat.", "", 3)]
    provision = Provision(
        Kind.RULE, "100.1", "100.1", "100.1.", "", tuple(map(Paragraph._make, paragraphs))
    )

    assert (provision.text, provision.examples) == ("A lamp.\nA boat.", ("It burns.",))


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
    with pytest.raises(WrongUsageError) as caught:
        RuleNumber.parse(text)

    assert str(caught.value) == f"{text!r} is not a rule number such as 702, 702.9 or 702.9b"
