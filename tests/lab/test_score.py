"""The tables beside the score are well-formed, and its small arithmetic is right."""

import csv
import math
import random
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from lab.score import announced, corrected, oracle
from lab.score.calibration import LINE_NEW, LINE_OLD, correct_old, deciles, left_out, worst
from lab.score.gold import read_gold
from lab.score.logistic import fit_calibration, fit_levels, fit_weights
from lab.score.report import Report
from lab.score.trials import Claim
from variorum_kb.history.confidence.fitted_corrections import NEW_STEPS, OLD_STEPS

HERE = Path(__file__).resolve().parents[2] / "lab" / "score"
CONTRADICTIONS = HERE / "contradictions.tsv"
MOVES = HERE / "moves.tsv"

NUMBER = re.compile(r"\d{1,3}(?:\.\d+[a-z]{0,2})?|glossary: \S.*")
# Notes name things and quote no rules.
MOST_WORDS = 11


def rows_of(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table."""
    with path.open(encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))


def is_number(text: str) -> bool:
    """Return whether a text is an address."""
    return NUMBER.fullmatch(text) is not None


def test_contradictions_are_well_formed() -> None:
    """Each contradiction is listed once, with numbers, a known explanation and a short note."""
    rows = rows_of(CONTRADICTIONS)

    assert tuple(rows[0]) == oracle.COLUMNS
    assert len(oracle.read_explanations(CONTRADICTIONS)) == len(rows)
    assert [row for row in rows if row["explanation"] not in oracle.EXPLANATIONS] == []
    for row in rows:
        assert is_number(row["old_number"])
        assert is_number(row["cited_now"])
        assert row["lineage"] == "" or is_number(row["lineage"])
        assert row["old_number"] != "" != row["cited_now"] != row["lineage"]
        assert 0 < len(row["note"].split()) <= MOST_WORDS


def test_moves_are_well_formed() -> None:
    """Each announced move is listed once, with numbers and a known verb."""
    rows = rows_of(MOVES)
    moves = announced.read_moves(MOVES)

    assert tuple(rows[0]) == announced.COLUMNS
    assert len(set(moves)) == len(moves)
    for move in moves:
        assert move.verb in announced.VERBS
        assert (move.old == "") == (move.verb == "new")
        assert (move.new == "") == (move.verb == "deleted")
        assert move.old == "" or is_number(move.old)
        assert all(is_number(number) for number in move.new.split(";") if move.new)


@pytest.mark.corpus
def test_editions_exist(corpus: Path) -> None:
    """Both tables name editions of the corpus; the editions of a contradiction are consecutive."""
    with (corpus / "editions.tsv").open(encoding="utf-8", newline="") as table:
        days = [row["effective_date"] for row in csv.DictReader(table, delimiter="\t")]

    for row in rows_of(CONTRADICTIONS):
        assert days.index(row["new_edition"]) == days.index(row["old_edition"]) + 1
    for move in announced.read_moves(MOVES):
        assert days.index(move.pair[0]) < days.index(move.pair[1])


def test_gold_rows(tmp_path: Path) -> None:
    """A row of the gold set has its heirs in order, the main one first; a removed provision has none."""
    path = tmp_path / "gold.tsv"
    head = "old_edition\told_number\tnew_edition\tverdict\tnew_numbers\tconfidence\tnote\n"
    lines = ("a\t1.1\tb\tsplit\t2.3, 2.1\thigh\t\n", "a\t1.2\tb\tgone\t\thigh\t\n")
    path.write_text(head + "".join(lines), encoding="utf-8")

    rows = read_gold(path)

    assert [row.heirs for row in rows] == [("2.3", "2.1"), ()]


def test_regression_finds_weights() -> None:
    """The regression finds the weights with which outcomes were drawn."""
    chance = random.Random(1)
    rows: list[tuple[tuple[float, ...], bool]] = []
    for _ in range(4000):
        value = chance.uniform(-2, 2)
        rows.append(((value,), chance.random() < 1 / (1 + math.exp(-(0.5 + 1.5 * value)))))

    constant, weight = fit_weights(rows)

    assert constant == pytest.approx(0.5, abs=0.15)
    assert weight == pytest.approx(1.5, abs=0.15)


def test_levels_never_fall() -> None:
    """Levels rise with the score, and are shares of right outcomes."""
    chance = random.Random(2)
    stated = [chance.random() for _ in range(4000)]

    levels = fit_levels(
        [(chance_stated, chance.random() < chance_stated) for chance_stated in stated], 250
    )

    starts, shares = zip(*levels, strict=True)
    assert list(starts) == sorted(starts)
    assert list(shares) == sorted(shares)
    assert len(levels) > 5
    assert all(abs(share - start) < 0.15 for start, share in levels)


def test_corrections_do_not_cross_their_end() -> None:
    """Confidences are corrected towards the right shares, in order, and never beyond the end."""
    chance = random.Random(3)
    stated = [chance.random() for _ in range(4000)]
    outcomes = [(value, chance.random() < value**2 or value > 0.9) for value in stated]

    calibration = fit_calibration(outcomes, 0.95)

    corrected = [calibration.of(value) for value in sorted(stated)]
    assert corrected == sorted(corrected)
    assert all((value >= 0.95) == (calibration.of(value) >= 0.95) for value in stated)
    assert all(calibration.of(value) == value for value in stated if value >= 0.95)
    assert len(calibration.levels) < 20
    assert all(abs(calibration.of(value) - value**2) < 0.15 for value in stated if value < 0.9)


@pytest.mark.parametrize(
    ("correct", "line"),
    [
        (OLD_STEPS.of, LINE_OLD),
        (partial(NEW_STEPS.of, features=(0.0, 1.0)), LINE_NEW),
        (partial(NEW_STEPS.of, features=(9.0, 0.0)), LINE_NEW),
    ],
    ids=["old", "new, in known words", "new, in new words"],
)
def test_no_step_becomes_hard_by_correction(correct: Callable[[float], float], line: float) -> None:
    """Corrected confidences keep their order, and their side of the limit for reading steps."""
    chances = [place / 10_000 for place in range(10_000)]

    stated = [correct(value) for value in chances]

    assert stated == sorted(stated)
    assert [value >= line for value in stated] == [value >= line for value in chances]


def test_claims_are_left_out_of_their_own_correction() -> None:
    """A pair of editions is corrected by all others."""
    wrong = [Claim("heir", 0.8, is_right=False)] * 100
    right = [Claim("heir", 0.8, is_right=True)] * 100

    first, *_, last = left_out([wrong, *[right] * 9], correct_old)

    assert (first.confidence, first.is_right) == (0.9899, False)
    assert (last.confidence, last.is_right) == (0.8885, True)


def test_calibration() -> None:
    """A deviation counts only above 0.5; confidence 1 belongs to the last decile."""
    claims = [
        Claim("heir", 1.0, is_right=True),
        Claim("heir", 0.7, is_right=True),
        Claim("heir", 0.2, is_right=True),
    ]

    assert [len(some) for some in deciles(claims)] == [0, 0, 1, 0, 0, 0, 0, 1, 0, 1]
    points, decile = worst(claims)
    assert (round(points, 6), decile) == (30.0, 7)


def test_report_ends_with_what_is_missed() -> None:
    """A missed requirement is in the table and changes the exit code."""
    lines: list[str] = []
    report = Report(lines.append)
    report.at_most("wrong", 3, 2)

    assert report.end() == 0

    report.at_least("right", 11, 8, of=16)
    lines.clear()
    assert report.end() == 1
    assert "".join(lines) == (
        "\nsummary\n-------\n"
        "figure     required  measured   ok\n"
        "wrong     at most 3         2  yes\n"
        "right   at least 11   8 of 16   NO\n"
    )


def test_mined_corrections() -> None:
    """A line in which only one cited number changed is a correction; other lines are not."""
    history = (
        "COMMIT 2026-03-24\n@@ -1 +1 @@\n-// CR 101.1: a\n+// CR 102.1: a\n"
        "@@ -2 +2 @@\n-// CR 101.1: a\n+// CR 102.1: b\n@@ -3 +2,0 @@\n-// CR 101.1\n"
    )

    assert list(corrected.mined(history)) == [
        corrected.Correction("2026-03-24", "101.1", "102.1", "// CR 101.1: a")
    ]
