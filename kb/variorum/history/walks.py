"""Follows provisions from one edition to another, earlier or later."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from variorum.history.lineages import Lineages, Link, heir_of, origins
from variorum.rows import COPIED, MERGED, REWORDED, SPLIT, UNCERTAIN

_TOLD = REWORDED | SPLIT | MERGED | COPIED | UNCERTAIN


class Loss(NamedTuple):
    """The disappearance of a provision on the way to another edition.

    Attributes:
        edition: The place of the first edition on the way that lacks it.
        state: The id of its last state before that.
    """

    edition: int
    state: int


class Destination:
    """The place of a provision of one edition in another edition.

    Attributes:
        states: The ids of its heirs, in order; empty if it is gone. If a step is uncertain, the
            candidates.
        own: The state of the provision itself, not of a part. A provision into which it was merged
            counts only without another heir. None if it disappeared, even if parts or copies
            continue.
        bits: The kinds of the steps. A renumbering or rewording that was reverted does not count.
        confidence: The product of the confidence of the steps along the first heirs.
        taken: A link of each step.
        loss: The disappearance of the provision itself; None if it did not disappear.
    """

    __slots__ = ("bits", "confidence", "loss", "own", "states", "taken")

    def __init__(self, state: int) -> None:
        self.states, self.bits = [state], 0
        self.own: int | None = state
        self.confidence = 1.0
        self.loss: Loss | None = None
        self.taken: list[Link] = []

    @property
    def heir(self) -> int | None:
        """Return the provision's own state, else its first heir; None if it is gone."""
        return next(iter(self.states), None) if self.own is None else self.own

    def move(self, state: int, onward: Sequence[int], links: Sequence[Link]) -> None:
        """Replace a state with its heirs, the main heir and the main link first."""
        if state not in self.states:  # replaced already
            return
        place = self.states.index(state)
        if place == 0 and links:
            self._take(links[0])
        self.states[place : place + 1] = [
            state_after
            for state_after in onward
            if state_after == state or state_after not in self.states
        ]
        for link in links:
            self.bits |= link.bits & _TOLD

    def come_back(self, heirs: Sequence[int], links: Sequence[Link], *, is_doubtful: bool) -> None:
        """Add the states of a provision that returns after an absence, the main one first."""
        if is_doubtful and not self.states:
            self._take(links[0])
        if self.loss is not None and self.loss.state == links[0].old:
            self.own, self.loss = heirs[0], None
        self.states += [heir for heir in heirs if heir not in self.states]
        for link in links:
            self.bits |= link.bits & _TOLD

    def _take(self, link: Link) -> None:
        self.confidence *= link.confidence
        self.taken.append(link)

    def follow(self, state: int, own: int | None, edition: int) -> None:
        """Update the provision's own state in an edition, if it is the given state; None: it is gone."""
        if state == self.own:
            self.own = own
            self.loss = Loss(edition, state) if own is None else None


# Destinations that move at an edition, by the edition's place and by their present state.
_Agenda = dict[int, dict[int, list[Destination]]]


