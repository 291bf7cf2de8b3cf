"""The outcomes of a cited number: the statuses of `cr audit`, and which rewriting is certain."""

from collections.abc import Sequence
from typing import NamedTuple

from variorum_kb.history.walks import Destination
from variorum_kb.rows import COPIED, MERGED, SPLIT, UNCERTAIN, State, name_of
from variorum_kb.thresholds import ACTED_ON, FOLLOWED

CURRENT = "current"
RENUMBERED = "renumbered"
REUSED = "another provision"
SPLIT_UP = "split"
MERGED_INTO = "merged"
GONE_SINCE = "gone"
DOUBTFUL = "uncertain"
SAYS_ELSE = "says something else"
NEVER = "never existed"
# The statuses of a cited number, harmless ones first.
STATUSES = (
    *(CURRENT, RENUMBERED, REUSED, SPLIT_UP, MERGED_INTO, GONE_SINCE, DOUBTFUL, SAYS_ELSE, NEVER),
)


class Outcome(NamedTuple):
    """The outcome of a provision that a number meant.

    Attributes:
        status: One of STATUSES, except SAYS_ELSE and NEVER.
        heirs: What it is called in the other edition, the main heir first; a glossary entry is
            "glossary: " and its headword. Where it is in doubt, the candidates.
        confidence: The chance that the main heir is right.
        since: The label of the first edition without it; "" if it is still there.
        last: The id of its last state before that edition; if it is still there, that of the main
            heir.
        was: The provision that it meant, in a few words.
        now_means: The provision that has its number in the other edition, in a few words; "" if
            none has, or if it is the same provision.
        is_sure: Whether a citation may be rewritten without asking.
    """

    status: str
    heirs: tuple[str, ...]
    confidence: float
    since: str
    last: int
    was: str
    now_means: str
    is_sure: bool


def status_of(destination: Destination, *, is_same: bool) -> str:
    """Return what became of a provision.

    Args:
        destination: Its destination.
        is_same: Whether it has its number still.
    """
    if destination.bits & UNCERTAIN or destination.confidence < FOLLOWED:
        return DOUBTFUL
    if not destination.states:
        return GONE_SINCE
    if len(destination.states) > 1 and destination.bits & SPLIT:
        return SPLIT_UP
    if destination.bits & MERGED:
        return MERGED_INTO
    return CURRENT if is_same else RENUMBERED


def is_sure_of(destination: Destination, heirs: Sequence[State], number: str) -> bool:
    """Return whether there is one heir with a number of the same form, and little doubt about it."""
    return (
        destination.confidence >= ACTED_ON
        and not destination.bits & (SPLIT | MERGED | COPIED | UNCERTAIN)
        and len(heirs) == 1
        and _is_number(heirs[0], number)
    )


def _is_number(heir: State, number: str) -> bool:
    """Return whether an heir's number can replace another: not an entry, chapter or misprint.

    A rule that became a section is left alone, because a number without a dot in a list is not
    recognised as a citation.
    """
    name = name_of(heir)
    return (
        len(name) > 1
        and name[0].isdigit()
        and "#" not in name
        and not heir.meant
        and ("." in name) == ("." in number)
    )
