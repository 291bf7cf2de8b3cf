"""Recognises change pages, which print each changed rule before and after a step."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from variorum_kb.answers.quotations.quotation_search import FoundQuotation
from variorum_kb.sources.comparing.excerpts.quoted_provision import QuotedProvision
from variorum_kb.text.folding import fold_words
from variorum_kb.thresholds import MOSTLY_KNOWN

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
    firsts, seconds = (
        [quotations[first] for first, _ in pairs],
        [quotations[second] for _, second in pairs],
    )
    held = [
        (
            sum([quotation.editions >> place & 1 for quotation in firsts]),
            sum([quotation.editions >> place & 1 for quotation in seconds]),
        )
        for place in range(editions)
    ]
    points, after = max(
        [(held[place - 1][0] + held[place][1], -place) for place in range(1, editions)],
        default=(0, 0),
    )
    if points <= MOSTLY_KNOWN * 2 * len(pairs):
        return None
    sides = dict.fromkeys([first for first, _ in pairs], -after - 1)
    later = [
        sides.get(place, -after - 1 if _is_older(quotation, -after) else -after)
        for place, quotation in enumerate(quotations)
    ]
    return ShownStep(-after - 1, -after, tuple(later))


def _is_older(quotation: FoundQuotation, after: int) -> bool:
    """Say whether a provision printed once was removed by the step."""
    return not quotation.editions >> after & 1 and bool(quotation.editions >> (after - 1) & 1)
