"""Whether an edition stands in its time: it has most in common with the editions beside it."""

from collections.abc import Iterable, Mapping

from variorum_kb.rows import State
from variorum_kb.text.folding import plain_signs
from variorum_kb.thresholds import OUT_OF_TIME, SAME_TEXT


class Wordings:
    """Numbers for what provisions say, the same for the same words at the same place.

    Quotes and dashes are spelled differently from edition to edition, and do not count.
    """

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str], int] = {}

    def of(self, states: Iterable[State]) -> set[int]:
        """Return the numbers of some provisions."""
        known = self._numbers
        return {
            known.setdefault((state.address, plain_signs(state.body)), len(known))
            for state in states
        }


def nearest_elsewhere(day: str, here: set[int], held: Mapping[str, set[int]]) -> str:
    """Return the day of the edition whose words a text has, if it does not stand beside its own.

    Args:
        day: Of the text.
        here: Its wordings.
        held: The wordings of the editions held, by their days.

    Returns:
        "" where the text stands in its time. One that has the words of an edition and next to no
        others is of that edition's day, even where that is beside its own.
    """
    like = {held_day: len(here & there) for held_day, there in held.items()}
    nearest = max(like, key=lambda held_day: (like[held_day], held_day), default="")
    if not nearest or _is_same(here, held[nearest]):
        return nearest
    beside = [max((held_day for held_day in held if held_day < day), default="")]
    beside.append(min((held_day for held_day in held if held_day > day), default=""))
    near = max([like.get(held_day, 0) for held_day in beside])
    return nearest if like[nearest] - near > OUT_OF_TIME * len(here) else ""


def _is_same(here: set[int], there: set[int]) -> bool:
    changed = max(len(here - there), len(there - here))
    return changed <= SAME_TEXT * len(here)
