"""Open a knowledge base and read its rows."""

import _sqlite3  # `sqlite3` takes four times as long to import
import os
import stat
import sys
from _thread import RLock  # `threading` takes far longer to import
from array import array

from variorum.errors import (
    BaseError,
    BaseVersionError,
    DamagedBaseError,
    NewerBaseError,
    NoBaseError,
)
from variorum.rows import Row, State, named
from variorum.schema_version import APPLICATION, SCHEMA
from variorum.store.batches import batches
from variorum.store.verified import address_of, as_written, forget, is_known, is_sealed, is_whole
from variorum.stored_rows import LONG_COLUMNS, EditionRow, StoredLink

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path
    from sqlite3 import Connection
    from typing import Any, TypeVar

    Answer = TypeVar("Answer")

# Errors caused by a wrong statement of ours; all others are caused by the file. Python's own errors,
# for bytes that are not UTF-8, have no code.
_MISTAKES = {_sqlite3.SQLITE_ERROR, _sqlite3.SQLITE_MISUSE, _sqlite3.SQLITE_RANGE}
# The columns that `as_written` expects.
_ROW = ", ".join([*State.columns, "provision.id", "checksum"])
_FROM = "provision JOIN reading ON reading.id = provision.reading"


class Reader:
    """An open knowledge base; it sees the file as it was when it was opened.

    Any thread may use it; queries of several threads wait for each other.
    """

    def __init__(self, path: "str | Path", *, is_trusted: bool = False) -> None:
        """Open a file.

        Args:
            path: The file.
            is_trusted: Do not verify that it is as it was written. Use this for a file that is
                being written, or to find out what is wrong with one.

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
        try:
            # The lock admits one thread at a time, however SQLite was compiled.
            self._connection = _sqlite3.connect(
                address_of(self.file), uri=True, check_same_thread=False
            )
        except _sqlite3.DatabaseError as error:
            raise BaseError(f"{path}: not a knowledge base: {error}") from None
        try:
            self._check_head()
            if not is_trusted:
                self._check_bytes(is_whole)
        except BaseException:
            self.close()
            raise

    def _check_head(self) -> None:
        try:
            application = self._number("PRAGMA application_id")
            schema = self._number("PRAGMA user_version")
        except _sqlite3.DatabaseError as error:
            raise BaseError(f"{self.file}: not a knowledge base: {error}") from None
        if application != APPLICATION:
            raise BaseError(f"{self.file}: not a knowledge base, but another SQLite file")
        if schema > SCHEMA:
            by = f"written by a newer program (layout {schema}, this one knows {SCHEMA})"
            raise NewerBaseError(self.file, by, "upgrade Variorum")
        if schema != SCHEMA:
            by = f"written by an older program (layout {schema}, this one uses {SCHEMA})"
            remedy = "run cr build to rebuild it from its documents"
            raise BaseVersionError(self.file, by, remedy)

    def verify(self) -> None:
        """Read the whole file and check that it is as it was written.

        Raises:
            DamagedBaseError: It is not.
            BaseError: It cannot be read.
        """
        self._check_bytes(is_sealed)

    def verify_unless_known(self) -> bool:
        """Verify the file unless it has not changed since it was verified; return whether it was read.

        Raises:
            DamagedBaseError: It is not as it was written.
            BaseError: It cannot be read.
        """
        is_read = not is_known(self.file)
        self._check_bytes(is_whole)
        return is_read

    def _check_bytes(self, is_as_written: "Callable[[str], bool]") -> None:
        try:
            is_damaged = not is_as_written(self.file)
        except OSError as error:
            raise BaseError(f"{self.file}: cannot be opened: {error.strerror or error}") from None
        if is_damaged:
            forget(self.file)
            raise DamagedBaseError(self.file, "it is not as it was written")

    def _number(self, statement: str) -> int:
        number: int = self._connection.execute(statement).fetchone()[0]
        return number

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def query(self, statement: str, values: "Iterable[object]" = ()) -> "list[tuple[Any, ...]]":
        """Return all rows that a statement gives.

        Raises:
            BaseError: The file is damaged.
        """
        return self.ask(lambda connection: connection.execute(statement, tuple(values)).fetchall())

    def query_each(self, statement: str, values: "Iterable[object]") -> "Iterator[tuple[Any, ...]]":
        """Yield the rows that a statement gives for values, of which there may be any number.

        Args:
            statement: Has {} where the values belong, as in "WHERE id IN ({})".
            values: The values.

        Raises:
            BaseError: The file is damaged.
        """
        for marks, some in batches(values):
            yield from self.query(statement.format(marks), some)

    def ask(self, question: "Callable[[Connection], Answer]") -> "Answer":
        """Return what a function of the open connection returns.

        Raises:
            DamagedBaseError: The file is damaged.
        """
        try:
            with self._lock:
                return question(self._connection)
        except _sqlite3.DatabaseError as error:
            code: int = getattr(error, "sqlite_errorcode", _sqlite3.SQLITE_CORRUPT)
            is_mistake = code & 0xFF in _MISTAKES or isinstance(error, _sqlite3.ProgrammingError)
            if is_mistake and not self._is_trusted:
                raise
            forget(self.file)
            raise DamagedBaseError(self.file, str(error)) from None

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
        if self._is_trusted:
            return {cells[-2]: State.of(cells[:-2]) for cells in self.all_cells()}
        return {row.id: State.of(row[:-1]) for row in self._rows("")}

    def states_by_id(self, numbers: "Sequence[int]") -> dict[int, State]:
        """Return some states by their ids."""
        return {row.id: State.of(row[:-1]) for row in self._rows_by_id(numbers)}

    def names_by_id(self, numbers: "Sequence[int]") -> dict[int, str]:
        """Return the addresses of some states, or the headwords of glossary entries, by their ids."""
        wanted = (
            "SELECT id, iif(kind = 'glossary', '', address), heading FROM provision "
            "WHERE id IN ({})"
        )
        rows = self.query_each(wanted, numbers)
        return {number: named(address, headword) for number, address, headword in rows}

    def numbers_by_id(self, numbers: "Sequence[int]") -> dict[int, str]:
        """Return the printed numbers of some states by their ids; "" for glossary entries."""
        return dict(self.query_each("SELECT id, number FROM provision WHERE id IN ({})", numbers))

    def states_in(self, edition: int) -> list[Row]:
        """Return an edition's states in printed order."""
        numbers, known = self.states_of(edition), self._latest
        missing = [number for number in numbers if number not in known]
        rows = known | {row.id: row for row in self._rows_by_id(missing)}
        states = [rows[number] for number in numbers]
        self._latest = dict(zip(numbers, states, strict=True))
        return states

    def all_cells(self) -> "list[tuple[Any, ...]]":
        """Return the cells of all states, each with its id and checksum, unchecked."""
        return self.query(f"SELECT {_ROW} FROM {_FROM} ORDER BY provision.id")  # noqa: S608 - our own

    def _rows_by_id(self, numbers: "Sequence[int]") -> "Iterator[Row]":
        for marks, some in batches(numbers):
            yield from self._rows(f"WHERE provision.id IN ({marks})", some)

    def _rows(self, condition: str, values: "Sequence[int]" = ()) -> "Iterator[Row]":
        """Yield rows; check each against its checksum unless the file is trusted."""
        statement = f"SELECT {_ROW} FROM {_FROM} {condition}"  # noqa: S608 - our own
        rows = self.query(statement, values)
        if self._is_trusted:
            return (Row.of(cells[:-1]) for cells in rows)
        return iter(self.ask(lambda _: [as_written(cells) for cells in rows]))

    def links(self) -> list[StoredLink]:
        """Return all links."""
        rows = self.query(
            "SELECT edition, source, old, new, rank, kinds, class, confidence, "
            "readings, verdict, reasons FROM link JOIN evidence ON evidence.id = link.evidence"
        )
        return [StoredLink(*cells) for cells in rows]

    def editions(self) -> "list[dict[str, Any]]":
        """Return all editions in order, by the names of their columns, without the long ones.

        Raises:
            DamagedBaseError: An edition is not named by its date; pages and files take its name.
        """
        columns = [column for column in EditionRow.columns if column not in LONG_COLUMNS]
        names = ("id", *columns, "label", "is_chosen")
        rows = self.query(f"SELECT {', '.join(names)} FROM edition ORDER BY id")  # noqa: S608
        editions = [dict(zip(names, row, strict=True)) for row in rows]
        for edition in editions:
            if not _is_label(edition["label"], edition["effective"]):
                reason = f"an edition is named {edition['label']!r}, which is not its date"
                raise DamagedBaseError(self.file, reason)
        return editions

    def long_columns(self, edition: int) -> dict[str, str]:
        """Return the long columns of an edition, by their names."""
        names = ", ".join(LONG_COLUMNS)
        (row,) = self.query(f"SELECT {names} FROM edition WHERE id = ?", [edition])  # noqa: S608
        return dict(zip(LONG_COLUMNS, row, strict=True))


def _is_label(label: object, effective: object) -> bool:
    """Return whether a label is a date, such as "2026-08-07", or one of its issues: "2026-08-07.2"."""
    from datetime import date  # noqa: PLC0415 - most answers do not need it

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
