"""The commands about time: history, where, crosswalk, why, diff, changes, since, blame."""

import csv
import io
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from variorum_kb.answers.between_editions.change_finder import find_changes
from variorum_kb.answers.knowledge_base import KnowledgeBase


@pytest.mark.skipif(shutil.which("sed") is None, reason="there is no sed")
def test_crosswalk_for_sed(cr: Callable[..., Result], tmp_path: Path) -> None:
    """The script renumbers certain moves once, and leaves ranges and other numbers alone."""
    rows = json.loads(cr("crosswalk", "2008-06-20", "2010-01-22", "--json").stdout)
    moved = {
        row["old"]: row["new"][0]
        for row in rows
        if row["kinds"] == ["renumbered"]
        and row["confidence"] > 0.99
        and "." in row["old"]
        and "." in row["new"][0]
    }
    chained = [old for old, new in moved.items() if new in moved]
    script = tmp_path / "moves.sed"
    script.write_text(cr("crosswalk", "2008-06-20", "2010-01-22", "--sed").stdout, "utf-8")

    def renumbered(text: str) -> str:
        done = subprocess.run(
            ["sed", "-E", "-f", str(script)],  # noqa: S607 - whichever sed there is
            input=text,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    assert len(moved) > 20
    assert chained
    text = "".join(f"CR {old} {old}, (CR{old}) {old}.\n" for old in moved)
    expected = "".join(f"CR {new} {new}, (CR{new}) {new}.\n" for new in moved.values())
    assert renumbered(text) == expected
    left = "".join(f"{old}-b v1.{old} 1{old} {old}x1 a-{old}\n" for old in moved)
    assert renumbered(left) == left


def test_crosswalk_there_and_back(cr: Callable[..., Result]) -> None:
    """A provision that was neither split nor merged returns to its number."""
    there = json.loads(cr("crosswalk", "2008-06-20", "2025-05-30", "--json").stdout)
    back = json.loads(cr("crosswalk", "2025-05-30", "2008-06-20", "--json").stdout)

    returned = {row["old"]: row["new"] for row in back}
    special = {"split", "merged", "copied", "gone", "new"}
    plain = [row for row in there if not special & set(row["kinds"])]
    assert len(plain) > 100
    for row in plain:
        assert row["old"] in returned[row["new"][0]]


def test_csv_holds_all_rows(cr: Callable[..., Result]) -> None:
    """The CSV has all rows of the JSON."""
    rows = list(csv.DictReader(io.StringIO(cr("crosswalk", "2008-06-20", "--csv").stdout)))
    everything = json.loads(cr("crosswalk", "2008-06-20", "--json").stdout)

    assert [row["old"] or None for row in rows] == [row["old"] for row in everything]


def test_every_provision_has_a_row(cr: Callable[..., Result]) -> None:
    """A diff lists every provision that differs between the editions, on its side."""
    old, new = "2008-06-20", "2010-01-22"
    answer = json.loads(cr("diff", old, new, "--json").stdout)

    listed = [{change[side] for change in answer["changes"]} - {None} for side in ("old", "new")]
    for edition, names in ((old, listed[0]), (new, listed[1])):
        export = json.loads(cr("export", edition, "--json").stdout)
        numbers = [provision["address"] for provision in export["provisions"]]
        entries = [f"glossary: {item['term']}" for item in export["glossary"]]
        untold = set(numbers + entries) - names
        assert len(untold) == answer["summary"]["same"]


def test_a_difference_the_other_way_round(cr: Callable[..., Result]) -> None:
    """In the opposite order, additions become removals, and the reverse."""
    old, new = "2008-06-20", "2022-02-11"
    there = json.loads(cr("diff", old, new, "--json").stdout)
    back = json.loads(cr("diff", new, old, "--json").stdout)

    def counts(answer: dict[str, Any], *names: str) -> list[int]:
        return [answer["summary"][name] for name in names]

    assert (back["summary"]["from_edition"], back["summary"]["to_edition"]) == (new, old)
    assert counts(back, "same", "new", "gone") == counts(there, "same", "gone", "new")
    readings = {
        (change["new"], change["old"]): (
            _joined(change["words"], "=+"),
            _joined(change["words"], "=-"),
        )
        for change in there["changes"]
        if change["class"] == "substantive" and set(change["kinds"]) <= {"renumbered", "reworded"}
    }
    turned = {(change["old"], change["new"]): change["words"] for change in back["changes"]}
    assert len(readings) > 30
    for pair, (before, after) in readings.items():
        assert (_joined(turned[pair], "=-"), _joined(turned[pair], "=+")) == (before, after)


def _joined(pieces: list[list[str]], signs: str) -> str:
    return "".join([words for sign, words in pieces if sign in signs])


@pytest.mark.parametrize(("start", "stop"), [("2008-06-20", "2022-02-11"), ("latest", "first")])
def test_every_provision_has_a_row_either_way(base: KnowledgeBase, start: str, stop: str) -> None:
    """Each provision of either edition is listed once on its side, or is the same in both."""
    changes = find_changes(base, start, stop)

    old = [change.old.id for change in changes.all if change.old is not None and not change.is_part]
    new = {change.new.id for change in changes.all if change.new is not None}
    assert len(old) == len(set(old))
    for edition, listed in ((start, set(old)), (stop, new)):
        held = {provision.state.id for provision in base.provisions(edition)}
        assert listed <= held
        assert len(held - listed) == changes.same


def test_a_section_is_compared_with_its_rules(cr: Callable[..., Result]) -> None:
    """A number means the provision with its subrules; with --only, just the provision."""
    answer = json.loads(cr("diff", "2008-06-20", "2022-02-11", "705", "--json").stdout)
    alone = json.loads(cr("diff", "2008-06-20", "2022-02-11", "705", "--only", "--json").stdout)

    assert answer["subject"] == {
        "asked": "705",
        "edition": "2022-02-11",
        "from": ["511"],
        "to": ["705"],
        "others": [],
        "unchanged_since": None,
    }
    assert {change["old"] for change in answer["changes"]} >= {"511", "511.1", "511.2"}
    assert answer["summary"]["provisions"] == 4
    assert [(change["old"], change["new"]) for change in alone["changes"]] == [("511", "705")]


def test_a_difference_follows_the_subject(cr: Callable[..., Result]) -> None:
    """A number is read in the newer edition; its bearer in the other edition is only named."""
    asked = ["diff", "2010-01-22", "2025-05-30", "702.3"]
    answer, second = (
        json.loads(cr(*asked, *more, "--json").stdout) for more in ([], ["--on", "2010-01-22"])
    )

    drift = {"edition": "2010-01-22", "number": "702.3", "gist": "Drift", "elsewhere": None}
    subject = answer["subject"]
    assert (subject["edition"], subject["from"], subject["to"]) == (
        "2025-05-30",
        ["702.4"],
        ["702.3"],
    )
    assert subject["others"] == [drift]
    subject = second["subject"]
    assert (subject["edition"], subject["from"], subject["to"]) == ("2010-01-22", ["702.3"], [])


def test_words_give_both_readings(cr: Callable[..., Result]) -> None:
    """In JSON, unchanged and removed words together are exactly the older text."""
    answer = json.loads(cr("diff", "2008-06-20", "2022-02-11", "--json").stdout)

    checked = 0
    for change in answer["changes"]:
        if not change["words"] or change["old"] is None or change["old"].startswith("glossary"):
            continue
        shown = json.loads(cr("show", change["old"], "--on", "2008-06-20", "--json").stdout)[0]
        text = "\n".join(part for part in (shown["text"], *shown["examples"]) if part)
        before = "".join(words for sign, words in change["words"] if sign != "+")
        assert before == (text or shown["heading"])
        checked += 1
    assert checked > 50


def test_blame_gives_the_reading(cr: Callable[..., Result]) -> None:
    """The joined words are the reading, and no date is after the edition's."""
    answer = json.loads(cr("blame", "705.1", "--json").stdout)
    shown = json.loads(cr("show", "705.1", "--json").stdout)[0]

    assert "".join(word["text"] for word in answer["words"]) == shown["text"]
    assert min(word["since"] for word in answer["words"]) < "2010"
    assert max(word["since"] for word in answer["words"]) <= answer["edition"]


def test_blame_of_a_section(cr: Callable[..., Result]) -> None:
    """Each subrule has the same words as if asked for alone; --only leaves out subrules."""
    answer = json.loads(cr("blame", "705", "--json").stdout)
    alone = json.loads(cr("blame", "705", "--only", "--json").stdout)

    assert [subrule["number"] for subrule in answer["subrules"]] == ["705.1", "705.2", "705.3"]
    for item in answer["subrules"]:
        own = json.loads(cr("blame", item["number"], "--json").stdout)
        assert item == {name: own[name] for name in item}
    assert alone == {**answer, "subrules": []}
