"""Chooses the documents to rank: those with the rarest words of a query; pure."""

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet

from variorum_kb.search.query_groups import Group


def likeliest(
    groups: Sequence[Group], places: AbstractSet[int], most: int, key: Callable[[int], int]
) -> list[int]:
    """Return the places of the likeliest documents; among equal ones, those with the lowest keys.

    Places change when an index is amended, keys do not; asking for all keys takes long.

    Args:
        groups: The groups of a query.
        places: To choose from.
        most: How many to choose.
        key: Gives the key of a place.
    """
    if len(places) <= most:
        return list(places)
    rough = _rough(groups, places)
    worst = sorted(rough.values(), reverse=True)[most - 1]
    best = [place for place, much in rough.items() if much >= worst]
    if len(best) > most:
        best.sort(key=lambda place: (-rough[place], key(place)))
    return best[:most]


def _rough(groups: Sequence[Group], places: Iterable[int]) -> dict[int, float]:
    total = sum([group.tells for group in groups]) or 1.0
    points = dict.fromkeys(places, 0.0)
    covered = points.copy()
    for group in groups:
        tells, weights = group.tells, group.weights
        if len(points) < len(weights):
            for place in points:
                if place in weights:
                    points[place] += tells * weights[place]
                    covered[place] += tells
            continue
        for place, weight in weights.items():
            if place in points:
                points[place] += tells * weight
                covered[place] += tells
    return {place: much * covered[place] / total for place, much in points.items()}
