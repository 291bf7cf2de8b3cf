"""Poisoned documents are not trusted; each goes to quarantine with its difference."""

import re
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.crawler.mirror import Mirror
from tests.crawler.syncing import NAMES, NEWEST, SAMPLE, Place, good
from tests.support.original_files import docx
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.cli.main import main

pytestmark = pytest.mark.usefixtures("no_indexes")

TEXT = SAMPLE[NEWEST].decode("utf-8-sig")
SOON = datetime.now(UTC).date() + timedelta(days=9)
NEXT = f"{SOON:%B} {SOON.day}, {SOON.year}"
HELD = "May 30, 2025"


@pytest.fixture
def place(sample_base: Path, tmp_path: Path, mirror: Mirror) -> Place:
    """Return a base of the whole sample rulebook; the mirror offers one more edition."""
    made = Place(tmp_path)
    shutil.copytree(sample_base, made.kb)
    made.offer_known(mirror, ["next.txt"])
    return made


def redated(text: str, day: str = NEXT) -> str:
    """Return the newest sample edition under another date."""
    assert HELD in text
    return text.replace(HELD, day)


def rules(text: str) -> list[str]:
    """Return the lines of a text that are rules of its first sections."""
    return re.findall(r"(?m)^10\d\.\d+\. .*$", text)


def without(text: str, lines: list[str]) -> str:
    """Return a text without some of its lines."""
    for line in lines:
        assert f"{line}\n" in text
        text = text.replace(f"{line}\n", "", 1)
    return text


def exchanged(text: str, lines: list[str]) -> str:
    """Return a text in which pairs of rules have exchanged their words."""
    for line, next_line in zip(lines[::2], lines[1::2], strict=False):
        number, _, words = line.partition(" ")
        other_number, _, other_words = next_line.partition(" ")
        text = text.replace(line, f"{number} {other_words}", 1)
        text = text.replace(next_line, f"{other_number} {words}", 1)
    return text


BODY = rules(TEXT[TEXT.rindex("100. General") :])
CUT = re.findall(r"(?m)^704\.5[b-d]\.? .*$", TEXT)
POISONED = {
    "one word": (
        TEXT.replace(" may ", " must ", 1),
        r"another text of 2025-05-30: 1 word differs: ",
    ),
    "escape": (
        redated(TEXT).replace(" may ", " \x1b[2Jmay ", 1),
        r"control characters: .* in line \d+",
    ),
    "bidi": (
        redated(TEXT).replace(" may ", " \u202emay ", 1),
        r"control characters: right-to-left",
    ),
    "zero width": (
        redated(TEXT).replace(" may ", " ma\u200by ", 1),
        r"control characters: zero width",
    ),
    "re-dated": (
        redated(TEXT),
        r"it is the edition of 2025-05-30 under another date: the same words",
    ),
    "rules cut": (
        without(redated(TEXT), CUT).replace(" may ", " must ", 9),
        r"\d rules missing: 704\.5b to 704\.5\w",
    ),
    "exchanged": (
        exchanged(redated(TEXT), BODY[:8]),
        r"6 rules have changed places with each other: 100\.1 is now 100\.2, ",
    ),
    "older": (
        SAMPLE[NAMES[2]].decode().replace("March 1, 2006", NEXT),
        r"it is the edition of 2006-03-01 under another date",
    ),
    "breaks the reader": (
        docx('<w:p><w:r><w:sym w:char="-5"/></w:r></w:p>'),
        r"cannot be read: ValueError in variorum_kb\.reading\.originals\.docx:\d+: ",
    ),
}


@pytest.mark.parametrize("name", POISONED)
def test_poisoned(place: Place, mirror: Mirror, name: str) -> None:
    """A poisoned text goes to quarantine with its differences, the exit code is 1, the base stays."""
    text, reason = POISONED[name]
    before = place.contents()
    mirror.serve("/next.txt", good(text if isinstance(text, bytes) else text.encode()))

    (entry,) = place.sync(code=1)["quarantined"]

    assert re.match(reason, entry["reason"]), entry["reason"]
    assert place.contents() == before


def test_next_edition(place: Place, mirror: Mirror) -> None:
    """The next genuine edition is added, marked "one source" until a second source has it."""
    text = redated(TEXT).replace(BODY[-1], f"{BODY[-1]} Nobody else may look.")
    mirror.serve("/next.txt", good(text if isinstance(text, bytes) else text.encode()))

    assert place.sync()["new"] == [SOON.isoformat()]

    assert doubts(place) == ("one source",)
    with Mirror() as second:
        second.serve("/copy.txt", good(text.replace("\r\n", "\n").encode()))
        place.offer_known(second, ["copy.txt"])
        place.sync()
    assert doubts(place) == ()


def test_days_are_apart(place: Place, mirror: Mirror) -> None:
    """A text of a known day that the base lacks is not compared with other days' texts."""
    for file, day in (("next.txt", "July 11, 2009"), ("later.txt", "October 1, 2009")):
        text = redated(TEXT, day).replace(BODY[-1], f"{BODY[-1]} So it was on {day}.")
        mirror.serve(f"/{file}", good(text if isinstance(text, bytes) else text.encode()))
    place.offer_known(mirror, ["next.txt", "later.txt"])

    reasons = [entry["reason"] for entry in place.sync(code=1)["quarantined"]]

    assert sorted(reasons) == [
        f"not the known text of {day}, which the archive does not have"
        for day in ("2009-07-11", "2009-10-01")
    ]


def doubts(place: Place) -> tuple[str, ...]:
    """Return the doubts about the edition of the latest answer."""
    with KnowledgeBase.open(place.kb) as base:
        return base.edition("latest").doubts


def test_accept_from_quarantine(place: Place, mirror: Mirror) -> None:
    """A document from quarantine that a person accepts becomes an issue, until revoked."""
    before = place.contents()
    mirror.serve("/next.txt", good(POISONED["one word"][0].encode()))
    (entry,) = place.sync(code=1)["quarantined"]
    sha256 = entry["sha256"]

    accept = ["accept", "--kb", str(place.kb)]
    accepted = CliRunner().invoke(main, [*accept, sha256[:12]])

    assert re.search(r"2025-05-30\.\d, attested by person$", accepted.output)
    assert not (place.kb / "quarantine" / sha256).exists()
    assert CliRunner().invoke(main, [*accept, "--revoke", sha256[:12]]).exit_code == 0
    with KnowledgeBase.open(place.kb) as base:
        assert [item.label for item in base.editions][-1] == "2025-05-30"
        assert len([item for item in base.witnesses.all() if item["layout"] == "copy"]) == 1
    assert place.contents() != before
