"""Finds candidates for the heir or source of a provision that the alignment leaves in doubt."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from variorum.history.aligning.align import Aligner
from variorum.history.aligning.likeness import RareWordIndex, WeighedSide, WeighedWords, likest
from variorum.history.aligning.sides import NOWHERE, Item, Side

_LOOKED_AT = 6
_FAMILIES = 4


class CandidateFinder:
    """Finds candidates for the provisions of one side among the provisions of the other."""

    def __init__(
        self,
        aligner: Aligner,
        sides: tuple[Side, Side],
        links: Mapping[int, int],
        theirs: WeighedSide,
        absorbed: Mapping[int, Sequence[int]] | None = None,
    ) -> None:
        """Prepare to find candidates.

        Args:
            aligner: The alignment of the editions.
            sides: The side of the provisions in doubt, and the side of the candidates.
            links: The matches so far, from the first side to the second; more may be added.
            theirs: The words of the candidates.
            absorbed: The places into which provisions without a match were merged, the main place
                first.
        """
        self._here, self._there = sides
        self._links, self._theirs = links, theirs
        self._absorbed: Mapping[int, Sequence[int]] = {} if absorbed is None else absorbed
        self._index = RareWordIndex(aligner.scale, self._there.where)

    def find(self, item: Item, words: WeighedWords) -> dict[int, None]:
        """Return the places of candidates, in a fixed order."""
        ranked = self._index.ranked(words)
        places = dict.fromkeys(likest(ranked, words, _LOOKED_AT, self._theirs))
        places |= dict.fromkeys([place for _, place in ranked[: _LOOKED_AT - 1]])
        places |= dict.fromkeys(self.around(item))
        same = self._there.named(item)
        if same is not None:
            places[same] = None
        kin = self.kin(item).most_common(_FAMILIES)
        return (
            places | dict.fromkeys([place for place, _ in kin]) | dict.fromkeys(self.beside(item))
        )

    def around(self, item: Item) -> list[int]:
        """Return the matches of a provision's neighbours, parent and children."""
        places = [item.previous, item.following, item.parent, *item.children]
        return [self._links[place] for place in places if place in self._links]

    def kin(self, item: Item) -> Counter[int]:
        """Count the children of a provision whose match is in a place or below, by places."""
        ends: Counter[int] = Counter()
        for child in item.children:
            place = self._links.get(child, NOWHERE)
            if child in self._absorbed:
                place = self._absorbed[child][0]
            while place != NOWHERE:
                ends[place] += 1
                place = self._there.items[place].parent
        return ends

    def beside(self, item: Item) -> set[int]:
        """Return the siblings after the previous sibling's match and before the next's."""
        return set(self._beside(item))

    def _beside(self, item: Item) -> Iterator[int]:
        for step in (-1, 1):
            place = _next(self._here, item, step)
            match = self._links.get(place, NOWHERE)
            if match != NOWHERE:
                beside = _next(self._there, self._there.items[match], -step)
                if beside != NOWHERE:
                    yield beside


def _next(side: Side, item: Item, step: int) -> int:
    """Return the previous or next sibling; for glossary entries, the adjacent entry."""
    if not item.is_entry:
        return item.previous if step < 0 else item.following
    place = item.place + step
    return place if 0 <= place < len(side.items) and side.items[place].is_entry else NOWHERE
