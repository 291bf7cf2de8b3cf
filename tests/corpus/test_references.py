"""Citations in twelve real editions, compared with those that a reader found."""

import csv
import itertools
import lzma
from collections import defaultdict
from pathlib import Path

import pytest

from variorum.citations import find_references
from variorum.reading.edition import read_edition

pytestmark = pytest.mark.corpus

TABLE = Path(__file__).with_name("citations.tsv.xz")
LEAST = 0.995
ERAS = ("1999", "2004", "2009-07", "2017", "2027")

# Edition, address, part, start and end, first and last number.
Row = tuple[str, ...]


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    """Return the citations that a reader found, and a row for each provision without one."""
    with lzma.open(TABLE, "rt", encoding="utf-8", newline="") as table:
        return [tuple(row) for row in csv.reader(table, delimiter="\t", quoting=csv.QUOTE_NONE)][1:]


@pytest.fixture(scope="module")
def found(rows: list[Row], corpus: Path) -> set[Row]:
    """Return the citations that the finder finds in these provisions."""
    with (corpus / "editions.tsv").open(encoding="utf-8", newline="") as table:
        files = {
            row["effective_date"]: row["file"] for row in csv.DictReader(table, delimiter="\t")
        }
    wanted = defaultdict(set)
    for day, address, *_ in rows:
        wanted[day].add(address)
    result: set[Row] = set()
    for day, addresses in wanted.items():
        path = corpus / "official" / files[day]
        _, read = read_edition(path.read_bytes())
        provisions = {each.address: each for each in read}
        assert addresses <= provisions.keys()
        for address in addresses:
            provision = provisions[address]
            parts = {"heading": provision.heading, "text": provision.text}
            examples = [each.text for each in provision.paragraphs if each.marker]
            parts |= {f"example {place}": each for place, each in enumerate(examples, 1)}
            result |= {
                (day, address, part, str(each.start), str(each.end), each.first, each.last)
                for part, text in parts.items()
                for each in find_references(text)
            }
    return result


@pytest.mark.parametrize(("since", "until"), [*itertools.pairwise(ERAS)])
def test_precision_and_recall(rows: list[Row], found: set[Row], since: str, until: str) -> None:
    """In each era nearly all of 300 citations are found, and nearly nothing else."""
    true = {row for row in rows if since <= row[0] < until and row[2] != "-"}
    ours = {row for row in found if since <= row[0] < until}

    assert len(true) >= 300
    assert len(true & ours) / len(ours) >= LEAST, sorted(ours - true)
    assert len(true & ours) / len(true) >= LEAST, sorted(true - ours)
