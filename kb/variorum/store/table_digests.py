"""Digests of tables, which show what has changed in a damaged base.

The table `digest` has a row for every other table: the sum of the digests of its rows. So a build
that adds or removes some rows need not read the others. It also has the digest of the whole file; see
verified.py.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from marshal import dumps
from sqlite3 import Connection
from typing import Any

from variorum.store.verified import BLANK, FILE_DIGEST

Rows = list[tuple[Any, ...]]

_SIZE = 16
_ALL = 2 ** (8 * _SIZE)
# The format of `marshal` in which equal rows have equal bytes in every version of Python.
_FORMAT = 2


def digest_of(rows: Iterable[tuple[Any, ...]]) -> str:
    """Return the digest of a table's rows, which does not depend on their order."""
    return _as_text(_sum_of(rows))


def _sum_of(rows: Iterable[tuple[Any, ...]]) -> int:
    return sum(
        [
            int.from_bytes(blake2b(dumps(row, _FORMAT), digest_size=_SIZE).digest(), "big")
            for row in rows
        ]
    )


def _as_text(total: int) -> str:
    return f"{total % _ALL:0{2 * _SIZE}x}"


class TableWriter:
    """Inserts, removes and updates rows, and maintains the digest of each table."""

    def __init__(self, connection: Connection) -> None:
        """Start to change the tables of a file, empty or not."""
        self.connection = connection
        known = dict(connection.execute("SELECT name, value FROM digest").fetchall())
        known.pop(FILE_DIGEST, None)
        self._sums = {str(name): int(value, 16) for name, value in known.items()}

    def query(self, statement: str, values: Sequence[object] = ()) -> Rows:
        """Return all rows that a statement gives."""
        return self.connection.execute(statement, values).fetchall()

    def insert(self, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
        """Insert rows into a table; each cell must have the type of its column."""
        every = list(rows)
        if every:
            marks = ", ".join("?" * len(every[0]))
            statement = f"INSERT INTO {table} VALUES ({marks})"  # noqa: S608 - marks alone
            self.connection.executemany(statement, every)
        self._sums[table] = self._sums.get(table, 0) + _sum_of(every)

    def remove(self, table: str, keys: Sequence[str], rows: Rows) -> None:
        """Remove rows from a table; their first cells are its key."""
        where = " AND ".join([f"{name} = ?" for name in keys])
        statement = f"DELETE FROM {table} WHERE {where}"  # noqa: S608 - our names
        self.connection.executemany(statement, [row[: len(keys)] for row in rows])
        self._sums[table] = self._sums.get(table, 0) - _sum_of(rows)

    def update(self, table: str, number: int, cells: Mapping[str, object]) -> None:
        """Update some cells, by column name, of the row with an id."""
        row = f"SELECT * FROM {table} WHERE id = ?"  # noqa: S608 - a name of ours
        before = self.query(row, [number])
        names = ", ".join([f"{name} = ?" for name in cells])
        statement = f"UPDATE {table} SET {names} WHERE id = ?"  # noqa: S608 - our names
        self.connection.execute(statement, [*cells.values(), number])
        self._sums[table] += _sum_of(self.query(row, [number])) - _sum_of(before)

    def clear(self, table: str) -> None:
        """Remove all rows from a table."""
        self.connection.execute(f"DELETE FROM {table}")  # noqa: S608 - a name of ours
        self._sums[table] = 0

    def insert_digests(self) -> None:
        """Insert the digests of all tables, and a placeholder for that of the file."""
        digests = {table: _as_text(total) for table, total in self._sums.items()}
        rows = sorted({**digests, FILE_DIGEST: BLANK}.items())
        self.connection.execute("DELETE FROM digest")
        self.connection.executemany("INSERT INTO digest VALUES (?, ?)", rows)


def changed_tables(rows_of: Callable[[str], Rows]) -> list[str]:
    """Return the names of the tables that do not hold the rows that were put in.

    Args:
        rows_of: Returns all rows of a table.
    """
    known: dict[str, str] = dict(rows_of("digest"))
    known.pop(FILE_DIGEST, None)
    return [name for name, digest in sorted(known.items()) if digest_of(rows_of(name)) != digest]


def statement_of(table: str) -> str:
    """Return the statement that gives the rows of a table."""
    return f"SELECT * FROM {table} NOT INDEXED"  # noqa: S608 - a name of ours
