"""Every real edition is read without loss, with the recorded counts."""

import collections
import csv
import itertools
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.edition_files import load_edition
from variorum_kb.errors import DocumentError, TruncatedError
from variorum_kb.facts.editions import known_editions
from variorum_kb.model import Condition, Edition, Irregular, Irregularity, Kind, Provision, Role
from variorum_kb.reading.edition import read_edition

pytestmark = pytest.mark.corpus

CODECS = {
    "ASCII": "ascii",
    "CP437": "cp437",
    "MacRoman": "mac_roman",
    "UTF-16BE+BOM": "utf-16",
    "UTF-16LE+BOM": "utf-16",
    "UTF-8": "utf-8",
    "UTF-8+BOM": "utf-8-sig",
    "Windows-1252": "cp1252",
}
# Facts about editions from their announcements and from reading, not from the corpus.
MISPRINTS = {
    ("2005-08-01", "605.2c#2", "609.2c"),
    ("2006-10-01", "432.2b", "423.2b"),
    ("2008-10-01", "306.b", "306.3b"),
    ("2008-10-01", "306.1c", "306.3c"),
    ("2009-10-01", "702.30d#2", "702.30e"),
    ("2010-06-18", "505.54", "505.5"),
    ("2021-09-24", "724.3a", "724.2a"),
    ("2021-09-24", "724.3b", "724.2b"),
    ("2021-09-24", "724.3c", "724.2c"),
    ("2023-04-14", "712.3d", "712.3a"),
    ("2023-04-14", "712.3e", "712.3b"),
    ("2023-04-14", "712.3f", "712.3c"),
}


@pytest.fixture(scope="module")
def readings(editions: tuple[Path, ...]) -> dict[str, Edition]:
    """Return every official edition by its file's name."""
    return {path.name: load_edition(path) for path in editions}


def test_counts(readings: dict[str, Edition], golden: Callable[[str, object], None]) -> None:
    """The counts of each edition are recorded, so any change is noticed."""
    rows = [_row(edition) for edition in readings.values()]
    table = [list(map(str, rows[0])), *([str(value) for value in row.values()] for row in rows)]

    golden("editions.tsv", "".join("\t".join(row) + "\n" for row in table))


def _row(edition: Edition) -> dict[str, object]:
    kinds = collections.Counter(provision.kind for provision in edition.provisions)
    lines = dict(edition.ledger.accounted)
    odd = collections.Counter(irregularity.kind for irregularity in _irregularities(edition))
    return {
        "effective": edition.effective.isoformat(),
        "sha256": edition.sha256[:12],
        "layout": edition.layout,
        "encoding": edition.decoding.encoding,
        "condition": edition.condition.value,
        "chapters": kinds[Kind.CHAPTER],
        "sections": kinds[Kind.SECTION],
        "rules": kinds[Kind.RULE],
        "subrules": kinds[Kind.SUBRULE],
        "headed": sum(
            bool(provision.heading)
            for provision in edition.provisions
            if provision.kind is Kind.RULE
        ),
        "examples": edition.counts()["examples"],
        "glossary": len(edition.glossary),
        "introduction": len(edition.introduction),
        "index": len(edition.index),
        "credits": len(edition.credits),
        "lines": edition.ledger.lines,
        "blank": edition.ledger.blank,
        "contents": lines.get(Role.CONTENTS, 0),
        "hyphens": len(edition.ledger.hyphens),
        "characters": edition.ledger.characters,
        "irregular": sum(odd.values()),
        "of_numbers": sum(number for kind, number in odd.items() if kind in _OF_NUMBERS),
    }


_OF_NUMBERS = {
    Irregular.MISNUMBERED,
    Irregular.MALFORMED_NUMBER,
    Irregular.PRINTED_TWICE,
    Irregular.NUMBERS_SKIPPED,
}


def _irregularities(edition: Edition) -> Iterator[Irregularity]:
    yield from edition.irregularities
    for provision in (*edition.provisions, *edition.glossary):
        yield from provision.irregularities


def test_facts(readings: dict[str, Edition], corpus: Path) -> None:
    """Date, encoding, line ends and hash are those in the table of the corpus."""
    with (corpus / "editions.tsv").open(encoding="utf-8", newline="") as table:
        rows = {row["file"]: row for row in csv.DictReader(table, delimiter="\t")}

    for name, edition in readings.items():
        row, ends = rows[name], edition.line_ends
        assert edition.effective.isoformat() == row["effective_date"]
        assert edition.decoding.encoding == CODECS[row["encoding"]]
        assert f"{ends.crlf}/{ends.cr}/{ends.lf}" == row["CRLF/CR/LF"]
        assert edition.sha256 == row["sha256"]
        facts = known_editions()[edition.effective]
        assert (facts.set_code, facts.set_name) == (row["set_code"], row["set_name"])
        assert edition.sha256 in facts.issues


def test_ledgers(readings: dict[str, Edition]) -> None:
    """Every line and character of every edition is accounted for."""
    assert [name for name, edition in readings.items() if not edition.ledger.is_complete] == []
    assert {edition.condition for edition in readings.values()} == {Condition.SOUND}


def test_misprints(readings: dict[str, Edition]) -> None:
    """The known misprinted numbers are found, each with the number meant."""
    rows = {
        (edition.effective.isoformat(), provision.address, str(provision.meant))
        for edition in readings.values()
        for provision in edition.provisions
        for odd in provision.irregularities
        if odd.kind in {Irregular.MISNUMBERED, Irregular.MALFORMED_NUMBER}
    }

    assert rows >= MISPRINTS
    # Editions printed 432.2b until 2007-09-07.
    assert {row for row in rows - MISPRINTS if row[1] != "432.2b"} == set()


