"""Finds reasons not to trust a text, in itself and compared with the held editions.

A new edition is first seen at one address, and the program must judge it before another address has
it. The program believes it if four things hold: most of its provisions are in the edition before
it, none is missing, no two have exchanged places, and no character commands a terminal or reorders
a line.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.errors import BaseError, DocumentError
from variorum.history.holes import find_cuts, find_holes, missing_line
from variorum.history.in_time import Wordings, nearest_elsewhere
from variorum.reading.decoding import decode
from variorum.reading.originals import take_original
from variorum.rows import State
from variorum.text.control_characters import escapes, visible
from variorum.thresholds.trust import MOST_EXCHANGED
from variorum.witnesses.copies import describe

# The control characters that texts may contain: tabs, ends of lines, pages and files, soft hyphens
# (2026-08-07 has a line separator).
_ALLOWED = frozenset(map(ord, "\t\n\v\f\r\x1a\xad\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}"))
_REFUSED = {code: None for code in escapes() if code not in _ALLOWED}
_NAMED = 2


@dataclass(slots=True)
class Signs:
    """Compares texts with editions.

    Attributes:
        editions: The provisions of the believed editions, by their days.
    """

    editions: Mapping[str, Sequence[State]]
    _wordings: Wordings = field(default_factory=Wordings)
    _held: dict[str, set[int]] = field(default_factory=dict[str, set[int]])

    def differs(self, day: str, states: Sequence[State]) -> str:
        """Return how a text differs from the edition of its day; "" if there is no such edition."""
        edition = self.editions.get(day)
        return describe(edition, states) if edition else ""

    def against(self, day: str, states: Sequence[State]) -> str:
        """Return the reason not to believe a text of a new day; "" if there is none."""
        if not self.editions:
            return ""
        if not self._held:
            self._held |= {label: self._wordings.of(held) for label, held in self.editions.items()}
        nearest = nearest_elsewhere(day, self._wordings.of(states), self._held)
        if nearest:
            difference = describe(self.editions[nearest], states) or "the same words"
            return f"it is the edition of {nearest} under another date: {difference}"
        before, after = self._beside(day)
        missing = missing_line(find_holes(states, before, after), before or after)
        if missing:
            return missing
        if cut := find_cuts(states, before, after):
            return f"words missing in {', '.join([state.address for state in cut])}"
        return _exchanged(before, states)

    def _beside(self, day: str) -> tuple[Sequence[State], Sequence[State]]:
        earlier = max((label for label in self.editions if label < day), default="")
        later = min((label for label in self.editions if label > day), default="")
        return self.editions.get(earlier, ()), self.editions.get(later, ())


def _exchanged(before: Sequence[State], here: Sequence[State]) -> str:
    """Return the rules that have changed places with each other since the edition before."""
    old = {state.address: state.body for state in before if state.kind != "glossary"}
    new = {state.address: state.body for state in here if state.kind != "glossary"}
    place: dict[str, str] = {}
    for address, body in new.items():
        place[body] = "" if body in place else address
    moved = {
        address: place[body]
        for address, body in old.items()
        if place.get(body) and new.get(address) != body
    }
    circling = [address for address in moved if _returns_to(address, moved)]
    if len(circling) <= MOST_EXCHANGED:
        return ""
    named = ", ".join(f"{address} is now {moved[address]}" for address in circling[:_NAMED])
    return f"{len(circling)} rules have changed places with each other: {named} …"


def _returns_to(start: str, moved: Mapping[str, str]) -> bool:
    """Return whether rules changed places in a circle that includes this address."""
    visited = {start}
    at = moved[start]
    while at in moved and at not in visited:
        visited.add(at)
        at = moved[at]
    return at == start


def controls_in(data: bytes, name: str) -> str:
    """Return the first forbidden character of a text with its line; "" if there is none."""
    try:
        original = take_original(data, name)
        lines = original.lines if original else decode(data, name).text.splitlines()
    except DocumentError:
        return ""  # the reader refuses these
    for number, line in enumerate(lines, start=1):
        if line.translate(_REFUSED) != line:
            sign = next(character for character in line if ord(character) in _REFUSED)
            called = unicodedata.name(sign, "").lower() or visible(sign)
            return f"control characters: {called} in line {number}"
    return ""


def load_editions(folder: Path) -> dict[str, Sequence[State]]:
    """Return the provisions of all editions that a base holds, by their days."""
    try:
        with KnowledgeBase.open(folder) as base:
            return {
                edition.effective.isoformat(): base.reader.states_in(edition.place)
                for edition in base.editions
                if edition.is_chosen
            }
    except BaseError:
        return {}
