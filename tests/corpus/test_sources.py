"""The addresses at which the real editions were published."""

import csv
from datetime import date
from pathlib import Path

import pytest

from variorum_crawler.fetch.addresses import parse_address
from variorum_crawler.places.published_file_names import date_in_name
from variorum_crawler.places.source_file import load_sources

pytestmark = pytest.mark.corpus

KNOWN = [known for source in load_sources() for known in source.documents]


@pytest.fixture(scope="module")
def listed(corpus: Path) -> list[str]:
    """Return the addresses in the corpus."""
    text = (corpus / "other" / "known-download-addresses.txt").read_text("utf-8")
    return [parse_address(line).url for line in text.splitlines() if line.strip()]


@pytest.fixture(scope="module")
def stated(corpus: Path) -> set[date]:
    """Return the days stated by the texts of the corpus."""
    with (corpus / "editions.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        return {date.fromisoformat(row["effective_date"]) for row in rows}


def test_every_address_is_known(listed: list[str]) -> None:
    """Every address in the corpus is one of our sources."""
    known = {address for item in KNOWN for address in item.addresses}

    assert set(listed) <= known
    assert len(listed) == len(set(listed)) == 108


def test_days_are_stated(stated: set[date]) -> None:
    """A text of the corpus states every day in our table; six editions have no address."""
    days = {item.effective for item in KNOWN if item.effective}

    assert days <= stated
    assert sorted(map(str, stated - days)) == [
        *("1999-04-23", "2003-05-26", "2018-01-19", "2018-04-27", "2023-10-13", "2024-04-12")
    ]


def test_every_name_names_a_day(listed: list[str]) -> None:
    """Each file name gives a day, at most 12 days from the day in the edition's text."""
    assert all(date_in_name(address) for address in listed)
    distances = [
        abs((item.effective - day).days)
        for item in KNOWN
        if item.effective and (day := date_in_name(item.addresses[0]))
    ]
    assert max(distances) == 12
