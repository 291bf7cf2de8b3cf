"""The histories of all provisions: their numbers, their readings and their ends.

A *life* is the history of a provision up to its last state. A part that was split off, or a copy,
has its own life, which begins with the life of its source.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from variorum.answers.stored.number_runs import joined
from variorum.answers.through_time.readings import LifeReading, Relative, readings_of
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
    """The histories of all provisions of a base."""

    def __init__(self, base: "KnowledgeBase", last: int | None = None) -> None:
        """Prepare a base.

        Args:
            base: The open base.
            last: The place of the last edition to include; by default, the newest.
        """
        self._last = base.whole.last if last is None else last
        self._whole = base.whole
        self._lineages = base.lineages
        self._ends: dict[tuple[int, int], End] = {}

    # Provisions that have had a number -----------------------------------------------------------

    def holders(self, key_of: Callable[[State], Key]) -> dict[Key, list[NumberHolder]]:
        """Return the provisions that ever had each number or other key, the latest first.

        Args:
            key_of: Returns the key of a state.
        """
        states: dict[Key, list[int]] = defaultdict(list)
        for number, state in self._whole.states.items():
            states[key_of(state)].append(number)
        holders = ((key, self._holders_of(same)) for key, same in states.items())
        return {key: some for key, some in holders if some}

    def _holders_of(self, states: Sequence[int]) -> list[NumberHolder]:
        """Return the provisions that ever had one of some states, the latest first."""
        runs: dict[End, list[tuple[int, int, int]]] = defaultdict(list)
        for number in states:
            for first, last in self._stretches(number):
                runs[self.end_of(number, first)].append((first, last, number))
        return sorted((_holder(end, held) for end, held in runs.items()), key=_latest_first)

    def _stretches(self, state: int) -> Iterator[tuple[int, int]]:
        """Yield the runs of editions in which the same provision had a state."""
        begins = self._lineages.begins(state)
        if self._whole.spans[state][0][0] == 0:
            begins.append(0)
        for first in begins:
            if first <= self._last:
                onward = self._onward(state, first)
                yield first, onward[0].source if onward else self._last

    def _onward(self, state: int, edition: int) -> Sequence[Link]:
        """Return the links that lead from a state, up to the last edition included."""
        onward = self._lineages.out_of(state, edition)
        return onward if onward and onward[0].edition <= self._last else ()

    def end_of(self, state: int, first: int) -> End:
        """Return the end of the history of a state that came with an edition."""
        way: list[tuple[int, int]] = []
        while (state, first) not in self._ends:
            way.append((state, first))
            onward = self._next(state, first)
            if onward is None:
                self._ends[state, first] = End(state, first)
            else:
                state, first = onward
        end = self._ends[state, first]
        for step in way:
            self._ends[step] = end
        return end

    def _next(self, state: int, first: int) -> tuple[int, int] | None:
        """Return the next state of a provision and the edition that brought it."""
        heir = heir_of(self._onward(state, first))
        if heir is None or heir.new is None or heir.edition > self._last:
            return None
        back = self._lineages.into(heir.new, heir.edition)
        return (heir.new, heir.edition) if back and back[0].old == state else None

    # Lives ---------------------------------------------------------------------------------------

    def life(self, end: End) -> Life:
        """Return the whole history that ends with a given state."""
        stretches = [
            stretch.changed(last=min(stretch.last, self._last))
            for stretch in self._lineages.life(end.state, end.first)
            if stretch.first <= self._last
        ]
        readings = [
            reading.changed(
                relatives=tuple(
                    [kin for stretch in reading.stretches for kin in self._relatives(stretch)]
                )
            )
            for reading in readings_of(stretches, self._whole.states)
        ]
        last = stretches[-1]
        onward = self._onward(last.state, last.last)
        return Life(
            end=end,
            readings=tuple(readings),
            ending=tuple(onward[0].kinds) if onward else (),
            gone=onward[0].edition if onward else None,
            heirs=tuple(self._heirs(onward)),
        )

    def _relatives(self, stretch: Stretch) -> Iterator[Relative]:
        """Yield the provisions that gave a stretch words, and its predecessor's other heirs."""
        if stretch.into is None:
            return
        if not stretch.into.is_main and stretch.into.old is not None:
            yield self._from(stretch.into)
        yield from (self._from(link) for link in stretch.beside)
        if stretch.into.is_main and stretch.into.old is not None:
            for link in self._lineages.step(stretch.into.old, stretch.into)[1:]:
                if link.new is not None:
                    how = (
                        "copied to" if link.bits & COPIED and not link.bits & SPLIT else "split off"
                    )
                    yield self._to(link, how)

    def _from(self, link: Link) -> Relative:
        names = ((UNCERTAIN, "perhaps from"), (SPLIT, "split from"), (COPIED, "copied from"))
        how = next((name for bit, name in names if link.bits & bit), "took in")
        state = self._whole.states[link.old or 0]
        return Relative("took in" if link.bits & MERGED else how, name_of(state), link.source)

    def _to(self, link: Link, how: str) -> Relative:
        return Relative(how, name_of(self._whole.states[link.new or 0]), link.edition)

    def _heirs(self, onward: Sequence[Link]) -> Iterator[Relative]:
        for link in onward:
            if link.new is not None:
                names = ((UNCERTAIN, "perhaps"), (MERGED, "merged into"), (COPIED, "copied to"))
                how = next((name for bit, name in names if link.bits & bit), "split off")
                yield self._to(link, how)


def _holder(end: End, held: Sequence[tuple[int, int, int]]) -> NumberHolder:
    """Join runs of editions that follow each other."""
    runs = joined(run[:2] for run in sorted(held))
    _, _, state = max(held, key=lambda holder: holder[1])
    return NumberHolder(end, state, tuple(runs))


def _latest_first(holder: NumberHolder) -> tuple[int, int, int]:
    return -holder.runs[-1][1], -holder.runs[0][0], holder.end.state
