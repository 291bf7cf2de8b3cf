"""An edition as a side of an alignment: provisions with their words, places and citations."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from variorum.history.canonical import Canon, Folder
from variorum.rows import State, named
from variorum.text import bearing, keys_of

NOWHERE = -1


@dataclass(slots=True, eq=False)
class Item:
    """A provision. Places, -1 for none, are those of provisions of its edition in printed order.

    Attributes:
        words: All words of the canonical text, one character each.
        bag: The number of occurrences of each word.
        rank: Its rank among its siblings, from 0; for a glossary entry, among the entries.
        cites: For each slot, both ends of the citation; -1 if an end is unknown or ambiguous.
    """

    place: int
    state: State
    canon: Canon
    words: str
    bag: Mapping[str, int]
    parent: int = NOWHERE
    rank: int = 0
    previous: int = NOWHERE
    following: int = NOWHERE
    children: list[int] = field(default_factory=list[int])
    cites: tuple[tuple[int, int], ...] = ()

    @property
    def is_entry(self) -> bool:
        """Return whether it is a glossary entry."""
        return self.state.kind == "glossary"

    @property
    def name(self) -> str:
        """Return its number, or "glossary: " and its headword."""
        return named("" if self.is_entry else self.state.address, self.state.address)


class Side:
    """All provisions of an edition, in printed order.

    Attributes:
        by_name: The place of each provision by its `Item.name`.
        where: The places of the provisions that have each word.
    """

    def __init__(self, states: Sequence[State], folder: Folder) -> None:
        self.folder = folder
        self.items: list[Item] = []
        for place, state in enumerate(states):
            canon = folder.canon(state)
            self.items.append(Item(place, state, canon, canon.whole, canon.bag))
        self.by_name = {item.name: item.place for item in self.items}
        self.where = places_of_words((item.place, item.bag) for item in self.items)
        self._set_relatives()
        self._set_citations()

    def _set_relatives(self) -> None:
        siblings: dict[tuple[str, str], list[int]] = defaultdict(list)
        for item in self.items:
            row = siblings["glossary" if item.is_entry else "", item.state.parent]
            item.rank = len(row)
            if row:
                item.previous = row[-1]
                self.items[row[-1]].following = item.place
            row.append(item.place)
            if item.state.parent:
                item.parent = self.by_name.get(item.state.parent, NOWHERE)
                if item.parent != NOWHERE:
                    self.items[item.parent].children.append(item.place)

    def _set_citations(self) -> None:
        numbered: dict[str, list[int]] = defaultdict(list)
        for item in self.items:
            if not item.is_entry:
                for key in keys_of(item.state):
                    numbered[key].append(item.place)

        def place_of(number: str) -> int:
            places = bearing(lambda key: numbered.get(key, []), number)
            return places[0] if len(places) == 1 else NOWHERE

        for item in self.items:
            item.cites = tuple(
                [
                    (place_of(first), NOWHERE if first == last else place_of(last))
                    for first, last in ((cited.first, cited.last) for cited in item.canon.citations)
                ]
            )

    def family(self, item: Item) -> list[int]:
        """Return the neighbours, the parent and the children of a provision."""
        places = (item.previous, item.following, item.parent, *item.children)
        return [place for place in places if place != NOWHERE]


def places_of_words(words: Iterable[tuple[int, Iterable[str]]]) -> dict[str, list[int]]:
    """Return the places that have each word, from the words of each place."""
    where: dict[str, list[int]] = defaultdict(list)
    for place, signs in words:
        for sign in signs:
            where[sign].append(place)
    return where
