"""The smallest documents, and the farthest days, from which anything is concluded."""

from datetime import date, timedelta

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.errors import LayoutError
from variorum_kb.sources import recognise_kind
from variorum_kb.sources.comparing.attestation_types import Attested

# Two of its six announcements hold for the edition of 2017-11-10: enough only near its day.
ANNOUNCED = """\
Harbour Rules Changes

Posted on {:%B} {:%d}, {:%Y}. By Ada Lantern

**201.2**
This is a new rule.

**104.4**
104.4 becomes 104.3.

**702.8a**
This is a new rule.

**601.2**
This rule was deleted.

**777.7**
This rule was deleted.

**705.3**
705.3 becomes 705.4.
"""
EFFECTIVE = date(2017, 11, 10)


def outcome_of(base: KnowledgeBase, text: str) -> Attested:
    """Return what the editions say of a document."""
    document = recognise_kind.read_witness(text.encode(), "page.md")
    return recognise_kind.compare(base, document, "page.md")


@pytest.mark.parametrize(("days", "is_near"), [(-130, True), (30, True), (31, False)])
def test_days_of_a_bulletin(base: KnowledgeBase, days: int, *, is_near: bool) -> None:
    """A bulletin before an edition, or up to 30 days after it, may be about it."""
    day = EFFECTIVE + timedelta(days=days)
    text = ANNOUNCED.format(day, day, day)

    if is_near:
        assert outcome_of(base, text).evidence[1] == (
            "it announces the step from 2015-04-17 to 2017-11-10"
        )
    else:
        with pytest.raises(LayoutError, match="its announcements fit no step"):
            outcome_of(base, text)


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (2, "a translation, too short to say of which edition: 2 of its 2 numbers"),
        (9, "a translation, too short to say of which edition: 9 of its 9 numbers"),
        (10, "a translation of 2025-05-30? 10 of its 10 numbers"),
    ],
)
def test_numbers_of_a_translation(base: KnowledgeBase, count: int, told: str) -> None:
    """Two numbers make a translation; ten tell its edition."""
    numbers = [
        provision.number
        for provision in base.provisions("2025-05-30")
        if provision.number.startswith("704.5")
    ]
    text = "\n\n".join(
        f"{number} Ein Spieler wirft die Münze und gewinnt." for number in numbers[-count:]
    )

    assert outcome_of(base, text).evidence[1].startswith(told)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("It’s a tide check. It’s lit. Nobody sails.", 1),
        ("The active player draws a card. This isn’t sinking.", 2),
        ("Nobody can act then. This isn’t sinking.", 1),
    ],
)
def test_words_of_run_on_text(base: KnowledgeBase, text: str, parts: int) -> None:
    """Eight words may be several rules run together."""
    assert len(outcome_of(base, f"{text}\n\nA lamp isn’t hoisted.\n").passages) == parts + 1
