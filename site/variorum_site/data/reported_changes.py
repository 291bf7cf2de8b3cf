"""The changes of an edition in the short form of feeds: kind, names, and a few words."""

from collections.abc import Iterable, Iterator

from variorum.answers.diff import SUBSTANTIVE, SWEEP, Change, Changes
from variorum.rows import MERGED, UNCERTAIN, State, name_of, wording_of
from variorum.text import shortened

# A change: one of `KINDS`; the old name; the new name, with "?" before it if the step is uncertain;
# and a short word diff.
ReportedChange = tuple[str, str, str, list[tuple[str, str]]]

ADDED, REWORDED, REMOVED, RENUMBERED = "added", "reworded", "removed", "renumbered"
KINDS = (ADDED, REWORDED, REMOVED, RENUMBERED)
# How many words of a diff are shown, and how many kept words on each side of a change.
_WORDS, _AROUND = 60, 5
# Length limits for the words of an added or removed provision, and of a renumbered one.
_OPENING, _TITLE = 160, 60


def reported_of(changes: Changes) -> list[ReportedChange]:
    """Return an edition's changes for feeds: the kind, both names, and a short word diff.

    Changes that affect only typography or cited numbers are left out.
    """
    return [reported for change in changes.all for reported in _reported(change)]


def _reported(change: Change) -> Iterator[ReportedChange]:
    old = "" if change.old is None else name_of(change.old)
    new = "" if change.new is None else name_of(change.new)
    likely = f"?{new}" if change.bits & UNCERTAIN else new
    if change.is_new or change.is_part:
        yield ADDED, old, new, opening(change.new)
    elif change.is_gone or change.bits & MERGED:
        yield REMOVED, old, new, opening(change.old)
    elif change.change in {SUBSTANTIVE, SWEEP}:
        yield REWORDED, old, likely, in_short(change.pieces())
    elif old != new:
        yield RENUMBERED, old, likely, opening(change.new, _TITLE)


def in_short(pieces: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return a word diff with a few words around each change; cut it if it is long."""
    shortened_pieces: list[tuple[str, str]] = []
    shown = 0
    for sign, text in pieces:
        words = text.split()
        if shown >= _WORDS:
            return [*shortened_pieces, ("=", "…")]
        most = _AROUND if sign == "=" else _WORDS
        if len(words) > 2 * most:
            words = [*words[: most * bool(shortened_pieces)], "…", *words[-most:]]
        shown += len(words)
        shortened_pieces.append((sign, " ".join(words)))
    return shortened_pieces


def opening(state: State | None, most: int = _OPENING) -> list[tuple[str, str]]:
    """Return the heading of a provision, else its first words."""
    words = "" if state is None else state.heading or wording_of(state)
    return [("=", shortened(words, most))] if words else []
