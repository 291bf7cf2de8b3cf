"""The digest of a table follows every change of its rows."""

import sqlite3
from contextlib import closing

from variorum_kb.store.table_digests import TableWriter, changed_tables, digest_of, statement_of


def test_digests() -> None:
    """After each kind of change, the digest is that of the rows; any other change is found."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE digest (name, value)")
        connection.execute("CREATE TABLE boat (id, name, hull)")
        tables = TableWriter(connection)

        def rows(table: str) -> list[tuple[object, ...]]:
            return tables.query(statement_of(table))

        def is_right() -> bool:
            tables.insert_digests()
            known: dict[str, str] = dict(tables.query("SELECT name, value FROM digest"))
            return known["boat"] == digest_of(rows("boat"))

        tables.insert("boat", [(1, "Gull", 3), (2, "Tern", 4)])
        tables.insert("boat", [(3, "Skua", 5)])
        assert is_right()
        tables.update("boat", 2, {"name": "Auk", "hull": 9})
        assert is_right()
        assert rows("boat") == [(1, "Gull", 3), (2, "Auk", 9), (3, "Skua", 5)]
        tables.remove("boat", ("id", "name"), [(1, "Gull", 3)])
        assert is_right()
        again = TableWriter(connection)
        again.insert("boat", [(4, "Loon", 1)])
        again.insert_digests()
        assert changed_tables(rows) == []
        connection.execute("UPDATE boat SET hull = 2 WHERE id = 4")
        assert changed_tables(rows) == ["boat"]
        tables.clear("boat")
        assert is_right()
        assert rows("boat") == []


def test_digest() -> None:
    """A digest is the same in every version of Python, and for rows in any order."""
    rows = [(1, "Gull", 3), (2, "Gull", None)]

    assert digest_of(rows) == digest_of(rows[::-1]) == "2abbb48cfdba25187c13c6f8129ffbf8"
    assert digest_of([]) == "0" * 32
