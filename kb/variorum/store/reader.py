"""Open a knowledge base, refuse one that is damaged or forged, and read its rows.

SQLite leaves four bytes of a file's head to us (`user_version`). They hold the CRC-32 of the whole file,
computed with zeros in their place. It is compared whenever the file is opened, which takes 3 ms for
14 MB. The layout's number is in the table `meta`.
"""

import os
import re
import sqlite3
import zlib
from array import array
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, NamedTuple, Self

from variorum import errors
from variorum.records.answer import json_text
from variorum.records.document import Passage, Witness
from variorum.rows import EditionRow, State
from variorum.versions import LAYOUT

_APPLICATION = 0x7672726D  # "vrrm", as SQLite's `application_id`
CHECKSUM = slice(60, 64)  # its bytes in the file
# Stands for the values of a JSON list.
EACH = "SELECT value FROM json_each(?)"
_BACK = "SELECT 'link' FROM link WHERE source >= edition UNION SELECT 'provision' FROM provision WHERE parent = address"
TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
STATES = (
    f"SELECT {', '.join([*State._fields[:-1], 'provision.id'])} "  # noqa: S608 - our own
    "FROM provision JOIN reading ON reading.id = provision.reading"
)
_SCHEMA = Path(__file__).with_name("schema.sql")


class PassageRow(NamedTuple):
    """What a passage of a witness says, and the ids and the place by which it is found; see schema.sql."""

    provision: int | None
    former: int | None
    edition: int | None
    said: Passage


# A witness and its passages.
WitnessRows = tuple[Witness, list[PassageRow]]


class Reader:
    """An open knowledge base.

    Any thread may use it, since it is only read. `checksum` identifies the contents of `file`.
    """

    def __init__(self, connection: sqlite3.Connection, file: str, checksum: int = 0) -> None:
        self.file, self.checksum = file, checksum
        self._connection = connection

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Open a file as it is now; a build replaces it, but the reader keeps what it opened."""
        file = os.fspath(path)
        if not Path(path).is_file():
            raise errors.NoBaseError(path)
        with ExitStack() as failed:
            try:
                # Nothing changes a file in place, so SQLite need not look for changes, or for a journal.
                name = f"{Path(path).absolute().as_uri()}?mode=ro&immutable=1"
                connection = sqlite3.connect(name, uri=True, check_same_thread=False)
                failed.callback(connection.close)
                checksum = _checked(connection.execute, file)
            except sqlite3.DatabaseError as error:
                raise errors.BaseError(f"{file}: not a knowledge base: {error}") from None
            except OSError as error:
                raise errors.BaseError(
                    f"{file}: cannot be opened: {error.strerror or error}"
                ) from None
            failed.pop_all()
        return cls(connection, file, checksum)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def query(self, statement: str, values: Iterable[object] = ()) -> list[tuple[Any, ...]]:
        """Return all rows that a statement gives; a damaged file raises DamagedBaseError."""
        try:
            return self._connection.execute(statement, tuple(values)).fetchall()
        except sqlite3.DatabaseError as error:
            # A wrong statement of ours; bytes that are not UTF-8 have no code.
            if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_ERROR:
                raise
            raise errors.DamagedBaseError(self.file, str(error)) from None

    def query_each(self, statement: str, values: Iterable[object]) -> list[tuple[Any, ...]]:
        """Return the rows that a statement gives for any number of values, as in "WHERE id IN ({})"."""
        return self.query(statement.format(EACH), [json_text(list(values))])

    def facts(self) -> dict[str, str]:
        """Return what the table `meta` holds."""
        return dict(self.query("SELECT name, value FROM meta"))

    def states_of(self, edition: int) -> "array[int]":
        """Return the ids of an edition's states in printed order."""
        ((packed,),) = self.query("SELECT states FROM edition WHERE id = ?", [edition])
        return array("I", packed)

    def states_by_id(self, numbers: Iterable[int] | None = None) -> dict[int, State]:
        """Return states by their ids, in the order of these; all, if none are given."""
        some = numbers is not None and [json_text(list(numbers))]
        where = f"WHERE provision.id IN ({EACH})" if some else ""
        rows = self.query(f"{STATES} {where} ORDER BY provision.id", some or ())
        return {row[-1]: State._make(row) for row in rows}

    def findings(self, edition: int) -> list[str]:
        """Return the known errors of an edition as JSON, in the order in which they are shown."""
        joined = "found JOIN finding ON id = finding WHERE edition = ? ORDER BY place"
        return [body for (body,) in self.query(f"SELECT body FROM {joined}", [edition])]  # noqa: S608

    def editions(self, *, is_whole: bool = True) -> list[EditionRow]:
        """Return all editions in order, perhaps without their JSON; a name that is no date is damage."""
        fields = ", ".join(["id", *EditionRow._fields[1 : None if is_whole else -4]])
        where = "date(effective) IS NOT effective OR label NOT IN (effective, effective || '.' || issue)"
        for (label,) in self.query(f"SELECT label FROM edition WHERE {where}"):  # noqa: S608
            reason = f"an edition is named {label!r}, which is not its date"
            raise errors.DamagedBaseError(self.file, reason)
        rows = self.query(f"SELECT {fields} FROM edition ORDER BY id")  # noqa: S608
        return [EditionRow(*row) for row in rows]


