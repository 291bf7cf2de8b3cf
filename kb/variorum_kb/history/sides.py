"""An edition as one side of an alignment: provisions with their words, places and citations."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from variorum_kb.history.canonical import Canon, Folder
from variorum_kb.rows import State
from variorum_kb.text.keys import bearing, keys_of

NOWHERE = -1


@dataclass(slots=True, eq=False)
class Item:
    """A provision of one side.

    Attributes:
        place: Its place in printed order, from 0.
        state: The provision's state.
        canon: Its canonical text.
        words: All words of the canonical text, encoded.
        bag: How often each word occurs, in the order of the text.
        parent: The place of its parent; -1 for chapters and glossary entries.
        rank: Its rank among its parent's children, from 0.
        children: The places of its children.
        cites: For each slot, the places of both ends of the citation; -1 if an end is unknown or
            ambiguous.
    """

    place: int
    state: State
    canon: Canon
    words: str
    bag: Mapping[str, int]
    parent: int = NOWHERE
    rank: int = 0
    children: list[int] = field(default_factory=list[int])
    cites: tuple[tuple[int, int], ...] = ()

    @property
    def kind(self) -> str:
        """Return a value of `model.Kind`."""
        return self.state.kind

    @property
    def is_entry(self) -> bool:
        """Return whether it is a glossary entry."""
        return self.state.kind == "glossary"

    @property
    def address(self) -> str:
        """Return its number, or its headword."""
        return self.state.address


class Side:
    """All provisions of an edition, in printed order.

    Attributes:
        items: The provisions.
        folder: Has folded them.
        spread: In how many provisions each word stands.
    """

    def __init__(self, states: Sequence[State], folder: Folder) -> None:
        self.folder = folder
        self.items: list[Item] = []
        self._by_address: dict[str, int] = {}
        self._by_headword: dict[str, int] = {}
        for place, state in enumerate(states):
            canon = folder.canon(state)
            item = Item(place, state, canon, *folder.words(canon))
            self.items.append(item)
            names = self._by_headword if item.is_entry else self._by_address
            names[item.address] = place
        self.spread: Counter[str] = Counter()
        for item in self.items:
            self.spread.update(item.bag.keys())
        self._set_parents()
        self._set_cites()

    def _set_parents(self) -> None:
        for item in self.items:
            parent = (
                self._by_address.get(item.state.parent, NOWHERE) if item.state.parent else NOWHERE
            )
            if parent != NOWHERE:
                above = self.items[parent]
                item.parent, item.rank = parent, len(above.children)
                above.children.append(item.place)

    def _set_cites(self) -> None:
        numbered: dict[str, list[int]] = defaultdict(list)
        for item in self.items:
            if not item.is_entry:
                for key in keys_of(item.state):
                    numbered[key].append(item.place)

        def bearer(number: str) -> int:
            places = bearing(lambda key: numbered.get(key, []), number)
            return places[0] if len(places) == 1 else NOWHERE

        for item in self.items:
            if item.canon.citations:
                item.cites = tuple(
                    [
                        (
                            bearer(citation.first),
                            bearer(citation.last) if citation.last != citation.first else NOWHERE,
                        )
                        for citation in item.canon.citations
                    ]
                )

    def named(self, item: Item) -> int | None:
        """Return the place of the provision with the number or headword of one on another side."""
        return (self._by_headword if item.is_entry else self._by_address).get(item.address)

    def sibling(self, item: Item, step: int) -> int:
        """Return the place of the sibling some steps away; -1 without one."""
        if item.parent == NOWHERE:
            return NOWHERE
        row = self.items[item.parent].children
        rank = item.rank + step
        return row[rank] if 0 <= rank < len(row) else NOWHERE
