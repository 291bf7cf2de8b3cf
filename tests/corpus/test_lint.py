"""Known errors in the real editions: counts of all, and some that people checked."""

import csv
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import run

pytestmark = [pytest.mark.corpus, pytest.mark.usefixtures("corpus")]

ROOT = Path(__file__).resolve().parents[2]

Found = Mapping[str, dict[str, Any]]


@pytest.fixture(scope="module")
def linted(bases: Callable[[str], Path]) -> Found:
    """Return the findings in each edition."""
    result = run(["lint", "--all", "--json", "--kb", str(bases("real"))])
    return {edition["edition"]: edition for edition in json.loads(result.out)}


def rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table."""
    with path.open(encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_counts(linted: Found, golden: Callable[[str, str], None]) -> None:
    """The counts of findings, by kind and edition, are recorded."""
    kinds = next(iter(linted.values()))["counts"]
    lines = ["\t".join(("edition", *kinds))]
    for label, answer in linted.items():
        lines.append("\t".join((label, *(str(count) for count in answer["counts"].values()))))

    golden("../corpus/lint.tsv", "".join(f"{line}\n" for line in lines))


def test_counts_are_those_of_the_resolver(linted: Found) -> None:
    """As many citations dangle, and have another title, as `cr refs` resolves so."""
    for row in rows(ROOT / "tests" / "corpus" / "resolved.tsv"):
        answer = linted[row["effective"]]
        assert answer["counts"]["dangling"] == int(row["dangling"]), row["effective"]
        stale = [
            finding
            for finding in answer["findings"]
            if finding["kind"] == "stale" and finding["title"] not in {"", finding["heading"]}
        ]
        titles = answer["counts"]["title"] + len(stale)
        assert titles == int(row["other title"]), row["effective"]


# Read by people


@pytest.mark.parametrize(
    "read",
    rows(ROOT / "tests" / "corpus" / "lint_read.tsv"),
    ids=lambda row: f"{row['edition']} {row['address']}",
)
def test_what_was_read_is_found(linted: Found, read: Mapping[str, str]) -> None:
    """Lint finds what a reader found, with the number meant, and nothing stale in what is right."""
    there = [
        {name: finding[name] or "-" for name in read if name in finding}
        for finding in linted[read["edition"]]["findings"]
        if finding["address"] == read["address"]
    ]
    if read["kind"] == "right":
        assert "stale" not in {finding["kind"] for finding in there}
    else:
        # What a title tells, or what has moved since, is told of the one kind alone.
        told = ("titled",) if read["kind"] == "title" else ("means", "since")
        asked = {name: read[name] for name in ("kind", "address", "printed", *told)}
        assert asked in [{name: finding[name] for name in asked} for finding in there]


SAME = [
    row
    for row in rows(ROOT / "lab" / "score" / "contradictions.tsv")
    if row["old_number"] == row["cited_now"]
]


@pytest.mark.parametrize("row", SAME, ids=lambda row: f"{row['new_edition']} {row['cited_now']}")
def test_the_oracle_agrees(linted: Found, row: Mapping[str, str]) -> None:
    """A number is stale if and only if the citation oracle reports a mistake."""
    texts = {
        finding["means"] or ""
        for finding in linted[row["new_edition"]]["findings"]
        if finding["kind"] == "stale" and finding["printed"] == row["cited_now"]
    }

    if row["explanation"] == "slip" and not row["lineage"]:  # only readers know its target
        assert len(texts - {"", row["cited_now"]}) == 1
    else:
        assert texts == ({row["lineage"]} if row["explanation"] == "slip" else set())
