"""Finds the changes between two editions, in all provisions or in some."""

import importlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING

from variorum.answers.between_editions.change_kinds import kinds_between
from variorum.answers.between_editions.changes import NONE, SUBSTANTIVE, SWEEP, Change, Changes
from variorum.answers.between_editions.crosswalk import lineages_between
from variorum.answers.between_editions.sweeps import Remaining, replaced_throughout
from variorum.history.canonical import Canon, Folder
from variorum.history.walks import Destination, walk
from variorum.history.word_diffs.changes import Replacement, Rewording, classify
from variorum.history.word_diffs.sweeps import sweeps
from variorum.rows import COPIED, GONE, KEPT, MERGED, NEW, SPLIT, UNCERTAIN, Row, name_of

if TYPE_CHECKING:
    from variorum.answers.edition_entry import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase


# From this many diffs on, importing rapidfuzz saves time.
_MANY = 200


def find_changes(
    base: "KnowledgeBase", start: "str | EditionEntry", stop: "str | EditionEntry" = "current"
) -> Changes:
    """Return what changed from one edition to another, earlier or later.

    Raises:
        NoEditionError: A designator names no edition.
    """
    return _found(base, base.edition(start).place, base.edition(stop).place)


# Cached because the next questions are usually about the same editions.
@lru_cache(maxsize=4)
def _found(base: "KnowledgeBase", start: int, stop: int) -> Changes:
    start_edition, stop_edition = base.editions[start], base.editions[stop]
    older, newer = sorted((start_edition, stop_edition), key=_place)
    held = (base.reader.states_of(older.place), base.reader.states_of(newer.place))
    lineages = lineages_between(base, older, newer)
    destinations = walk(lineages, held[0], older.place, newer.place)
    return _Finder(base, held, destinations).find((start_edition, stop_edition))


def find_changes_within(
    base: "KnowledgeBase",
    editions: "tuple[EditionEntry, EditionEntry]",
    held: tuple[AbstractSet[int], AbstractSet[int]],
) -> Changes:
    """Return the changes of some provisions from one edition to another, earlier or later.

    For neighbouring editions, the cost depends only on these provisions.

    Args:
        base: The base that has both editions.
        editions: The editions, in the order asked.
        held: The ids of the provisions' states in each edition.
    """
    older, newer = sorted(editions, key=_place)
    if older.place + 1 < newer.place:
        return find_changes(base, *editions).within(*held)
    lineages, place = base.lineages, newer.place
    olds, news = held if editions[0] is older else held[::-1]
    base.links.read(olds | news)
    heirs = {link.new for state in olds for link in lineages.leaving(state, place)} - {None}
    into = [
        link
        for state in news | heirs
        if state is not None
        for link in lineages.arriving(state, place)
    ]
    # A provision that took over another's state unchanged has no link.
    changed = (
        olds | news | {link.old for link in into if link.old is not None and not link.is_return}
    )
    old = [state for state in base.reader.states_of(older.place) if state in changed]
    destinations = walk(lineages, old, older.place, place)
    reached = {state for destination in destinations.values() for state in destination.states}
    classes = {
        (link.old, link.new): link.change
        for state in old
        for link in lineages.leaving(state, place)
    }
    reached |= news
    new = [state for state in base.reader.states_of(place) if state in reached]
    finder = _Finder(base, (old, new), destinations, classes)
    return finder.find(editions).within(*held)


def _place(edition: "EditionEntry") -> int:
    return edition.place


