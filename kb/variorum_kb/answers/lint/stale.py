"""Follow what citations lead to from edition to edition, and notice whose target moved away.

A citation is stale if its number led to another provision than it does now, and its sentence has
stood unchanged since. What it led to is looked up anew in every edition until that moves away; from
then on its heirs are followed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from variorum_kb.answers.lint.slots import Citations, Slot
from variorum_kb.answers.stored.whole import Whole
from variorum_kb.history.lineages import Lineages, Link
from variorum_kb.history.walks import Walk
from variorum_kb.model import RuleNumber
from variorum_kb.rows import NEW, UNCERTAIN
from variorum_kb.text.keys import fold_title
from variorum_kb.thresholds import ACTED_ON, SAME_SUBJECT


class Here:
    """Who bears which number in the edition at hand."""

    def __init__(self, whole: Whole) -> None:
        """Begin before the first edition."""
        self._whole = whole
        self._states = whole.states
        self.edition = -1

    def bearers(self, number: str) -> tuple[int, ...]:
        """Return who bears a number, or, where nobody does in print, who should."""
        return tuple(self._whole.bearers(number, self.edition))

    def headings(self, states: Iterable[int]) -> list[str]:
        """Return the headings of provisions, or of what they stand under."""
        found: list[str] = []
        for one in states:
            heading = self._states[one].heading or self._heading(self._states[one].parent)
            found += [heading] if heading else []
        return found

    def _heading(self, address: str) -> str:
        bearers = [self._states[one] for one in self.bearers(address.partition("#")[0])]
        return next((state.heading for state in bearers if state.address == address), "")

    def fits(self, title: str, states: Iterable[int]) -> bool:
        """Say whether a title is the heading of one of them."""
        folded = fold_title(title)
        return any(fold_title(heading) == folded for heading in self.headings(states))


class CitedTarget:
    """Where something that was cited is now.

    Attributes:
        is_alike: The first heir says what was cited, as far as words tell.
    """

    def __init__(self, lineages: Lineages, state: int, edition: int) -> None:
        """Begin with a state that an edition holds."""
        self._walk = Walk(lineages, [state], edition, doubts_returns=False)
        self._destination = self._walk.destinations[state]
        self.is_alike = True

    @property
    def states(self) -> list[int]:
        """Return its heir, then what was split off or copied; none of what is gone."""
        return self._destination.states

    @property
    def confidence(self) -> float:
        """Return the product of the steps along the main heir."""
        return self._destination.confidence

    @property
    def is_sure(self) -> bool:
        """Say whether a finding may rest on it."""
        is_followed = self.confidence >= ACTED_ON and not self._destination.bits & UNCERTAIN
        return self.is_alike and is_followed

    def go_on(self, edition: int) -> None:
        """Go on to a later edition."""
        self._walk.go_on(edition)


@dataclass(slots=True)
class Pointer:
    """A number in its sentence, and what it has led to.

    Attributes:
        state: Who cites.
        place: Of the citation in that state.
        slot: Where it stands.
        title: Printed behind it.
        number: What it cites: an end of a range.
        target: What it led to when it was last in order, or does now.
        since: The edition in which that moved away; None of what is in order.
        destination: From that on, where what it led to is.
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
        """Say whether it is an end of a range."""
        return self.slot.ends[0] != self.slot.ends[1]


