"""The links between editions, and the history of a provision along them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from variorum.rows import COPIED, GONE, MERGED, NEW, SPLIT, UNCERTAIN, kinds_of


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
        self._to: dict[int, list[Link]] = {}
        self._from: dict[int, list[Link]] = {}
        for link in links:
            self.by_edition.setdefault(link.edition, []).append(link)
            if link.new is not None:
                self._to.setdefault(link.new, []).append(link)
            if link.old is not None:
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
        """Return the links that led to a state of an edition, the main link first.

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
        if not leaving:
            return leaving
        edition, source = leaving[0].edition, leaving[0].source
        return [link for link in leaving if link.edition == edition or link.source == source]

    def arriving(self, state: int, edition: int) -> list[Link]:
        """Return the links to a state that lead into a certain edition."""
        return [link for link in self.links.leading_to(state) if link.edition == edition]

    def leaving(self, state: int, edition: int, *, is_return: bool = False) -> list[Link]:
        """Return the links that lead from a state into an edition, the main heir's first.

        They are returns if editions between lack the provision; else the preceding edition has it.
        """
        return [
            link
            for link in self.links.leading_from(state)
            if link.edition == edition and link.is_return == is_return
        ]

    def step(self, state: int, link: Link) -> list[Link]:
        """Return all links of the step that a link belongs to, the main heir's first."""
        leaving = self.links.leading_from(state)
        there = link.edition, link.source
        return [sibling for sibling in leaving if (sibling.edition, sibling.source) == there]

    def divided(self, state: int, first: int, last: int) -> list[tuple[int, int]]:
        """Divide a state's run of editions where another provision took it over: "General" in 2009."""
        ends = sorted({link.edition for link in self.links.leading_from(state)})
        starts = [first, *[edition for edition in ends if first < edition <= last]]
        return list(zip(starts, [*[start - 1 for start in starts[1:]], last], strict=True))

    def life(self, state: int, edition: int) -> list[Stretch]:
        """Return the history of a state of an edition, oldest stretch first."""
        return [*self._before(state, edition), *self._from(state, edition)]

    def _before(self, state: int, edition: int) -> list[Stretch]:
        """Return the stretches before the stretch that contains an edition."""
        stretches: list[Stretch] = []
        links = self.into(state, edition)
        while links and links[0].old is not None:
            old, last = links[0].old, links[0].source
            links = self.into(old, last)
            stretches.append(_stretch(old, links, last))
        return stretches[::-1]

    def _from(self, state: int, edition: int) -> list[Stretch]:
        """Return the stretch that contains an edition, and all later stretches."""
        links = self.into(state, edition)
        stretches: list[Stretch] = []
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


def heir_of(links: Sequence[Link]) -> Link | None:
    """Return the link to the main heir among the links from a state; None if it is gone."""
    back = [link for link in links if link.is_return]
    alive = [link for link in links if link.new is not None and not link.bits & (MERGED | GONE)]
    return next(iter([*alive, *back]), None)


def origins(links: list[Link]) -> list[Link]:
    """Order the links that lead to a state: its own past first, then merged provisions."""
    known = [link for link in links if link.old is not None]
    return sorted(known or links, key=_rank_of_origin)


def _rank_of_origin(link: Link) -> tuple[int, float, int]:
    if link.is_main:
        order = 0
    elif link.rank and link.bits & SPLIT:
        order = 1
    elif link.bits & COPIED:
        order = 2
    elif link.bits & MERGED:
        order = 3
    else:
        order = 4
    return order, -link.confidence, link.old or 0


def _stretch(state: int, links: list[Link], last: int) -> Stretch:
    if not links:
        return Stretch(state, 0, last, None, ())
    return Stretch(state, links[0].edition, last, links[0], tuple(links[1:]))
