"""What users write to name a rule."""

import pytest

from variorum_kb.answers.questions import parse_question


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("704.5k", ("number", "704.5k", "")),
        ("CR 704.5k", ("number", "704.5k", "")),
        ("CR704.5K", ("number", "704.5k", "")),
        ("C.R. 704.5k", ("number", "704.5k", "")),
        ("rule 704.5K.", ("number", "704.5k", "")),
        ("Rules: 704.5aa)", ("number", "704.5aa", "")),
        ("§ 704", ("number", "704", "")),
        ("section 7", ("number", "7", "")),
        ("CR rule 100.1.", ("number", "100.1", "")),
        ("702. 37a", ("number", "702.37a", "")),
        ("119.1.d", ("number", "119.1d", "")),
        ("306.b", ("number", "306.b", "")),
        ("702.175#2", ("number", "702.175", "#2")),
        ("508.1d-f", ("range", "508.1d", "508.1f")),
        ("601.2f–h", ("range", "601.2f", "601.2h")),
        ("rules 601.2f — 601.2h.", ("range", "601.2f", "601.2h")),
        ("119.7-8", ("range", "119.7", "119.8")),
        ("702.5-702.6", ("range", "702.5", "702.6")),
        ("700–702", ("range", "700", "702")),
        ("State-Based  Actions", ("words", "state-based actions", "")),
        ("“As Though”", ("words", "as though", "")),
        ("rule", ("words", "rule", "")),
        ("Rulebook", ("words", "rulebook", "")),
        ("20-sided die", ("words", "20-sided die", "")),
        ("704.5 and more", ("words", "704.5 and more", "")),
        ("0123", ("words", "0123", "")),
        ("", ("words", "", "")),
    ],
)
def test_questions(text: str, expected: tuple[str, str, str]) -> None:
    """Numbers, ranges and terms are told apart however they are written."""
    assert parse_question(text) == expected
