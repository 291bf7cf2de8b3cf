"""The statuses of a cited number in `cr audit`: current, or how it went stale; and which are certain."""

from collections.abc import Sequence
from typing import NamedTuple

from variorum.history.walks import Destination
from variorum.rows import COPIED, MERGED, SPLIT, UNCERTAIN, State, name_of
from variorum.thresholds.sure import ACTED_ON, FOLLOWED

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
    """The outcome of the provision that a number meant.

    Attributes:
        status: One of STATUSES, except SAYS_ELSE and NEVER.
        heirs: The numbers of its heirs, the main heir first; a glossary entry is "glossary: " and
            its headword. If the outcome is in doubt, the candidates.
        confidence: The chance that the main heir is right.
        since: The label of the first edition without it; "" if it still exists.
        last: The id of its last state; if it still exists, the id of its main heir's state.
        was: The provision, in a few words.
        now_means: The provision that has the number in the other edition, in a few words; "" if
            none has it, or if it is the same provision.
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
    """Return the status of a number by the destination of its provision.

    Args:
        destination: Its destination.
        is_same: Whether the provision still has its number.
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
    """Return whether an outcome is certain: one heir, with a number of the same form."""
    return (
        destination.confidence >= ACTED_ON
        and not destination.bits & (SPLIT | MERGED | COPIED | UNCERTAIN)
        and len(heirs) == 1
        and _is_number(heirs[0], number)
    )


def _is_number(heir: State, number: str) -> bool:
    """Return whether an heir's number can replace a cited number.

    An entry, a chapter or a misprint cannot. Nor can a section replace a rule, because readers do
    not recognise a number without a dot in a list.
    """
    name = name_of(heir)
    return (
        len(name) > 1
        and name[0].isdigit()
        and "#" not in name
        and not heir.meant
        and ("." in name) == ("." in number)
    )
