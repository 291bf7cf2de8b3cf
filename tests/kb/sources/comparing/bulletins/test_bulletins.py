"""Bulletins about the sample rulebook, compared with its editions."""

from pathlib import Path

import pytest

from tests.support.small_bases import build
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.errors import LayoutError
from variorum_kb.sources.comparing.attestation_types import Attestation, Attested, PassageVerdict
from variorum_kb.sources.comparing.bulletins.bulletins import attest_bulletin
from variorum_kb.sources.reading.page import Page

SAMPLE = Path(__file__).resolve().parents[5] / "kb" / "variorum_kb" / "sample"

# A bulletin about the step from 2015-04-17 to 2017-11-10.
HARBOUR = """\
Harbour Rules Changes

Posted on November 3, 2017. By Ada Lantern

**104.3 & 104.4**
These two rules are switching places. The order that they had was odd.

**702.3**
This rule was deleted. Nobody drifts any more. Subsequent rules in this section were renumbered.

**712**
This is a new section about towing.

**103.5**
This rule was clarified.

**201.2, 900.1**
These rules speak of names.

**200.1**
This rule was reworded.

**705**
The coin rules got some fixes.

**901.2**
This rule was deleted.

**100.2**
This is a new rule.

**101.1**
The old 101.1 becomes 101.2.

**702.8**
The old 702.9 is becoming 702.8.

**777.7**
This rule was deleted.

**Glossary: Mulligan**
This entry was edited.

**Glossary**
New entries were added for sextant.
"""

# A bulletin about the step from 2010-01-22 to 2015-04-17, only in sentences.
PIERS = """\
News from the piers

100.2 was split into 100.2 and 100.3.

The old 103.4 & 103.5 are renumbered to 103.5 and 103.6.

Rules 702.11 and 704.5h have been added.

505.5 is now 505.5.
"""


def attest(base: KnowledgeBase, text: str) -> Attested:
    """Compare a bulletin with the editions."""
    bulletin = Page(text.encode(), "page").bulletin
    assert bulletin is not None
    return attest_bulletin(base, bulletin, "page")


@pytest.fixture(scope="module")
def harbour(base: KnowledgeBase) -> Attested:
    """Return the bulletin of 2017, compared with the editions."""
    return attest(base, HARBOUR)


def of(attested: Attested, number: str, becomes: str = "") -> Attestation:
    """Return the only attestation of a renumbering."""
    (attestation,) = [
        passage
        for passage in attested.passages
        if (passage.number or passage.headword, passage.becomes) == (number, becomes)
    ]
    return attestation


def name(base: KnowledgeBase, attested: Attested, state: int | None) -> str:
    """Return the number of a state in the edition before or after the step."""
    after = base.editions[attested.first or 0]
    before = base.before(after)
    assert before is not None
    rows = [match for edition in (before, after) for match in base.provisions(edition)]
    return next((match.address for match in rows if match.state.id == state), "")


def test_step(base: KnowledgeBase, harbour: Attested) -> None:
    """The step is found by the bulletin's day and by the announcements that fit."""
    assert harbour.first == harbour.last
    assert base.editions[harbour.first or 0].label == "2017-11-10"
    assert (harbour.layout, harbour.title) == ("bulletin", "Harbour Rules Changes")
    assert (harbour.author, harbour.dated) == ("Ada Lantern", "2017-11-03")
    assert "it announces the step from 2015-04-17 to 2017-11-10" in harbour.evidence


def test_switched(base: KnowledgeBase, harbour: Attested) -> None:
    """If two rules switch places, each is confirmed, with the reason."""
    attestation = of(harbour, "104.3", "104.4")

    assert attestation.verdict is PassageVerdict.CONFIRMED
    assert attestation.reason == "The order that they had was odd."
    assert attestation.evidence == (
        "announced as moved",
        "104.3 became 104.4",
    )
    assert name(base, harbour, attestation.provision) == "104.4"
    assert of(harbour, "104.4", "104.3").verdict is PassageVerdict.CONFIRMED


def test_implied(harbour: Attested) -> None:
    """The rules renumbered after a removed one are confirmed one by one, except an announced one."""
    moved = {
        (passage.number, passage.becomes)
        for passage in harbour.passages
        if any("with others" in line for line in passage.evidence)
    }

    assert moved == {
        ("702.4", "702.3"),
        ("702.5", "702.4"),
        ("702.6", "702.5"),
        ("702.7", "702.6"),
        ("702.8", "702.7"),
        ("702.10", "702.9"),
        ("702.11", "702.10"),
    }
    assert of(harbour, "702.9", "702.8").verdict is PassageVerdict.CONFIRMED


