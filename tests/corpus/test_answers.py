"""Command lines on the real editions, with what they answer: tests/golden/corpus/answers.tsv.

The table holds the exit code, a digest of what is printed, its lines, and the numbers and days in
it, each once: the first ten and the last five. To add a command line, write it alone on a line of
the table, and run `pytest --update-golden`.
"""

import csv
import hashlib
import json
import re
import shlex
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

import variorum
from tests.conftest import ROOT
from tests.support.command import run
from variorum.text import words_of

pytestmark = [pytest.mark.corpus, pytest.mark.usefixtures("corpus")]

TABLE = ROOT / "tests" / "golden" / "corpus" / "answers.tsv"
FACT = re.compile(r"(?<![\w.,#-])(?:\d{4}-\d\d-\d\d|[1-9]\d\d(?:\.\d+[a-z]*)?)\b(?!,\d|%)")
FIRST, LAST = 10, 5


def shown(out: str) -> str:
    """Return the numbers and days of what is printed, each once."""
    facts = [*dict.fromkeys(FACT.findall(out))]
    if len(facts) > FIRST + LAST:
        facts[FIRST:-LAST] = ["…"]
    return " ".join(facts)


def test_command_lines(bases: Callable[[str], Path], golden: Callable[[str, str], None]) -> None:
    """Each command line gives the recorded answer."""
    lines = TABLE.read_text("utf-8").splitlines()
    rows = ["command\texit\tdigest\tlines\tnumbers and days\n"]
    for command in [line.split("\t")[0] for line in lines[1:]]:
        kb = {"VARIORUM_KB": str(bases("real"))}
        result = run(shlex.split(command)[1:], settings=kb)
        digest = hashlib.sha256(result.out.encode()).hexdigest()[:8]
        count = result.out.count("\n")
        row = (command, result.code, digest, count, shown(result.out or result.err))
        rows.append("\t".join(map(str, row)) + "\n")

    golden("corpus/answers.tsv", "".join(rows))


# Laws ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", [("first", "latest"), ("2005-02-01", "M10"), ("M10", "M15")])
def test_there_and_back(real: variorum.Base, pair: tuple[str, str]) -> None:
    """A rule that was neither split nor merged returns to its number when followed back."""
    back = {row.old: row.new for row in real.crosswalk(*reversed(pair))}

    special = {"split", "merged", "gone", "new", "uncertain"}
    rules = [row for row in real.crosswalk(*pair) if (row.old or "")[:1].isdigit()]
    plain = [row for row in rules if not special & {*row.kinds}]
    assert len(plain) > 230
    assert [row.old for row in plain if row.old not in back[row.new[0]]] == []


@pytest.mark.parametrize("pair", [("first", "latest"), ("latest", "first"), ("M10", "M15")])
def test_one_number_as_in_the_table(real: variorum.Base, pair: tuple[str, str]) -> None:
    """A number looked up alone gets the same answer as in the table of all numbers."""
    rows = [row for row in real.crosswalk(*pair) if (row.old or "g")[0].isdigit()]

    for row in rows[::23]:
        answer = real.where(row.old or "", pair[1], pair[0])
        named = ("old", "new", "kinds", "confidence")
        assert [getattr(answer, name) for name in named] == [getattr(row, name) for name in named]


# These lost parts or copies before most of their words moved; `cr where` names such a part first.
OTHERWISE = {("1999-04-23", "310.1"): "510.1", ("1999-04-23", "401.1"): "112.1"}


@pytest.mark.parametrize("day", ["1999-04-23", "2007-02-01", "2014-02-01"])
def test_look_ups_are_as_where_says(bases: Callable[[str], Path], day: str) -> None:
    """A look-up tells what a number meant exactly if `cr where` leads to other rules."""
    kb = {"VARIORUM_KB": str(bases("real"))}

    def answers(*words: str, numbers: Iterable[str] = ()) -> list[dict[str, Any]]:
        printed = run([*words, "--jsonl"], settings=kb, given="\n".join(numbers).encode()).out
        return [json.loads(line) for line in printed.splitlines()]

    held = [
        {rule.get("number") for rule in answers("export", edition)} for edition in (day, "current")
    ]
    numbers = sorted(filter(None, held[0] & held[1]))[::9]
    told = {
        rule["number"]: [
            item["now"] for item in rule["earlier"] if item["from"] <= day <= item["to"]
        ]
        for rule in answers("show", "-", numbers=numbers)
    }
    assert told == {
        row["asked"]: []
        if row["asked"] in row["new"]
        else [OTHERWISE.get((day, row["asked"]), next(iter(row["new"]), None))]
        for row in answers("where", "-", "--from", day, numbers=numbers)
    }


# Read by people -----------------------------------------------------------------------------------

with Path(__file__).with_name("blame.tsv").open(encoding="utf-8", newline="") as _table:
    PHRASES = [*csv.DictReader(_table, delimiter="\t")]


def test_words_that_moved_keep_their_day(real: variorum.Base) -> None:
    """Words that moved, in a rule or between rules, have the day of the first edition with them.

    The table has phrases by their rule, the places of their words, and a digest.
    """
    for row in PHRASES:
        dated = [
            (word, item.since)
            for item in real.blame(row["number"], "2026-08-07").words
            for word in words_of(item.text)
        ][int(row["first"]) - 1 : int(row["last"])]
        words = " ".join(word for word, _ in dated)
        assert hashlib.sha256(words.encode()).hexdigest()[:8] == row["digest"], row
        assert {since for _, since in dated} == {row["since"]}, row["number"]


def test_announced_moves(real: variorum.Base) -> None:
    """Rules went where the bulletins say; of two, the bulletins name another rule."""
    with (ROOT / "lab" / "score" / "moves.tsv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["new_number"]]
    plain = [row for row in rows if re.fullmatch(r"[\d.]+[a-z]*", row["old_number"])]
    wrong = [
        (row["old_edition"], row["old_number"], row["new_number"])
        for row in plain
        if not {*row["new_number"].split(";")}
        & {*real.where(row["old_number"], row["new_edition"], row["old_edition"]).new}
    ]

    assert len(plain) > 230
    assert wrong == [("2009-05-01", "404", "112"), ("2013-02-01", "700.4", "702.12")]


@pytest.mark.parametrize(
    ("before", "after", "replaced", "kept"),
    [
        (
            "2009-05-01",
            "2009-07-11",
            {"play → cast", "in play → on the battlefield", "played → activated"},
            {"static", "effects", "triggered", "your", "or ability"},
        ),
        ("2021-02-05", "2021-04-22", {"converted mana cost → mana value"}, {"cost", "mana cost"}),
        ("2018-10-05", "2026-08-07", {"tribal → kindred"}, {"planeswalker", "cost", "paying"}),
        ("2003-05-26", "2026-08-07", {"his or her → their"}, {"card", "permanent", "end", "cards"}),
        ("2010-04-23", "2010-07-16", set[str](), {"section"}),
    ],
)
def test_replaced_throughout(
    real: variorum.Base, before: str, after: str, replaced: set[str], kept: set[str]
) -> None:
    """Replaced phrases are named, as announced; words that the newer edition still uses are not."""
    sweeps = real.diff(before, after).summary.sweeps

    assert replaced <= {f"{sweep.before} → {sweep.after}" for sweep in sweeps}
    assert not kept & {sweep.before for sweep in sweeps}
