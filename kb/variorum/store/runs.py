"""Runs of editions: the first and last of consecutive editions that have something."""

from collections.abc import Callable, Iterable, Sequence
from sqlite3 import Connection
from typing import Any, TypeVar

Held = TypeVar("Held", bound=Any)


def insert(base: Connection, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
    """Insert rows into a table, each with all its columns."""
    every = list(rows)
    if every:
        marks = ", ".join("?" * len(every[0]))
        base.executemany(f"INSERT INTO {table} VALUES ({marks})", every)  # noqa: S608 - marks alone


def extend_runs(
    base: Connection,
    table: str,
    editions: Sequence[Iterable[Held]],
    *,
    first: int = 0,
    cells_of: Callable[[Held], tuple[Any, ...]] = lambda held: (held,),
) -> None:
    """Add later editions to a table of runs, extending the runs that it has.

    Args:
        base: The file.
        table: The table; its last columns are the first and last edition of each run.
        editions: The items of each later edition, in order.
        first: The place of the first of these editions; the table has those before.
        cells_of: Returns the cells of the other columns.
    """
    runs = _runs(editions, first)
    if first:
        keys = [row[1] for row in base.execute(f"PRAGMA table_info({table})")][:-2]
        goes_on = {cells_of(held): held for held in runs if runs[held][0][0] == first}
        ends = base.execute(f"SELECT * FROM {table} WHERE last = ?", [first - 1])  # noqa: S608
        known = [row for row in ends if row[:-2] in goes_on]
        for row in known:
            runs[goes_on[row[:-2]]][0][0] = row[-2]
        where = " AND ".join([f"{name} = ?" for name in (*keys, "first")])
        statement = f"DELETE FROM {table} WHERE {where}"  # noqa: S608 - our names
        base.executemany(statement, [row[:-1] for row in known])
    cells = [(*cells_of(held), start, stop) for held in sorted(runs) for start, stop in runs[held]]
    insert(base, table, cells)


def _runs(editions: Sequence[Iterable[Held]], first: int) -> dict[Held, list[list[int]]]:
    """Return the unbroken runs of editions that have each item."""
    runs: dict[Held, list[list[int]]] = {}
    for place, held in enumerate(editions, first):
        for item in held:
            known = runs.get(item)
            if known is None:
                runs[item] = [[place, place]]
            elif known[-1][1] >= place - 1:
                known[-1][1] = place
            else:
                known.append([place, place])
    return runs
