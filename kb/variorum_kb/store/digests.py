"""Digests of tables, by which a damaged base says what in it has changed.

The table `digest` has a row for every other table: the digest of its rows, in the order in which
they were put in. The digest of the whole file stands there too; see verified.py.
"""

import json
from collections.abc import Callable, Iterable
from hashlib import blake2b
from sqlite3 import Connection
from typing import Any

from variorum_kb.store.verified import BLANK, FILE_DIGEST

Rows = list[tuple[Any, ...]]

# So many rows are digested at a time, so that no table need be in memory twice.
_AT_ONCE = 4096


def digest_of(rows: Rows) -> str:
    """Return the digest of the rows of a table, in their order."""
    digest = blake2b(digest_size=16)
    for start in range(0, len(rows), _AT_ONCE):
        some = rows[start : start + _AT_ONCE]
        digest.update(json.dumps(some, ensure_ascii=False, default=bytes.hex).encode())
    return digest.hexdigest()


class TableWriter:
    """Puts rows into tables and keeps the digest of each table."""

    def __init__(self, connection: Connection) -> None:
        """Prepare to fill the empty tables of a file."""
        self._connection = connection
        self._digests: dict[str, str] = {}

    def insert(self, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
        """Put in all rows of a table; each cell has the type that its column has."""
        every = list(rows)
        if every:
            marks = ", ".join("?" * len(every[0]))
            statement = f"INSERT INTO {table} VALUES ({marks})"  # noqa: S608 - marks alone
            self._connection.executemany(statement, every)
        self._digests[table] = digest_of(every)

    def insert_digests(self) -> None:
        """Put in the digests of all tables, and room for that of the file."""
        rows = sorted({**self._digests, FILE_DIGEST: BLANK}.items())
        self._connection.executemany("INSERT INTO digest VALUES (?, ?)", rows)


def changed_tables(rows_of: Callable[[str], Rows]) -> list[str]:
    """Return the names of the tables that do not hold the rows that were put in.

    Args:
        rows_of: Returns all rows of a table in their order.
    """
    known: dict[str, str] = dict(rows_of("digest"))
    known.pop(FILE_DIGEST, None)
    return [name for name, digest in sorted(known.items()) if digest_of(rows_of(name)) != digest]


def statement_of(table: str) -> str:
    """Return the statement that gives the rows of a table in the order in which they were put in."""
    return f"SELECT * FROM {table} NOT INDEXED"  # noqa: S608 - a name of ours
