"""Follows the targets of citations from edition to edition, to find stale citations.

A citation is stale if its number once led to another provision, and its sentence is unchanged since
then. While a citation is correct, its target is looked up in every edition. Once the target has
another number, its heirs are followed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from variorum.answers.lint.bearers import Bearers
from variorum.answers.lint.slots import Citations, Slot
from variorum.history.lineages import Lineages, Link
from variorum.history.walks import Walk
from variorum.model import RuleNumber
from variorum.rows import NEW, UNCERTAIN
from variorum.stored_rows import StaleRow
from variorum.thresholds.sure import ACTED_ON, SAME_SUBJECT


class CitedTarget:
    """The present place of a former target.

    Attributes:
        start: The id of the cited state.
        is_alike: Whether the first heir still has the words of the target.
    """

    def __init__(self, lineages: Lineages, state: int, edition: int) -> None:
        """Begin with a state that an edition holds."""
        self._walk = Walk(lineages, [state], edition, doubts_returns=False)
        self._destination = self._walk.destinations[state]
        self.start = state
        self.is_alike = True

    @property
    def states(self) -> list[int]:
        """Return the target's heir, then its parts and copies; none if it was removed."""
        return self._destination.states

    @property
    def confidence(self) -> float:
        """Return the product of the confidences of the steps to the main heir."""
        return self._destination.confidence

    @property
    def is_sure(self) -> bool:
        """Return whether the place is certain enough for a finding."""
        is_followed = self.confidence >= ACTED_ON and not self._destination.bits & UNCERTAIN
        return self.is_alike and is_followed

    def go_on(self, edition: int) -> None:
        """Move on to a later edition."""
        self._walk.go_on(edition)


@dataclass(slots=True)
class Pointer:
    """A cited number and its target.

    Attributes:
        state: The id of the citing state.
        place: The place of the citation in that state.
        slot: The place of the citation in its sentence.
        title: The title printed after the citation.
        number: The cited number, which may be an end of a range.
        target: The provision that the number led to when the citation was last correct.
        since: The edition in which the target lost the number; None if the citation is correct.
        destination: The present place of the target.
    """

    state: int
    place: int
    slot: Slot
    title: str
    number: str
    target: tuple[int, ...]
    since: int | None = None
    destination: CitedTarget | None = None

    @property
    def is_range(self) -> bool:
        """Return whether the number is an end of a range."""
        return self.slot.ends[0] != self.slot.ends[1]


class Follower:
    """Follows the citations of a base through its editions.

    A correct citation leads to the bearer of its number, so only stale ones are kept.

    Attributes:
        place: The place of the edition at hand; -1 before the first.
        here: The bearers of numbers in the edition.
        stale: The stale pointers of each state of that edition.
    """

    def __init__(self, citations: Citations, lineages: Lineages) -> None:
        """Start before the first edition.

        Args:
            citations: The citations of the base.
            lineages: The lineages of all provisions.
        """
        self.place = -1
        self.here = Bearers(citations, {})
        self.stale: dict[int, list[Pointer]] = {}
        self._before = self.here
        self._held = set[int]()
        self._citations = citations
        self._lineages = lineages

    def start(self, place: int, ids: Iterable[int], stale: Iterable[StaleRow]) -> None:
        """Start in an edition.

        Args:
            place: The place of the edition.
            ids: The ids of the edition's states.
            stale: The stale citations in the edition.
        """
        self.place, self._held = place, set(ids)
        self._citations.read(self._held)
        self.here = self.here.after((), self._held)
        for row in stale:
            destination = CitedTarget(self._lineages, row.target, row.since - 1)
            destination.is_alike = bool(row.is_alike)
            destination.go_on(place)
            pointers = self._new_pointers(row.provision)
            pointer = next(
                pointer for pointer in pointers if (pointer.place, pointer.number) == row[1:3]
            )
            pointer.since, pointer.destination = row.since, destination
            self.stale.setdefault(row.provision, []).append(pointer)

    def rows(self) -> list[StaleRow]:
        """Return the stale citations of the edition at hand, in order."""
        pointers = (pointer for some in self.stale.values() for pointer in some)
        rows = [
            _row(pointer, pointer.destination)
            for pointer in pointers
            if pointer.destination is not None
        ]
        return sorted(rows)

    def go_on(self, ids: Iterable[int], links: Sequence[Link]) -> None:
        """Move on to the next edition.

        Args:
            ids: The ids of the edition's states.
            links: The links that lead into the edition.
        """
        self.place += 1
        held = set(ids)
        gone, new = self._held - held, held - self._held
        self._citations.read(new)
        self._before, self.here = self.here, self.here.after(gone, new)
        for pointers in self.stale.values():
            for pointer in pointers:
                if pointer.destination is not None:
                    pointer.destination.go_on(self.place)
        moved = {link.new for link in links} | {link.old for link in links if not link.is_return}
        handed = (new | (held & moved)) & self._citations.of.keys()
        kept = held - new - handed
        rows = [self._citations.states[state] for state in gone | new]
        touched = {number for row in rows for number in (row.number, row.meant) if number}
        citing = self._citations.citing
        judged = {state for number in touched for state in citing.get(number, set[int]()) & kept}
        begun = {state: list(self._hand_on(state)) for state in sorted(handed)}
        begun |= {state: list(self._pointers(state)) for state in sorted(judged)}
        self.stale = {state: some for state, some in self.stale.items() if state in kept}
        self._held = held
        self._judge(begun, touched)

    def _judge(self, begun: Mapping[int, Sequence[Pointer]], touched: AbstractSet[str]) -> None:
        """Judge the citations of numbers whose bearers may have changed; keep the stale ones."""
        judge = Judge(self._citations, self.here, self._lineages, self.place)
        for state, pointers in begun.items():
            for pointer in pointers:
                if pointer.number in touched:
                    judge.judge(pointer)
            astray = [pointer for pointer in pointers if pointer.destination is not None]
            if astray:
                self.stale[state] = astray
            else:
                self.stale.pop(state, None)

    def _hand_on(self, state: int) -> Iterator[Pointer]:
        """Yield the pointers of a state that is new or has new predecessors."""
        past = self._past(state)
        known = {(pointer.slot, pointer.number): pointer for pointer in self._pointers(past)}
        for pointer in self._new_pointers(state):
            before = known.get((pointer.slot, pointer.number))
            if before is None:
                pointer.target = self.here.bearers(pointer.number)
            else:
                pointer.target, pointer.since = before.target, before.since
                pointer.destination = before.destination
            yield pointer

    def _past(self, state: int) -> int:
        """Return the state whose main heir this is, or -1; without links, the state itself."""
        links = self._lineages.arriving(state, self.place)
        own = [link.old for link in links if link.is_main]
        return next((old for old in own if old is not None), -1) if links else state

    def _pointers(self, state: int) -> Iterator[Pointer]:
        """Yield the pointers that a state had in the preceding edition."""
        if state not in self._held:
            return
        stale = {(pointer.place, pointer.number): pointer for pointer in self.stale.get(state, ())}
        for pointer in self._new_pointers(state):
            pointer.target = self._before.bearers(pointer.number)
            yield stale.get((pointer.place, pointer.number), pointer)

    def _new_pointers(self, state: int) -> Iterator[Pointer]:
        citations = self._citations.of.get(state, ())
        slots = self._citations.slots(state) if citations else ()
        for citation, slot in zip(citations, slots, strict=True):
            for number in dict.fromkeys(slot.ends):
                yield Pointer(state, citation.place, slot, citation.title, number, ())


