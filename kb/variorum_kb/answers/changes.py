"""What changed between any two editions: the net effect, provision by provision."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
        from_edition: The label of the older edition.
        to_edition: That of the newer.
        all: In the printed order of the newer edition, what is gone where it would stand.
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


def find_changes(
    base: "KnowledgeBase", start: "str | EditionEntry", stop: "str | EditionEntry" = "current"
) -> Changes:
    """Return what changed from one edition to another, the older one first.

    Raises:
        NoEditionError: A designator names no edition.
    """
    one, other = base.edition(start), base.edition(stop)
    if one.place > other.place:
        one, other = other, one
    old, new = (base.reader.states_in(edition.place) for edition in (one, other))
    found = _Finder(old, new, walk_between(base, one, other)).find((one.label, other.label))
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
        ordered = self._in_order([*kept, *arrived])
        return Changes(*labels, tuple(ordered), same, tuple(self._printed(swept)))

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

    def _in_order(self, changes: list[Change]) -> list[Change]:
        """Order changes as the newer edition is printed; what is gone follows what preceded it."""
        order = {row.id: place for place, row in enumerate(self._new)}
        place_of: dict[int, float] = {}
        last = -1.0
        for row in self._old:
            states = self._destinations[row.id].states
            last = float(order[states[0]]) if states else last
            place_of[row.id] = last
        keys = {
            id(one): (
                place_of[one.old.id] + 0.5
                if one.new is None and one.old is not None
                else float(order[one.new.id] if one.new is not None else 0)
            )
            for one in changes
        }
        return sorted(changes, key=lambda one: keys[id(one)])

    def _printed(self, swept: Mapping[Replacement, int]) -> Iterator[tuple[str, str, int]]:
        """Yield sweeps in words, the most frequent first."""
        decode = self._folder.vocabulary.decode
        order = sorted(swept.items(), key=lambda one: (-one[1], one[0].before, one[0].after))
        for phrase, count in order:
            yield " ".join(decode(phrase.before)), " ".join(decode(phrase.after)), count


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
