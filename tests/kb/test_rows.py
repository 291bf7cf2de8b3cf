"""Records as plain tuples."""

import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from variorum_kb.rows import (
    STEP_KINDS,
    State,
    bits_of,
    examples_of,
    full_text,
    headword_of,
    join_body,
    kinds_of,
    name_of,
    split_body,
    text_of,
)
from variorum_kb.stored_rows import LinkRow, StepEvidence, split_reason, with_reason

# The characters of a paragraph: those that remain after splitting into lines.
TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1)
PARAGRAPHS = st.lists(st.tuples(st.sampled_from(["", "Example:", "EXAMPLE:"]), TEXT))


@given(PARAGRAPHS)
def test_bodies_round_trip(paragraphs: list[tuple[str, str]]) -> None:
    """A joined body splits into the same paragraphs, with text and examples separate."""
    body = join_body(paragraphs)

    assert split_body(body) == paragraphs
    assert text_of(body) == "\n".join(text for marker, text in paragraphs if not marker)
    assert examples_of(body) == [text for marker, text in paragraphs if marker]


@given(st.lists(PARAGRAPHS, unique_by=tuple))
def test_bodies_differ(bodies: list[list[tuple[str, str]]]) -> None:
    """Different paragraphs never make the same body."""
    joined = [join_body(paragraphs) for paragraphs in bodies]

    assert len(set(joined)) == len(bodies)


def test_full_text() -> None:
    """Offsets count the text, then the examples, each on a line."""
    body = join_body(
        [("", "A lamp."), ("", "A boat."), ("Example:", "It burns."), ("EXAMPLE:", "It floats.")]
    )

    assert full_text(body) == f"{text_of(body)}\nIt burns.\nIt floats."
    assert full_text(join_body([("Example:", "It burns.")])) == "It burns."
    assert full_text(join_body([("", "A lamp.")])) == "A lamp."


def test_names() -> None:
    """A provision's name is its address, an entry's its headword, never like a number."""
    rule = State("rule", "702.11", "702.11#2", "Drift", "", "702", "", "")
    entry = State("glossary", "", "Drift", "Drift", "", "", "", "")

    assert (name_of(rule), name_of(entry)) == ("702.11#2", "glossary: Drift")
    assert [headword_of(name_of(state)) for state in (rule, entry)] == ["", "Drift"]


def test_kinds_are_bits() -> None:
    """The kinds of a step are stored as bits, and read from them."""
    assert kinds_of(bits_of([*STEP_KINDS])) == [*STEP_KINDS]


def test_links_with_other_ids() -> None:
    """A link gets the ids of a file; a missing provision has none."""
    link = LinkRow(1, 0, 0, 1, 0, 0.9, StepEvidence("", "", ("why",)))

    assert link.led_by([40, 41], [50, 51]) == link.changed(old=41, new=50)
    assert link.changed(old=0).led_by([40], [50, 51]).old == 40
    assert link.changed(old=-1).led_by([40], [50, 51]).old == -1
    assert link.changed(new=-1).led_by([40, 41], [50, 51]).new == -1


@given(st.text(), st.lists(st.text(st.characters(exclude_characters=":"))).map(tuple))
def test_reasons(reason: str, evidence: tuple[str, ...]) -> None:
    """The reason of an announcement is found again before its evidence."""
    assert split_reason(with_reason(reason, evidence)) == (reason, evidence)


def test_imports_nothing() -> None:
    """On the fast path, this module imports only what SQLite imports anyway."""
    code = (
        "import sys, _sqlite3, variorum_kb; before = set(sys.modules); import variorum_kb.rows;"
        "print(sorted(set(sys.modules) - before))"
    )

    process = subprocess.run(
        [sys.executable, "-P", "-c", code], check=True, capture_output=True, encoding="utf-8"
    )

    # Without bytecode, compiling a character's name imports unicodedata.
    assert process.stdout.replace("'unicodedata', ", "") == (
        "['variorum_kb.record', 'variorum_kb.rows']\n"
    )
