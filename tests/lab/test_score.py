"""The small arithmetic of the score is right."""

from lab.score import alignment
from lab.score.gold import Correction, Score, mined
from lab.score.run import Level, line_of, read_levels


def test_mined_corrections() -> None:
    """A line in which only one cited number changed is a correction; other lines are not."""
    history = (
        "COMMIT 2026-03-24\n@@ -1 +1 @@\n-// CR 101.1: a\n+// CR 102.1: a\n"
        "@@ -2 +2 @@\n-// CR 101.1: a\n+// CR 102.1: b\n@@ -3 +2,0 @@\n-// CR 101.1\n"
    )

    assert list(mined(history)) == [Correction("2026-03-24", "101.1", "102.1", "// CR 101.1: a")]


def test_a_score_below_its_level_is_missed() -> None:
    """A line has the score, its level and whether it fell; a score without a level is missed, too."""
    levels = {"right": Level("at least", 11.0), "wrong": Level("at most", 3.0)}
    scores = [Score("right", 11), Score("right", 10.5), Score("wrong", 4), Score("new", 1)]

    lines = [line_of(score, levels) for score in scores]

    assert [is_met for _, is_met in lines] == [True, False, False, False]
    assert [" ".join(line.split()) for line, _ in lines] == [
        "right 11 at least 11",
        "right 10.5 at least 11 FALLEN",
        "wrong 4 at most 3 FALLEN",
        "new 1 NO LEVEL",
    ]
    assert {level.way for level in read_levels().values()} == {"at least", "at most"}


def test_steps_that_were_read_are_those_of_the_gates() -> None:
    """A merged provision has the heir with its words, a removed one none, a new one no predecessor."""
    decisions = {(*step.pair, step.asked): step for step in alignment.read_steps()}

    assert len(decisions) > 1800
    new = decisions["1999-04-23", "2001-07-23", "(new) 102.8"]
    assert (new.verdict, new.heir) == ("new", "102.8")
    assert all((step.heir == "") == (step.verdict == "gone") for step in decisions.values())
