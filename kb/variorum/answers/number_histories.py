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

_HEIRS = ((UNCERTAIN, "perhaps"), (MERGED, "merged into"), (COPIED, "copied to"))
_SOURCES = (
    *((MERGED, "took in"), (UNCERTAIN, "perhaps from"), (SPLIT, "split from")),
    (COPIED, "copied from"),
)


class End(NamedTuple):
    """The last state of a history, and the first edition that has it."""

    state: int
    first: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """The history of a provision: its readings, the oldest first.

    If it still exists, `ending` is empty and `gone` None; else they are the kinds of the last step and the
    place of the first edition without it. `heirs` have its words then.
    """

    end: End
    readings: tuple[LifeReading, ...]
    ending: tuple[str, ...]
    gone: int | None
    heirs: tuple[Relative, ...]


class NumberHolder(NamedTuple):
    """A provision that had a number or headword, by its end, in some runs of editions.

    The state is that in the last of these editions.
    """

    end: End
    state: int
    runs: tuple[tuple[int, int], ...]


class NumberHistories:
    """The histories of all provisions of a base, up to one edition."""

    def __init__(self, base: "KnowledgeBase", last: int) -> None:
        self._last, self._whole, self._lineages = last, base.whole, base.lineages
        self._ends: dict[End, End] = {}

    def holders(self, key_of: Callable[[State], Key]) -> dict[Key, list[NumberHolder]]:
        """Return the provisions that ever had each number, or other key of a state, the latest first."""
        held: dict[Key, dict[End, list[tuple[int, int, int]]]] = {}
        for state, first, last in self._whole.runs():
            if first <= self._last:
                runs = held.setdefault(key_of(self._whole.states[state]), {})
                run = (first, min(last, self._last), state)
                runs.setdefault(self._end_of(End(state, first)), []).append(run)
        holders: dict[Key, list[NumberHolder]] = {}
        for key, ends in held.items():
            some = [
                NumberHolder(end, max(runs, key=lambda run: run[1])[2], tuple(_joined(runs)))
                for end, runs in ends.items()
            ]
            some.sort(key=lambda it: (-it.runs[-1][1], -it.runs[0][0], it.end.state))
            holders[key] = some
        return holders

    def _onward(self, state: int, edition: int) -> Sequence[Link]:
        onward = self._lineages.out_of(state, edition)
        return onward if onward and onward[0].edition <= self._last else ()

    def _end_of(self, here: End) -> End:
        """Return the end of the history of a state that came with an edition."""
        way: list[End] = []
        while here not in self._ends:
            way.append(here)
            heir, after = heir_of(self._onward(*here)), here
            if heir is not None and heir.new is not None and heir.edition <= self._last:
                back = self._lineages.into(heir.new, heir.edition)
                if back and back[0].old == here.state:
                    after = End(heir.new, heir.edition)
            if after == here:
                self._ends[here] = here
            here = after
        self._ends |= dict.fromkeys(way, self._ends[here])
        return self._ends[here]

    def life(self, end: End) -> Life:
        """Return the whole history that ends with a given state."""
        stretches = [
            stretch._replace(last=min(stretch.last, self._last))
            for stretch in self._lineages.life(end.state, end.first)
            if stretch.first <= self._last
        ]
        readings: list[LifeReading] = []
        for reading in readings_of(stretches, self._whole.states):
            relatives = [kin for stretch in reading.stretches for kin in self._relatives(stretch)]
            readings.append(replace(reading, relatives=tuple(relatives)))
        onward = self._onward(stretches[-1].state, stretches[-1].last)
        heirs = [
            self._relative(_how(link, _HEIRS, "split off"), link.new, link.edition)
            for link in onward
            if link.new is not None
        ]
        return Life(
            end=end,
            readings=tuple(readings),
            ending=tuple(onward[0].kinds) if onward else (),
            gone=onward[0].edition if onward else None,
            heirs=tuple(heirs),
        )

    def _relatives(self, stretch: Stretch) -> Iterator[Relative]:
        """Yield the provisions that gave a stretch words, and its predecessor's other heirs."""
        into = stretch.into
        if into is None:
            return
        for link in (into, *stretch.beside):
            if link.old is not None and not (link is into and into.is_main):
                yield self._relative(_how(link, _SOURCES, "took in"), link.old, link.source)
        if into.is_main and into.old is not None:
            for link in self._lineages.step(into.old, into.source, into.edition)[1:]:
                if link.new is not None:
                    is_copy = link.bits & COPIED and not link.bits & SPLIT
                    how = "copied to" if is_copy else "split off"
                    yield self._relative(how, link.new, link.edition)

    def _relative(self, how: str, state: int, edition: int) -> Relative:
        return Relative(how, name_of(self._whole.states[state]), edition)


def _joined(runs: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
    return joined(run[:2] for run in sorted(runs))


def _how(link: Link, names: Sequence[tuple[int, str]], otherwise: str) -> str:
    return next((name for bit, name in names if link.bits & bit), otherwise)
