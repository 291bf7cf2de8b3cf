"""The states of an open base, read on demand."""

from variorum.rows import State
from variorum.store.reader import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class StoredStates:
    """The states of a base by their ids, each read once."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._known: dict[int, State] = {}
        self._is_loaded = False

    def __getitem__(self, number: int) -> State:
        """Return the state with an id."""
        return self._known.get(number) or self.of([number])[number]

    def of(self, numbers: "Iterable[int]") -> dict[int, State]:
        """Return states by their ids, read at once."""
        wanted = list(numbers)
        missing = [number for number in dict.fromkeys(wanted) if number not in self._known]
        if missing:
            self._known.update(self._reader.states_by_id(missing))
        return {number: self._known[number] for number in wanted}

    def load(self) -> dict[int, State]:
        """Return all states by their ids."""
        if not self._is_loaded:
            self._known, self._is_loaded = self._reader.all_states(), True
        return self._known
