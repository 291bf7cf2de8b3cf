"""The table of all numbers agrees with `cr where`, in two formats, and has no words of rules."""

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from lab.score.number_table import Differences
from tests.support.schemas import assert_fits
from variorum_kb.answers.exports.number_table import bearers_of, csv_of, number_table
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.cli.main import main


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["current", "2008-06-20"])
def test_table_says_what_where_says(base: KnowledgeBase, edition: str) -> None:
    """Each number of each edition is in the table once, with its heirs, kinds and confidence."""
    differences = Differences(base, number_table(base, edition))

    assert list(differences) == []
    assert differences.asked > 1_900


@pytest.mark.slow
def test_table_of_the_real_editions(corpus_base: Path) -> None:
    """The same holds for a sample of the real numbers; the file is smaller than 1 MB."""
    with KnowledgeBase.open(corpus_base) as opened:
        table = number_table(opened)

        assert len(csv_of(table)) < 1_000_000
        for number, bearer in [*bearers_of(table)][::97]:
            subjects = opened.subjects.find(number, opened.edition(bearer["last"]))
            row = next(each for each in subjects if each.address == number).where()
            assert (row["new"], row["confidence"]) == (bearer["now"], bearer["confidence"])


def test_formats_agree(base: KnowledgeBase) -> None:
    """JSON fits its schema; CSV has the same bearers."""
    table = number_table(base)
    assert_fits(table, "number_table")
    rows = [*csv.DictReader(io.StringIO(csv_of(table)))]
    listed = [(number, bearer["first"], bearer["last"], bearer["confidence"], ";".join(bearer["kinds"]),
               ";".join(bearer["now"])) for number, bearer in bearers_of(table)]  # fmt: skip
    assert [(row["number"], row["first"], row["last"], float(row["confidence"]), row["kinds"],
             row["now"]) for row in rows] == listed  # fmt: skip


def test_lines(base: KnowledgeBase, sample_base: object) -> None:
    """With --jsonl, each line is a bearer with its number, and fits its schema."""
    done = CliRunner().invoke(main, ["export", "--kb", str(sample_base), "--crosswalk", "--jsonl"])
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines == [
        {"number": number, **bearer} for number, bearer in bearers_of(number_table(base))
    ]
    for line in lines:
        assert_fits(line, "number_line")


def test_table_has_no_words_of_rules(base: KnowledgeBase) -> None:
    """The table has only numbers, days, kinds, and headwords as names of entries."""
    table = number_table(base)
    names = {name for _, bearer in bearers_of(table) for name in bearer["now"]}
    kinds = {kind for _, bearer in bearers_of(table) for kind in bearer["kinds"]}

    assert all(name[0].isdigit() or name.startswith("glossary: ") for name in names)
    longest = max(len(each.heading) for each in base.provisions("first") if not each.number)
    assert max(map(len, [*names, *kinds])) <= len("glossary: ") + longest + 20


@pytest.mark.parametrize(
    ("asked", "code", "message"),
    [
        (["--crosswalk", "--format", "text"], 2, "for the crosswalk, choose json, csv"),
        (["--format", "csv"], 2, "for an edition, choose text, json"),
        (["--json", "--format", "csv"], 2, "cannot be used together"),
        (["--crosswalk", "nonsense"], 1, "no edition is called 'nonsense'"),
        (["--crosswalk", "2008-06-20", "--json"], 0, '"edition":"2008-06-20"'),
    ],
)
def test_export_formats(sample_base: object, asked: list[str], code: int, message: str) -> None:
    """The table has its own export formats; heirs can be from a chosen edition."""
    done = CliRunner().invoke(main, ["export", "--kb", str(sample_base), *asked])

    assert done.exit_code == code
    assert message in done.output
