"""Classes of changes."""

import pytest

from variorum.history.canonical import Folder
from variorum.history.sides import Side
from variorum.history.steps import links_between
from variorum.rows import State

CITED = "Whoever sees the signal from the sea must answer it before the next tide begins."
BESIDE = "Octopuses juggle seven silver anchors nightly below the old stone pier."
FOLDER = Folder()


def rule(number: str, body: str) -> State:
    """Return a rule."""
    return State("rule", number, number, "", body, "100", "", "", id=hash(body))


def edition(place: str, words: str, cited: str, count: int) -> Side:
    """Return an edition with a rule 100.1, some rules about a place, and one that others cite."""
    many = [
        rule(f"101.{n}", f"The {ship} of keeper {n} lies in the {place}.")
        for n, ship in enumerate(["sloop", "brig", "ketch", "yawl", "cutter", "barge"][:count])
    ]
    both = [CITED, BESIDE] if cited == "100.2" else [BESIDE, CITED]
    states = [rule("100.1", words), *map(rule, ("100.2", "100.3"), both), *many]
    return Side(states, FOLDER)


@pytest.mark.parametrize(
    ("before", "after", "cited", "count", "expected"),
    [
        ("The same.", "The same.", "100.2", 5, ""),
        ("A player's.", "A player’s.", "100.2", 5, "typographic"),
        ("One, two.", "One two.", "100.2", 5, "typographic"),
        ("See rule 100.2.", "See rule 100.3.", "100.3", 5, "citation-only"),
        ("See rule 100.2.", "See rule 100.3.", "100.2", 5, "substantive"),
        ("My boat is in the harbor.", "My boat is in the bay.", "100.2", 4, "sweep"),
        # A phrase replaced in only four provisions is a rewording.
        ("My boat is in the harbor.", "My boat is in the bay.", "100.2", 3, "substantive"),
        ("My boat is in the harbor.", "My ship is in the bay.", "100.2", 5, "substantive"),
        ("A player can.", "A player can't.", "100.2", 5, "substantive"),
    ],
)
def test_classes(before: str, after: str, cited: str, count: int, expected: str) -> None:
    """A replacement throughout is a sweep; a new cited number is no substantive change."""
    old, new = edition("harbor", before, "100.2", count), edition("bay", after, cited, count)

    links = links_between(old, new, ("", ""), 1, {})

    changes = {link.old: link.change for link, _ in links}
    assert changes.get(old.items[0].state.id, "") == expected
