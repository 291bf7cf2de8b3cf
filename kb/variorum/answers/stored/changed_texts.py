"""Finds moved words in the texts that a new edition changed or dropped."""

from bisect import bisect_right

from variorum.rows import CHANGE_CLASSES
from variorum.store.reader import Reader

_CHANGED = (
    "SELECT old, lower(body) FROM link JOIN provision ON provision.id = old "
    "JOIN reading ON reading.id = reading "
    "WHERE edition = ? AND source = edition - 1 AND (new IS NULL OR class = ?)"
)
_REWORDED = CHANGE_CLASSES.index("substantive")
# Words in more texts than this are too common.
_MOST_HOLDING = 6


class ChangedTexts:
    """The texts of provisions that editions reworded or dropped, by some of their words."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._known: dict[int, tuple[bytes, list[int], list[int]]] = {}

    def holding(self, words: str, edition: int) -> list[int]:
        """Return the states that have some words and that a step changed or ended.

        Args:
            words: In small letters, with a blank between words.
            edition: The place of the edition into which the step leads.

        Returns:
            Their ids; none if many texts have the words.
        """
        if edition not in self._known:
            self._known[edition] = self._load(edition)
        text, starts, states = self._known[edition]
        holders: dict[int, None] = {}
        sought = words.encode()
        place = text.find(sought)
        while place >= 0 and len(holders) <= _MOST_HOLDING:
            holders[states[bisect_right(starts, place) - 1]] = None
            place = text.find(sought, place + 1)
        return list(holders) if len(holders) <= _MOST_HOLDING else []

    def _load(self, edition: int) -> tuple[bytes, list[int], list[int]]:
        """Return all texts joined into one, where each begins, and the ids of their states.

        They are encoded, since a curly quote would make a string take two bytes for each character.
        """
        rows = self._reader.query(_CHANGED, [edition, _REWORDED])
        starts: list[int] = []
        length = 0
        bodies = [typewritten(body).encode() for _, body in rows]
        for body in bodies:
            starts.append(length)
            length += len(body) + 1
        return b"\n".join(bodies), starts, [old for old, _ in rows]


def typewritten(text: str) -> str:
    """Return a text with straight apostrophes, for searching."""
    return text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
