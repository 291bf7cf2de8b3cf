"""An edition as a side of an alignment: provisions with their words, places and citations."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from variorum.history.canonical import Canon, Folder
from variorum.rows import State, named
from variorum.text import bearing, keys_of

NOWHERE = -1


class Item:
    """A provision of one side.

    Attributes:
        place: Its place in printed order, from 0.
        state: The provision's state.
        kind: A value of `model.Kind`.
        is_entry: Whether it is a glossary entry.
        address: Its number, or its headword.
        canon: Its canonical text.
        words: All words of the canonical text, encoded.
        bag: The number of occurrences of each word, in the order of the text.
        parent: The place of its parent; -1 for chapters and glossary entries.
        rank: Its rank among its parent's children, from 0.
        children: The places of its children.
        previous: The place of the preceding sibling; -1 if there is none.
        following: The place of the following sibling; -1 if there is none.
        cites: For each slot, the places of both ends of the citation; -1 if an end is unknown or
            ambiguous.
    """

    __slots__ = (
        "address",
        "bag",
        "canon",
        "children",
        "cites",
        "following",
        "is_entry",
        "kind",
        "parent",
        "place",
        "previous",
        "rank",
        "state",
        "words",
    )

    def __init__(
        self, place: int, state: State, canon: Canon, words: str, bag: Mapping[str, int]
    ) -> None:
        self.place, self.state = place, state
        self.kind, self.address = state.kind, state.address
        self.is_entry = state.kind == "glossary"
        self.canon, self.words, self.bag = canon, words, bag
        self.parent, self.rank = NOWHERE, 0
        self.previous = self.following = NOWHERE
        self.children: list[int] = []
        self.cites: tuple[tuple[int, int], ...] = ()


class Side:
    """All provisions of an edition, in printed order.

    Attributes:
        items: The provisions.
        folder: The folder that folded the provisions.
        where: The places of the provisions that have each word.
        alike: The places of the provisions with the same heading and words, apart by class:
            entries, chapters and others.
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
        self.where = places_of_words(self.items)
        self.alike: dict[tuple[bool, bool, str, str], list[int]] = defaultdict(list)
        for item in self.items:
            key = item.is_entry, item.kind == "chapter", item.canon.heading, item.words
            self.alike[key].append(item.place)
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
                if above.children:
                    item.previous = above.children[-1]
                    self.items[item.previous].following = item.place
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

    @cached_property
    def by_name(self) -> Mapping[str, int]:
        """Return the places of the provisions by number, or by headword after "glossary: "."""
        return {
            named("" if item.is_entry else item.address, item.address): item.place
            for item in self.items
        }

    def named(self, item: Item) -> int | None:
        """Return the place of the provision with the number or headword of another side's."""
        return (self._by_headword if item.is_entry else self._by_address).get(item.address)


def places_of_words(items: Iterable[Item]) -> dict[str, list[int]]:
    """Return the places of the provisions that have each word."""
    where: dict[str, list[int]] = defaultdict(list)
    for item in items:
        place = item.place
        for sign in item.bag:
            where[sign].append(place)
    return where
