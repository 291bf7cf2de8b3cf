"""The nine bulletins of the corpus, read and compared with the real editions."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.sources.comparing.attestation_types import Attested, PassageVerdict
from variorum_kb.sources.comparing.bulletins.bulletins import attest_bulletin
from variorum_kb.sources.reading.bulletins.bulletins import Bulletin
from variorum_kb.sources.reading.page import Page

pytestmark = pytest.mark.corpus

MOVES = Path(__file__).resolve().parents[2] / "lab" / "score" / "moves.tsv"


@pytest.fixture(scope="module")
def bulletins(corpus: Path) -> dict[str, Bulletin]:
    """Return the bulletins by the first seven characters of their names, then the next three."""
    folder = corpus / "bulletins"
    if not folder.is_dir():
        pytest.skip("no folder of bulletins in the corpus")
    return {
        path.name[:10]: bulletin
        for path in sorted(folder.iterdir())
        if (bulletin := Page(path.read_bytes(), path.name).bulletin)
    }


@pytest.fixture(scope="module")
def attested(base: KnowledgeBase, bulletins: dict[str, Bulletin]) -> dict[str, Attested]:
    """Return the bulletins compared with all editions."""
    return {day: attest_bulletin(base, bulletin, day) for day, bulletin in bulletins.items()}


def test_every_line(bulletins: dict[str, Bulletin]) -> None:
    """Each line of each bulletin is accounted for."""
    assert len(bulletins) == 9
    assert [bulletin.ledger.unaccounted for bulletin in bulletins.values()] == [()] * 9


def test_only_bulletins_are_bulletins(corpus: Path) -> None:
    """No other document of the corpus is read as a bulletin."""
    for path in sorted([*(corpus / "other").glob("*.txt"), *(corpus / "official").glob("*2*.txt")])[
        ::9
    ]:
        assert Page(path.read_bytes(), path.name).bulletin is None, path.name


def test_steps(base: KnowledgeBase, attested: dict[str, Attested]) -> None:
    """Each bulletin is matched with its edition, or with the next one."""
    by_name = {day: base.editions[value.first or 0].label for day, value in attested.items()}

    assert by_name == {
        "2008-07-09": "2008-07-15",
        "2009-04-22": "2009-05-01",
        "2009-07-08": "2009-07-11",
        "2009-09-03": "2009-10-01",
        "2009-09-30": "2009-10-01",
        "2013-07-12": "2013-07-13",
        "2015-07-16": "2015-09-26",
        "2018-04-13": "2018-04-27",
        "2021-07-15": "2021-07-23",
    }


def test_verdicts(attested: dict[str, Attested]) -> None:
    """Nearly all announcements are confirmed."""
    counter = Counter(passage.verdict for page in attested.values() for passage in page.passages)

    assert counter[PassageVerdict.CONFIRMED] >= 555
    assert counter[PassageVerdict.CONTRADICTED] <= 14
    assert counter[PassageVerdict.UNKNOWN] <= 4


def test_slips_of_the_bulletins(attested: dict[str, Attested]) -> None:
    """Wrong numbers in bulletins are reported: 601.5 for 601.15, 713.1 for 713.1a."""
    april, origins = attested["2009-04-22"], attested["2015-07-16"]

    (slip,) = [
        passage for passage in april.passages if passage.verdict is PassageVerdict.CONTRADICTED
    ]
    assert (slip.number, slip.becomes) == ("601.14", "601.5")
    assert slip.evidence[-1] == "601.14 went to 601.15"
    (attestation,) = [
        passage for passage in origins.passages if passage.verdict is PassageVerdict.CONTRADICTED
    ]
    assert attestation.evidence[-1].endswith("new below it: 713.1a")


def test_moves(base: KnowledgeBase, attested: dict[str, Attested]) -> None:
    """Most of the moves that people noted in them are confirmed, with the same two ends."""
    rows: set[tuple[str, str, str]] = set()
    for page in attested.values():
        place = page.first or 0
        names = {
            match.state.id: match.address
            for at in (place - 1, place)
            for match in base.provisions(base.editions[at])
        }
        for passage in page.passages:
            if passage.verdict is PassageVerdict.CONFIRMED:
                ends = (_name(names, passage.former), _name(names, passage.provision))
                rows.add((base.editions[place].label, *ends))
                if any(line.startswith("new beside") for line in passage.evidence):
                    rows.add((base.editions[place].label, "", ends[1]))
    with MOVES.open(encoding="utf-8") as lines:
        moves = [row for row in csv.DictReader(lines, delimiter="\t") if row["new_number"]]
    plain = [row for row in moves if "glossary" not in row["old_number"] + row["new_number"]]

    hits = [
        row
        for row in plain
        if any(
            (row["new_edition"], row["old_number"], new) in rows
            for new in row["new_number"].split(";")
        )
    ]

    assert len(hits) >= 0.85 * len(plain)


def _name(names: dict[int, str], state: int | None) -> str:
    return "" if state is None else names.get(state, "")
