"""The histories of all provisions: their numbers, their readings and their ends.

A *life* is the history of a provision up to its last state. A part that was split off, or a copy,
has its own life, which begins with the life of its source.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from variorum.answers.readings import LifeReading, Relative, readings_of
from variorum.answers.stored import joined
from variorum.history.lineages import Link, Stretch, heir_of
from variorum.rows import COPIED, MERGED, SPLIT, UNCERTAIN, State, name_of

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase

Key = TypeVar("Key", bound=Hashable)


class End(NamedTuple):
    """The last state of a history, and the first edition that has it."""

    state: int
    first: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """The history of a provision from its first edition to its last.

    Attributes:
        end: The end of the history.
        readings: The readings, oldest first.
        ending: The kinds of the last step, see STEP_KINDS; empty if the provision still exists.
        gone: The place of the first edition without it; None if it still exists.
        heirs: The provisions that have its words.
    """

    end: End
    readings: tuple[LifeReading, ...]
    ending: tuple[str, ...]
    gone: int | None
    heirs: tuple[Relative, ...]


@dataclass(frozen=True, slots=True)
class NumberHolder:
    """A provision that had a number or headword, with the editions in which it did.

    Attributes:
        end: The end of the bearer's history.
        state: Its state in the last of these editions.
        runs: The runs of these editions, as places.
    """

    end: End
    state: int
    runs: tuple[tuple[int, int], ...]


class NumberHistories:
    """The histories of all provisions of a base, up to one edition."""

    def __init__(self, base: "KnowledgeBase", last: int) -> None:
        self._last, self._whole, self._lineages = last, base.whole, base.lineages
        self._ends: dict[tuple[int, int], End] = {}

    # Provisions that have had a number -----------------------------------------------------------

    def holders(self, key_of: Callable[[State], Key]) -> dict[Key, list[NumberHolder]]:
        """Return the provisions that ever had each number, or other key of a state, the latest first."""
        held: dict[Key, dict[End, list[tuple[int, int, int]]]] = {}
        for number, state in self._whole.states.items():
            for first, last in self._stretches(number):
                ends = held.setdefault(key_of(state), {})
                ends.setdefault(self._end_of(number, first), []).append((first, last, number))
        return {
            key: sorted(
                (
                    NumberHolder(
                        end,
                        max(runs, key=lambda run: run[1])[2],
                        tuple(joined(run[:2] for run in sorted(runs))),
                    )
                    for end, runs in ends.items()
                ),
                key=lambda holder: (-holder.runs[-1][1], -holder.runs[0][0], holder.end.state),
            )
            for key, ends in held.items()
        }

    def _stretches(self, state: int) -> Iterator[tuple[int, int]]:
        """Yield the runs of editions in which the same provision had a state."""
        for span in self._whole.spans[state]:
            for first, last in self._lineages.divided(state, *span):
                if first <= self._last:
                    yield first, min(last, self._last)

    def _onward(self, state: int, edition: int) -> Sequence[Link]:
        """Return the links that lead from a state, up to the last edition included."""
        onward = self._lineages.out_of(state, edition)
        return onward if onward and onward[0].edition <= self._last else ()

    def _end_of(self, state: int, first: int) -> End:
        """Return the end of the history of a state that came with an edition."""
        way: list[tuple[int, int]] = []
        while (state, first) not in self._ends:
            way.append((state, first))
            heir, after = heir_of(self._onward(state, first)), End(state, first)
            if heir is not None and heir.new is not None and heir.edition <= self._last:
                back = self._lineages.into(heir.new, heir.edition)
                if back and back[0].old == state:
                    after = End(heir.new, heir.edition)
            if after == (state, first):
                self._ends[after] = after
            state, first = after
        end = self._ends[state, first]
        self._ends |= dict.fromkeys(way, end)
        return end

    # Lives ---------------------------------------------------------------------------------------

    def life(self, end: End) -> Life:
        """Return the whole history that ends with a given state."""
        stretches = [
            stretch._replace(last=min(stretch.last, self._last))
            for stretch in self._lineages.life(end.state, end.first)
            if stretch.first <= self._last
        ]
        readings = [
            replace(
                reading,
                relatives=tuple(
                    [kin for stretch in reading.stretches for kin in self._relatives(stretch)]
                ),
            )
            for reading in readings_of(stretches, self._whole.states)
        ]
        onward = self._onward(stretches[-1].state, stretches[-1].last)
        names = ((UNCERTAIN, "perhaps"), (MERGED, "merged into"), (COPIED, "copied to"))
        return Life(
            end=end,
            readings=tuple(readings),
            ending=tuple(onward[0].kinds) if onward else (),
            gone=onward[0].edition if onward else None,
            heirs=tuple(
                [
                    self._relative(_how(link, names, "split off"), link.new, link.edition)
                    for link in onward
                    if link.new is not None
                ]
            ),
        )

    def _relatives(self, stretch: Stretch) -> Iterator[Relative]:
        """Yield the provisions that gave a stretch words, and its predecessor's other heirs."""
        into = stretch.into
        if into is None:
            return
        names = ((MERGED, "took in"), (UNCERTAIN, "perhaps from"), (SPLIT, "split from"))
        for link in (into, *stretch.beside):
            if link.old is not None and not (link is into and into.is_main):
                how = _how(link, (*names, (COPIED, "copied from")), "took in")
                yield self._relative(how, link.old, link.source)
        if into.is_main and into.old is not None:
            for link in self._lineages.step(into.old, into)[1:]:
                if link.new is not None:
                    is_copy = link.bits & COPIED and not link.bits & SPLIT
                    how = "copied to" if is_copy else "split off"
                    yield self._relative(how, link.new, link.edition)

    def _relative(self, how: str, state: int, edition: int) -> Relative:
        return Relative(how, name_of(self._whole.states[state]), edition)


def _how(link: Link, names: Sequence[tuple[int, str]], otherwise: str) -> str:
    return next((name for bit, name in names if link.bits & bit), otherwise)
