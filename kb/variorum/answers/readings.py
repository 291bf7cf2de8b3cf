"""The readings of a provision: each combination of number and words that it had."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from variorum.history.lineages import Link, Stretch
from variorum.history.word_diffs import Piece, word_diff
from variorum.rows import (
    COPIED,
    GONE,
    KEPT,
    MERGED,
    NEW,
    SPLIT,
    UNCERTAIN,
    State,
    kinds_of,
    name_of,
    wording_of,
)

# Changes of words that are worth showing word by word.
_SHOWN = {"sweep", "substantive"}


class Relative(NamedTuple):
    """Another provision that words came from or went to, by its name in an edition.

    `how` is "split from", "copied from", "took in", "split off", "copied to", "merged into", "perhaps from"
    or "perhaps".
    """

    how: str
    name: str
    edition: int


@dataclass(frozen=True)
class LifeReading:
    """A number and words, as long as a provision kept both: the last of its states, and all of them.

    `before` is the state before this reading; relatives are there if asked for.
    """

    state: State
    stretches: tuple[Stretch, ...]
    before: State | None
    relatives: tuple[Relative, ...]

    @property
    def number(self) -> int:
        """Return the id of its state."""
        return self.stretches[-1].state

    @property
    def first(self) -> int:
        """Return the place of its first edition."""
        return self.stretches[0].first

    @property
    def last(self) -> int:
        """Return the place of its last edition."""
        return self.stretches[-1].last

    @property
    def into(self) -> Link | None:
        """Return the link that leads to the reading; None for a provision's first reading."""
        return self.stretches[0].into

    @property
    def kinds(self) -> tuple[str, ...]:
        """Return the kinds of the step to the reading; off the main line, only how words came."""
        link = self.into
        if link is None:
            return ()
        bits = link.bits & ~KEPT
        if not link.is_main and not link.bits & (NEW | GONE | UNCERTAIN):
            ways = (bit for bit in (SPLIT, COPIED, MERGED) if link.bits & bit)
            bits = next(ways, link.bits)
        return tuple(kinds_of(bits))

    @property
    def change(self) -> str:
        """Return how much the words changed in that step, see rows.CHANGE_CLASSES."""
        return "" if self.into is None or self.into.old is None else self.into.change

    @property
    def confidence(self) -> float:
        """Return the chance that this step is right."""
        return 1.0 if self.into is None else self.into.confidence

    @cached_property
    def pieces(self) -> list[Piece]:
        """Return the word diff from the preceding reading, if words changed."""
        if self.before is None or self.change not in _SHOWN:
            return []
        return word_diff(wording_of(self.before), wording_of(self.state))


def readings_of(life: Sequence[Stretch], states: Mapping[int, State]) -> Iterator[LifeReading]:
    """Yield the readings of a history, oldest first, given its states by their ids."""

    def reading(stretch: Stretch) -> tuple[str, str, str]:
        state = states[stretch.state]
        return name_of(state), state.heading, wording_of(state)

    before: State | None = None
    for _, same in groupby(life, key=reading):
        stretches = tuple(same)
        state = states[stretches[-1].state]
        yield LifeReading(state, stretches, before, ())
        before = state
