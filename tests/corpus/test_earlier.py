"""Plain look-ups of numbers that once meant another rule, against `cr where`."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import run

pytestmark = pytest.mark.corpus

# So many numbers apart are those compared; all agree.
STRIDE = 5

# What a look-up prints below a rule.
LINES = {
    "511": ["Before 2009-07-11, 511 was about flipping a coin, now 705"],
    "511.2": [
        "From 2009-07-11 to 2016-09-29, 511.2 was today's 511.1",
        "Before 2009-07-11, 511.2 was about flipping a coin, now 705.2",
    ],
    "704.5k": ["Before 2017-09-29, 704.5k was today's 704.5j"],
    "103.4": [
        "From 2009-07-11 to 2022-11-17, 103.4 was today's 103.5",
        "Before 2009-07-11, 103.4 was about the Magic golden rules, now 101.4",
    ],
    "701.16": [
        "From 2020-07-03 to 2025-06-05, 701.16 was about reveal, now 701.20",
        "From 2018-04-27 to 2020-07-02, 701.16 was about sacrifice, now 701.21",
        "Before 2010-02-01 and from 2016-09-30 to 2018-04-26, 701.16 was about scry, now 701.22",
        "and 2 more: cr where 701.16",
    ],
    "505.4": [
        "From 2009-07-11 to 2010-06-17 and from 2016-09-30 to 2018-04-26, 505.4 was today's 505.6",
        "From 2010-06-18 to 2016-09-29, 505.4 was another rule about the main phase, removed on 2016-09-30",
        "Before 2009-07-11, 505.4 was about split cards, now 709.2",
    ],
    "502.36": ["Before 2007-05-01, 502.36 was about scry, now 701.22"],
    "600.4a": [],
    "705.2": [],
}


@pytest.mark.parametrize("number", LINES)
def test_lines(corpus_base: Path, number: str) -> None:
    """A look-up says which other rules had its number."""
    shown = run([number], settings={"VARIORUM_KB": str(corpus_base)})

    start = ("Before ", "From ", "and ")
    assert [line for line in shown.out.splitlines() if line.startswith(start)] == LINES[number]


# These lost parts or copies before most of their words moved; `cr where` names such a part first.
OTHERWISE = {("1999-04-23", "310.1"): "510.1", ("1999-04-23", "401.1"): "112.1"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "day", ["1999-04-23", "2005-02-01", "2007-02-01", "2009-05-01", "2014-02-01"]
)
def test_as_where_says(corpus_base: Path, day: str) -> None:
    """A look-up tells what a number meant exactly if `cr where` leads to other rules."""
    kb = {"VARIORUM_KB": str(corpus_base)}

    def answers(*words: str, numbers: Iterable[str] = ()) -> list[dict[str, Any]]:
        printed = run(words, settings=kb, given="\n".join(numbers).encode()).out
        return [json.loads(line) for line in printed.splitlines()]

    old, new = (
        {rule.get("number", "") for rule in answers("export", edition, "--jsonl")}
        for edition in (day, "current")
    )
    numbers = sorted(number for number in old & new if number)[::STRIDE]
    shown = {
        answer["number"]: [
            meaning["now"]
            for meaning in answer["earlier"]
            if meaning["from"] <= day <= meaning["to"]
        ]
        for answer in answers("show", "-", "--jsonl", numbers=numbers)
    }
    expected = {
        row["asked"]: []
        if row["asked"] in row["new"]
        else [OTHERWISE.get((day, row["asked"]), next(iter(row["new"]), None))]
        for row in answers("where", "-", "--from", day, "--jsonl", numbers=numbers)
    }
    assert shown == expected
    assert {len(meanings) for meanings in shown.values()} == {0, 1}