class _Finder:
    """Finds the changes of provisions between two editions.

    Args:
        base: The base that has both editions.
        held: The ids of the provisions' states in the older and the newer edition, in printed
            order.
        destinations: The destinations of the older states, by their ids.
        classes: The class of each change, by the ids of both states; None to compute the classes.
    """

    def __init__(
        self,
        base: "KnowledgeBase",
        held: tuple[Sequence[int], Sequence[int]],
        destinations: Mapping[int, Destination],
        classes: Mapping[tuple[int | None, int | None], str] | None = None,
    ) -> None:
        self._reader, self._classes = base.reader, classes
        self._old, self._new = held
        self._destinations = destinations
        reached = {state for destination in destinations.values() for state in destination.states}
        self._arrivals = [state for state in self._new if state not in reached]
        # Only changed provisions are read.
        self._moved = {
            state: destination
            for state, destination in destinations.items()
            if destination.bits or destination.states != [state]
        }
        heirs = [heir for way in self._moved.values() for heir in way.states]
        states = base.states.of([*self._moved, *heirs, *self._arrivals])
        self._rows = {state: row.with_id(state) for state, row in states.items()}
        self._folder = Folder()

    @cached_property
    def _heirs(self) -> dict[str, str]:
        """Return the new number of each number, so that citations can follow their targets."""
        numbers: dict[int, str] = {}
        for held in (self._old, self._new):
            numbers |= self._reader.numbers_by_id(held)
        return {
            numbers[state]: numbers[destination.states[0]]
            for state, destination in self._destinations.items()
            if destination.states and numbers[state]
        }

    def find(self, editions: "tuple[EditionEntry, EditionEntry]") -> Changes:
        """Return the changes from one edition to another, in the order asked."""
        first, second = editions
        is_turned = first.place > second.place
        older, newer = editions[::-1] if is_turned else editions
        changes = self._find((older.label, newer.label))
        changes = self._turned(changes) if is_turned else changes
        return replace(
            changes, doubts={side.label: side.doubts for side in editions if side.doubts}
        )

    def _find(self, labels: tuple[str, str]) -> Changes:
        moved = [(self._rows[state], destination) for state, destination in self._moved.items()]
        swept: Mapping[Replacement, int] = {}
        listed: tuple[tuple[str, str, int], ...] = ()
        if self._classes is None:
            pairs = list(self._pairs(moved))
            if len(pairs) > _MANY:
                importlib.import_module("rapidfuzz.distance")  # for faster word diffs
            swept = sweeps(pairs)
            listed = tuple(self._throughout(pairs))
        changes = [self._change(row, destination, swept) for row, destination in moved]
        same = len(self._old) - len(moved)
        kept = [change for change in changes if change.bits != KEPT or change.change != NONE]
        same += len(changes) - len(kept)
        kept += self._parts(moved)
        arrived = [
            Change(None, self._rows[state], (), NEW, SUBSTANTIVE, 1.0) for state in self._arrivals
        ]
        order = {state: place for place, state in enumerate(self._new)}
        heirs = {
            state: order[destination.states[0]]
            for state, destination in self._destinations.items()
            if destination.states
        }
        ordered = _in_order([*kept, *arrived], self._old, heirs, order)
        return Changes(*labels, tuple(ordered), same, listed)

    def _turned(self, changes: Changes) -> Changes:
        """Return changes in reverse, from the newer edition to the older."""
        order = {state: place for place, state in enumerate(self._old)}
        origins: dict[int, int] = {}
        for state, destination in self._destinations.items():
            for heir in destination.states[:1]:
                origins.setdefault(heir, order[state])
        ordered = _in_order([*_turned(changes.all)], self._new, origins, order)
        return Changes(
            changes.to_edition,
            changes.from_edition,
            tuple(ordered),
            changes.same,
            tuple([(after, before, count) for before, after, count in changes.swept]),
        )

    def _canon(self, row: Row) -> Canon:
        return self._folder.canon(row)

    def _pairs(self, moved: Iterable[tuple[Row, Destination]]) -> Iterator[tuple[str, str]]:
        """Yield the canonical words of reworded provisions, before and after."""
        for row, destination in moved:
            if destination.states and row.body != self._rows[destination.states[0]].body:
                heir = self._rows[destination.states[0]]
                yield self._canon(row).whole, self._canon(heir).whole

    def _change(
        self, row: Row, destination: Destination, swept: Mapping[Replacement, int]
    ) -> Change:
        if not destination.states:
            return Change(row, None, (), GONE, SUBSTANTIVE, destination.confidence)
        heirs = [self._rows[state] for state in destination.states]
        new = heirs[0]
        change = NONE
        if self._classes is not None:
            change = self._classes.get((row.id, new.id), NONE)
        elif (row.heading, row.body) != (new.heading, new.body):
            change = classify(self._rewording(row, new), swept).value
        is_text = change in {SWEEP, SUBSTANTIVE}
        bits = kinds_between(
            destination, is_same_place=name_of(row) == name_of(new), is_same_text=not is_text
        )
        return Change(row, new, tuple(heirs[1:]), bits, change, destination.confidence)

    def _parts(self, moved: Sequence[tuple[Row, Destination]]) -> Iterator[Change]:
        """Yield provisions that have another's words but are not a main heir."""
        yielded = {
            destination.states[0]
            for destination in self._destinations.values()
            if destination.states
        }
        for row, destination in moved:
            for state in destination.states[1:]:
                if state not in yielded:
                    yielded.add(state)
                    bits = destination.bits & (SPLIT | COPIED | MERGED | UNCERTAIN) or SPLIT
                    part = self._rows[state]
                    yield Change(
                        row, part, (), bits, SUBSTANTIVE, destination.confidence, is_part=True
                    )

    def _rewording(self, old: Row, new: Row) -> Rewording:
        before, after = self._canon(old), self._canon(new)
        follow = all(
            self._heirs.get(cited_before.first, cited_after.first) == cited_after.first
            and self._heirs.get(cited_before.last, cited_after.last) == cited_after.last
            for cited_before, cited_after in zip(before.citations, after.citations, strict=False)
        )
        return Rewording(before, after, (old.heading, old.body), (new.heading, new.body), follow)

    def _throughout(self, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str, int]]:
        """Yield the wording changed throughout, the most frequent first."""
        decode = self._folder.vocabulary.decode
        remaining = Remaining((after for _, after in pairs), self._same_words(), decode)
        for before, after, count in replaced_throughout(pairs, remaining):
            yield " ".join(decode(before)), " ".join(decode(after)), count

    def _same_words(self) -> Iterator[str]:
        """Yield the unchanged texts of the newer edition, as printed."""
        reworded = {heir for destination in self._moved.values() for heir in destination.states[:1]}
        same = [state for state in self._new if state not in reworded]
        yield from (row.body for row in self._reader.states_by_id(same).values())


