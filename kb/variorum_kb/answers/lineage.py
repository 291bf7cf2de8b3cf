"""Walk along the links of a base: where a provision came from, and where it went."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from variorum_kb.rows import CHANGE_CLASSES, STEP_KINDS, RunnerUp, State, kinds_of, runners_up_of
from variorum_kb.store.reader import Reader

KEPT, RENUMBERED, REWORDED, SPLIT, MERGED, COPIED, NEW, GONE, UNCERTAIN = (
    1 << place for place in range(len(STEP_KINDS))
)

_LINKS = (
    "SELECT edition, source, old, new, rank, kinds, class, confidence, evidence FROM link WHERE "
)


class Link(NamedTuple):
    """Where a provision went from one edition to another.

    Attributes:
        edition: The place of the edition into which it leads.
        source: That of the one before, or, where a provision returns, of the last that had it.
        old: The id of the state before; None of what is new.
        new: The id of the state after; None of what is gone.
        rank: From 0 among the heirs of the old state, the main one first.
        bits: What happened, see rows.STEP_KINDS.
        change: Of the words, see rows.CHANGE_CLASSES; "" where they stayed the same.
        confidence: The chance that the main heir is right.
        evidence: The id of what that rests on.
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
        """Return what happened, in words."""
        return kinds_of(self.bits)

    @property
    def is_main(self) -> bool:
        """Say whether the new state is the old one's own heir, and no part, copy or candidate."""
        return self.rank == 0 and not self.bits & (MERGED | UNCERTAIN | GONE | NEW)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A state that a provision had through some editions.

    Attributes:
        state: Its id.
        first: The place of the first edition.
        last: That of the last.
        into: The link by which it came; None of what the first edition has.
        beside: The other links that lead to it: what was merged into it.
    """

    state: int
    first: int
    last: int
    into: Link | None
    beside: tuple[Link, ...] = ()


class Lineages:
    """The links of an open base."""

    def __init__(self, reader: Reader, last: int) -> None:
        """Prepare a base whose last edition has some place."""
        self._reader = reader
        self._last = last
        self._states: dict[int, State] = {}

    # Links ---------------------------------------------------------------------------------------

    def _query(self, condition: str, values: Sequence[int]) -> list[Link]:
        return [_link(row) for row in self._reader.query(_LINKS + condition, values)]

    def into(self, state: int, edition: int) -> list[Link]:
        """Return the links that led to a state which an edition holds, the main one first.

        There are none of what was there from the first edition on.
        """
        found = self._query("new = ? AND edition <= ? ORDER BY edition DESC", (state, edition))
        return origins([link for link in found if link.edition == found[0].edition])

    def out_of(self, state: int, edition: int) -> list[Link]:
        """Return the links that lead away from a state which an edition holds, main heir first.

        There are none of what is still there. Of what is gone and comes back, the link to where
        it comes back stands behind.
        """
        found = self._query("old = ? AND source >= ? ORDER BY edition, rank", (state, edition))
        first = [link for link in found if link.edition == found[0].edition]
        source = found[0].source if found else 0
        back = [link for link in found if link.edition > source + 1 and link.source == source]
        return [*first, *back]

    def step(self, state: int, link: Link) -> list[Link]:
        """Return all links of the step that a link belongs to."""
        return self._query(
            "old = ? AND edition = ? AND source = ? ORDER BY rank",
            (state, link.edition, link.source),
        )

    @cached_property
    def by_edition(self) -> dict[int, list[Link]]:
        """Return all links by the place of the edition into which they lead, in order."""
        found: dict[int, list[Link]] = defaultdict(list)
        for link in self._query("1 ORDER BY edition, source, old, rank, new", ()):
            found[link.edition].append(link)
        return found

    def evidence(self, link: Link) -> tuple[list[str], tuple[RunnerUp, ...]]:
        """Return why, and what else might have been."""
        ((reasons, runners),) = self._reader.query(
            "SELECT reasons, runners_up FROM evidence WHERE id = ?", (link.evidence,)
        )
        return reasons.split("\n"), runners_up_of(runners)

    # States --------------------------------------------------------------------------------------

    def state(self, number: int) -> State:
        """Return a state."""
        return self.states([number])[number]

    def states(self, numbers: Iterable[int]) -> dict[int, State]:
        """Return states by their ids."""
        wanted = dict.fromkeys(numbers)
        missing = [number for number in wanted if number not in self._states]
        self._states.update(self._reader.states_by_id(missing))
        return {number: self._states[number] for number in wanted}

    def at(self, state: int, edition: int, stop: int) -> int | None:
        """Return the state that is in a later edition what one was in an earlier; None if gone.

        What was merged is in the provision that took it in; of parts, the main one counts.

        Args:
            state: The id of the earlier one.
            edition: The place of an edition that holds it.
            stop: The place of the later one.
        """
        while True:
            links = [link for link in self.out_of(state, edition) if link.edition <= stop]
            if not links:
                return state
            heir = heir_of(links) or next(
                (one for one in links if one.new is not None and not one.bits & UNCERTAIN), None
            )
            if heir is None or heir.new is None:
                return None
            state, edition = heir.new, heir.edition

    # Lives ---------------------------------------------------------------------------------------

    def life(self, state: int, edition: int) -> list[Stretch]:
        """Return the whole life of what an edition holds, oldest stretch first."""
        return [*self._before(state, edition), *self._from(state, edition)]

    def _before(self, state: int, edition: int) -> list[Stretch]:
        """Return the stretches that ended before the one an edition stands in."""
        found: list[Stretch] = []
        links = self.into(state, edition)
        while links and links[0].old is not None:
            old, last = links[0].old, links[0].source
            links = self.into(old, last)
            found.append(_stretch(old, links, last))
        return found[::-1]

    def _from(self, state: int, edition: int) -> list[Stretch]:
        """Return the stretch that an edition stands in, and all that follow."""
        links = self.into(state, edition)
        found: list[Stretch] = []
        while True:
            onward = self.out_of(state, edition)
            last = onward[0].source if onward else self._last
            found.append(_stretch(state, links, last))
            heir = heir_of(onward)
            if heir is None or heir.new is None:
                return found
            state, edition = heir.new, heir.edition
            links = self.into(state, edition)
            if not links or links[0].old != found[-1].state:
                return found  # its words went on in another's heir


def heir_of(links: Sequence[Link]) -> Link | None:
    """Return the link to the main heir, of links that lead away from a state; None if it is gone."""
    back = [link for link in links if link.source != link.edition - 1]
    alive = [link for link in links if link.new is not None and not link.bits & (MERGED | GONE)]
    return next(iter([*alive, *back]), None)


def _stretch(state: int, links: list[Link], last: int) -> Stretch:
    if not links:
        return Stretch(state, 0, last, None)
    return Stretch(state, links[0].edition, last, links[0], tuple(links[1:]))


def origins(links: list[Link]) -> list[Link]:
    """Order the links that lead to one state: its own past first, then what it took in."""
    if len(links) == 1:
        return links
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


def _link(row: tuple[int, int, int | None, int | None, int, int, int, float, int]) -> Link:
    edition, source, old, new, rank, bits, change, confidence, evidence = row
    kind = CHANGE_CLASSES[change]
    return Link(edition, source, old, new, rank, bits, kind, confidence, evidence)


def name_of(state: State) -> str:
    """Return a provision's number, of a glossary entry its headword behind "glossary: "."""
    return f"glossary: {state.heading}" if state.kind == "glossary" else state.address
