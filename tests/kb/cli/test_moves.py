"""The messages about numbers that moved."""

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.namesakes import Namesake
from variorum_kb.answers.numbers_elsewhere import Move
from variorum_kb.answers.question_parser import parse_questions
from variorum_kb.cli.pages.moves import move_lines, namesake_lines
from variorum_kb.rows import COPIED, MERGED, REWORDED, SPLIT, UNCERTAIN


@pytest.mark.parametrize(
    ("bits", "confidence", "heirs", "message"),
    [
        (REWORDED, 0.999, ("800.4a",), "has been 800.4a since 2009-07-11"),
        (REWORDED, 0.9, ("800.4a",), "has been 800.4a since 2009-07-11 (90 % confidence)"),
        (
            COPIED,
            0.999,
            ("800.4a", "405.6h", "glossary: Leave"),
            "has been 800.4a since 2009-07-11; 405.6h and “Leave” repeat it",
        ),
        (
            SPLIT,
            0.999,
            ("800.4a", "800.4b"),
            "has been 800.4a since 2009-07-11, with parts of it in 800.4b: cr 800.4b",
        ),
        (
            MERGED,
            0.999,
            ("800.4a",),
            "has been part of 800.4a since 2009-07-11; cr why 600.4a --on 2009-05-01 says how",
        ),
        (
            UNCERTAIN,
            0.6,
            ("800.4a", "800.4b"),
            "may be 800.4a or 800.4b (60 % confidence); cr why 600.4a --on 2009-05-01 says why",
        ),
    ],
)
def test_lines(bits: int, confidence: float, heirs: tuple[str, ...], message: str) -> None:
    """For each kind of move, a line says what to type next; all uncertain moves have the same line."""
    move = Move("600.4a", "2009-05-01", "2009-07-11", bits, confidence, heirs, False)

    assert [*move_lines([move])] == [f"600.4a, last printed in 2009-05-01, {message}"]
    if bits == UNCERTAIN:
        assert len([*move_lines([move, move])]) == 1


@pytest.mark.parametrize(
    ("asked", "edition", "message"),
    [
        (
            "101.2",
            "2008-06-20",
            ["today's 101.2 is another rule; in the edition of 2008-06-20 it is 103.2"],
        ),
        (
            "101",
            "first",
            ["today's 101 is another section; in the edition of 1999-05-14 it is 103"],
        ),
        ("101.2", "latest", []),
        ("100.1", "first", []),
        ("100.1-3", "first", []),
    ],
)
def test_namesakes(base: KnowledgeBase, asked: str, edition: str, message: list[str]) -> None:
    """If a number meant something else, a line says where today's rule was."""
    (question,) = parse_questions(asked)
    shown = base.subjects.find_anywhere(question, edition)

    assert [*namesake_lines(base.subjects.namesakes(question, shown))] == message


def test_namesakes_that_are_not_there() -> None:
    """The edition may lack today's rule of the number, or have it only perhaps."""
    missing = Namesake("subrule", "704.5k", "2006-10-01", (), 0)
    doubtful = missing.changed(heirs=("420.5i", "420.5k"), bits=UNCERTAIN)

    assert [*namesake_lines([missing, doubtful])] == [
        "today's 704.5k is another rule; the edition of 2006-10-01 does not have it",
        "today's 704.5k is another rule; in the edition of 2006-10-01 it is perhaps 420.5i or 420.5k",
    ]
