"""What a provision's change from one edition to another is called: renumbered, reworded, split, ..."""

from variorum.history.walks import Destination
from variorum.rows import COPIED, GONE, KEPT, NEW, RENUMBERED, REWORDED, SPLIT, UNCERTAIN


def kinds_between(
    destination: Destination, *, is_same_place: bool, is_same_text: bool, is_backwards: bool = False
) -> int:
    """Return the kinds of all steps to a destination, as bits."""
    if not destination.states:
        return (NEW if is_backwards else GONE) | destination.bits & UNCERTAIN
    bits = destination.bits & ~REWORDED
    if not is_same_place:
        bits |= RENUMBERED
    if not is_same_text:
        bits |= REWORDED
    if len(destination.states) == 1:
        # A provision that was split and merged again counts as not split.
        bits &= ~(SPLIT | COPIED)
    return bits or KEPT
