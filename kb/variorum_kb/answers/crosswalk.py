"""What became of the provisions of one edition in any other, forwards and backwards."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from variorum_kb.answers.lineage import (
    COPIED,
    GONE,
    KEPT,
    MERGED,
    NEW,
    RENUMBERED,
    REWORDED,
    SPLIT,
    UNCERTAIN,
    Lineages,
    Link,
    name_of,
    origins,
)
from variorum_kb.forms.lineage import CrosswalkRowJson
from variorum_kb.history.canonical import Folder
from variorum_kb.rows import Row, full_text, kinds_of
from variorum_kb.text.words import words_of

_TOLD = REWORDED | SPLIT | MERGED | COPIED | UNCERTAIN


@dataclass(slots=True)
class Destination:
    """The states of one edition that continue a state of another.

    Attributes:
        states: Ids, the main one first; none of what is gone.
        bits: What happened on the way. Renumbering is a matter of both ends, and so, in the end, is
            rewording: what was changed and changed back is the same.
        confidence: The product of the steps along the main heir.
    """

    states: list[int]
    bits: int = 0
    confidence: float = 1.0


@dataclass(slots=True)
class Crosswalk:
    """What became of each state of an edition in another one.

    Attributes:
        destinations: By the ids of the first edition's states, in printed order.
        arrivals: The ids of the other edition's states that no destination names.
    """

    destinations: dict[int, Destination]
    arrivals: list[int] = field(default_factory=list[int])


@dataclass(frozen=True, slots=True)
class _Step:
    """The links into an edition, by the state that they lead from or to.

    Attributes:
        leaving: By the states of the edition before.
        returning: By the states that were absent there.
        arriving: By the states of the edition itself, its own past first.
    """

    leaving: dict[int, list[Link]]
    returning: dict[int, list[Link]]
    arriving: dict[int, list[Link]]


_NO_STEP = _Step({}, {}, {})


class Walker:
    """Walks provisions of an edition to another one."""

    def __init__(self, lineages: Lineages) -> None:
        self._lineages = lineages

    @cached_property
    def _all(self) -> dict[int, _Step]:
        return {place: _step(links) for place, links in self._lineages.by_edition.items()}

    def walk_few(self, states: Iterable[int], start: int, stop: int) -> Crosswalk:
        """Return where some states of an edition are in another, asking for their links alone.

        Args:
            states: Of the one edition.
            start: Its place.
            stop: The place of the other; earlier or later.
        """
        destinations = {state: Destination([state]) for state in states}
        reachable = self._reachable(destinations, start, stop)
        _go(destinations, start, stop, {place: _step(links) for place, links in reachable.items()})
        return Crosswalk(destinations)

    def _reachable(self, states: Iterable[int], start: int, stop: int) -> dict[int, list[Link]]:
        """Return the links on all ways from some states, by the editions into which they lead."""
        found: dict[int, list[Link]] = defaultdict(list)
        seen: set[tuple[int, int]] = set()
        ahead = [(state, start) for state in states]
        while ahead:
            state, edition = ahead.pop()
            if start <= stop:
                links = self._lineages.out_of(state, edition)
                ends = [(link.new, link.edition) for link in links if link.edition <= stop]
            else:
                links = self._lineages.into(state, edition)
                ends = [(link.old, link.source) for link in links if link.edition > stop]
            if not links or (state, links[0].edition) in seen:
                continue
            seen.add((state, links[0].edition))
            for link in links:
                found[link.edition].append(link)
            ahead += [(one, place) for one, place in ends if one is not None]
        # In the order in which all links stand.
        return {edition: sorted(set(links), key=_in_order) for edition, links in found.items()}

    @cached_property
    def _events(self) -> dict[int, list[int]]:
        """Return into which editions links lead from each state, in order."""
        found: dict[int, list[int]] = {}
        for edition in sorted(self._all):
            step = self._all[edition]
            for state in step.leaving.keys() | step.returning.keys():
                found.setdefault(state, []).append(edition)
        return found

    def breaks(self, state: int) -> Sequence[int]:
        """Return the editions in which links lead away from a state, in order."""
        return self._events.get(state, ())

    def destination(self, state: int, start: int, stop: int) -> Destination:
        """Return where one state is in another edition: fast where many are asked for.

        Args:
            state: Of the one edition.
            start: Its place.
            stop: The place of the other; earlier or later.
        """
        destinations = {state: Destination([state])}
        if start <= stop:
            _forward(destinations, start, stop, self._all, self._events)
        else:
            _backward(destinations, start, stop, self._all)
        return destinations[state]

    def walk(self, held: Iterable[int], start: int, stop: int, there: Iterable[int]) -> Crosswalk:
        """Return where all states of an edition are in another.

        Args:
            held: The states of the one edition, in printed order.
            start: Its place.
            stop: The place of the other; earlier or later.
            there: The states of that one.
        """
        destinations = {state: Destination([state]) for state in held}
        _go(destinations, start, stop, self._all)
        reached = {state for destination in destinations.values() for state in destination.states}
        return Crosswalk(destinations, [state for state in there if state not in reached])


_Steps = Mapping[int, _Step]


def _go(destinations: Mapping[int, Destination], start: int, stop: int, steps: _Steps) -> None:
    if start <= stop:
        _forward(destinations, start, stop, steps)
    else:
        _backward(destinations, start, stop, steps)


def _forward(
    destinations: Mapping[int, Destination],
    start: int,
    stop: int,
    steps: _Steps,
    events: Mapping[int, Sequence[int]] | None = None,
) -> None:
    """Move destinations on; where events are given, only through editions that change something."""
    where = {state: [destination] for state, destination in destinations.items()}
    absent: dict[int, list[Destination]] = {}
    edition = start
    while True:
        edition = edition + 1 if events is None else _next(events, (*where, *absent), edition)
        if not start < edition <= stop:
            return
        step = steps.get(edition, _NO_STEP)
        moves = [
            (old, step.leaving[old], where.pop(old))
            for old in sorted(where.keys() & step.leaving.keys())
        ]
        for old in sorted(absent.keys() & step.returning.keys()):
            here, links = absent.pop(old), step.returning[old]
            for heir in _return(here, links):
                where.setdefault(heir, []).extend(here)
        for old, links, here in moves:
            heirs = [link.new for link in links if link.new is not None]
            if not heirs:
                absent[old] = here
            _move(here, old, heirs, links)
            for heir in heirs:
                where.setdefault(heir, []).extend(here)


def _next(events: Mapping[int, Sequence[int]], states: Iterable[int], edition: int) -> int:
    """Return the next edition in which something happens to any of some states; 0 if none is."""
    found = 0
    for state in states:
        places = events.get(state, ())
        after = bisect_right(places, edition)
        if after < len(places) and (not found or places[after] < found):
            found = places[after]
    return found


def _backward(
    destinations: Mapping[int, Destination], start: int, stop: int, steps: _Steps
) -> None:
    where = {state: [destination] for state, destination in destinations.items()}
    # Who came back after an absence is looked for in the edition before it.
    absent: dict[int, list[tuple[int, list[Destination]]]] = defaultdict(list)
    for edition in range(start, stop, -1):
        step = steps.get(edition, _NO_STEP)
        moves = [(links, where.pop(new)) for new, links in step.arriving.items() if new in where]
        for links, here in moves:
            state = links[0].new or 0
            _move(here, state, [link.old for link in links if link.old is not None], links)
            for link in links:
                if link.old is not None:
                    absent[link.source].append((link.old, here))
        for old, here in absent.pop(edition - 1, ()):
            where.setdefault(old, []).extend(here)
    for old, here in [one for found in absent.values() for one in found]:
        _move(here, old, [], [])


def _in_order(link: Link) -> tuple[int, int, int, int]:
    ends = (-1 if end is None else end for end in (link.old, link.new))
    old, new = ends
    return link.source, old, link.rank, new


def _return(here: list[Destination], links: Sequence[Link]) -> list[int]:
    """Move destinations on to what came back after an absence; return its states."""
    heirs = [link.new for link in links if link.new is not None]
    for destination in here:
        if not destination.states:
            destination.confidence *= links[0].confidence
        destination.states += [heir for heir in heirs if heir not in destination.states]
        for link in links:
            destination.bits |= link.bits & _TOLD
    return heirs


def _move(here: list[Destination], state: int, onward: list[int], links: list[Link]) -> None:
    for destination in here:
        if state not in destination.states:
            continue  # it was led on already
        if destination.states[0] == state and links:
            destination.confidence *= links[0].confidence
        if destination.states == [state] and len(onward) == 1:
            destination.states[0] = onward[0]
            destination.bits |= links[0].bits & _TOLD
            continue
        place = destination.states.index(state)
        destination.states[place : place + 1] = [
            one for one in onward if one == state or one not in destination.states
        ]
        for link in links:
            destination.bits |= link.bits & _TOLD


def _step(links: Iterable[Link]) -> _Step:
    """Return the links into an edition by their states, those of each in their order."""
    step = _Step({}, {}, {})
    for link in links:
        if link.old is not None:
            # What is gone at the same time as it returns elsewhere is two things.
            away = step.leaving if link.source == link.edition - 1 else step.returning
            away.setdefault(link.old, []).append(link)
        if link.new is not None:
            step.arriving.setdefault(link.new, []).append(link)
    for new, arrived in step.arriving.items():
        step.arriving[new] = origins(arrived)
    return step


def kinds_between(
    destination: Destination, *, is_same_place: bool, is_same_text: bool, is_backwards: bool = False
) -> int:
    """Return what happened on the way to a destination as a whole, as bits."""
    if not destination.states:
        return (NEW if is_backwards else GONE) | destination.bits & UNCERTAIN
    bits = destination.bits & ~REWORDED
    if not is_same_place:
        bits |= RENUMBERED
    if not is_same_text:
        bits |= REWORDED
    if len(destination.states) == 1:
        # What was divided and joined again is whole.
        bits &= ~(SPLIT | COPIED)
    return bits or KEPT


def crosswalk_json(
    walk: Crosswalk, rows: Mapping[int, Row], *, is_backwards: bool
) -> list[CrosswalkRowJson]:
    """Return the form of `cr crosswalk --json`.

    Args:
        walk: From one edition to the other.
        rows: The states of both by their ids.
        is_backwards: Whether the other is the earlier one.
    """
    found: list[CrosswalkRowJson] = []
    folder = Folder()
    for state, destination in walk.destinations.items():
        one = rows[state]
        heirs = [rows[place] for place in destination.states]
        bits = kinds_between(
            destination,
            is_same_place=bool(heirs) and name_of(one) == name_of(heirs[0]),
            is_same_text=bool(heirs)
            and (
                not destination.bits & (REWORDED | MERGED) or _is_same_text(one, heirs[0], folder)
            ),
            is_backwards=is_backwards,
        )
        found.append(
            {
                "old": name_of(one),
                "new": [name_of(heir) for heir in heirs],
                "kinds": kinds_of(bits),
                "confidence": round(destination.confidence, 4),
            }
        )
    arrived = kinds_of(GONE if is_backwards else NEW)
    for state in walk.arrivals:
        name = name_of(rows[state])
        found.append({"old": None, "new": [name], "kinds": arrived, "confidence": 1.0})
    return found


def _is_same_text(one: Row, other: Row, folder: Folder) -> bool:
    """Say whether two provisions say the same, whatever they cite and however it is spelt.

    Citations are looked for only where nothing but numbers differs.
    """
    before, after = (_words(f"{row.heading}\n{full_text(row.body)}") for row in (one, other))
    if before == after:
        return True
    # Of a range, "508.1d-f", a letter is left.
    if not all(word[0].isdigit() or len(word) == 1 for word in set(before) ^ set(after)):
        return False
    return folder.canon(one).whole == folder.canon(other).whole


@lru_cache(maxsize=16384)
def _words(text: str) -> list[str]:
    return words_of(text)
