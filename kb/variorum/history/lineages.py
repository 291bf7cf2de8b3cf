"""The graph of links between editions, and the way along it, to later editions or earlier ones."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import chain, pairwise
from math import prod
from operator import or_
from typing import NamedTuple

from msgspec import Struct

from variorum.rows import COPIED, GONE, MERGED, NEW, REWORDED, SPLIT, UNCERTAIN, kinds_of

_TOLD = REWORDED | SPLIT | MERGED | COPIED | UNCERTAIN


class Link(NamedTuple):
    """A link from a state to its heir in the next edition, by their ids.

    `edition` is the place of the edition into which it leads. `old` is None of a new provision, `new` of one
    that is gone. `rank` counts the heirs from 0. `bits` are rows.STEP_KINDS, and `change` is one of
    rows.CHANGE_CLASSES. `confidence` is the chance that the main heir is right; an id is -1 outside a file.
    """

    edition: int
    old: int | None
    new: int | None
    rank: int
    bits: int
    change: str = ""
    confidence: float = 1.0
    evidence: int = -1

    @property
    def kinds(self) -> list[str]:
        return kinds_of(self.bits)

    @property
    def is_main(self) -> bool:
        """Return whether the new state is the main heir, not a part, copy or candidate."""
        return self.rank == 0 and not self.bits & (MERGED | UNCERTAIN | GONE | NEW)


class LinkTable:
    """Links by their ends, in the order of editions and of rank; `every` has all, as they were given."""

    def __init__(self, links: Iterable[Link]) -> None:
        self._to, self._from = (defaultdict[int | None, list[Link]](list) for _ in range(2))
        self.every = [*links]
        for link in self.every:
            self._to[link.new].append(link)
            self._from[link.old].append(link)

    def read(self, states: Iterable[int]) -> None:
        """Read the links to and from some states, if they are not here yet."""

    def leading_to(self, state: int) -> Sequence[Link]:
        """Return the links whose new state has this id."""
        if state not in self._from:
            self.read([state])
        return self._to.get(state, ())

    def leading_from(self, state: int) -> Sequence[Link]:
        """Return the links whose old state has this id."""
        if state not in self._from:
            self.read([state])
        return self._from.get(state, ())


class Stretch(NamedTuple):
    """A state that a provision had from one edition to another, both included.

    The links that `led` to it are its own past, then merged provisions; none if the first edition has it.
    """

    state: int
    first: int
    last: int
    led: list[Link]


class Loss(NamedTuple):
    """The first edition on the way that lacks a provision, by its place, and the last state before that."""

    edition: int
    state: int


class Destination(Struct, frozen=True, eq=False):
    """The place of a provision of one edition in another edition, later or earlier.

    `states` are the ids of its heirs, the main heir first; none if it is gone, the candidates if a step is
    uncertain. After a `loss` of the provision itself, they are parts and copies. `bits` are the kinds of the
    steps (a reverted renumbering or rewording does not count), and `taken` has a link of each step along the
    first heirs, those that are gone included.
    """

    states: tuple[int, ...]
    loss: Loss | None = None
    bits: int = 0
    taken: tuple[Link, ...] = ()

    @property
    def confidence(self) -> float:
        return prod([link.confidence for link in self.taken], start=1.0)

    @property
    def heir(self) -> int | None:
        """Return its first heir; None if it is gone."""
        return next(iter(self.states), None)


class Lineages:
    """The provisions of a base through time, given all links and the place of the last edition."""

    def __init__(self, links: LinkTable, last: int) -> None:
        self.links, self._last = links, last
        self._ways: dict[tuple[int, int, int, bool], Destination] = {}

    def way(self, state: int, edition: int, stop: int) -> Destination:
        """Return where a state of an edition is in another, later or earlier: one step, then its heirs' ways."""
        is_later = edition <= stop
        step = self.out_of(state, edition) if is_later else self.into(state, edition)
        if not step or (step[0].edition > stop) is is_later:
            return Destination((state,))
        place = step[0].edition if is_later else step[0].edition - 1
        key = state, place, stop, is_later  # a state may leave and come back at once
        if key not in self._ways:
            ends = dict.fromkeys([link.new if is_later else link.old for link in step])
            ways = [self.way(end, place, stop) for end in ends if end is not None]
            if len(ways) == len(step) == 1:  # as nearly all are
                on, bits = ways[0], ways[0].bits | step[0].bits & _TOLD
                way = Destination(on.states, on.loss, bits, (step[0], *on.taken))
                return self._ways.setdefault(key, way)
            ways = ways or [Destination((), Loss(place, state))]
            last = next((nth for nth, way in enumerate(ways) if way.states), 0)
            self._ways[key] = Destination(
                tuple(dict.fromkeys(chain.from_iterable([way.states for way in ways]))),
                ways[0].loss,
                reduce(or_, [*[it.bits for it in step], *[it.bits for it in ways]]) & _TOLD,
                (step[0], *chain.from_iterable([way.taken for way in ways[: last + 1]])),
            )
        return self._ways[key]

    def into(self, state: int, edition: int) -> list[Link]:
        """Return the links that led to a state of an edition, its own past first, if there are any."""
        leading = [link for link in self.links.leading_to(state) if link.edition <= edition]
        return origins([link for link in leading if link.edition == leading[-1].edition])

    def out_of(self, state: int, edition: int) -> list[Link]:
        """Return the links that lead from a state of an edition, the main heir's first, if there are any."""
        leaving = [link for link in self.links.leading_from(state) if link.edition > edition]
        return [link for link in leaving if link.edition == leaving[0].edition]

    def divided(self, state: int, first: int, last: int) -> list[tuple[int, int]]:
        """Divide a state's run of editions where another provision took it over: "General" in 2009."""
        ends = sorted({link.edition for link in self.links.leading_from(state)})
        starts = [first, *[edition for edition in ends if first < edition <= last], last + 1]
        return [(start, following - 1) for start, following in pairwise(starts)]

    def life(self, state: int, edition: int) -> list[Stretch]:
        """Return the history of a state of an edition, oldest stretch first."""
        stretches = self.onward(state, edition)
        while (led := stretches[0].led) and led[0].old is not None:
            stretches.insert(0, self._stretch(led[0].old, led[0].edition - 1))
        return stretches

    def onward(self, state: int, edition: int) -> list[Stretch]:
        """Return such a history from an edition on."""
        stretches = [self._stretch(state, edition)]
        while heir := heir_of(self.out_of(stretches[-1].state, stretches[-1].first)):
            after = self._stretch(heir.new or 0, heir.edition)
            if after.led[0].old != heir.old:
                break  # the provision was merged into another's heir
            stretches.append(after)
        return stretches

    def _stretch(self, state: int, edition: int) -> Stretch:
        led, onward = self.into(state, edition), self.out_of(state, edition)
        last = onward[0].edition - 1 if onward else self._last
        return Stretch(state, led[0].edition if led else 0, last, led)


def heir_of(links: Sequence[Link]) -> Link | None:
    """Return the link to the main heir among the links from a state; None if it is gone."""
    return next((it for it in links if it.new is not None and not it.bits & (MERGED | GONE)), None)


def origins(links: list[Link]) -> list[Link]:
    """Order the links that lead to a state: its own past first, then merged provisions."""

    def rank(it: Link) -> tuple[int, float, int]:
        ways = it.is_main, it.bits & SPLIT and it.rank, it.bits & COPIED, it.bits & MERGED, True
        return [*map(bool, ways)].index(True), -it.confidence, it.old or 0

    known = [link for link in links if link.old is not None]
    return sorted(known or links, key=rank) if len(links) > 1 else links
