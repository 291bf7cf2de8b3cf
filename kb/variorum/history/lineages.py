"""The graph of links between editions, and one way along it, to later editions or earlier ones."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from variorum.rows import COPIED, GONE, MERGED, NEW, REWORDED, SPLIT, UNCERTAIN, kinds_of

_TOLD = REWORDED | SPLIT | MERGED | COPIED | UNCERTAIN


class Link(NamedTuple):
    """A link between a provision of one edition and its heir in another.

    Attributes:
        edition: The place of the edition into which it leads.
        source: The place of the preceding edition or, if a provision returns, of the last edition
            that had it.
        old: The id of the old state; None if the provision is new.
        new: The id of the new state; None if the provision is gone.
        rank: Its rank among the heirs of the old state; the main heir has 0.
        bits: The kinds of the step, see rows.STEP_KINDS.
        change: The class of the change, see rows.CHANGE_CLASSES; "" if the words are unchanged.
        confidence: The chance that the main heir is right.
        evidence: The id of the evidence.
    """

    edition: int
    source: int
    old: int | None
    new: int | None
    rank: int
    bits: int
    change: str
    confidence: float
    evidence: int

    @property
    def kinds(self) -> list[str]:
        """Return the kinds of the step, in words."""
        return kinds_of(self.bits)

    @property
    def is_main(self) -> bool:
        """Return whether the new state is the main heir, not a part, copy or candidate."""
        return self.rank == 0 and not self.bits & (MERGED | UNCERTAIN | GONE | NEW)

    @property
    def is_return(self) -> bool:
        """Return whether editions between its ends lack the provision."""
        return self.source != self.edition - 1


class Links(Protocol):
    """Returns links in the order of edition, source, old state and rank."""

    def leading_to(self, state: int) -> Sequence[Link]:
        """Return the links whose new state has this id."""
        ...

    def leading_from(self, state: int) -> Sequence[Link]:
        """Return the links whose old state has this id."""
        ...


class LinkTable:
    """Links in memory.

    Attributes:
        by_edition: The links by the place of the edition into which they lead.
    """

    def __init__(self, links: Iterable[Link]) -> None:
        """Index links that come in the order of edition, source, old state and rank."""
        self.by_edition: dict[int, list[Link]] = {}
        self._to: dict[int | None, list[Link]] = {}
        self._from: dict[int | None, list[Link]] = {}
        for link in links:
            self.by_edition.setdefault(link.edition, []).append(link)
            self._to.setdefault(link.new, []).append(link)
            self._from.setdefault(link.old, []).append(link)

    def leading_to(self, state: int) -> Sequence[Link]:
        """Return the links whose new state has this id."""
        return self._to.get(state, ())

    def leading_from(self, state: int) -> Sequence[Link]:
        """Return the links whose old state has this id."""
        return self._from.get(state, ())


class Stretch(NamedTuple):
    """A state that a provision had through some editions.

    Attributes:
        state: The id of the state.
        first: The place of the first edition that has it.
        last: The place of the last edition that has it.
        into: The link that led to the state; None if the first edition has it.
        beside: The other links that lead to the state, from provisions merged into it.
    """

    state: int
    first: int
    last: int
    into: Link | None
    beside: tuple[Link, ...]


class Lineages:
    """The provisions of a base through time."""

    def __init__(self, links: Links, last: int) -> None:
        """Take all links of a base, and the place of its last edition."""
        self.links = links
        self._last = last

    def into(self, state: int, edition: int) -> list[Link]:
        """Return the links that led to a state of an edition, its own past first.

        There are none if the first edition has the state.
        """
        leading = [link for link in self.links.leading_to(state) if link.edition <= edition]
        return origins([link for link in leading if link.edition == leading[-1].edition])

    def out_of(self, state: int, edition: int) -> list[Link]:
        """Return the links that lead from a state of an edition, main heir first.

        There are none if the last edition still has the state. If the provision is gone and returns
        later, the link to its return comes last.
        """
        leaving = [link for link in self.links.leading_from(state) if link.source >= edition]
        return [link for link in leaving if link.source == leaving[0].source]

    def arriving(self, state: int, edition: int) -> list[Link]:
        """Return the links to a state that lead into a certain edition."""
        return [link for link in self.links.leading_to(state) if link.edition == edition]

    def step(self, state: int, source: int, edition: int) -> list[Link]:
        """Return the links from a state of one edition into another, the main heir's first."""
        leaving = self.links.leading_from(state)
        return [link for link in leaving if (link.source, link.edition) == (source, edition)]

    def divided(self, state: int, first: int, last: int) -> list[tuple[int, int]]:
        """Divide a state's run of editions where another provision took it over: "General" in 2009."""
        ends = sorted({link.edition for link in self.links.leading_from(state)})
        starts = [first, *[edition for edition in ends if first < edition <= last]]
        return list(zip(starts, [*[start - 1 for start in starts[1:]], last], strict=True))

    def life(self, state: int, edition: int) -> list[Stretch]:
        """Return the history of a state of an edition, oldest stretch first."""
        links = into = self.into(state, edition)
        before: list[Stretch] = []
        while into and into[0].old is not None:
            old, last = into[0].old, into[0].source
            into = self.into(old, last)
            before.append(_stretch(old, into, last))
        stretches = before[::-1]
        while True:
            onward = self.out_of(state, edition)
            last = onward[0].source if onward else self._last
            stretches.append(_stretch(state, links, last))
            heir = heir_of(onward)
            if heir is None or heir.new is None:
                return stretches
            state, edition = heir.new, heir.edition
            links = self.into(state, edition)
            if not links or links[0].old != stretches[-1].state:
                return stretches  # the provision was merged into another's heir


