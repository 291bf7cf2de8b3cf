"""The changes that a user of `cr diff`, `cr changes` or `cr since` asks for."""

from collections.abc import Iterator
from dataclasses import dataclass

from variorum.answers.diff import NONE, Change
from variorum.rows import COPIED, MERGED, RENUMBERED, SPLIT

# The kinds of changes that `--kind` accepts.
ADDED, REMOVED, MOVED, REWORDED = KINDS = ("added", "removed", "moved", "reworded")
_MOVES = RENUMBERED | SPLIT | MERGED | COPIED


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffRequest:
    """Which changes to show.

    Attributes:
        question: A provision; "" for all.
        is_alone: Leave its subrules out.
        is_glossary: Show only glossary entries.
        classes: Show only rewordings of these classes, from rows.CHANGE_CLASSES.
        kinds: Show only changes of these kinds, from `KINDS`; all if empty.
        is_summary: Show counts only.
        by_size: Sort by the number of words changed, not by place in the edition.
        limit: The most changes shown; None for all.
        as_json: Print JSON.
        exit_code: Exit with 1 if any change is shown.
    """

    question: str
    is_alone: bool
    is_glossary: bool
    classes: tuple[str, ...]
    kinds: tuple[str, ...]
    is_summary: bool
    by_size: bool
    limit: int | None
    as_json: bool
    exit_code: bool

    def has_kind(self, change: Change) -> bool:
        """Return whether a change is of a wanted kind."""
        return not self.kinds or any(kind in self.kinds for kind in _kinds_of(change))

    def shows(self, change: Change) -> bool:
        """Return whether to show a change, by its kinds and its class."""
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
