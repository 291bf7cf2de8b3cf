"""Known errors in the real editions: counts of all, and some that people checked."""

import csv
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

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


def test_counts(linted: Found, golden: Callable[[str, object], None]) -> None:
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
        stale = [
            finding
            for finding in answer["findings"]
            if finding["kind"] == "stale"
            and finding["title"]
            and finding["title"] != finding["heading"]
        ]
        assert answer["counts"]["dangling"] == int(row["dangling"]), row["effective"]
        assert answer["counts"]["title"] + len(stale) == int(row["other title"]), row["effective"]


# Read by people


class Read(NamedTuple):
    """A finding that a reader confirmed; `means` and `since` are empty if there is none, or it did not move."""

    edition: str
    kind: str
    address: str
    printed: str
    means: str = ""
    since: str = ""


READ = [
    Read("2002-02-20", "stale", "Attacks and Isn't Blocked", "309.3", "309.4", "2002-02-20"),
    Read("2005-10-01", "dangling", "421.4", "102.6", "102.4b", "2005-08-01"),
    Read("2006-02-01", "dangling", "405.1", "402.9", "", ""),
    Read("2007-05-01", "stale", "104.4", "212.3d", "212.3f", "2007-05-01"),
    Read("2007-05-01", "stale", "502.5b", "212.3d", "212.3f", "2007-05-01"),
    Read("2007-05-01", "stale", "Summoning Sickness (Informal)", "212.3d", "212.3f", "2007-05-01"),
    Read("2008-05-01", "stale", "Mana Symbol", "104.3h", "104.3i", "2008-05-01"),
    Read("2009-10-01", "dangling", "112.3a", "112.5a-j", "112.6a-112.6j", "2009-10-01"),
    Read("2009-10-01", "stale", "Win the Game", "806.8b", "806.8a", "2009-10-01"),
    Read("2020-07-03", "stale", "712.4d", "903.9a", "903.9c", "2020-07-03"),
    Read("2022-09-08", "stale", "724.3d", "903.9a", "903.9c", "2020-07-03"),
    Read("2021-04-22", "stale", "Last Known Information", "800.4h", "800.4i", "2021-04-22"),
    Read("2023-04-14", "stale", "201.4e", "713", "712", "2023-04-14"),
    Read("2024-02-02", "stale", "724.6", "724", "725", "2024-02-02"),
    Read("2025-02-07", "stale", "724.6", "724", "726", "2024-02-02"),
    Read("2025-02-07", "stale", "801.17", "723", "724", "2024-02-02"),
    Read("2024-03-08", "stale", "502.2", "727", "728", "2024-03-08"),
    Read("2024-03-08", "stale", "702.145b", "727", "728", "2024-03-08"),
    Read("2024-03-08", "stale", "Day", "727", "728", "2024-03-08"),
    Read("2024-07-30", "stale", "Daybound", "727", "728", "2024-03-08"),
    Read("2026-08-07", "stale", "607.2m", "614.12b", "614.12c", "2025-09-19"),
    Read("2025-09-19", "stale", "Anchor Word", "614.12b", "614.12c", "2025-09-19"),
    Read("1999-04-23", "dangling", "308.2", "409.9"),
    Read("2003-05-26", "dangling", "214.8c", "241.8g"),
    Read("2025-06-06", "dangling", "Map", "110.10"),
    Read("2001-07-23", "gap", "214.8k", "214.8k"),
    Read("2009-07-11", "gap", "113.9", "113.9"),
    Read("2005-08-01", "double", "605.2c", "605.2c", "609.2c"),
    Read("2009-10-01", "double", "702.30d", "702.30d", "702.30e"),
    Read("2010-06-18", "misprint", "505.54", "505.54", "505.5"),
]


@pytest.mark.parametrize("read", READ, ids=lambda item: f"{item.edition} {item.address}")
def test_what_was_read_is_found(linted: Found, read: Read) -> None:
    """Lint finds the errors that a reader found, with the number meant."""
    names = ("kind", "address", "printed", "means", "since")
    findings = linted[read.edition]["findings"]

    assert read[1:] in [tuple(finding[name] or "" for name in names) for finding in findings]


@pytest.mark.parametrize(
    ("edition", "address", "printed", "titled"),
    [
        ("2004-10-01", "205.2c", "214.4", "212.4"),
        ("2005-08-01", "609.2b", "603", "602"),
        ("2009-07-11", 'Banding, "Bands with Other"', "702.20", "702.19"),
        ("2010-10-01", "107.8", "701", "710"),
        ("2017-04-28", "Exert", "701.36", "701.37"),
        ("2025-04-04", "Endure", "702.62", "701.62"),
    ],
)
def test_titles_tell(linted: Found, edition: str, address: str, printed: str, titled: str) -> None:
    """Lint finds a wrong number beside a right title."""
    (finding,) = (item for item in linted[edition]["findings"] if item["address"] == address)

    assert (finding["kind"], finding["printed"], finding["titled"]) == ("title", printed, titled)


@pytest.mark.parametrize(
    ("edition", "address"),
    [
        ("2004-02-01", "418.5a"),  # a range from the next rule on
        ("2009-10-01", "609.6"),  # each number of the row moved by one
        ("2011-09-30", "616.1b"),  # "proceed", to an inserted step
        ("2016-01-16", "Colorless"),  # a new symbol took over number and role
        ("2017-09-29", "702.25h"),
        ("2019-07-12", "Owner"),
        ("2020-06-01", "613.4"),  # two similar sentences, with one number each
        ("2020-06-01", "613.10"),
        ("2022-02-18", "616.1c"),
        ("2024-07-30", "608.2"),
    ],
)
def test_what_is_in_order_is_not_found(linted: Found, edition: str, address: str) -> None:
    """Citations that look stale but are right or debatable are not findings."""
    findings = linted[edition]["findings"]

    assert [
        finding
        for finding in findings
        if finding["kind"] == "stale" and finding["address"] == address
    ] == []


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