def _stretch(state: int, links: list[Link], last: int) -> Stretch:
    if not links:
        return Stretch(state, 0, last, None, ())
    return Stretch(state, links[0].edition, last, links[0], tuple(links[1:]))


def heir_of(links: Sequence[Link]) -> Link | None:
    """Return the link to the main heir among the links from a state; None if it is gone."""
    back = [link for link in links if link.is_return]
    alive = [link for link in links if link.new is not None and not link.bits & (MERGED | GONE)]
    return next(iter([*alive, *back]), None)


def origins(links: list[Link]) -> list[Link]:
    """Order the links that lead to a state: its own past first, then merged provisions."""
    known = [link for link in links if link.old is not None]
    return sorted(known or links, key=_rank_of_origin) if len(links) > 1 else links


def _rank_of_origin(link: Link) -> tuple[int, float, int]:
    way = link.bits & (SPLIT if link.rank else 0), link.bits & COPIED, link.bits & MERGED
    orders = (order for order, is_so in enumerate((link.is_main, *way)) if is_so)
    return next(orders, len(way) + 1), -link.confidence, link.old or 0


# From one edition to another ---------------------------------------------------------------------


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

    __slots__ = (
        *("bits", "confidence", "loss", "own", "states", "taken"),
        *("_doubts_returns", "_due", "_edition", "_lineages"),
    )

    def __init__(
        self, lineages: Lineages, state: int, edition: int, *, doubts_returns: bool = True
    ) -> None:
        """Start with a state of an edition.

        A return after an absence lowers the confidence if `doubts_returns`. For lint it does not,
        because a citation still means a provision that returned with the same words.
        """
        self.states, self.bits, self.confidence = [state], 0, 1.0
        self.own: int | None = state
        self.loss: Loss | None = None
        self.taken: list[Link] = []
        self._lineages, self._doubts_returns = lineages, doubts_returns
        # The links that come next, by the states that they leave.
        self._due: dict[int, list[Link]] | None = None
        self._edition = edition

    @property
    def heir(self) -> int | None:
        """Return the provision's own state, else its first heir; None if it is gone."""
        return next(iter(self.states), None) if self.own is None else self.own

    def go_on(self, stop: int) -> None:
        """Move on to a later edition, perhaps once more."""
        if self._due is None:
            self._due = _links(self._lineages.out_of, dict.fromkeys(self.states, self._edition))
        due = self._due
        while due:
            state = min(due, key=lambda state: (due[state][0].edition, state))
            links = due[state]
            edition = links[0].edition
            if edition > stop:
                return
            del due[state]
            step = [link for link in links if link.edition == edition]
            heirs = [link.new for link in step if link.new is not None]
            if step[0].is_return:
                self._come_back(heirs, step)
            else:
                main = heir_of(step)
                own = next(iter(heirs), None) if main is None else main.new
                self._replace(state, heirs, step, own, edition)
            due |= _links(self._lineages.out_of, dict.fromkeys(heirs, edition))
            if not heirs and len(links) > len(step):
                due[state] = links[len(step) :]

    def go_back(self, stop: int) -> None:
        """Move back to an earlier edition."""
        due = _links(self._lineages.into, dict.fromkeys(self.states, self._edition))
        while due:
            state = max(due, key=lambda state: (due[state][0].edition, -(due[state][0].old or 0)))
            links = due.pop(state)
            if links[0].edition <= stop:
                return
            # A provision that returned was absent from an edition before its return.
            known = [link for link in links if link.source >= stop]
            olds = {link.old: link.source for link in known if link.old is not None}
            own = next(iter(olds), None)
            self._replace(state, [*olds], links, own, links[0].edition - 1)
            due |= _links(self._lineages.into, olds)

    def _replace(
        self,
        state: int,
        onward: Sequence[int],
        links: Sequence[Link],
        own: int | None,
        edition: int,
    ) -> None:
        """Replace a state with those of another edition, the main one and the main link first."""
        if state == self.own:
            self.own, self.loss = own, Loss(edition, state) if own is None else None
        place = self.states.index(state)
        if place == 0:
            self._take(links[0])
        others = {*self.states} - {state}
        self.states[place : place + 1] = [after for after in onward if after not in others]
        self._tell(links)

    def _come_back(self, heirs: Sequence[int], links: Sequence[Link]) -> None:
        """Add the states of a provision that returns after an absence, the main one first."""
        if self._doubts_returns and not self.states:
            self._take(links[0])
        if self.loss is not None and self.loss.state == links[0].old:
            self.own, self.loss = heirs[0], None
        self.states += [heir for heir in heirs if heir not in self.states]
        self._tell(links)

    def _take(self, link: Link) -> None:
        self.confidence *= link.confidence
        self.taken.append(link)

    def _tell(self, links: Iterable[Link]) -> None:
        for link in links:
            self.bits |= link.bits & _TOLD


def _links(
    way: Callable[[int, int], list[Link]], states: Mapping[int, int]
) -> dict[int, list[Link]]:
    """Return the next links of states on a way, if there are any, by the states' editions."""
    links = {state: way(state, edition) for state, edition in states.items()}
    return {state: some for state, some in links.items() if some}


def walk(
    lineages: Lineages, states: Iterable[int], start: int, stop: int
) -> Mapping[int, Destination]:
    """Return the destinations of some states of an edition in another, earlier or later, in order."""
    ways = {state: Destination(lineages, state, start) for state in states}
    for way in ways.values():
        if start > stop:
            way.go_back(stop)
        else:
            way.go_on(stop)
    return ways
