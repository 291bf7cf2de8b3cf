"""Finds the provisions that have a number in an edition, and their headings."""

from collections.abc import Iterable, Mapping

from variorum.answers.lint.slots import Citations
from variorum.answers.whole import PrintedCitation
from variorum.rows import State
from variorum.text import bearing, keys_of


class Bearers:
    """Which provision has which number in an edition."""

    def __init__(self, citations: Citations, bearers: Mapping[str, tuple[int, ...]]) -> None:
        """Prepare an edition.

        Args:
            citations: The citations of the base.
            bearers: The bearers in the edition, by the keys of their numbers.
        """
        self._citations = citations
        self._bearers = bearers

    def after(self, gone: Iterable[int], new: Iterable[int]) -> "Bearers":
        """Return the bearers in the next edition, given the states that it dropped and added."""
        states = self._citations.states
        bearers = dict(self._bearers)
        for state_id in gone:
            for key in _keys(states[state_id]):
                bearers[key] = tuple([state for state in bearers[key] if state != state_id])
        for state_id in new:
            for key in _keys(states[state_id]):
                both = (*bearers.get(key, ()), state_id)
                bearers[key] = tuple(sorted(both, key=lambda state: states[state].address))
        return Bearers(self._citations, bearers)

    def bearers(self, number: str) -> tuple[int, ...]:
        """Return the provisions that have a number in print; if none, those that should have it."""
        return bearing(lambda key: self._bearers.get(key, ()), number)

    def has_ends(self, citation: PrintedCitation) -> bool:
        """Return whether the cited number exists; for a range, whether both ends exist."""
        return bool(self.bearers(citation.numbers[0]) and self.bearers(citation.numbers[-1]))

    def headings(self, states: Iterable[int]) -> list[str]:
        """Return the nearest headings at or above provisions."""
        headings: list[str] = []
        for state_id in states:
            state = self._citations.states[state_id]
            heading = state.heading or self._heading(state.parent)
            headings += [heading] if heading else []
        return headings

    def _heading(self, address: str) -> str:
        states = self._citations.states
        bearers = [states[bearer] for bearer in self.bearers(address.partition("#")[0])]
        return next((state.heading for state in bearers if state.address == address), "")

    def fits(self, title: str, states: Iterable[int]) -> bool:
        """Return whether a title is the heading of one of some provisions."""
        folded = self._citations.fold_title(title)
        headings = map(self._citations.fold_title, self.headings(states))
        return any(heading == folded for heading in headings)


def _keys(state: State) -> list[str]:
    return [] if state.kind == "glossary" else keys_of(state)
