"""The keys with which provisions are looked up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum.rows import State
from variorum.text.keys import bearing, fold_key, keys_of


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        *[("Lamp", "lamp"), ("  State-Based \t Actions ", "state-based actions")],
        *[("“Keeper’s Boat”", "keeper's boat"), ('"As though"', "as though"), ("704.5K", "704.5k")],
        *[("_Dark_ lamp", "dark lamp"), ("STRASSE", "strasse"), ("Straße", "strasse"), ("", "")],
    ],
)
def test_fold_key(words: str, expected: str) -> None:
    """Case, blanks and kinds of quotes do not matter in a look-up."""
    assert fold_key(words) == expected


@given(st.text())
def test_folding_twice_changes_nothing(words: str) -> None:
    """Folding a key twice changes nothing."""
    folded = fold_key(words)

    assert fold_key(folded) == folded


@pytest.mark.parametrize(
    ("kind", "number", "heading", "expected"),
    [
        ("rule", "100.1", "Wick", ["100.1"]),
        ("chapter", "1", "Game Concepts", ["1"]),
        ("glossary", "", "Boat", ["boat"]),
        ("glossary", "", "Keep, Keep’s Mate", ["keep", "keep's mate", "keep, keep's mate"]),
        ("glossary", "", "Bury (Obsolete)", ["bury", "bury (obsolete)"]),
        ("glossary", "", "Row, Tow (Obsolete)", ["row", "row, tow", "row, tow (obsolete)", "tow"]),
    ],
)
def test_keys(kind: str, number: str, heading: str, expected: list[str]) -> None:
    """A provision is found by its number, a glossary entry by each word of its headword."""
    state = State(kind, number, number or heading, heading, "", "", "", "")

    assert keys_of(state) == expected


@pytest.mark.parametrize(
    ("number", "expected"), [("501.3", [1]), ("510.3", [1]), ("511.3", [2]), ("1", [])]
)
def test_bearing(number: str, expected: list[int]) -> None:
    """A number means what it is printed at, else the misprint that it corrects."""
    places = {"501.3": [1], "=510.3": [1], "511.3": [2], "=511.3": [3]}

    assert bearing(lambda key: places.get(key, []), number) == expected
