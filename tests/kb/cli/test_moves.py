"""What is said of numbers that moved."""

import pytest

from variorum_kb.answers.moved import Move
from variorum_kb.cli.pages.moves import move_lines
from variorum_kb.rows import COPIED, MERGED, REWORDED, SPLIT, UNCERTAIN


@pytest.mark.parametrize(
    ("bits", "confidence", "heirs", "said"),
    [
        (REWORDED, 0.999, ("800.4a",), "has been 800.4a since 2009-07-11"),
        (REWORDED, 0.9, ("800.4a",), "has been 800.4a since 2009-07-11 (90 % confidence)"),
        (
            COPIED,
            0.999,
            ("800.4a", "405.6h", "glossary: Leave"),
            "has been 800.4a since 2009-07-11; 405.6h and “Leave” say it as well",
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
def test_lines(bits: int, confidence: float, heirs: tuple[str, ...], said: str) -> None:
    """Each way to move is a sentence that says what to type next; of candidates there is one."""
    move = Move("600.4a", "2009-05-01", "2009-07-11", bits, confidence, heirs, False)

    assert [*move_lines([move])] == [f"600.4a, last printed in 2009-05-01, {said}"]
    if bits == UNCERTAIN:
        assert len([*move_lines([move, move])]) == 1
