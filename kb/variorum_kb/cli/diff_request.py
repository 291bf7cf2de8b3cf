"""Which changes `cr diff`, `cr changes` and `cr since` are asked for."""

from collections.abc import Iterator
from dataclasses import dataclass

from variorum_kb.answers.changes import NONE, Change
from variorum_kb.rows import COPIED, MERGED, RENUMBERED, SPLIT

# Kinds of changes that can be asked for.
ADDED, REMOVED, MOVED, REWORDED = KINDS = ("added", "removed", "moved", "reworded")
_MOVES = RENUMBERED | SPLIT | MERGED | COPIED


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffRequest:
    """Which changes to show.

    Attributes:
        question: A provision; "" for all.
        is_alone: Without its subrules.
        is_glossary: Entries of the glossary alone.
        classes: Those whose words changed like this, see rows.CHANGE_CLASSES.
        kinds: Only those to which this happened, values of `KINDS`; all if empty.
        form: "page", "stat", "summary" or "unified".
        by_size: Sort by the number of words changed, not in the edition's order.
        limit: The highest number of changes shown; None for all.
        as_json: Print JSON.
        exit_code: Exit with 1 if there is such a change.
    """

    question: str
    is_alone: bool
    is_glossary: bool
    classes: tuple[str, ...]
    kinds: tuple[str, ...]
    form: str
    by_size: bool
    limit: int | None
    as_json: bool
    exit_code: bool

    def has_kind(self, change: Change) -> bool:
        """Return whether a change is of a kind that is asked for."""
        return not self.kinds or any(kind in self.kinds for kind in _kinds_of(change))

    def shows(self, change: Change) -> bool:
        """Return whether a page shows a change; other classes of rewording are left out."""
        if not self.kinds:
            return change.change in self.classes
        return any(
            kind in self.kinds and (kind != REWORDED or change.change in self.classes)
            for kind in _kinds_of(change)
        )


def _kinds_of(change: Change) -> Iterator[str]:
    """Yield the kinds of a change, as `--kind` names them."""
    if change.is_gone:
        yield REMOVED
        return
    if change.is_new or change.is_part:
        yield ADDED
        return
    if change.bits & _MOVES:
        yield MOVED
    if change.change != NONE:
        yield REWORDED