def _row(pointer: Pointer, destination: CitedTarget) -> StaleRow:
    since = 0 if pointer.since is None else pointer.since
    return StaleRow(
        pointer.state,
        pointer.place,
        pointer.number,
        destination.start,
        since,
        int(destination.is_alike),
    )


class Judge:
    """Judges whether the targets of citations still have the cited number in one edition."""

    def __init__(
        self, citations: Citations, here: Bearers, lineages: Lineages, edition: int
    ) -> None:
        """Prepare an edition.

        Args:
            citations: The citations of the base.
            here: The bearers of numbers in the edition.
            lineages: The lineages of all provisions.
            edition: The place of the edition.
        """
        self._citations = citations
        self._here = here
        self._lineages = lineages
        self._edition = edition

    def judge(self, pointer: Pointer) -> None:
        """Record in a pointer whether it is correct."""
        now = self._here.bearers(pointer.number)
        if pointer.destination is not None:
            if self._leads_there(pointer, pointer.destination, now):
                pointer.target, pointer.since, pointer.destination = now, None, None
            return
        old, pointer.target = pointer.target, now
        if len(old) != 1 or not self._lineages.leaving(old[0], self._edition):
            return  # the target keeps its number, or is unknown
        destination = self._destination(old[0], now)
        is_well = self._leads_there(pointer, destination, now) or self._may_be_meant(
            pointer, destination, now
        )
        if not is_well:
            pointer.since, pointer.destination = self._edition, destination

    def _destination(self, target: int, now: Sequence[int]) -> CitedTarget:
        """Return the place of a target of the preceding edition in this edition."""
        destination = CitedTarget(self._lineages, target, self._edition - 1)
        destination.go_on(self._edition)
        if destination.states and not set(now) & set(destination.states):
            destination.is_alike = (
                self._citations.share(target, destination.states[0]) >= SAME_SUBJECT
            )
        return destination

    def _leads_there(self, pointer: Pointer, destination: CitedTarget, now: Sequence[int]) -> bool:
        """Return whether a number still leads to its target; True if that is uncertain."""
        if not now:
            return False
        if len(now) > 1 or not destination.is_sure:
            return True  # printed twice, or the target cannot be followed with certainty
        if now[0] in destination.states:
            return True
        return (
            pointer.is_range
            and bool(destination.states)
            and self._is_within(pointer, destination.states[0])
        )

    def _is_within(self, pointer: Pointer, heir: int) -> bool:
        first, last = (RuleNumber.read(end) for end in pointer.slot.ends)
        number = RuleNumber.read(self._citations.states[heir].number)
        if first is None or last is None or number is None:
            return False
        return first <= number <= last

    def _may_be_meant(self, pointer: Pointer, destination: CitedTarget, now: Sequence[int]) -> bool:
        """Return whether a citation may mean the provision that has the number now."""
        if not now:
            return False
        if self._is_next(pointer) or (pointer.title and self._here.fits(pointer.title, now)):
            return True
        # A new rule with the number of a removed target may be the target, reworded beyond
        # recognition.
        came = self._lineages.arriving(now[0], self._edition)
        return not destination.states and any(link.bits & (NEW | UNCERTAIN) for link in came)

    def _is_next(self, pointer: Pointer) -> bool:
        """Return whether a rule cites the next rule, as in "proceed to rule 100.2"."""
        citing = RuleNumber.read(self._citations.states[pointer.state].number)
        cited = RuleNumber.read(pointer.number)
        return citing is not None and cited is not None and cited.follows(citing)