def _checked(ask: Callable[[str], sqlite3.Cursor], file: str) -> int:
    """Return the checksum of a file that is as this program wrote it."""
    ask("PRAGMA trusted_schema = OFF")  # a stranger may have made the file
    if ask("PRAGMA application_id").fetchone() != (_APPLICATION,):
        raise errors.BaseError(f"{file}: not a knowledge base, but another SQLite file")
    checksum: int = ask("PRAGMA user_version").fetchone()[0] % 2**32
    stated, actual = checksums_of(file)  # a build may just have replaced ours
    if stated != actual:
        raise errors.DamagedBaseError(file, "it is not as it was written")
    objects, layouts = ask("SELECT type, name, sql FROM sqlite_schema").fetchall(), [(0,)]
    if any(row[:2] == ("table", "meta") for row in objects):
        layouts += ask("SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'layout'")
    by = f"program (layout {layouts[-1][0]}, this one uses {LAYOUT})"
    if layouts[-1][0] > LAYOUT:
        raise errors.NewerBaseError(f"{file}: written by a newer {by}; upgrade Variorum")
    if layouts[-1][0] < LAYOUT:
        remedy = "run cr build to rebuild it from its documents"
        raise errors.BaseVersionError(f"{file}: written by an older {by}; {remedy}")
    ours = re.finditer(r"(?ms)^(CREATE (TABLE|INDEX) (\w+).*?);$", _SCHEMA.read_text("utf-8"))
    if {(it[2].lower(), it[3], it[1]) for it in ours} != {row for row in objects if row[2]}:
        raise errors.DamagedBaseError(file, "its tables are not those that this program makes")
    return checksum


def empty_base(base: sqlite3.Connection | None = None) -> sqlite3.Connection:
    """Make the tables of a base, in memory if nothing is given."""
    base = base or sqlite3.connect(":memory:")
    ours = f"PRAGMA page_size = 8192; PRAGMA application_id = {_APPLICATION};"
    base.executescript(f"{ours} {_SCHEMA.read_text('utf-8')}")
    return base


def refuse_forgery(file: str) -> None:
    """Raise DamagedBaseError for what no build writes; asked before a build, and when an answer fails."""
    with closing(Reader.open(file)) as reader:
        for (table,) in reader.query(TABLES):
            for _, name, kind, is_needed, _, key in reader.query(f"PRAGMA table_info({table})"):
                types = kind.lower(), kind.lower() if is_needed or key else "null"
                odd = f"SELECT 1 FROM {table} WHERE typeof({name}) NOT IN (?, ?) LIMIT 1"  # noqa: S608
                if reader.query(odd, types):
                    raise errors.DamagedBaseError(file, f"{table}.{name} has what is no {kind}")
        for table, *_ in [*reader.query("PRAGMA foreign_key_check"), *reader.query(_BACK)]:
            raise errors.DamagedBaseError(file, f"rows of {table} lead to nothing, or back")
        packed = b"".join([states for (states,) in reader.query("SELECT states FROM edition")])
        known = {number for (number,) in reader.query("SELECT id FROM provision")}
        if not known.issuperset(array("I", packed + bytes(-len(packed) % 4))):
            raise errors.DamagedBaseError(file, "an edition has provisions that do not exist")


def checksums_of(file: str | Path) -> tuple[int, int]:
    """Return the checksum that a file states, and that of its bytes."""
    with (
        Path(file).open("rb") as opened,
        mmap(opened.fileno(), 0, access=ACCESS_READ) as mapped,
        memoryview(mapped) as data,
    ):
        head = zlib.crc32(bytes(CHECKSUM.stop - CHECKSUM.start), zlib.crc32(data[: CHECKSUM.start]))
        return int.from_bytes(data[CHECKSUM]), zlib.crc32(data[CHECKSUM.stop :], head)
