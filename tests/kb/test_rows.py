"""Rows as plain tuples."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum_kb.rows import State, examples_of, fold_key, join_body, keys_of, split_body, text_of

# What a paragraph may hold: splitting a text into lines takes all else out of it.
TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1)
PARAGRAPHS = st.lists(st.tuples(st.sampled_from(["", "Example:", "EXAMPLE:"]), TEXT))


@given(PARAGRAPHS)
def test_bodies_round_trip(paragraphs: list[tuple[str, str]]) -> None:
    """What is joined splits into the same paragraphs, text and examples apart."""
    body = join_body(paragraphs)

    assert split_body(body) == paragraphs
    assert text_of(body) == "\n".join(text for marker, text in paragraphs if not marker)
    assert examples_of(body) == [text for marker, text in paragraphs if marker]


@given(st.lists(PARAGRAPHS, unique_by=tuple))
def test_bodies_differ(bodies: list[list[tuple[str, str]]]) -> None:
    """Different paragraphs never make the same body."""
    joined = [join_body(paragraphs) for paragraphs in bodies]

    assert len(set(joined)) == len(bodies)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Lamp", "lamp"),
        ("  State-Based \t Actions ", "state-based actions"),
        ("“Keeper’s Boat”", "keeper's boat"),
        ('"As though"', "as though"),
        ("_Dark_ lamp", "dark lamp"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("704.5K", "704.5k"),
        ("", ""),
    ],
)
def test_fold_key(words: str, expected: str) -> None:
    """Case, blanks and the shape of quotes do not matter in a look-up."""
    assert fold_key(words) == expected


@given(st.text())
def test_folding_twice_changes_nothing(words: str) -> None:
    """A folded key is its own key, so it may be folded anywhere."""
    folded = fold_key(words)

    assert fold_key(folded) == folded


@pytest.mark.parametrize(
    ("kind", "number", "heading", "expected"),
    [
        ("rule", "100.1", "Wick", ["100.1"]),
        ("chapter", "1", "Game Concepts", ["1"]),
        ("glossary", "", "Boat", ["boat"]),
        (
            "glossary",
            "",
            "Keeper, Keeper’s Mate",
            ["keeper", "keeper's mate", "keeper, keeper's mate"],
        ),
        ("glossary", "", "Bury (Obsolete)", ["bury", "bury (obsolete)"]),
        ("glossary", "", "Row, Tow (Obsolete)", ["row", "row, tow", "row, tow (obsolete)", "tow"]),
    ],
)
def test_keys(kind: str, number: str, heading: str, expected: list[str]) -> None:
    """A provision is found by its number, a glossary entry by each word of its headword."""
    state = State(kind, number, number or heading, heading, "", "", "", "")

    assert keys_of(state) == expected


def test_imports_nothing() -> None:
    """Beside what SQLite imports anyway, the fast path pays for no import of this module."""
    code = (
        "import sys, _sqlite3, variorum_kb; before = set(sys.modules); import variorum_kb.rows;"
        "print(sorted(set(sys.modules) - before))"
    )

    found = subprocess.run(
        [sys.executable, "-P", "-c", code], check=True, capture_output=True, encoding="utf-8"
    )

    # Where there is no bytecode yet, compiling a character's name asks for unicodedata.
    assert found.stdout.replace("'unicodedata', ", "") == (
        "['variorum_kb.record', 'variorum_kb.rows']\n"
    )
