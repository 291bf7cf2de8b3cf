"""Phrases that the real editions replaced throughout, compared with their announcements."""

import pytest

from variorum_kb.answers.between_editions.change_finder import find_changes
from variorum_kb.answers.knowledge_base import KnowledgeBase

pytestmark = pytest.mark.corpus


@pytest.mark.parametrize(
    ("before", "after", "replaced", "kept"),
    [
        (
            "2009-05-01",
            "2009-07-11",
            {("play", "cast"), ("in play", "on the battlefield"), ("played", "activated")},
            {"static", "effects", "triggered", "your", "or ability"},
        ),
        (
            "2021-02-05",
            "2021-04-22",
            {("converted mana cost", "mana value")},
            {"cost", "mana cost"},
        ),
        ("2018-10-05", "2026-08-07", {("tribal", "kindred")}, {"planeswalker", "cost", "paying"}),
        (
            "2003-05-26",
            "2026-08-07",
            {("his or her", "their")},
            {"card", "permanent", "end", "cards"},
        ),
        ("2010-04-23", "2010-07-16", set[tuple[str, str]](), {"section"}),
    ],
)
def test_replaced_throughout(
    base: KnowledgeBase,
    before: str,
    after: str,
    replaced: set[tuple[str, str]],
    kept: set[str],
) -> None:
    """Replaced phrases are named; words that the newer edition still uses are not."""
    swept = find_changes(base, before, after).swept

    assert replaced <= {(old, new) for old, new, _ in swept}
    assert not kept & {old for old, _, _ in swept}
    assert all(count >= 5 for _, _, count in swept)
