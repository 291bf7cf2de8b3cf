"""What changed between any two editions: the net effect, provision by provision."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from variorum_kb.answers.crosswalk import Crosswalk, kinds_between, walk_between
from variorum_kb.forms.lineage import ChangeJson, DiffJson, DiffSummaryJson, SweepJson
from variorum_kb.history import diff
from variorum_kb.history.canonical import Canon, Folder
from variorum_kb.history.changes import Replacement, Rewording, classify, sweeps
from variorum_kb.history.walks import Destination
from variorum_kb.rows import (
    CHANGE_CLASSES,
    COPIED,
    GONE,
    KEPT,
    MERGED,
    NEW,
    SPLIT,
    UNCERTAIN,
    Row,
    kinds_of,
    name_of,
    wording_of,
)

if TYPE_CHECKING:
    from variorum_kb.answers.edition_entry import EditionEntry
    from variorum_kb.answers.knowledge_base import KnowledgeBase

# Of a change of words, see rows.py.
NONE, TYPOGRAPHIC, CITATION, SWEEP, SUBSTANTIVE = CHANGE_CLASSES


@dataclass(frozen=True, slots=True)
class Change:
    """What became of a provision, or of nothing, between two editions.

    Attributes:
        old: It in the older edition; None of what is new.
        new: Its main heir in the newer one; None of what is gone.
        others: Further heirs.
        bits: What happened, see rows.STEP_KINDS.
        change: How much its words changed, see rows.CHANGE_CLASSES.
        confidence: The chance that the heir is right.
        is_part: The new one is no main heir of anything; part or all of the old one's words went
            there, too.
    """

    old: Row | None
    new: Row | None
    others: tuple[Row, ...]
    bits: int
    change: str
    confidence: float
    is_part: bool = False

    @property
    def is_moved_only(self) -> bool:
        """Say whether nothing but the number changed."""
        return self.change == NONE and not self.is_new and not self.is_gone

    @property
    def kinds(self) -> list[str]:
        """Return what happened, in words."""
        return kinds_of(self.bits)

    @property
    def is_new(self) -> bool:
        """Say whether it is new."""
        return self.old is None

    @property
    def is_gone(self) -> bool:
        """Say whether it has no heir."""
        return self.new is None

    def pieces(self, *, exactly: bool = False) -> list[diff.Piece]:
        """Return the word diff of its words, or of its heading where there are none."""
        before = "" if self.old is None else wording_of(self.old)
        after = "" if self.new is None else wording_of(self.new)
        return diff.word_diff(before, after, exactly=exactly)


@dataclass(frozen=True, slots=True)
class Changes:
    """All that changed between two editions, and what did not.

    Attributes:
        from_edition: The label of the edition that was named first.
        to_edition: That of the other, which may be the earlier one.
        all: In the printed order of the other edition, what is gone where it would stand.
        same: How many provisions are the same, number and words.
        swept: Phrases replaced in many provisions, as printed, and in how many.
        doubts: What an answer from one of these says with it, by its label.
    """

    from_edition: str
    to_edition: str
    all: tuple[Change, ...]
    same: int
    swept: tuple[tuple[str, str, int], ...]
    doubts: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    def within(self, old: AbstractSet[int], new: AbstractSet[int]) -> "Changes":
        """Return those of some provisions alone.

        Args:
            old: The ids of their states in the first edition.
            new: Likewise in the other.
        """
        found = [
            change
            for change in self.all
            if (change.old is not None and change.old.id in old)
            or (change.new is not None and change.new.id in new)
        ]
        changed = {one.old.id for one in found if one.old is not None and not one.is_part}
        return replace(self, all=tuple(found), same=len(old - changed), swept=())


def find_changes(
    base: "KnowledgeBase", start: "str | EditionEntry", stop: "str | EditionEntry" = "current"
) -> Changes:
    """Return what changed from one edition to another, earlier or later.

    Raises:
        NoEditionError: A designator names no edition.
    """
    one, other = base.edition(start), base.edition(stop)
    older, newer = sorted((one, other), key=lambda edition: edition.place)
    old, new = (base.reader.states_in(edition.place) for edition in (older, newer))
    finder = _Finder(old, new, walk_between(base, older, newer))
    found = finder.find((older.label, newer.label))
    if one is not older:
        found = finder.turned(found)
    return replace(found, doubts={side.label: side.doubts for side in (one, other) if side.doubts})


class _Finder:
    def __init__(self, old: Sequence[Row], new: Sequence[Row], walk: Crosswalk) -> None:
        self._old, self._new = old, new
        self._there = {row.id: row for row in new}
        self._destinations = walk.destinations
        self._arrivals = set(walk.arrivals)
        self._folder = Folder()
        # By numbers: whether a citation follows what it cites.
        self._heirs: dict[str, str] = {}
        for row in old:
            destination = walk.destinations[row.id]
            if destination.states and row.number:
                self._heirs[row.number] = self._there[destination.states[0]].number

    def find(self, labels: tuple[str, str]) -> Changes:
        pairs = [(row, self._destinations[row.id]) for row in self._old]
        moved = [
            (row, destination)
            for row, destination in pairs
            if not (destination.states == [row.id] and not destination.bits)
        ]
        swept = self._sweeps(moved)
        found = [self._change(row, destination, swept) for row, destination in moved]
        same = len(pairs) - len(moved)
        kept = [one for one in found if one.bits != KEPT or one.change != NONE]
        same += len(found) - len(kept)
        kept += self._parts(moved)
        arrived = [
            Change(None, row, (), NEW, SUBSTANTIVE, 1.0)
            for row in self._new
            if row.id in self._arrivals
        ]
        order = {row.id: place for place, row in enumerate(self._new)}
        heirs = {
            state: order[destination.states[0]]
            for state, destination in self._destinations.items()
            if destination.states
        }
        ordered = _in_order([*kept, *arrived], self._old, heirs, order)
        return Changes(*labels, tuple(ordered), same, tuple(self._printed(swept)))

    def turned(self, found: Changes) -> Changes:
        """Return changes as they are on the way back, from the newer edition to the older."""
        order = {row.id: place for place, row in enumerate(self._old)}
        origins: dict[int, int] = {}
        for state, destination in self._destinations.items():
            for heir in destination.states[:1]:
                origins.setdefault(heir, order[state])
        ordered = _in_order([*_turned(found.all)], self._new, origins, order)
        return Changes(
            found.to_edition,
            found.from_edition,
            tuple(ordered),
            found.same,
            tuple([(after, before, count) for before, after, count in found.swept]),
        )

    def _canon(self, row: Row) -> Canon:
        return self._folder.canon(row)

    def _sweeps(self, moved: Iterable[tuple[Row, Destination]]) -> Mapping[Replacement, int]:
        return sweeps(
            (self._canon(row).whole, self._canon(self._there[destination.states[0]]).whole)
            for row, destination in moved
            if destination.states and row.body != self._there[destination.states[0]].body
        )

    def _change(
        self, row: Row, destination: Destination, swept: Mapping[Replacement, int]
    ) -> Change:
        if not destination.states:
            return Change(row, None, (), GONE, SUBSTANTIVE, destination.confidence)
        heirs = [self._there[state] for state in destination.states]
        new = heirs[0]
        change = NONE
        if (row.heading, row.body) != (new.heading, new.body):
            change = classify(self._rewording(row, new), swept).value
        is_text = change in {SWEEP, SUBSTANTIVE}
        bits = kinds_between(
            destination, is_same_place=name_of(row) == name_of(new), is_same_text=not is_text
        )
        return Change(row, new, tuple(heirs[1:]), bits, change, destination.confidence)

    def _parts(self, moved: Sequence[tuple[Row, Destination]]) -> Iterator[Change]:
        """Yield what came of others' words without being their main heir."""
        told = {
            destination.states[0]
            for destination in self._destinations.values()
            if destination.states
        }
        for row, destination in moved:
            for state in destination.states[1:]:
                if state not in told:
                    told.add(state)
                    bits = destination.bits & (SPLIT | COPIED | MERGED | UNCERTAIN) or SPLIT
                    part = self._there[state]
                    yield Change(
                        row, part, (), bits, SUBSTANTIVE, destination.confidence, is_part=True
                    )

    def _rewording(self, old: Row, new: Row) -> Rewording:
        before, after = self._canon(old), self._canon(new)
        follow = all(
            self._heirs.get(one.first, other.first) == other.first
            and self._heirs.get(one.last, other.last) == other.last
            for one, other in zip(before.citations, after.citations, strict=False)
        )
        return Rewording(before, after, (old.heading, old.body), (new.heading, new.body), follow)

    def _printed(self, swept: Mapping[Replacement, int]) -> Iterator[tuple[str, str, int]]:
        """Yield sweeps in words, the most frequent first."""
        decode = self._folder.vocabulary.decode
        order = sorted(swept.items(), key=lambda one: (-one[1], one[0].before, one[0].after))
        for phrase, count in order:
            yield " ".join(decode(phrase.before)), " ".join(decode(phrase.after)), count


