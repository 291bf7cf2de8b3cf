"""Rows as plain tuples."""

import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from variorum_kb.rows import examples_of, join_body, split_body, text_of

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
