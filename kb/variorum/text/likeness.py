"""How alike two texts are, from 0 to 1; all words count the same.

`history/aligning/likeness.py` gives more weight to words that are rare in two editions. Search and articles
also rank by rarity, each with weights fitted to its own task.
"""

from collections import Counter
from collections.abc import Hashable, Sequence

from rapidfuzz import fuzz, process


def likeness(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Return how alike two texts are: the share of their words in both, in the same order.

    >>> likeness("draw", "draw"), round(likeness("drawn", "draw"), 3)
    (1.0, 0.889)
    """
    return fuzz.ratio(first, second) / 100


def likest_part(
    part: Sequence[Hashable], whole: Sequence[Hashable]
) -> tuple[int, int, float] | None:
    """Return the start, end and likeness of the part of `whole` that is most like `part`.

    >>> likest_part("a card", "draw a card now")
    (5, 11, 1.0)
    """
    alignment = fuzz.partial_ratio_alignment(part, whole)
    return (
        None
        if alignment is None
        else (alignment.dest_start, alignment.dest_end, alignment.score / 100)
    )


def likest(
    text: str, among: Sequence[str], at_least: float, *, is_part: bool
) -> tuple[int, float] | None:
    """Return the index of the text most like another, and the likeness; None if no text is.

    Args:
        text: The text to compare.
        among: The texts to choose from; the first of equally similar texts wins.
        at_least: The lowest likeness that counts.
        is_part: Compare `text` with parts of the other texts.

    >>> likest("draw", ["card", "drawn", "draw"], 1.0, is_part=False)
    (2, 1.0)
    >>> likest("draw", ["card", "drawn", "draw"], 1.0, is_part=True)
    (1, 1.0)
    """
    scorer = fuzz.partial_ratio if is_part else fuzz.ratio
    best = process.extractOne(text, among, scorer=scorer, score_cutoff=at_least * 100)
    if best is None:
        return None
    _, points, place = best
    return place, points / 100


def share(words: Sequence[str], among: Sequence[str]) -> float:
    """Return the share of some words that occur among others in any order, from 0 to 1.

    >>> share(["draw", "a", "card"], ["card", "draw"]), share(["draw"], ["draw"])
    (0.6666666666666666, 1.0)
    """
    counts, counts_among = Counter(words), Counter(among)
    return (counts & counts_among).total() / max(counts.total(), 1)
