"""The spellings by which users name a rule."""

import pytest

from variorum_kb.answers.question_parser import asked_for, parse_question, parse_questions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("704.5k", ("number", "704.5k", "")),
        ("CR 704.5k", ("number", "704.5k", "")),
        ("CR704.5K", ("number", "704.5k", "")),
        ("C.R. 704.5k", ("number", "704.5k", "")),
        ("(See rule 704.5k.)", ("number", "704.5k", "")),
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
        ("508.1d..f", ("range", "508.1d", "508.1f")),
        ("508.1d to 508.1f", ("range", "508.1d", "508.1f")),
        ("704.5 k", ("number", "704.5k", "")),
        ("704.5 in", ("words", "704.5 in", "")),
        ("rule", ("words", "rule", "")),
        ("Rulebook", ("words", "rulebook", "")),
        ("20-sided die", ("words", "20-sided die", "")),
        ("704.5 and more", ("words", "704.5 and more", "")),
        ("0123", ("words", "0123", "")),
        ("", ("words", "", "")),
    ],
)
def test_questions(text: str, expected: tuple[str, str, str]) -> None:
    """Numbers, ranges and terms are distinguished in any spelling."""
    assert parse_question(text) == expected


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("CR 600.4a (2007-10-01)", "600.4a on 2007-10-01"),
        ("600.4a (CR 2007-10-01)", "600.4a on 2007-10-01"),
        ("[CR 704.5k]", "704.5k"),
        ("[[704.5k]]", "704.5k"),
        ("[704.5k][704.5j]704.5h", "704.5k; 704.5j; 704.5h"),
        ("(704.5k)", "704.5k"),
        ("702.19 M10", "702.19 on m10"),
        ("704.5 in M10", "704.5 on m10"),
        ("702.19 2XM", "702.19 on 2xm"),
        ("702.19 Shards of Alara", "702.19 on shards of alara"),
        ("702.19 Modern Horizons 3 702.20", "702.19 on modern horizons 3; 702.20"),
        ("702.19 July 2009", "702.19 on july 2009"),
        ("702.19 July 11, 2009", "702.19 on july 11, 2009"),
        ("702.19 9 July 2009", "702.19 on 9 july 2009"),
        ("702.19 as of 2009", "702.19 on 2009"),
        ("702.19 @2009-07", "702.19 on 2009-07"),
        ("702.175#2 M10", "702.175#2 on m10"),
        ("704.5k-m", "704.5k-704.5m"),
        ("704.5k..m M10", "704.5k-704.5m on m10"),
        ("704.5k 704.5j", "704.5k; 704.5j"),
        ("704.5k, 704.5j and 7", "704.5k; 704.5j; 7"),
        ("704.5k/704.5j & 704.5a-c", "704.5k; 704.5j; 704.5a-704.5c"),
        ("702.19 M10, 702.20 M11", "702.19 on m10; 702.20 on m11"),
        ("702.19 M10; rule 702.20 M11", "702.19 on m10; 702.20 on m11"),
        ("702.19 M10, rule 702.20 M11", "702.19 on m10; 702.20 on m11"),
        ("section 7, 8", "7; 8"),
        ("012", "012"),
        (
            "600.4a, 600.4b (2007-10-01); 704.5k",
            "600.4a on 2007-10-01; 600.4b on 2007-10-01; 704.5k",
        ),
        ("trample (2009)", "trample on 2009"),
        ("Trample (CR current)", "trample on current"),
        ("[Trample]", "trample"),
        ("Phasing (Obsolete)", "phasing (obsolete)"),
        ("20-sided die", "20-sided die"),
        ("100.1.2.3", "100.1.2.3"),
        ("", ""),
    ],
)
def test_all_that_is_asked(text: str, asked: str) -> None:
    """Citations, lists and editions beside numbers are read as meant."""
    questions = parse_questions(text)

    parsed = [
        f"{asked_for(question.question)} on {question.edition}".removesuffix(" on ")
        for question in questions
    ]
    assert "; ".join(parsed) == asked