def _in_order(
    changes: Iterable[Change],
    before: Sequence[Row],
    heirs: Mapping[int, int],
    order: Mapping[int, int],
) -> list[Change]:
    """Order changes as the edition they lead to is printed; what is gone follows what preceded it.

    Args:
        changes: In any order; those of one place keep it.
        before: The provisions of the edition they lead from.
        heirs: The places of their main heirs in the other, by ids.
        order: The places of all that the other holds, by ids.
    """
    place_of: dict[int, float] = {}
    last = -1.0
    for row in before:
        last = float(heirs.get(row.id, last))
        place_of[row.id] = last

    def place(change: Change) -> float:
        if change.new is not None:
            return float(order[change.new.id])
        return 0.0 if change.old is None else place_of[change.old.id] + 0.5

    return sorted(changes, key=place)


def _turned(changes: Iterable[Change]) -> Iterator[Change]:
    """Yield changes the other way round: what came is gone, what was split off is joined."""
    told: set[int] = set()
    for one in sorted(changes, key=lambda one: (one.is_part, one.bits & MERGED)):
        doubt = one.bits & UNCERTAIN
        turned = partial(Change, one.new, one.old, (), confidence=one.confidence)
        if one.new is None or one.old is None:
            kind = GONE if one.old is None else NEW
            yield turned(bits=kind | doubt, change=one.change)
        elif one.is_part:
            told.add(one.new.id)
            yield turned(bits=doubt or MERGED, change=one.change)
        elif one.new.id in told:
            yield turned(bits=doubt or SPLIT, change=SUBSTANTIVE, is_part=True)
        else:
            told.add(one.new.id)
            bits = one.bits & ~(SPLIT | MERGED | COPIED)
            yield turned(bits=bits or KEPT, change=one.change)


