"""The points that two provisions get for their words and headings."""

import math

from variorum.history.aligning.likeness import Likeness, Scale, WeighedWords
from variorum.history.aligning.sides import Item
from variorum.thresholds.lineages import UNLIKE

# An entry with the same headword is the same entry, even if it was rewritten.
_SAME_HEADWORD = 6.0


def text_points(
    scale: Scale, pair: tuple[Item, Item], words: WeighedWords, theirs: WeighedWords
) -> tuple[float, Likeness]:
    """Return the points for words and headings, and the likeness of the words.

    Args:
        scale: The weights of words.
        pair: An old provision and a new one.
        words: The words of the old provision, perhaps with sweeps applied.
        theirs: The words of the new provision.
    """
    old, new = pair
    likeness = scale.compare(words, theirs)
    points = 6.0 * likeness.words + 4.0 * (1.0 - math.exp(-likeness.common / 40.0))
    smaller = min(words.weight, theirs.weight)
    in_runs = min(1.0, likeness.shared / smaller) if smaller else 0.0
    points += 1.5 * in_runs
    if likeness.words < UNLIKE:
        says = min(1.0, smaller / 40.0)
        points -= 3.5 * says * (1.0 - in_runs) * (1.0 - likeness.words / UNLIKE)
    if words.heading and theirs.heading:
        alike = heading_likeness(scale, words.heading, theirs.heading)
        if old.is_entry and new.is_entry:
            points += _SAME_HEADWORD if alike == 1.0 else 2.5 * alike
        else:
            points += 1.5 * alike
    elif words.heading or theirs.heading:
        points -= 0.7
    if old.is_entry != new.is_entry:
        return points - 2.5, likeness
    if old.is_entry:
        points -= 0.8 * (1.0 - heading_likeness(scale, words.heading, theirs.heading))
        return points, likeness
    if "chapter" in (old.kind, new.kind):
        return points + (1.5 if old.kind == new.kind else -5.0), likeness
    return points - (0.7 if old.kind != new.kind else 0.0), likeness


def heading_likeness(scale: Scale, before: str, after: str) -> float:
    """Return the likeness of two headings, from 0 to 1."""
    if before == after:
        return 1.0
    common = scale.bits("".join([sign for sign in before if sign in after]))
    total = scale.bits(before) + scale.bits(after)
    return min(1.0, 2 * common / total) if total else 0.0
