"""Open a knowledge base and get rows out of it."""

import sqlite3
import sys
from array import array
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from variorum_kb.errors import BaseError, BaseVersionError, NewerBaseError, NoBaseError
from variorum_kb.rows import APPLICATION, LONG_COLUMNS, SCHEMA, EditionRow, Row, State, StoredLink

# What a wrong statement of ours leads to; all else is the file's fault. Python's own complaints,
# of bytes that are no UTF-8, have no code.
_MISTAKES = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISUSE, sqlite3.SQLITE_RANGE}
Answer = TypeVar("Answer")
_STATE = ", ".join(State.columns)
# SQLite takes no more values in one statement everywhere.
_AT_ONCE = 900
_FROM = "provision JOIN reading ON reading.id = provision.reading"


class Reader:
    """An open knowledge base; it sees the file as it was when it was opened."""

    def __init__(self, path: Path) -> None:
        """Open a file.

        Raises:
            NoBaseError: There is none.
            NewerBaseError: A newer version of the program wrote it.
            BaseVersionError: An older version of the program wrote it.
            BaseError: It is no knowledge base.
        """
        if not _is_file(path):
            raise NoBaseError(path)
        self.path = path
        try:
            self._connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        except sqlite3.DatabaseError as error:
            raise BaseError(f"{path}: no knowledge base: {error}") from None
        try:
            self._check_head()
        except BaseException:
            self.close()
            raise

    def _check_head(self) -> None:
        try:
            application = self._number("PRAGMA application_id")
            schema = self._number("PRAGMA user_version")
        except sqlite3.DatabaseError as error:
            raise BaseError(f"{self.path}: no knowledge base: {error}") from None
        if application != APPLICATION:
            raise BaseError(f"{self.path}: no knowledge base, but some other file of SQLite")
        if schema > SCHEMA:
            raise NewerBaseError(_version_message(self.path, schema))
        if schema != SCHEMA:
            raise BaseVersionError(_version_message(self.path, schema))

    def _number(self, statement: str) -> int:
        number: int = self._connection.execute(statement).fetchone()[0]
        return number

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def query(self, statement: str, values: Iterable[object] = ()) -> list[tuple[Any, ...]]:
        """Return all rows that a statement gives.

        Raises:
            BaseError: The file is damaged.
        """
        return self.ask(lambda connection: connection.execute(statement, tuple(values)).fetchall())

    def ask(self, question: Callable[[sqlite3.Connection], Answer]) -> Answer:
        """Return what a function of the open connection returns.

        Raises:
            BaseError: The file is damaged.
        """
        try:
            return question(self._connection)
        except sqlite3.DatabaseError as error:
            code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
            if code & 0xFF in _MISTAKES or isinstance(error, sqlite3.ProgrammingError):
                raise
            raise BaseError(
                f"{self.path}: damaged: {error}; run cr build to build it anew"
            ) from None

    def facts(self) -> dict[str, str]:
        """Return what the table `meta` holds."""
        return dict(self.query("SELECT name, value FROM meta"))

    def states_of(self, edition: int) -> "array[int]":
        """Return the ids of an edition's states in printed order."""
        ((packed,),) = self.query("SELECT states FROM edition WHERE id = ?", [edition])
        ids = array("I")
        ids.frombytes(packed)
        if sys.byteorder == "big":
            ids.byteswap()
        return ids

    def all_states(self) -> dict[int, State]:
        """Return all states by id."""
        rows = self.query(f"SELECT provision.id, {_STATE} FROM {_FROM}")  # noqa: S608
        return {number: State(*cells) for number, *cells in rows}

    def states_by_id(self, numbers: Sequence[int]) -> dict[int, State]:
        """Return some states by their ids."""
        found: dict[int, State] = {}
        for start in range(0, len(numbers), _AT_ONCE):
            some = numbers[start : start + _AT_ONCE]
            rows = self.query(
                f"SELECT provision.id, {_STATE} FROM {_FROM} "  # noqa: S608
                f"WHERE provision.id IN ({', '.join('?' * len(some))})",
                some,
            )
            found |= {number: State(*cells) for number, *cells in rows}
        return found

    def states_in(self, edition: int) -> list[Row]:
        """Return an edition's states in printed order."""
        rows = self.query(
            f"SELECT {_STATE}, provision.id FROM {_FROM} "  # noqa: S608
            "JOIN span ON span.provision = provision.id WHERE first <= ? AND last >= ?",
            [edition, edition],
        )
        found = {row.id: row for row in [Row(*cells) for cells in rows]}
        return [found[number] for number in self.states_of(edition)]

    def links(self) -> list[StoredLink]:
        """Return where all provisions went."""
        rows = self.query(
            "SELECT edition, source, old, new, rank, kinds, class, confidence, reasons, runners_up "
            "FROM link JOIN evidence ON evidence.id = link.evidence"
        )
        return [StoredLink(*cells) for cells in rows]

    def editions(self, *, with_long: bool = True) -> list[dict[str, Any]]:
        """Return all editions in order, without their states, by the names of their columns.

        Args:
            with_long: The columns of `LONG_COLUMNS`, too.
        """
        columns = [one for one in EditionRow.columns if with_long or one not in LONG_COLUMNS]
        names = ("id", *columns, "label", "is_chosen")
        rows = self.query(f"SELECT {', '.join(names)} FROM edition ORDER BY id")  # noqa: S608
        return [dict(zip(names, row, strict=True)) for row in rows]

    def long_columns(self, edition: int) -> dict[str, str]:
        """Return the long columns of an edition, by their names."""
        names = ", ".join(LONG_COLUMNS)
        (row,) = self.query(f"SELECT {names} FROM edition WHERE id = ?", [edition])  # noqa: S608
        return dict(zip(LONG_COLUMNS, row, strict=True))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError as error:
        raise BaseError(f"{path}: cannot be opened: {error.strerror or error}") from None


def _version_message(path: Path, schema: int) -> str:
    if schema > SCHEMA:
        return (
            f"{path}: written by a newer program (layout {schema}, this one knows {SCHEMA}); "
            "upgrade Variorum"
        )
    return (
        f"{path}: written by an older program (layout {schema}, this one uses {SCHEMA}); "
        "run cr build to build it anew from the documents that it keeps"
    )