@dataclass(slots=True)
class Follower:
    """Follows all citations of a base through its editions.

    Attributes:
        citations: Of the base.
        lineages: Of the provisions that cite and are cited.
        links: All links, by the places of the editions into which they lead.
        here: Who bears which number in the edition at hand.
        live: The pointers of each state of it that cites something.
    """

    citations: Citations
    lineages: Lineages
    links: Mapping[int, Sequence[Link]]
    here: Here = field(init=False)
    live: dict[int, list[Pointer]] = field(default_factory=dict[int, list[Pointer]])

    def __post_init__(self) -> None:
        self.here = Here(self.citations.whole)

    def follow(self, editions: Iterable[Sequence[int]]) -> Iterator[int]:
        """Go through editions, each the ids of its states; yield the place of each when there."""
        before = set[int]()
        for place, ids in enumerate(editions):
            held = set(ids)
            for pointer in self._pointers():
                if pointer.destination is not None:
                    pointer.destination.go_on(place)
            self.here.edition = place
            self._inherit(held)
            self._judge(self._touched(before ^ held))
            before = held
            yield place

    def _pointers(self) -> Iterator[Pointer]:
        return (one for pointers in self.live.values() for one in pointers)

    def _touched(self, states: Iterable[int]) -> set[str]:
        """Return the numbers whose bearers may have changed."""
        rows = [self.citations.states[one] for one in states]
        return {number for row in rows for number in (row.number, row.meant) if number}

    def _inherit(self, held: set[int]) -> None:
        """Hand the pointers of the edition before on to those who cite now."""
        links = self.links.get(self.here.edition, ())
        moved = {link.new for link in links} | {link.old for link in links if not link.is_return}
        live: dict[int, list[Pointer]] = {}
        for state in held & self.citations.of.keys():
            if state in self.live and state not in moved:
                live[state] = self.live[state]
            else:
                live[state] = list(self._begin(state))
        self.live = live

    def _begin(self, state: int) -> Iterator[Pointer]:
        """Yield the pointers of a state that is new, or whose past something happened to."""
        known = {(one.slot, one.number): one for one in self.live.get(self._past(state), ())}
        citations = zip(self.citations.of[state], self.citations.slots(state), strict=True)
        for one, slot in citations:
            for number in dict.fromkeys(slot.ends):
                new = Pointer(state, one.place, slot, one.title, number, ())
                before = known.get((slot, number))
                if before is None:
                    new.target = self.here.bearers(number)
                else:
                    new.target, new.since, new.destination = (
                        before.target,
                        before.since,
                        before.destination,
                    )
                yield new

    def _past(self, state: int) -> int:
        """Return the state whose own heir this is; itself where nothing led to it."""
        links = self.lineages.arriving(state, self.here.edition)
        own = [link.old for link in links if link.is_main]
        return next((old for old in own if old is not None), -1) if links else state

    def _judge(self, touched: set[str]) -> None:
        judge = Judge(self.citations, self.here, self.lineages)
        for one in self._pointers():
            if one.number in touched:
                judge.judge(one)


class Judge:
    """Says whether the target of a citation moved away under it in one edition."""

    def __init__(self, citations: Citations, here: Here, lineages: Lineages) -> None:
        """Prepare an edition.

        Args:
            citations: Of the base.
            here: Who bears which number in it.
            lineages: Of the provisions that are cited.
        """
        self._citations = citations
        self._here = here
        self._lineages = lineages

    def judge(self, pointer: Pointer) -> None:
        """Note in a pointer whether it is in order."""
        now = self._here.bearers(pointer.number)
        if pointer.destination is not None:
            if self._leads_there(pointer, pointer.destination, now):
                pointer.target, pointer.since, pointer.destination = now, None, None
            return
        old, pointer.target = pointer.target, now
        edition = self._here.edition
        if len(old) != 1 or not self._lineages.leaving(old[0], edition):
            return  # it stays where it was, or nobody knows who was meant
        destination = self._destination(old[0], now)
        is_well = self._leads_there(pointer, destination, now) or self._may_be_meant(
            pointer, destination, now
        )
        if not is_well:
            pointer.since, pointer.destination = edition, destination

    def _destination(self, target: int, now: Sequence[int]) -> CitedTarget:
        """Return where what was cited is in this edition."""
        edition = self._here.edition
        destination = CitedTarget(self._lineages, target, edition - 1)
        destination.go_on(edition)
        if destination.states and not set(now) & set(destination.states):
            destination.is_alike = (
                self._citations.share(target, destination.states[0]) >= SAME_SUBJECT
            )
        return destination

    def _leads_there(self, pointer: Pointer, destination: CitedTarget, now: Sequence[int]) -> bool:
        """Say whether what a number leads to now is what it led to, or nobody can tell."""
        if not now:
            return False
        if len(now) > 1 or not destination.is_sure:
            return True  # printed twice, or lost sight of
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
        """Say whether a number may well be meant to lead to something else than before."""
        if not now:
            return False
        if self._is_next(pointer) or (pointer.title and self._here.fits(pointer.title, now)):
            return True
        # Gone, and new at the same place: reworded beyond recognition.
        came = self._lineages.arriving(now[0], self._here.edition)
        return not destination.states and any(link.bits & (NEW | UNCERTAIN) for link in came)

    def _is_next(self, pointer: Pointer) -> bool:
        """Say whether it cites what follows it: "proceed to", whatever that is."""
        citing = RuleNumber.read(self._citations.states[pointer.state].number)
        cited = RuleNumber.read(pointer.number)
        return citing is not None and cited is not None and cited.follows(citing)
