"""The changes between any two editions, provision by provision."""

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import lru_cache

from variorum.history.word_diffs import diff
from variorum.records.lineage import ChangeJson, DiffJson, DiffSummaryJson, SweepJson
from variorum.rows import CHANGE_CLASSES, Row, kinds_of, name_of, wording_of

# The classes of changes of words; see rows.py.
NONE, TYPOGRAPHIC, CITATION, SWEEP, SUBSTANTIVE = CHANGE_CLASSES


@dataclass(frozen=True, slots=True)
class Change:
    """The change of a provision between two editions.

    Attributes:
        old: Its state in the edition compared from; None if it is new.
        new: The state of its main heir in the edition compared to; None if it is gone.
        others: Further heirs.
        bits: The kinds of the change, see rows.STEP_KINDS.
        change: How much its words changed, see rows.CHANGE_CLASSES.
        confidence: The chance that the heir is right.
        is_part: Whether `new` has words of `old` but is not the main heir of any provision.
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
        """Return whether nothing but the number changed."""
        return self.change == NONE and not self.is_new and not self.is_gone

    @property
    def kinds(self) -> list[str]:
        """Return the kinds of the change, in words."""
        return kinds_of(self.bits)

    @property
    def is_new(self) -> bool:
        """Return whether the provision is new."""
        return self.old is None

    @property
    def is_gone(self) -> bool:
        """Return whether the provision has no heir."""
        return self.new is None

    @property
    def size(self) -> int:
        """Return how many words were removed or added."""
        return sum(len(text.split()) for sign, text in self.pieces() if sign != diff.SAME)

    def pieces(self, *, exactly: bool = False) -> list[diff.Piece]:
        """Return the word diff of the provision's words, or of its heading if it has no words."""
        before = "" if self.old is None else wording_of(self.old)
        after = "" if self.new is None else wording_of(self.new)
        return [*_pieces(before, after, exactly)]


# Cached because each diff is needed twice: to count and to show. The largest comparison has some
# 2,500 changes.
@lru_cache(maxsize=4096)
def _pieces(before: str, after: str, exactly: bool) -> tuple[diff.Piece, ...]:  # noqa: FBT001 - a key of the cache
    return tuple(diff.word_diff(before, after, exactly=exactly))


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes between two editions, and the count of unchanged provisions.

    Attributes:
        from_edition: The label of the edition compared from.
        to_edition: The label of the edition compared to, which may be the earlier edition.
        all: The changes, in the order in which `to_edition` prints or would print the provisions.
        same: How many provisions kept their number and words.
        swept: Phrases replaced in many provisions, as printed, with the number of provisions.
        doubts: The warnings about each edition, by its label.
    """

    from_edition: str
    to_edition: str
    all: tuple[Change, ...]
    same: int
    swept: tuple[tuple[str, str, int], ...]
    doubts: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    def within(self, old: AbstractSet[int], new: AbstractSet[int]) -> "Changes":
        """Return only the changes of some provisions.

        Args:
            old: The ids of their states in the edition compared from.
            new: The ids of their states in the edition compared to.
        """
        kept = [
            change
            for change in self.all
            if (change.old is not None and change.old.id in old)
            or (change.new is not None and change.new.id in new)
        ]
        changed = {
            change.old.id for change in kept if change.old is not None and not change.is_part
        }
        return replace(self, all=tuple(kept), same=len(old - changed), swept=())


# JSON --------------------------------------------------------------------------------------------


def diff_json(changes: Changes, is_wanted: Callable[[Change], bool] | None = None) -> DiffJson:
    """Return the form of `cr diff --json`, with the wanted changes; by default with all."""
    return {
        "summary": summary(changes),
        "changes": [change_json(change) for change in filter(is_wanted, changes.all)],
    }


def change_json(change: Change) -> ChangeJson:
    """Return a change in its JSON form; its pieces give both readings, letter for letter.

    The older reading of a part is its source's.
    """
    return {
        "old": None if change.old is None else name_of(change.old),
        "new": None if change.new is None else name_of(change.new),
        "kinds": kinds_of(change.bits),
        "class": change.change,
        "words": change.pieces(exactly=True) if change.change != NONE else [],
    }


def summary(changes: Changes) -> DiffSummaryJson:
    """Return the counts of the changes."""
    count: dict[str, int] = dict.fromkeys(CHANGE_CLASSES, 0)
    went = came = 0
    for change in changes.all:
        if not (change.is_new or change.is_gone or change.is_part):
            count[change.change] += 1
        if change.change in {SUBSTANTIVE, SWEEP}:
            for sign, text in change.pieces():
                size = len(text.split())
                went += size if sign == diff.GONE and not change.is_part else 0
                came += size if sign == diff.CAME else 0
    arrived = sum(change.is_new for change in changes.all)
    parts = sum(change.is_part for change in changes.all)
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
        "gone": sum(change.is_gone for change in changes.all),
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
