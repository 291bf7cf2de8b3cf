"""Citations of the real editions, compared with those that a reader found in twelve of them."""

import csv
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.edition_files import load_edition
from variorum_kb.model import Provision
from variorum_kb.references.find import find_references

pytestmark = pytest.mark.corpus

TABLE = Path(__file__).with_name("citations.tsv")
LEAST = 0.995
ERAS = {
    "1999 to 2003": (date(1999, 1, 1), date(2003, 12, 31)),
    "2004 to May 2009": (date(2004, 1, 1), date(2009, 5, 31)),
    "July 2009 to 2016": (date(2009, 7, 1), date(2016, 12, 31)),
    "2017 to 2026": (date(2017, 1, 1), date(2026, 12, 31)),
}


class Citation(NamedTuple):
    """The place of a printed citation, and its number.

    Attributes:
        address: The number of the provision, or the headword of the glossary entry.
        part: "text", "heading" or "example 1".
        start: In code points from the start of the part.
        end: The end, exclusive.
    """

    edition: str
    address: str
    part: str
    start: int
    end: int
    first: str
    last: str


class Sample(NamedTuple):
    """The provisions that a reader checked, and their citations.

    Attributes:
        provisions: Edition and address of each provision; many cite nothing.
        citations: All citations in these provisions.
    """

    provisions: frozenset[tuple[str, str]]
    citations: frozenset[Citation]


@pytest.fixture(scope="module")
def read() -> Sample:
    """Return the citations that a reader found."""
    with TABLE.open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    return Sample(
        frozenset((row["edition"], row["address"]) for row in rows),
        frozenset(_citation(row) for row in rows if row["part"] != "-"),
    )


def _citation(row: dict[str, str]) -> Citation:
    return Citation(
        row["edition"],
        row["address"],
        row["part"],
        int(row["start"]),
        int(row["end"]),
        row["first"],
        row["last"],
    )


@pytest.fixture(scope="module")
def by_finder(read: Sample, corpus: Path) -> Sample:
    """Return the finder's citations in the same provisions."""
    dates = {edition for edition, _ in read.provisions}
    with (corpus / "editions.tsv").open(encoding="utf-8", newline="") as table:
        files = {
            row["effective_date"]: row["file"] for row in csv.DictReader(table, delimiter="\t")
        }
    provisions = {
        (day, provision.address): provision
        for day in sorted(dates)
        for edition in [load_edition(corpus / "official" / files[day])]
        for provision in (*edition.provisions, *edition.glossary)
    }
    here = read.provisions & provisions.keys()
    citations = (citation for at in here for citation in _citations(*at, provisions[at]))
    return Sample(frozenset(here), frozenset(citations))


def _citations(edition: str, address: str, provision: Provision) -> Iterator[Citation]:
    parts = {"heading": provision.heading, "text": provision.text}
    parts |= {f"example {place}": text for place, text in enumerate(provision.examples, 1)}
    for part, text in parts.items():
        for reference in find_references(text):
            yield Citation(
                edition,
                address,
                part,
                reference.start,
                reference.end,
                reference.first,
                reference.last,
            )


def test_provisions_stand(read: Sample, by_finder: Sample) -> None:
    """Every provision that was read is still at the place in the table."""
    assert sorted(read.provisions - by_finder.provisions) == []


@pytest.mark.parametrize("era", ERAS)
def test_precision_and_recall(read: Sample, by_finder: Sample, era: str) -> None:
    """In each era nearly all of 300 citations are found, and nearly nothing else."""
    since, until = ERAS[era]

    true, ours = (
        {
            citation
            for citation in sample.citations
            if since <= date.fromisoformat(citation.edition) <= until
        }
        for sample in (read, by_finder)
    )

    assert len(true) >= 300
    right = len(true & ours)
    assert right / len(ours) >= LEAST, sorted(ours - true)
    assert right / len(true) >= LEAST, sorted(true - ours)


def test_eras_are_sampled(read: Sample) -> None:
    """The sample has three editions of each era, and provisions that cite nothing."""
    citing = {(citation.edition, citation.address) for citation in read.citations}
    dates = sorted({date.fromisoformat(edition) for edition, _ in read.provisions})

    for since, until in ERAS.values():
        editions = [day.isoformat() for day in dates if since <= day <= until]
        silent = [at for at in read.provisions - citing if at[0] in editions]
        assert len(editions) == 3
        assert len(silent) > 300
