"""Citations that a rule and its heir share."""

import pytest

from tests.pure.test_align import edition
from variorum.history.aligning.sides import Side
from variorum.history.canonical import Folder
from variorum.history.kept_citations import citations_kept

BASICS = ("1 Basics", "100 General", "100.1 Gulls rest.", "100.2 Boats float.")


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        ("See rule 100.1.", "See rule 100.2.", [("100.1", "100.2")]),
        ("See rule 100.1.", "At dawn, see rule 100.2.", [("100.1", "100.2")]),
        ("See rule 100.1 at dawn.", "Read rule 100.2 at dusk.", [("100.1", "100.2")]),
        # Only two of the words around it are the same.
        ("See rule 100.1.", "Read rule 100.1.", []),
        ("See rules 100.1-100.2.", "See rules 100.1-100.2.", [("100.1",) * 2, ("100.2",) * 2]),
        ("See rules 100.1-100.9.", "See rules 100.1-100.9.", [("100.1",) * 2]),
        ("See rule 100.1.", "Gulls see it.", []),
    ],
)
def test_kept(before: str, after: str, kept: list[tuple[str, str]]) -> None:
    """In other words, citations correspond only amid three equal words; both ends must be known."""
    folder = Folder()
    old, new = (Side(edition(*BASICS, f"100.3 {words}"), folder) for words in (before, after))

    pairs = citations_kept(old.items[old.by_name["100.3"]], new.items[new.by_name["100.3"]])

    assert [(old.items[one].address, new.items[two].address) for one, two in pairs] == kept