class Walk:
    """Follows some provisions of an edition through later editions.

    Attributes:
        destinations: The present place of each provision, by the state from which it started.
    """

    def __init__(
        self,
        lineages: Lineages,
        states: Iterable[int],
        start: int,
        *,
        doubts_returns: bool = True,
    ) -> None:
        """Start with some states of an edition.

        A return after an absence lowers the confidence if `doubts_returns`. For lint it does not,
        because a citation still means a provision that returned with the same words.
        """
        self.destinations = {state: Destination(state) for state in states}
        self._lineages = lineages
        self._doubts_returns = doubts_returns
        self._leaving: _Agenda = {}
        self._returning: _Agenda = {}
        for state, destination in self.destinations.items():
            self._wait(state, [destination], start)

    def go_on(self, stop: int) -> None:
        """Move all destinations on to a later edition."""
        while (edition := min([*self._leaving, *self._returning], default=stop + 1)) <= stop:
            leaving = self._leaving.pop(edition, {})
            returning = self._returning.pop(edition, {})
            for old in sorted(returning):
                self._return(old, edition, returning[old])
            for old in sorted(leaving):
                self._leave(old, edition, leaving[old])

    def _wait(
        self, state: int, here: Iterable[Destination], edition: int, *, is_absent: bool = False
    ) -> None:
        """Schedule destinations for the next links that lead from a state."""
        for link in self._lineages.links.leading_from(state):
            if link.edition > edition and link.is_return == is_absent:
                agenda = self._returning if is_absent else self._leaving
                agenda.setdefault(link.edition, {}).setdefault(state, []).extend(here)
                return

    def _leave(self, old: int, edition: int, here: Sequence[Destination]) -> None:
        """Move destinations on from a state that ends before an edition."""
        links = self._lineages.leaving(old, edition)
        heirs = [link.new for link in links if link.new is not None]
        main = heir_of(links)
        own = next(iter(heirs), None) if main is None else main.new
        for destination in here:
            destination.follow(old, own, edition)
            destination.move(old, heirs, links)
        for heir in heirs:
            self._wait(heir, here, edition)
        if not heirs:
            self._wait(old, here, edition, is_absent=True)

    def _return(self, old: int, edition: int, here: Sequence[Destination]) -> None:
        """Move destinations on to provisions that return in an edition."""
        links = self._lineages.leaving(old, edition, is_return=True)
        heirs = [link.new for link in links if link.new is not None]
        for destination in here:
            destination.come_back(heirs, links, is_doubtful=self._doubts_returns)
        for heir in heirs:
            self._wait(heir, here, edition)


class _WalkBack:
    """Follows some provisions of an edition back to an earlier one."""

    def __init__(self, lineages: Lineages, states: Iterable[int], start: int) -> None:
        self.destinations = {state: Destination(state) for state in states}
        self._lineages = lineages
        self._arrived: _Agenda = {}
        # Provisions that disappear on the way: the state, its loss and its destinations.
        self._absent: list[tuple[int, Loss, Sequence[Destination]]] = []
        for state, destination in self.destinations.items():
            self._wait(state, [destination], start)

    def go_back(self, start: int, stop: int) -> None:
        """Move all destinations back to an earlier edition."""
        for edition in range(start, stop, -1):
            self._arrive(edition, stop)
        for state, loss, here in self._absent:
            for destination in here:
                if destination.own == state:
                    destination.own, destination.loss = None, loss
                destination.move(state, (), ())

    def _arrive(self, edition: int, stop: int) -> None:
        """Move destinations back from states that begin in an edition."""
        here = self._arrived.pop(edition, {})
        links = {state: self._lineages.arriving(state, edition) for state in here}
        for state in sorted(here, key=lambda arrived: _in_order(links[arrived][0])):
            self._come(state, origins(links[state]), here[state], stop)

    def _wait(self, state: int, here: Iterable[Destination], edition: int) -> None:
        """Schedule destinations for the last links that led to a state by an edition."""
        links = self._lineages.into(state, edition)
        if links:
            waiting = self._arrived.setdefault(links[0].edition, {})
            waiting.setdefault(state, []).extend(here)

    def _come(
        self, new: int, links: Sequence[Link], here: Sequence[Destination], stop: int
    ) -> None:
        """Move destinations back from a state to its sources."""
        olds = [link.old for link in links if link.old is not None]
        before = links[0].edition - 1
        for destination in here:
            destination.follow(new, next(iter(olds), None), before)
            destination.move(new, olds, links)
        for link in links:
            if link.old is not None and link.source < stop:
                self._absent.append((link.old, Loss(before, new), here))
            elif link.old is not None:
                self._wait(link.old, here, link.source)


def walk(
    lineages: Lineages, states: Iterable[int], start: int, stop: int
) -> Mapping[int, Destination]:
    """Return the destinations of some states of an edition in another, earlier or later, in order."""
    if start > stop:
        back = _WalkBack(lineages, states, start)
        back.go_back(start, stop)
        return back.destinations
    onward = Walk(lineages, states, start)
    onward.go_on(stop)
    return onward.destinations


def _in_order(link: Link) -> tuple[int, int, int, int]:
    """Return a sort key that orders states by the first links to them."""
    old, new = (-1 if end is None else end for end in (link.old, link.new))
    return link.source, old, link.rank, new
