"""Gather the editions of a new file, old and new; each distinct state is stored once."""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from variorum.rows import State
from variorum.stored_rows import EditionRow, LinkRow

if TYPE_CHECKING:
    from variorum.store.citations import Citation


@dataclass(slots=True)
class EditionRows:
    """An edition to write into the file.

    Attributes:
        columns: Its columns.
        states: The ids of its states in a `Merger`, in printed order.
    """

    columns: EditionRow
    states: "array[int]"


# Two editions, the older first, by the hashes of their documents.
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class StoredEditions:
    """The states and long columns of a file's editions.

    Attributes:
        states: All states.
        held: For each edition, the places of its states among them, in printed order.
        columns: For each edition, its long columns by name.
    """

    states: list[State]
    held: "list[array[int]]"
    columns: Sequence[Mapping[str, object]]


class Merger:
    """Gathers editions, and stores each distinct state once.

    Attributes:
        stored: The editions of the old file, in order.
        kept: How many of these are kept unchanged, with everything derived from them, so that only
            later editions are written; 0 if the file is written from scratch.
        editions: All editions, in the order in which they were added.
        links: The links between adjacent editions, by the hashes of their two documents; the ids
            are those of the merger.
        returns: The links of provisions that returned after an absence, with the same keys and ids.
        citations: The known citations of states, by id.
    """

    def __init__(
        self,
        stored: Sequence[EditionRow] = (),
        load: Callable[[], StoredEditions] = lambda: StoredEditions([], [], []),
    ) -> None:
        """Start with the editions of a file.

        Args:
            stored: The editions, without their long columns.
            load: Returns the long columns and states, on first use.
        """
        self.stored = tuple(stored)
        self.kept = 0
        self._ids: dict[State, int] = {}
        self._load: Callable[[], StoredEditions] | None = load if stored else None
        self.editions = [EditionRows(columns, array("I")) for columns in stored]
        self.links: dict[Pair, list[LinkRow]] = {}
        self.returns: dict[Pair, list[LinkRow]] = {}
        self.citations: Mapping[int, Sequence[Citation]] = {}

    def load(self) -> None:
        """Load the states and long columns of the first editions, unless they are loaded."""
        if self._load is not None:
            loaded = self._load()
            self._load = None
            self._ids = {state: number for number, state in enumerate(loaded.states)}
            places = {edition.sha256: place for place, edition in enumerate(self.stored)}
            for edition in self.editions:
                place = places[edition.columns.sha256]
                edition.columns = edition.columns.changed(**loaded.columns[place])
                edition.states.extend(loaded.held[place])

    def goes_on(self) -> bool:
        """Return whether all editions of the old file are still there, before all new ones."""
        now = [edition.columns.sha256 for edition in self.in_order()[: len(self.stored)]]
        return bool(now) and now == [edition.sha256 for edition in self.stored]

    def add(self, columns: EditionRow, states: Iterable[State]) -> None:
        """Add an edition."""
        self.load()
        ids = self._ids
        ids_of_states = array("I", [ids.setdefault(state, len(ids)) for state in states])
        self.editions.append(EditionRows(columns, ids_of_states))

    def in_order(self) -> list[EditionRows]:
        """Return the editions in the order of their dates and issues."""
        return sorted(
            self.editions, key=lambda edition: (edition.columns.effective, edition.columns.issue)
        )

    def count(self) -> int:
        """Return how many states there are."""
        self.load()
        return len(self._ids)

    def id_of(self, state: State) -> int:
        """Return the id of a state."""
        return self._ids[state]

    def states(self) -> list[State]:
        """Return all states; the place of each is its id."""
        self.load()
        return list(self._ids)
