"""Open a knowledge base, refuse one that is damaged or forged, and read its rows.

SQLite leaves four bytes of a file's head to us (`user_version`). They hold the CRC-32 of the whole file,
computed with zeros in their place. It is compared whenever the file is opened, which takes 3 ms for
14 MB. The layout's number is in the table `meta`.
"""

import re
import sqlite3
import zlib
from array import array
from collections.abc import Iterable
from contextlib import ExitStack
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, NamedTuple, Self

from variorum import errors
from variorum.files import LAYOUT
from variorum.records.answer import json_text
from variorum.records.document import Passage, Witness
from variorum.rows import EditionRow, State

CHECKSUM = slice(60, 64)  # its bytes in the file
# Stands for the values of a JSON list.
EACH = "SELECT value FROM json_each(?)"
_BACK = "SELECT 'provision' FROM provision WHERE parent = address"
_WRONG_DAY = (
    "date(effective) IS NOT effective OR label NOT IN (effective, effective || '.' || issue)"
)
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
    def open(cls, path: str | Path, *, is_trusted: bool = True) -> Self:
        """Open a file as it is now; a build replaces it, but the reader keeps what it opened."""
        if not Path(path).is_file():
            makes = "cr sync or cr build PATH creates one, --sample uses the sample rulebook"
            raise errors.NoBaseError(path, "no knowledge base", makes)
        with ExitStack() as failed:
            try:
                stated, actual = checksums_of(path)
                # Nothing changes a file in place, so SQLite need not look for changes, or for a journal.
                name = f"{Path(path).absolute().as_uri()}?mode=ro&immutable=1"
                reader = cls(sqlite3.connect(name, uri=True, check_same_thread=False), str(path))
                failed.callback(reader.close)
                if stated != actual:
                    raise errors.BaseError(path, "damaged: it is not as it was written")
                reader.refuse_others()
            except (OSError, ValueError, sqlite3.Error) as error:
                reason = getattr(error, "strerror", None) or error
                raise errors.BaseError(path, f"cannot be opened: {reason}") from None
            if not is_trusted:
                reader.refuse_forgery()
            failed.pop_all()
        return reader

    def refuse_others(self) -> None:
        """Raise BaseError for a file of another layout; take the checksum that the opened file states."""
        self.query("PRAGMA trusted_schema = OFF")  # a stranger may have made the file
        self.checksum = self.query("PRAGMA user_version")[0][0] % 2**32
        layout = int(re.sub(r"\D", "", self.facts().get("layout", ""))[:9] or 0)
        by = f"program (layout {layout}, this one uses {LAYOUT})"
        if layout > LAYOUT:
            raise errors.NewerBaseError(self.file, f"written by a newer {by}", "upgrade Variorum")
        if layout < LAYOUT:
            remedy = "run cr build to rebuild it from its documents"
            raise errors.BaseVersionError(self.file, f"written by an older {by}", remedy)
        schema = re.sub(" *--.*", "", _SCHEMA.read_text("utf-8"))
        ours = re.findall(r"(?ms)^(CREATE (TABLE|INDEX) (\w+).*?);$", schema)
        objects = self.query("SELECT sql, upper(type), name FROM sqlite_schema WHERE sql NOT NULL")
        if {*ours} != {(re.sub(" *--.*", "", sql), *what) for sql, *what in objects}:
            raise errors.BaseError(self.file, "damaged: its tables are not those of this program")

    def refuse_forgery(self) -> None:
        """Raise BaseError for what no build writes; asked before a build, and when an answer fails."""
        for (table,) in self.query(TABLES):
            for _, name, kind, is_needed, _, key in self.query(f"PRAGMA table_info({table})"):
                types = kind.lower(), kind.lower() if is_needed or key else "null"
                odd = f"SELECT 1 FROM {table} WHERE typeof({name}) NOT IN (?, ?) LIMIT 1"  # noqa: S608
                if self.query(odd, types):
                    raise errors.BaseError(self.file, f"damaged: a {table}.{name} is no {kind}")
        for table, *_ in [*self.query("PRAGMA foreign_key_check"), *self.query(_BACK)]:
            raise errors.BaseError(self.file, f"damaged: rows of {table} lead to nothing, or back")
        packed = b"".join([states for (states,) in self.query("SELECT states FROM edition")])
        known = {number for (number,) in self.query("SELECT id FROM provision")}
        if not known.issuperset(array("I", packed + bytes(-len(packed) % 4))):
            raise errors.BaseError(self.file, "damaged: an edition has unknown provisions")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def query(self, statement: str, values: Iterable[object] = ()) -> list[tuple[Any, ...]]:
        """Return all rows that a statement gives; a damaged file raises BaseError."""
        try:
            return self._connection.execute(statement, tuple(values)).fetchall()
        except UnicodeEncodeError:  # no row has a lone surrogate
            return []
        except sqlite3.DatabaseError as error:
            # A wrong statement of ours; bytes that are not UTF-8 have no code.
            if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_ERROR:
                raise
            raise errors.BaseError(self.file, f"damaged: {error}") from None

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
        for (label,) in self.query(f"SELECT label FROM edition WHERE {_WRONG_DAY}"):  # noqa: S608
            reason = f"damaged: an edition is named {label!r}, which is not its date"
            raise errors.BaseError(self.file, reason)
        rows = self.query(f"SELECT {fields} FROM edition ORDER BY id")  # noqa: S608
        return [EditionRow(*row) for row in rows]


def empty_base(base: sqlite3.Connection | None = None) -> sqlite3.Connection:
    """Make the tables of a base, in memory if nothing is given."""
    base = base or sqlite3.connect(":memory:")
    base.executescript(_SCHEMA.read_text("utf-8"))
    return base


def checksums_of(file: str | Path) -> tuple[int, int]:
    """Return the checksum that a knowledge base states, and that of its bytes."""
    with Path(file).open("rb") as opened, mmap(opened.fileno(), 0, access=ACCESS_READ) as data:
        if (data[:16], data[68:72]) != (b"SQLite format 3\0", b"vrrm"):
            raise errors.BaseError(file, "not a knowledge base")
        crc = zlib.crc32(data[: CHECKSUM.start] + bytes(4))
        with memoryview(data) as mapped, mapped[CHECKSUM.stop :] as rest:
            return int.from_bytes(data[CHECKSUM]), zlib.crc32(rest, crc)