# JSON --------------------------------------------------------------------------------------------


def diff_json(changes: Changes, classes: Sequence[str]) -> DiffJson:
    """Return the form of `cr diff --json`, with the changes of some classes."""
    return {
        "summary": summary(changes),
        "changes": [change_json(one) for one in changes.all if one.change in classes],
    }


def change_json(change: Change) -> ChangeJson:
    """Return one change; its pieces give both readings, letter for letter.

    Of a part the older reading is that of what it came from.
    """
    return {
        "old": None if change.old is None else name_of(change.old),
        "new": None if change.new is None else name_of(change.new),
        "kinds": kinds_of(change.bits),
        "class": change.change,
        "words": change.pieces(exactly=True) if change.change != NONE else [],
    }


def summary(changes: Changes) -> DiffSummaryJson:
    """Return how much changed."""
    count: dict[str, int] = dict.fromkeys(CHANGE_CLASSES, 0)
    went = came = 0
    for one in changes.all:
        if not (one.is_new or one.is_gone or one.is_part):
            count[one.change] += 1
        if one.change in {SUBSTANTIVE, SWEEP}:
            for sign, text in one.pieces():
                size = len(text.split())
                went += size if sign == diff.GONE and not one.is_part else 0
                came += size if sign == diff.CAME else 0
    arrived = sum(one.is_new for one in changes.all)
    parts = sum(one.is_part for one in changes.all)
    sweep_rows: list[SweepJson] = [
        {"before": before, "after": after, "provisions": provisions}
        for before, after, provisions in changes.swept
    ]
    return {
        "from_edition": changes.from_edition,
        "to_edition": changes.to_edition,
        "provisions": changes.same + len(changes.all) - arrived - parts,
        "same": changes.same,
        "moved_only": count[NONE],
        "new": arrived,
        "gone": sum(one.is_gone for one in changes.all),
        "parts": parts,
        "typographic": count[TYPOGRAPHIC],
        "citation_only": count[CITATION],
        "sweep": count[SWEEP],
        "substantive": count[SUBSTANTIVE],
        "words_gone": went,
        "words_came": came,
        "sweeps": sweep_rows,
        "doubts": {label: list(doubts) for label, doubts in changes.doubts.items()},
    }
