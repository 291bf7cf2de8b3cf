"""Classes of changes."""

import pytest

from variorum.history.canonical import Folder
from variorum.history.word_diffs import classify, sweeps
from variorum.rows import State


def rule(body: str, number: str = "100.1") -> State:
    """Return a rule."""
    return State("rule", number, number, "", body, "100", "", "")


HARBOR = [(f"The {text} lies in the harbor.", f"The {text} lies in the bay.") for text in "abcdef"]


@pytest.mark.parametrize(
    ("before", "after", "follow", "expected"),
    [
        ("The same.", "The same.", True, ""),
        ("A player's.", "A player’s.", True, "typographic"),
        ("One, two.", "One two.", True, "typographic"),
        ("See rule 100.2.", "See rule 100.3.", True, "citation-only"),
        ("See rule 100.2.", "See rule 100.3.", False, "substantive"),
        ("My boat is in the harbor.", "My boat is in the bay.", True, "sweep"),
        ("My boat is in the harbor.", "My ship is in the bay.", True, "substantive"),
        ("A player can.", "A player can't.", True, "substantive"),
    ],
)
def test_classes(before: str, after: str, *, follow: bool, expected: str) -> None:
    """A replacement throughout is a sweep; a new cited number is no substantive change."""
    folder = Folder()
    canon = [
        (folder.canon(rule(item)).whole, folder.canon(rule(two)).whole) for item, two in HARBOR
    ]
    old, new = ((rule(text), folder.canon(rule(text))) for text in (before, after))

    assert classify(old, new, sweeps(canon), citations_follow=follow) == expected


def test_four_are_no_sweep() -> None:
    """A phrase replaced in only four provisions is a rewording."""
    folder = Folder()
    canon = [
        (folder.canon(rule(item)).whole, folder.canon(rule(two)).whole) for item, two in HARBOR
    ]

    assert not sweeps(canon[:4])
    assert len(sweeps(canon[:5])) == 1
