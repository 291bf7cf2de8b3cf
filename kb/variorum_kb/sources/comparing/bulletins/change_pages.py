"""Recognises change pages, which print each changed rule before and after a step."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from variorum_kb.answers.quotations.quotation_search import FoundQuotation
from variorum_kb.sources.comparing.excerpts.quoted_provision import QuotedProvision
from variorum_kb.text.folding import fold_words
from variorum_kb.thresholds.passages import MOSTLY_KNOWN

_FEWEST_PAIRS = 2


@dataclass(frozen=True, slots=True)
class ShownStep:
    """The step that a change page shows.

    Attributes:
        before: The place of the earlier edition.
        after: The place of the later edition.
        sides: The place of the edition of each quote, in printed order.
    """

    before: int
    after: int
    sides: tuple[int, ...]


def find_step(
    quotes: Sequence[QuotedProvision], quotations: Sequence[FoundQuotation], editions: int
) -> ShownStep | None:
    """Return the step that a document shows; None if no numbers are printed twice."""
    pairs = [
        (place, place + 1)
        for place, (first, second) in enumerate(pairwise(quotes))
        if first.quoted.number == second.quoted.number != ""
        and fold_words(first.quoted.words) != fold_words(second.quoted.words)
    ]
    if len(pairs) < _FEWEST_PAIRS:
        return None
    # By the later edition: how many readings stand in the edition of their side.
    points = {
        after: sum(
            [
                (quotations[first].editions >> (after - 1) & 1)
                + (quotations[second].editions >> after & 1)
                for first, second in pairs
            ]
        )
        for after in range(1, editions)
    }
    after = max(points, key=lambda place: points[place], default=0)
    if not after or points[after] <= MOSTLY_KNOWN * 2 * len(pairs):
        return None
    before = after - 1
    sides = dict.fromkeys([first for first, _ in pairs], before)
    return ShownStep(
        before,
        after,
        tuple(
            [
                sides.get(place, before if _is_older(quotation, after) else after)
                for place, quotation in enumerate(quotations)
            ]
        ),
    )


def _is_older(quotation: FoundQuotation, after: int) -> bool:
    """Say whether a provision printed once was removed by the step."""
    return not quotation.editions >> after & 1 and bool(quotation.editions >> (after - 1) & 1)