def test_implied_up_to_a_number(base: KnowledgeBase) -> None:
    """If a bulletin names the last renumbered rule, later ones are not attested."""
    rest = "Subsequent rules in this section were renumbered."
    assert rest in HARBOUR
    attested = attest(
        base, HARBOUR.replace(rest, "Everything after it was renumbered, from 702.3 to 702.6.")
    )

    moved = [
        passage.number for passage in attested.passages if "with others" in passage.evidence[0]
    ]

    assert moved == ["702.4", "702.5", "702.6"]


def test_contradicted(harbour: Attested) -> None:
    """Announcements that the editions contradict are reported."""
    shown = {
        passage.number or passage.headword or passage.becomes: passage.evidence[-1]
        for passage in harbour.passages
        if passage.verdict is PassageVerdict.CONTRADICTED
    }

    assert shown == {
        "200.1": "200.1 stayed word for word",
        "901.2": "901.2 stayed, with the same words",
        "100.2": "100.2 was there before, with the same words",
        "101.1": "101.1 stayed, with the same words",
        "777.7": "nothing is called 777.7 in either edition",
        "sextant": "nothing is called sextant in either edition",
    }


def test_without_a_day(base: KnowledgeBase) -> None:
    """Without a day, the best fitting of all steps is used."""
    attested = attest(base, PIERS)

    assert base.editions[attested.first or 0].label == "2015-04-17"
    assert of(attested, "100.2", "100.2, 100.3").verdict is PassageVerdict.CONFIRMED
    assert of(attested, "103.4", "103.5").verdict is PassageVerdict.CONFIRMED
    assert of(attested, "103.5", "103.6").verdict is PassageVerdict.CONFIRMED
    assert attested.dated == ""


def test_over_a_gap(tmp_path: Path) -> None:
    """If the announced edition is missing, the next one is used, over the gap."""
    texts = [path for path in SAMPLE.glob("*.txt") if path.stem not in {"2015-04-17", "2017-11-10"}]
    build(tmp_path / "kb", sorted(texts))
    with KnowledgeBase.open(tmp_path / "kb") as base:
        attested = attest(base, HARBOUR)

        assert base.editions[attested.first or 0].label == "2022-02-11"
        assert of(attested, "104.3", "104.4").verdict is PassageVerdict.CONFIRMED
        assert of(attested, "702.9", "702.8").verdict is PassageVerdict.CONFIRMED


def test_one_a_line(base: KnowledgeBase) -> None:
    """Announcements of one line each are confirmed separately, without others' reasons."""
    page = """\
Harbour Rules Changes
November 3, 2017
By Ada Lantern

702.3: This rule is deleted.
702.4-702.5: These rules have been renumbered 702.3-702.4.
712: New section for towing.
702.9 (and its subrules) moved to 702.8.
"""

    attested = attest(base, page)

    assert {passage.verdict for passage in attested.passages} == {PassageVerdict.CONFIRMED}
    assert [(passage.line, passage.number, passage.becomes) for passage in attested.passages] == [
        (5, "702.3", ""),
        (6, "702.4", "702.3"),
        (6, "702.5", "702.4"),
        (7, "", "712"),
        (8, "702.9", "702.8"),
    ]
    assert not any(
        line.startswith("reason") for passage in attested.passages for line in passage.evidence
    )


def test_same_every_time(base: KnowledgeBase, harbour: Attested) -> None:
    """The same bulletin always gets the same result."""
    assert attest(base, HARBOUR) == harbour


def test_error_of_another_game(base: KnowledgeBase) -> None:
    """A bulletin whose announcements fit no step is refused."""
    rows = "\n\n".join([f"{n}.77 becomes {n}.78." for n in range(910, 930)])

    with pytest.raises(LayoutError) as caught:
        attest(base, f"Chess news\n\n{rows}\n")

    assert str(caught.value) == (
        "page: a bulletin, but its announcements fit no step between two editions"
    )


def test_error_one_edition(tmp_path: Path) -> None:
    """With a single edition, there is no step."""
    build(tmp_path / "kb", [SAMPLE / "2015-04-17.txt"])
    with KnowledgeBase.open(tmp_path / "kb") as base, pytest.raises(LayoutError) as caught:
        attest(base, HARBOUR)

    assert str(caught.value) == (
        "page: a bulletin, but its announcements fit no step between two editions"
    )
