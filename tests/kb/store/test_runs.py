"""Runs of editions with the same row, written at once or continued."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import groupby

import pytest
from hypothesis import given, strategies

from variorum_kb.store.runs import extend_runs
from variorum_kb.store.table_digests import TableWriter, digest_of

EDITIONS = strategies.lists(strategies.frozensets(strategies.integers(0, 3)), min_size=1)


def expected(editions: list[frozenset[int]]) -> Iterator[tuple[int, int, int]]:
    """Yield each item with the first and last edition of each run, computed edition by edition."""
    for item in range(4):
        places = [place for place, held in enumerate(editions) if item in held]
        for _, run in groupby(enumerate(places), key=lambda pair: pair[1] - pair[0]):
            numbers = [place for _, place in run]
            yield item, numbers[0], numbers[-1]


@given(EDITIONS, strategies.integers(0, 9))
def test_runs(editions: list[frozenset[int]], cut: int) -> None:
    """However many editions a table already has, the final runs and digest are the same."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE digest (name, value)")
        connection.execute("CREATE TABLE held (item, first, last)")
        tables = TableWriter(connection)

        extend_runs(tables, "held", editions[:cut])
        extend_runs(tables, "held", editions[cut:], first=min(cut, len(editions)))

        rows = tables.query("SELECT * FROM held ORDER BY item, first")
        assert rows == list(expected(editions))
        tables.insert_digests()
        digests: dict[str, str] = dict(tables.query("SELECT name, value FROM digest"))
        assert digests["held"] == digest_of(rows)


@pytest.mark.parametrize("cut", [0, 1, 2])
def test_cells(cut: int) -> None:
    """A run of rows is continued if all the cells are the same."""
    editions = [[("a", 1), ("a", 2)], [("a", 2)], [("a", 1), ("a", 2)]]
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE digest (name, value)")
        connection.execute("CREATE TABLE held (name, size, first, last)")
        tables = TableWriter(connection)

        extend_runs(tables, "held", editions[:cut], cells_of=tuple)
        extend_runs(tables, "held", editions[cut:], first=cut, cells_of=tuple)

        rows = tables.query("SELECT * FROM held ORDER BY name, size, first")
        assert rows == [("a", 1, 0, 0), ("a", 1, 2, 2), ("a", 2, 0, 2)]
