"""Canonical text."""

import pytest

from variorum.history.canonical import Folder
from variorum.rows import State, join_body
from variorum.text import SLOT


def rule(body: str, heading: str = "") -> State:
    """Return a rule."""
    return State("rule", "100.1", "100.1", heading, body, "100", "", "")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("A player’s “turn”", 'a player\'s "turn"'),
        ("Creature ? Golem", "Creature — Golem"),
        ("the _Magic_(TM) game", "the Magic™ game"),
        ("Ælun's ferry", "Aelun’s ferry"),
        ("state-based actions.", "state–based actions"),
        ("see rule 702.9b.", "see rule 603.7."),
        ("rules 508.1d-f", "rules 508.1a–c"),
    ],
)
def test_equal(first: str, second: str) -> None:
    """Spelling, signs and cited numbers make no difference."""
    folder = Folder()

    assert folder.canon(rule(first)).whole == folder.canon(rule(second)).whole


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("{T}: Add {G}.", "{T}: Add {W}."),
        ("It gets +1/+1.", "It gets +1/+2."),
        ("a player can", "a player can't"),
        ("see rule 702.9b.", "see the rule."),
    ],
)
def test_different(first: str, second: str) -> None:
    """Different symbols or small words make texts different."""
    folder = Folder()

    assert folder.canon(rule(first)).whole != folder.canon(rule(second)).whole


def test_parts() -> None:
    """The heading is apart from the rest; citations are in the order of their slots."""
    folder = Folder()
    body = join_body([("", "See rule 100.2."), ("Example:", "Rule 100.3 does it.")])

    canon = folder.canon(rule(body, "Lamps"))

    assert (len(canon.heading), canon.body.index(SLOT), canon.body.rindex(SLOT)) == (1, 2, 4)
    assert canon.whole == canon.heading + canon.body
    assert len(canon.body) == len(["see", "rule", "slot", "rule", "slot", "does", "it"])
    assert [citation.first for citation in canon.citations] == ["100.2", "100.3"]
