"""Open a knowledge base, refuse one that is damaged or forged, and read its rows.

SQLite leaves four bytes of a file's head to us (`user_version`). They hold the CRC-32 of the whole file,
computed with zeros in their place. It is compared whenever the file is opened, which takes 3 ms for
14 MB. The layout's number is in the table `meta`.
"""

import json
import os
import sqlite3
import zlib
from array import array
from collections.abc import Iterable
from contextlib import ExitStack, closing
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple

from variorum.errors import (
    BaseError,
    BaseVersionError,
    DamagedBaseError,
    NewerBaseError,
    NoBaseError,
)
from variorum.rows import EditionRow, State, named
from variorum.versions import LAYOUT

if TYPE_CHECKING:
    from variorum.records.document import Passage, Witness

APPLICATION = 0x7672726D  # "vrrm", as SQLite's `application_id`
CHECKSUM = slice(60, 64)  # its bytes in the file
# Stands for the values of a JSON list.
EACH = "SELECT value FROM json_each(?)"
TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"

# Errors caused by a wrong statement of ours; all others are caused by the file. Python's own errors,
# for bytes that are not UTF-8, have no code.
_MISTAKES = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISUSE, sqlite3.SQLITE_RANGE}
STATES = (
    f"SELECT {', '.join([*State._fields[:-1], 'provision.id'])} "  # noqa: S608 - our own
    "FROM provision JOIN reading ON reading.id = provision.reading"
)


class PassageRow(NamedTuple):
    """What a passage of a witness says, and the ids and the place by which it is found; see schema.sql."""

    provision: int | None
    former: int | None
    edition: int | None
    said: "Passage"


class WitnessRows(NamedTuple):
    """A witness and its passages."""

    about: "Witness"
    passages: tuple[PassageRow, ...]


class Reader:
    """An open knowledge base; it sees the file as it was when it was opened.

    Any thread may use it; queries of several threads wait for each other. `checksum` identifies the
    contents of `file`.
    """

    def __init__(self, path: str | Path, *, is_trusted: bool = False) -> None:
        """Open a file; `is_trusted` means that we are writing it.

        Raises:
            NoBaseError: The file does not exist.
            NewerBaseError: A newer version of the program wrote it.
            BaseVersionError: An older version of the program wrote it.
            DamagedBaseError: It is not as it was written.
            BaseError: It is not a knowledge base.
        """
        self.file, self._lock = os.fspath(path), RLock()
        # A build replaces the file; nothing changes it in place. So SQLite need not look for changes, or
        # for a journal beside it. Characters with a meaning in URIs are escaped.
        name = self.file.translate({37: "%25", 63: "%3f", 35: "%23", 92: "/"})
        try:
            if not Path(path).is_file():
                raise NoBaseError(path)
            self._connection = sqlite3.connect(
                f"file:{name}?mode=ro&immutable=1", uri=True, check_same_thread=False
            )
            with ExitStack() as failed:
                failed.callback(self.close)
                self._check(is_trusted=is_trusted)
                failed.pop_all()
        except sqlite3.DatabaseError as error:
            raise BaseError(f"{self.file}: not a knowledge base: {error}") from None
        except OSError as error:
            raise BaseError(f"{self.file}: cannot be opened: {error.strerror or error}") from None

    def _check(self, *, is_trusted: bool) -> None:
        ask = self._connection.execute
        ask("PRAGMA trusted_schema = OFF")  # a stranger may have made the file
        if ask("PRAGMA application_id").fetchone() != (APPLICATION,):
            raise BaseError(f"{self.file}: not a knowledge base, but another SQLite file")
        self.checksum: int = ask("PRAGMA user_version").fetchone()[0] % 2**32
        stated, actual = checksums_of(self.file)  # a build may just have replaced ours
        if is_trusted:  # what is being written states the checksum of another file, or none
            self.checksum = actual
        elif stated != actual:
            raise DamagedBaseError(self.file, "it is not as it was written")
        statements = "SELECT type, name, sql FROM sqlite_schema ORDER BY name"
        objects = ask(statements).fetchall()
        layouts = [(0,)]
        if ("table", "meta") in [row[:2] for row in objects]:
            layouts += ask("SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'layout'")
        by = f"program (layout {layouts[-1][0]}, this one uses {LAYOUT})"
        if layouts[-1][0] > LAYOUT:
            raise NewerBaseError(f"{self.file}: written by a newer {by}; upgrade Variorum")
        if layouts[-1][0] < LAYOUT:
            remedy = "run cr build to rebuild it from its documents"
            raise BaseVersionError(f"{self.file}: written by an older {by}; {remedy}")
        with closing(sqlite3.connect(":memory:")) as ours:
            ours.executescript(schema())
            if objects != ours.execute(statements).fetchall():
                reason = "its tables are not those that this program makes"
                raise DamagedBaseError(self.file, reason)

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

    # Provisions ----------------------------------------------------------------------------------

    def states_of(self, edition: int) -> "array[int]":
        """Return the ids of an edition's states in printed order."""
        ((packed,),) = self.query("SELECT states FROM edition WHERE id = ?", [edition])
        return unpacked(packed)

    def states_by_id(self, numbers: Iterable[int]) -> dict[int, State]:
        """Return some states by their ids."""
        rows = self.query_each(f"{STATES} WHERE provision.id IN ({{}})", numbers)
        return {row.id: row for row in map(State._make, rows)}

    def all_states(self) -> dict[int, State]:
        """Return all states by id, as they were before they had one."""
        rows = self.query(f"{STATES} ORDER BY provision.id")
        return {cells[-1]: State(*cells[:-1]) for cells in rows}

    def names_by_id(self, numbers: Iterable[int]) -> dict[int, str]:
        """Return the addresses of some states, or the headwords of glossary entries, by their ids."""
        columns = "id, iif(kind = 'glossary', '', address), heading"
        rows = self.query_each(f"SELECT {columns} FROM provision WHERE id IN ({{}})", numbers)  # noqa: S608
        return {number: named(address, headword) for number, address, headword in rows}

    def editions(self, *, is_short: bool = False) -> list[EditionRow]:
        """Return all editions in order; short ones without the JSON of their documents, which is long.

        Raises:
            DamagedBaseError: An edition is not named by its date; pages and files take its name.
        """
        where = "date(effective) IS NOT effective OR label NOT IN (effective, effective || '.' || issue)"
        for (label,) in self.query(f"SELECT label FROM edition WHERE {where}"):  # noqa: S608
            reason = f"an edition is named {label!r}, which is not its date"
            raise DamagedBaseError(self.file, reason)
        names = EditionRow._fields[: EditionRow._fields.index("introduction") if is_short else None]
        rows = self.query(f"SELECT {', '.join(names)} FROM edition ORDER BY id")  # noqa: S608
        return [EditionRow(*row) for row in rows]

    def findings(self, edition: int) -> list[str]:
        """Return the known errors of an edition as JSON, in the order in which they are shown."""
        joined = "found JOIN finding ON id = finding WHERE edition = ? ORDER BY place"
        return [body for (body,) in self.query(f"SELECT body FROM {joined}", [edition])]  # noqa: S608


