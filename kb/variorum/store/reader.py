"""Open a knowledge base and read its rows."""

import json
import os
import sqlite3
import stat
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from datetime import date
from pathlib import Path
from threading import RLock
from typing import Any

from variorum.errors import (
    BaseError,
    BaseVersionError,
    DamagedBaseError,
    NewerBaseError,
    NoBaseError,
)
from variorum.rows import Row, State, named
from variorum.store.file import APPLICATION, address_of, checksums_of, schema, without_comments
from variorum.stored_rows import LONG_COLUMNS, EditionRow
from variorum.versions import LAYOUT

# Up to this one, `user_version` held the layout.
_LAST_WITHOUT_CHECKSUM = 11
# Stands for the values of a JSON list.
EACH = "SELECT value FROM json_each(?)"

# Errors caused by a wrong statement of ours; all others are caused by the file. Python's own errors,
# for bytes that are not UTF-8, have no code.
_MISTAKES = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISUSE, sqlite3.SQLITE_RANGE}
_ROWS = (
    f"SELECT {', '.join([*State._fields[:-1], 'provision.id'])} "  # noqa: S608 - our own
    "FROM provision JOIN reading ON reading.id = provision.reading"
)


class Reader:
    """An open knowledge base; it sees the file as it was when it was opened.

    Any thread may use it; queries of several threads wait for each other.

    Attributes:
        file: Its path.
        checksum: What the file states as its checksum; it identifies the contents.
    """

    def __init__(self, path: str | Path, *, is_trusted: bool = False) -> None:
        """Open a file.

        Args:
            path: The file.
            is_trusted: Do not check that it is as it was written, since we are writing it.

        Raises:
            NoBaseError: The file does not exist.
            NewerBaseError: A newer version of the program wrote it.
            BaseVersionError: An older version of the program wrote it.
            DamagedBaseError: It is not as it was written.
            BaseError: It is not a knowledge base.
        """
        self.file, self._is_trusted = os.fspath(path), is_trusted
        if not _is_file(self.file):
            raise NoBaseError(path)
        self._lock = RLock()
        # The rows of the edition read last, because the next edition has most of them too.
        self._latest: dict[int, Row] = {}
        # The lock admits one thread at a time, however SQLite was compiled.
        self._connection = sqlite3.connect(address_of(self.file), uri=True, check_same_thread=False)
        try:
            self._check()
        except sqlite3.DatabaseError as error:
            self.close()
            raise BaseError(f"{self.file}: not a knowledge base: {error}") from None
        except BaseException:
            self.close()
            raise

    def _check(self) -> None:
        ask = self._connection.execute
        ask("PRAGMA trusted_schema = OFF")  # a stranger may have made the file
        if ask("PRAGMA application_id").fetchone() != (APPLICATION,):
            raise BaseError(f"{self.file}: not a knowledge base, but another SQLite file")
        self.checksum: int = ask("PRAGMA user_version").fetchone()[0] % 2**32
        if 0 < self.checksum <= _LAST_WITHOUT_CHECKSUM:
            self._refuse_layout(self.checksum)
        if not self._is_trusted:
            self._check_bytes()
        objects = ask("SELECT type, name, sql FROM sqlite_schema").fetchall()
        if any(row[:2] == ("table", "meta") for row in objects):
            layout = ask("SELECT value FROM meta WHERE name = 'layout'").fetchone()
            self._refuse_layout(int(layout[0]) if layout and str(layout[0]).isdecimal() else 0)
        # SQLite keeps the text of our statements, and makes some indexes itself.
        statements = [without_comments(sql) for _, _, sql in objects if sql is not None]
        if sorted(statements) != sorted(without_comments(schema()).split(";\n")):
            reason = "its tables are not those that this program makes"
            raise DamagedBaseError(self.file, reason)

    def _check_bytes(self) -> None:
        try:
            stated, actual = checksums_of(self.file)
        except OSError as error:
            raise BaseError(f"{self.file}: cannot be opened: {error.strerror or error}") from None
        if stated != actual:
            raise DamagedBaseError(self.file, "it is not as it was written")

    def _refuse_layout(self, layout: int) -> None:
        """Refuse a file with another layout than ours."""
        if layout > LAYOUT:
            by = f"written by a newer program (layout {layout}, this one knows {LAYOUT})"
            raise NewerBaseError(self.file, by, "upgrade Variorum")
        if layout < LAYOUT:
            by = f"written by an older program (layout {layout}, this one uses {LAYOUT})"
            remedy = "run cr build to rebuild it from its documents"
            raise BaseVersionError(self.file, by, remedy)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def query(self, statement: str, values: Iterable[object] = ()) -> list[tuple[Any, ...]]:
        """Return all rows that a statement gives.

        Raises:
            DamagedBaseError: The file is damaged.
        """
        try:
            with self._lock:
                return self._connection.execute(statement, tuple(values)).fetchall()
        except sqlite3.DatabaseError as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
            if code & 0xFF in _MISTAKES or isinstance(error, sqlite3.ProgrammingError):
                raise
            raise DamagedBaseError(self.file, str(error)) from None

    def query_each(self, statement: str, values: Iterable[object]) -> list[tuple[Any, ...]]:
        """Return the rows that a statement gives for any number of values, as in "WHERE id IN ({})"."""
        return self.query(statement.format(EACH), [json.dumps(list(values))])

    def facts(self) -> dict[str, str]:
        """Return what the table `meta` holds."""
        return dict(self.query("SELECT name, value FROM meta"))

    def states_of(self, edition: int) -> "array[int]":
        """Return the ids of an edition's states in printed order."""
        ((packed,),) = self.query("SELECT states FROM edition WHERE id = ?", [edition])
        return _unpacked(packed)

    def states_of_all(self) -> "list[array[int]]":
        """Return the ids of each edition's states in printed order."""
        rows = self.query("SELECT states FROM edition ORDER BY id")
        return [_unpacked(packed) for (packed,) in rows]

    def all_states(self) -> dict[int, State]:
        """Return all states by id."""
        rows = self.query(f"{_ROWS} ORDER BY provision.id")
        return {cells[-1]: State(*cells[:-1]) for cells in rows}

    def states_by_id(self, numbers: Sequence[int]) -> dict[int, State]:
        """Return some states by their ids."""
        return {row.id: row for row in self._rows_by_id(numbers)}

    def names_by_id(self, numbers: Sequence[int]) -> dict[int, str]:
        """Return the addresses of some states, or the headwords of glossary entries, by their ids."""
        wanted = (
            "SELECT id, iif(kind = 'glossary', '', address), heading FROM provision "
            "WHERE id IN ({})"
        )
        rows = self.query_each(wanted, numbers)
        return {number: named(address, headword) for number, address, headword in rows}

    def states_in(self, edition: int) -> list[Row]:
        """Return an edition's states in printed order."""
        numbers, known = self.states_of(edition), self._latest
        missing = [number for number in numbers if number not in known]
        rows = known | {row.id: row for row in self._rows_by_id(missing)}
        states = [rows[number] for number in numbers]
        self._latest = dict(zip(numbers, states, strict=True))
        return states

    def _rows_by_id(self, numbers: Sequence[int]) -> Iterator[Row]:
        return map(Row._make, self.query_each(f"{_ROWS} WHERE provision.id IN ({{}})", numbers))

    def editions(self) -> list[dict[str, Any]]:
        """Return all editions in order, by the names of their columns, without the long ones.

        Raises:
            DamagedBaseError: An edition is not named by its date; pages and files take its name.
        """
        columns = [column for column in EditionRow._fields if column not in LONG_COLUMNS]
        names = ("id", *columns, "label", "is_chosen")
        rows = self.query(f"SELECT {', '.join(names)} FROM edition ORDER BY id")  # noqa: S608
        editions = [dict(zip(names, row, strict=True)) for row in rows]
        for edition in editions:
            if not _is_label(edition["label"], edition["effective"]):
                reason = f"an edition is named {edition['label']!r}, which is not its date"
                raise DamagedBaseError(self.file, reason)
        return editions

    def findings(self, edition: int) -> list[str]:
        """Return the known errors of an edition as JSON, in the order in which they are shown."""
        wanted = (
            "SELECT body FROM found JOIN finding ON id = finding WHERE edition = ? ORDER BY place"
        )
        return [body for (body,) in self.query(wanted, [edition])]

    def long_columns(self, edition: int) -> dict[str, str]:
        """Return the long columns of an edition, by their names."""
        names = ", ".join(LONG_COLUMNS)
        (row,) = self.query(f"SELECT {names} FROM edition WHERE id = ?", [edition])  # noqa: S608
        return dict(zip(LONG_COLUMNS, row, strict=True))


