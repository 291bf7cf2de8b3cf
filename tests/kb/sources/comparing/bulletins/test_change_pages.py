"""The step that a page shows by printing each changed rule before and after it."""

import pytest

from variorum_kb.answers.quotations.quotation_matching import Quoted
from variorum_kb.answers.quotations.quotation_search import FoundQuotation
from variorum_kb.sources.comparing.bulletins.change_pages import ShownStep, find_step
from variorum_kb.sources.comparing.excerpts.quoted_provision import QuotedProvision

# Number and words of each reading, and the editions that have it.
Row = tuple[str, str, set[int]]
FIRST: list[Row] = [("705.1", "It was lit.", {0, 1}), ("705.1", "It is lit.", {2})]
SECOND: list[Row] = [("705.2", "It sank.", {1}), ("705.2", "It sinks.", {2, 3})]
LOST: list[Row] = [("705.2", "It sank.", set()), ("705.2", "It sinks.", set())]
ALONE: list[Row] = [
    ("706.1", "It went.", {0, 1}),
    ("706.2", "It came.", {2}),
    ("706.3", "?", set()),
]


@pytest.mark.parametrize(
    ("rows", "step"),
    [
        ([*FIRST, *SECOND, *ALONE], (1, 2, (1, 2, 1, 2, 1, 2, 2))),
        (FIRST, None),
        ([*FIRST, *LOST], None),
        ([*FIRST, ("705.2", "It sinks.", {1}), ("705.2", "It sinks!", {2})], None),
        ([*FIRST, ("", "It sank.", {1}), ("", "It sinks.", {2})], None),
    ],
)
def test_step(rows: list[Row], step: tuple[int, int, tuple[int, ...]] | None) -> None:
    """Two numbers printed twice, in other words that two editions have, show a step."""
    quoted = [Quoted(number, "", words) for number, words, _ in rows]
    found = [
        FoundQuotation(quote, (), sum(1 << place for place in places))
        for quote, (_, _, places) in zip(quoted, rows, strict=True)
    ]

    assert find_step([QuotedProvision((), quote) for quote in quoted], found, 4) == (
        step and ShownStep(*step)
    )
    assert find_step([], [], 0) is None
