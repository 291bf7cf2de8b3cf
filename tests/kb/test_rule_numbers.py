"""The parts of rule numbers."""

import re

import pytest

from variorum_kb.rule_numbers import NUMBER, SUBRULE_LETTERS, letters_after, order_of, range_end


@pytest.mark.parametrize("number", ["702", "702.9", "702.9b", "704.5aa", "702.195z"])
def test_number(number: str) -> None:
    """Sections, rules and subrules have numbers."""
    assert re.fullmatch(NUMBER, number)


@pytest.mark.parametrize("text", ["7", "70", "002", "702.", "702.0", "306.b", "704.5mb", "702.9B"])
def test_no_number(text: str) -> None:
    """Chapters, misprints and amounts are no rule numbers."""
    assert not re.fullmatch(NUMBER, text)


def test_letters_are_never_l_or_o() -> None:
    """The letter after an unused one is the next one that editions use."""
    assert {"l", "o"}.isdisjoint(SUBRULE_LETTERS)
    assert (letters_after("l"), letters_after("o")) == ("m", "p")


def test_order_of_what_is_misprinted() -> None:
    """A number without a rule's digits is first; the mark of doubles does not count."""
    assert order_of("306.b") < order_of("306.1")
    assert order_of("702.175#2")[0] == 702


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
