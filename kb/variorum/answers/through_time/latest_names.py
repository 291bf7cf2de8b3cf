"""The names that provisions of an edition have today."""

from collections.abc import Iterable

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.history.walks import walk
from variorum.rows import name_of


class LatestNames:
    """The latest names of provisions, each found once."""

    def __init__(self, base: KnowledgeBase) -> None:
        self._base = base
        self._known: dict[tuple[int, int], tuple[str | None, str]] = {}

    def of(self, state: int, place: int) -> tuple[str | None, str]:
        """Return a provision's name today (None if it was removed) and its last name.

        Args:
            state: The id of its state.
            place: The place of an edition that has the state.
        """
        if (state, place) not in self._known:
            self.find([state], place)
        return self._known[state, place]

    def find(self, states: Iterable[int], place: int) -> None:
        """Find the latest names of provisions of an edition at once, which is faster."""
        base, current = self._base, self._base.current
        missing = [state for state in dict.fromkeys(states) if (state, place) not in self._known]
        last = {state: state for state in missing}
        gone: set[int] = set()
        if current is not None and place < current.place:
            base.links.read_onward(missing)
            for state, destination in walk(base.lineages, missing, place, current.place).items():
                heir, loss = destination.heir, destination.loss
                if heir is not None:
                    last[state] = heir
                else:
                    gone.add(state)
                    last[state] = state if loss is None else loss.state
        rows = base.states.of(last.values())
        for state in missing:
            name = name_of(rows[last[state]])
            self._known[state, place] = None if state in gone else name, name