def _in_order(
    changes: Iterable[Change],
    before: Sequence[int],
    heirs: Mapping[int, int],
    order: Mapping[int, int],
) -> list[Change]:
    """Order changes as the target edition is printed; a removed provision follows its predecessor.

    Args:
        changes: The changes. Those at the same place keep their order.
        before: The ids of the first edition's states, in printed order.
        heirs: The places of the states' main heirs in the target edition, by ids.
        order: The places of all states in the target edition, by ids.
    """
    place_of: dict[int, float] = {}
    last = -1.0
    for state in before:
        last = float(heirs.get(state, last))
        place_of[state] = last

    def place(change: Change) -> float:
        if change.new is not None:
            return float(order[change.new.id])
        return 0.0 if change.old is None else place_of[change.old.id] + 0.5

    return sorted(changes, key=place)


def _turned(changes: Iterable[Change]) -> Iterator[Change]:
    """Yield the changes in reverse: new provisions become gone, split provisions merged."""
    yielded: set[int] = set()
    for change in sorted(changes, key=lambda change: (change.is_part, change.bits & MERGED)):
        doubt = change.bits & UNCERTAIN
        turned = partial(Change, change.new, change.old, (), confidence=change.confidence)
        if change.new is None or change.old is None:
            kind = GONE if change.old is None else NEW
            yield turned(bits=kind | doubt, change=change.change)
        elif change.is_part:
            yielded.add(change.new.id)
            yield turned(bits=doubt or MERGED, change=change.change)
        elif change.new.id in yielded:
            yield turned(bits=doubt or SPLIT, change=SUBSTANTIVE, is_part=True)
        else:
            yielded.add(change.new.id)
            bits = change.bits & ~(SPLIT | MERGED | COPIED)
            yield turned(bits=bits or KEPT, change=change.change)
