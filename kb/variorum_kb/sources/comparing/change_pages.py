"""Change pages: the words of each changed rule before a step and after it, one below the other."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from variorum_kb.answers.identify import FoundQuotation
from variorum_kb.sources.comparing.quoted_provision import QuotedProvision
from variorum_kb.text.folding import fold_words
from variorum_kb.thresholds import MOSTLY_KNOWN

_FEWEST_PAIRS = 2


@dataclass(frozen=True, slots=True)
class ShownStep:
    """The step that a change page shows.

    Attributes:
        before: The place of the earlier edition.
        after: That of the later one.
        sides: For each quote, in printed order, which of these its words are from.
    """

    before: int
    after: int
    sides: tuple[int, ...]


def find_step(
    quotes: Sequence[QuotedProvision], found: Sequence[FoundQuotation], editions: int
) -> ShownStep | None:
    """Return the step that a document shows; None where no numbers stand twice in other words.

    Args:
        quotes: What the document quotes, in printed order.
        found: Where each stands.
        editions: How many editions there are.
    """
    pairs = [
        (place, place + 1)
        for place, (one, two) in enumerate(pairwise(quotes))
        if one.quoted.number == two.quoted.number != ""
        and fold_words(one.quoted.words) != fold_words(two.quoted.words)
    ]
    if len(pairs) < _FEWEST_PAIRS:
        return None
    firsts, seconds = [found[one] for one, _ in pairs], [found[two] for _, two in pairs]
    held = [
        (
            sum([one.editions >> place & 1 for one in firsts]),
            sum([one.editions >> place & 1 for one in seconds]),
        )
        for place in range(editions)
    ]
    points, after = max(
        [(held[place - 1][0] + held[place][1], -place) for place in range(1, editions)],
        default=(0, 0),
    )
    if points <= MOSTLY_KNOWN * 2 * len(pairs):
        return None
    sides = dict.fromkeys([one for one, _ in pairs], -after - 1)
    later = [
        sides.get(place, -after - 1 if _is_older(one, -after) else -after)
        for place, one in enumerate(found)
    ]
    return ShownStep(-after - 1, -after, tuple(later))


def _is_older(found: FoundQuotation, after: int) -> bool:
    """Say whether a number that stands once went with the step: the later edition lacks it."""
    return not found.editions >> after & 1 and bool(found.editions >> (after - 1) & 1)
