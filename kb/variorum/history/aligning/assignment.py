"""Finds the one-to-one assignment between two sets with the greatest total gain."""

import heapq
import math
from collections.abc import Mapping, Sequence

Gains = Sequence[Mapping[int, float]]


def assign(gains: Gains) -> dict[int, int]:
    """Return the column of each row in the assignment with the greatest sum of gains.

    Rows and columns may stay unassigned, without gain. A gain that is not positive is never taken;
    the caller has subtracted the price of a new or removed provision.
    The order of rows and columns breaks ties.

    Rows are added one by one along shortest augmenting paths (the method of Jonker and Volgenant,
    on a sparse graph). An extra column for each row stands for "unassigned".

    Args:
        gains: For each row, the gain of each column that it may get.

    >>> assign([{0: 5.0, 1: 4.0}, {0: 4.5}])
    {0: 1, 1: 0}
    """
    alone = 1 + max((column for row in gains for column in row), default=-1)
    costs = [
        {column: -gain for column, gain in row.items() if gain > 0} | {alone + place: 0.0}
        for place, row in enumerate(gains)
    ]
    of_row = [min(row.values()) for row in costs]
    of_column: dict[int, float] = {}
    owner: dict[int, int] = {}
    for row in range(len(costs)):
        _augment(row, costs, of_row, of_column, owner)
    assigned = {row: column for column, row in owner.items() if column < alone}
    return dict(sorted(assigned.items()))


def _augment(
    start: int,
    costs: list[dict[int, float]],
    of_row: list[float],
    of_column: dict[int, float],
    owner: dict[int, int],
) -> None:
    """Add a row along the shortest path to a column without an owner."""
    best: dict[int, float] = {}
    came_from: dict[int, int] = {}
    settled: dict[int, float] = {}
    heap: list[tuple[float, int]] = []
    row, so_far = start, 0.0
    while True:
        for candidate, cost in costs[row].items():
            length = so_far + cost - of_row[row] - of_column.get(candidate, 0.0)
            if candidate not in settled and length < best.get(candidate, math.inf):
                best[candidate], came_from[candidate] = length, row
                heapq.heappush(heap, (length, candidate))
        so_far, column = _nearest(heap, settled)
        settled[column] = so_far
        if column not in owner:
            break
        row = owner[column]
    of_row[start] += so_far
    for reached, length in settled.items():
        if reached != column:
            of_row[owner[reached]] += so_far - length
            of_column[reached] = of_column.get(reached, 0.0) - so_far + length
    _follow_back(start, column, costs, came_from, owner)


def _nearest(heap: list[tuple[float, int]], settled: dict[int, float]) -> tuple[float, int]:
    length, column = heapq.heappop(heap)
    while column in settled:
        length, column = heapq.heappop(heap)
    return length, column


def _follow_back(
    start: int,
    column: int,
    costs: list[dict[int, float]],
    came_from: dict[int, int],
    owner: dict[int, int],
) -> None:
    """Assign each column on the path to the row before it on the path."""
    while True:
        row = came_from[column]
        before = next((candidate for candidate in costs[row] if owner.get(candidate) == row), -1)
        owner[column] = row
        if row == start:
            return
        column = before