def test_numbers_in_order(readings: dict[str, Edition]) -> None:
    """The provisions of every edition are in the order of the meant numbers, each once."""
    for edition in readings.values():
        meant = [provision.meant for provision in edition.provisions if provision.meant is not None]
        assert meant == sorted(set(meant))


def test_glossaries_in_order(readings: dict[str, Edition]) -> None:
    """Headwords are in alphabetical order, except for a few that editions misplace."""
    for edition in readings.values():
        words = [_letters(provision.heading) for provision in edition.glossary]
        misplaced = sum(two < first for first, two in itertools.pairwise(words))
        assert misplaced < 0.04 * len(words), edition.effective
        assert all(_has_words(provision) for provision in edition.glossary), edition.effective


def _letters(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum() or sign == " ")


def _has_words(entry: Provision) -> bool:
    return bool(entry.text) and len(entry.heading) < 80


def test_neighbours(readings: dict[str, Edition]) -> None:
    """Most rules equal those of an adjacent edition, so lines are unwrapped alike in all editions."""
    for text, item in (
        ("20020220-TOR.txt", "20030315-LGN.txt"),
        ("20040201-DST.txt", "20041001-CHK.txt"),
    ):
        texts = {_folded(provision) for provision in readings[item].provisions}
        known = sum(_folded(provision) in texts for provision in readings[text].provisions)
        assert known / len(readings[text].provisions) > 0.8


def _folded(provision: Provision) -> str:
    everything = " ".join([provision.heading, provision.text, *provision.examples])
    for sign in ("(TM)", "(tm)", "(R)", "(r)", "™", "®"):
        everything = everything.replace(sign, "")
    return everything.replace("—", "-").replace("--", "-").replace("\N{EN DASH}", "-")


@pytest.mark.parametrize(
    ("file", "condition", "note"),
    [
        (
            "20051001-RAV-ufffd.txt",
            Condition.LOSSY,
            "lost characters, replaced by U+FFFD: 3824",
        ),
        (
            "20180119-RIX-gbk.txt",
            Condition.LOSSY,
            "lost signs, such as the registered sign, replaced by ?: 15",
        ),
        (
            "20190503-WAR-mojibake.txt",
            Condition.REPAIRED,
            "utf-8 read as latin-1 and saved as UTF-8: 19073 characters decoded once more",
        ),
        (
            "20220429-lzybluee-indented.txt",
            Condition.REPAIRED,
            "rules and subrules are set in by blanks; dropped",
        ),
        (
            "20260227-TMT-crcrlf.txt",
            Condition.REPAIRED,
            "9274 line ends were CR CR LF; one CR of each dropped",
        ),
        # Another issue of its date, with no-break spaces in blank lines, is not damaged.
        ("20260807-HOB-first-release-nbsp.txt", Condition.SOUND, None),
    ],
)
def test_damaged(
    readings: dict[str, Edition], corpus: Path, file: str, condition: Condition, note: str | None
) -> None:
    """A damaged copy has the same provisions as the sound one, and reports its losses."""
    damaged = load_edition(corpus / "damaged" / file)

    (sound,) = (reading for reading in readings.values() if reading.effective == damaged.effective)
    assert damaged.condition is condition
    assert damaged.notes == ((note,) if note else ())
    assert [provision.address for provision in damaged.provisions] == [
        provision.address for provision in sound.provisions
    ]
    assert [provision.meant for provision in damaged.provisions] == [
        provision.meant for provision in sound.provisions
    ]
    assert len(damaged.glossary) == len(sound.glossary)
    assert damaged.counts()["examples"] == sound.counts()["examples"]
    assert damaged.ledger.is_complete


@pytest.mark.parametrize(
    ("file", "sound"),
    [
        ("20190503-WAR-mojibake.txt", "20190503-WAR.txt"),
        ("20260227-TMT-crcrlf.txt", "20260227-TMT.txt"),
    ],
)
def test_repaired_copies_are_equal(
    readings: dict[str, Edition], corpus: Path, file: str, sound: str
) -> None:
    """Repaired copies read exactly as the sound document."""
    repaired = load_edition(corpus / "damaged" / file)

    assert _contents(repaired) == _contents(readings[sound])


def _contents(edition: Edition) -> list[object]:
    return [
        [
            (provision.address, provision.heading, provision.text, provision.examples)
            for provision in edition.provisions
        ],
        [(provision.heading, provision.text, provision.examples) for provision in edition.glossary],
        edition.introduction,
        edition.credits,
    ]


def test_error_truncated(corpus: Path) -> None:
    """A document that ends within the glossary is refused, with the line."""
    path = corpus / "damaged" / "20110930-ISD-truncated.txt"

    with pytest.raises(TruncatedError) as caught:
        load_edition(path)

    assert str(caught.value) == f"{path}:5618: ends inside the glossary, without credits"


@pytest.mark.slow
def test_fuzz(editions: tuple[Path, ...]) -> None:
    """Real editions that were cut, spliced and shuffled are read, or refused with our own errors."""
    chance = random.Random(1999)
    for _ in range(60):
        data, second = (chance.choice(editions).read_bytes() for _ in range(2))
        cut, paste = chance.randrange(len(data)), chance.randrange(len(second))
        lines = data[: len(data) // 3].split(b"\n")
        for changed in (
            data[:cut],
            data[cut:],
            data[:cut] + second[paste:],
            b"\n".join(chance.sample(lines, len(lines))),
        ):
            try:
                assert read_edition(changed, "a.txt").ledger.is_complete
            except DocumentError:
                continue