def refuse_forgery(file: str) -> None:
    """Refuse a file with what only somebody else can have written: other types, and ids of nothing.

    This takes as long as a look-up, so it is asked only before a build and when an answer fails.

    Raises:
        DamagedBaseError: The file has such cells.
    """
    with closing(Reader(file)) as reader:
        for (table,) in reader.query(TABLES):
            for _, name, kind, is_needed, _, key in reader.query(f"PRAGMA table_info({table})"):
                types = kind.lower(), kind.lower() if is_needed or key else "null"
                odd = f"SELECT 1 FROM {table} WHERE typeof({name}) NOT IN (?, ?) LIMIT 1"  # noqa: S608
                if reader.query(odd, types):
                    raise DamagedBaseError(file, f"{table}.{name} has what is no {kind}")
        for table, _, target, _ in reader.query("PRAGMA foreign_key_check"):
            raise DamagedBaseError(file, f"rows of {table} point to none of {target}")
        known = {number for (number,) in reader.query("SELECT id FROM provision")}
        for (packed,) in reader.query("SELECT states FROM edition"):
            if not known.issuperset(unpacked(packed)):
                raise DamagedBaseError(file, "an edition has provisions that do not exist")


def checksums_of(file: str | Path) -> tuple[int, int]:
    """Return the checksum that a file states, and that of its bytes."""
    data = memoryview(Path(file).read_bytes())
    head = zlib.crc32(bytes(CHECKSUM.stop - CHECKSUM.start), zlib.crc32(data[: CHECKSUM.start]))
    return int.from_bytes(data[CHECKSUM]), zlib.crc32(data[CHECKSUM.stop :], head)


def schema() -> str:
    """Return the statements that make the tables of a new file."""
    return Path(__file__).with_name("schema.sql").read_text("utf-8")


def unpacked(cell: bytes) -> "array[int]":
    """Return the ids that the column `edition.states` holds."""
    return array("I", cell)
