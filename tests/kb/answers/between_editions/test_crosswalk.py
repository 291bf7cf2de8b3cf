"""The outcome of a number: the kinds of all steps between two editions."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from variorum_kb.answers.between_editions.crosswalk import rows_of
from variorum_kb.history.walks import Destination
from variorum_kb.rows import REWORDED, Row

if TYPE_CHECKING:
    from variorum_kb.answers.knowledge_base import KnowledgeBase


def row(number: int, body: str, address: str = "100.1") -> Row:
    """Return a rule with the id of its state."""
    return Row("rule", address, address, "", body, "100", "", "", number)


@pytest.mark.parametrize(
    ("before", "after", "kinds"),
    [
        ("A deck has 100 cards.", "A deck has 100 cards.", ["kept"]),
        ("A deck has 100 cards.", "A deck has 150 cards.", ["reworded"]),
        ("See rule 100.2.", "See rule 103.4.", ["kept"]),
        ("See rule 100.2, “Decks.”", 'See rule 103.4, "Decks."', ["kept"]),
        ("See rule 100.2 now.", "See rule 103.4.", ["reworded"]),
    ],
)
def test_cited_numbers_alone_are_no_rewording(before: str, after: str, kinds: list[str]) -> None:
    """A new cited number is not a rewording; a new count is one."""
    rows = {1: row(1, before), 2: row(2, after)}

    def of(ids: object) -> dict[int, Row]:
        del ids
        return rows

    def names_by_id(ids: object) -> dict[int, str]:
        del ids
        return {key: state.address for key, state in rows.items()}

    stand_in = SimpleNamespace(
        states=SimpleNamespace(of=of), reader=SimpleNamespace(names_by_id=names_by_id)
    )
    base = cast("KnowledgeBase", stand_in)
    (crosswalk_row,) = rows_of(
        base, {1: Destination([2], 2, REWORDED)}, lambda _: [], is_backwards=False
    )

    assert crosswalk_row["kinds"] == kinds
