"""The scopes of a search: the edition in force, another edition, or the texts of all editions."""

from collections.abc import Collection, Container, Iterable
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import TYPE_CHECKING

from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.rule_numbers import is_below
from variorum.search.queries.engine import Searcher
from variorum.search.queries.plan import Plan

if TYPE_CHECKING:
    from array import array


class Scope:
    """The edition in force, whose index has the ids of states as keys.

    Attributes:
        searcher: The index.
        edition: The edition whose provisions are shown; None for any edition.
        wanted: The ids of the states that may be shown; None for all.
    """

    def __init__(
        self, searcher: Searcher, edition: EditionEntry | None, wanted: Collection[int] | None
    ) -> None:
        self.searcher = searcher
        self.edition = edition
        self.wanted = wanted

    @property
    def allowed(self) -> AbstractSet[int] | None:
        """Return the places of the texts that may be shown; None for all."""
        return None if self.wanted is None else self._places_of(self.wanted)

    def _places_of(self, keys: Container[int]) -> AbstractSet[int]:
        known = self.searcher.kept.index.keys
        return {place for place, key in known.items() if key in keys}

    def state_of(self, key: int, number: str = "") -> int:
        """Return the id of the state to show for a text.

        Args:
            key: The key of the text.
            number: A number that the state should have or be below, if possible.
        """
        del number
        return key

    def numbered(self, prefix: str) -> dict[str, list[int]]:
        """Return the numbers with a prefix, with the places of their bearers."""
        return self.searcher.kept.index.numbered(prefix)


class Everything:
    """The index of all texts, with the states of each text."""

    def __init__(self, searcher: Searcher, base: KnowledgeBase) -> None:
        self.searcher = searcher
        self.base = base
        self._held: dict[int, dict[int, int]] = {}
        self._places_held: dict[int, AbstractSet[int]] = {}

    @cached_property
    def keys(self) -> "array[int]":
        """Return the key of each state's text by the state's id."""
        return self.searcher.kept.keys()

    @cached_property
    def lines(self) -> "array[int]":
        """Return the lineage of each state by the state's id."""
        return self.searcher.kept.lines()

    @cached_property
    def members(self) -> dict[int, list[int]]:
        """Return the ids of the states with each text, by its key."""
        return _places_of_each(self.keys)

    def relatives(self, key: int) -> dict[int, list[int]]:
        """Return the states of a text's lineage, by the keys of their texts."""
        states_by_key: dict[int, list[int]] = {}
        for state in self._of_line[self.lines[key]]:
            states_by_key.setdefault(self.keys[state], []).append(state)
        return states_by_key

    @cached_property
    def _of_line(self) -> dict[int, list[int]]:
        return _places_of_each(self.lines)

    @cached_property
    def places(self) -> dict[int, int]:
        """Return the places of all texts in the index by their keys."""
        return {key: place for place, key in self.searcher.kept.index.keys.items()}

    def held(self, edition: int) -> dict[int, int]:
        """Return the states of an edition by the keys of their texts."""
        if edition not in self._held:
            states, keys = self.base.texts.held(edition), self.keys
            self._held[edition] = {keys[state]: state for state in reversed(states)}
        return self._held[edition]

    def places_held(self, edition: int) -> AbstractSet[int]:
        """Return the places of an edition's texts in the index."""
        if edition not in self._places_held:
            held = self.held(edition)
            keys = self.searcher.kept.index.keys
            self._places_held[edition] = {place for place, key in keys.items() if key in held}
        return self._places_held[edition]

    def latest(self, states: Collection[int]) -> int:
        """Return the state that was printed last."""
        if len(states) == 1:
            return next(iter(states))
        stood = self.base.texts.stood
        return max(states, key=lambda state: (stood([state])[-1][1], state))


class EditionScope(Scope):
    """An edition that is not in force, searched in the index of all texts."""

    def __init__(
        self, everything: Everything, edition: EditionEntry, wanted: Collection[int] | None
    ) -> None:
        super().__init__(everything.searcher, edition, wanted)
        self._everything = everything
        held = everything.held(edition.place)
        if wanted is not None:
            held = {key: state for key, state in held.items() if state in wanted}
        self._held = held

    @property
    def allowed(self) -> AbstractSet[int]:
        """Return the places of the edition's texts that may be shown."""
        if self.wanted is None and self.edition is not None:
            return self._everything.places_held(self.edition.place)
        return self._places_of(self._held)

    def state_of(self, key: int, number: str = "") -> int:
        """Return the state with a text in this edition."""
        del number
        return self._held[key]

    def numbered(self, prefix: str) -> dict[str, list[int]]:
        """Return the numbers of this edition with a prefix, with the texts of their bearers."""
        return _numbered(self._everything, prefix, set(self._held.values()))


class EverScope(Scope):
    """The texts of all editions."""

    def __init__(self, everything: Everything, wanted: Collection[int] | None) -> None:
        super().__init__(everything.searcher, None, wanted)
        self._everything = everything

    @property
    def allowed(self) -> AbstractSet[int] | None:
        """Return the places of the texts of states that may be shown."""
        if self.wanted is None:
            return None
        keys = self._everything.keys
        return self._places_of({keys[state] for state in self.wanted})

    def state_of(self, key: int, number: str = "") -> int:
        """Return the last state with a text, preferably with a number."""
        states = self.states(key)
        if number and len(states) > 1:
            rows = self._everything.base.texts.rows(states)
            bearing = [state for state in states if rows[state].number == number]
            below = [state for state in states if is_below(rows[state].number, number)]
            states = bearing or below or states
        return self._everything.latest(states)

    def states(self, key: int) -> list[int]:
        """Return the states with a text that may be shown."""
        return self._wanted(self._everything.members[key])

    def holding(self, plan: Plan, key: int) -> list[int]:
        """Return the states of a hit's lineage that match a query by the same words.

        Args:
            plan: The plan of the query.
            key: The key of the hit's text.
        """
        everything = self._everything
        relatives = everything.relatives(key) | {key: everything.members[key]}
        places = {relative: everything.places[relative] for relative in relatives}
        holding = self.searcher.holding(plan, key, places)
        return self._wanted([state for relative in holding for state in relatives[relative]])

    def _wanted(self, states: list[int]) -> list[int]:
        wanted = self.wanted
        return states if wanted is None else [state for state in states if state in wanted]

    def numbered(self, prefix: str) -> dict[str, list[int]]:
        """Return the numbers of all editions with a prefix, with the texts of their bearers."""
        return _numbered(self._everything, prefix, self.wanted)


def _places_of_each(numbers: Iterable[int]) -> dict[int, list[int]]:
    """Return the places of each number."""
    places: dict[int, list[int]] = {}
    for place, number in enumerate(numbers):
        places.setdefault(number, []).append(place)
    return places


def _numbered(
    everything: Everything, prefix: str, wanted: Collection[int] | None
) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for state, number in everything.base.texts.numbered(prefix):
        if wanted is None or state in wanted:
            place = everything.places[everything.keys[state]]
            places.setdefault(number, []).append(place)
    return places