def refuse_forgery(file: str) -> None:
    """Refuse a file with what only somebody else can have written: other types, and ids of nothing.

    This takes as long as a look-up, so it is asked only before a build and when an answer fails.

    Raises:
        DamagedBaseError: The file has such cells.
    """
    with closing(Reader(file)) as reader:
        for (table,) in reader.query("SELECT name FROM sqlite_schema WHERE type = 'table'"):
            for _, name, kind, is_needed, _, key in reader.query(f"PRAGMA table_info({table})"):
                types = kind.lower(), kind.lower() if is_needed or key else "null"
                odd = f"SELECT 1 FROM {table} WHERE typeof({name}) NOT IN (?, ?) LIMIT 1"  # noqa: S608
                if reader.query(odd, types):
                    raise DamagedBaseError(file, f"{table}.{name} has what is no {kind}")
        for table, _, target, _ in reader.query("PRAGMA foreign_key_check"):
            raise DamagedBaseError(file, f"rows of {table} point to none of {target}")
        known = {number for (number,) in reader.query("SELECT id FROM provision")}
        if not all(known.issuperset(states) for states in reader.states_of_all()):
            raise DamagedBaseError(file, "an edition has provisions that do not exist")


def _is_label(label: object, effective: object) -> bool:
    """Return whether a label is a date, such as "2026-08-07", or one of its issues: "2026-08-07.2"."""
    day, _, issue = str(label).partition(".")
    try:
        is_date = date.fromisoformat(day).isoformat() == day == effective
    except ValueError:
        return False
    return is_date and str(label) == (f"{day}.{int(issue)}" if issue.isdecimal() else day)


def _unpacked(packed: bytes) -> "array[int]":
    ids = array("I")
    ids.frombytes(packed)
    if sys.byteorder == "big":
        ids.byteswap()
    return ids


def _is_file(file: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(file).st_mode)  # noqa: PTH116
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise BaseError(f"{file}: cannot be opened: {error.strerror or error}") from None
