"""Chooses the documents to rank, which have the rarest words of a query."""

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet

from variorum.search.queries.query_groups import Group


def likeliest(
    groups: Sequence[Group], places: AbstractSet[int], most: int, key: Callable[[int], int]
) -> list[int]:
    """Return the places of the likeliest documents; ties go to the lowest keys.

    Keys, unlike places, stay the same when an index is amended. Reading all keys takes long.

    Args:
        groups: The groups of a query.
        places: The places to choose from.
        most: How many to choose.
        key: Returns the key of a place.
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
