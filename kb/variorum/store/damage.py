"""Find what has changed in a file that is not as it was written."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from variorum.rows import State
from variorum.store.reader import Reader
from variorum.store.table_digests import changed_tables, statement_of
from variorum.store.verified import is_as_written

_PARTS = ("aligner", "attest", "finder", "reader")
_META = {*_PARTS, "verdicts", "facts", "program"}

# At most this many lines of damage are shown.
_SHOWN = 5


def find_damage(reader: Reader) -> Iterator[str]:
    """Yield the damage that makes a file unusable.

    Raises:
        BaseError: The file is too damaged even for this check.
    """
    statement = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
    with contextlib.closing(sqlite3.connect(":memory:")) as ours:
        ours.executescript(Path(__file__).with_name("schema.sql").read_text("utf-8"))
        is_ours = ours.execute(statement).fetchall() == reader.query(statement)
    if not is_ours:
        yield "its tables are not those that this program makes"
        return
    for (line,) in reader.query(f"PRAGMA integrity_check({_SHOWN})"):
        if line != "ok":
            yield " ".join(str(line).split())
    broken = reader.query("PRAGMA foreign_key_check")
    for table, target in sorted({(table, target) for table, _, target, _ in broken}):
        yield f"rows of the table {table} point to none of the table {target}"
    meta = reader.facts()
    if meta.keys() != _META or not str(meta["program"])[:1].isdecimal():
        yield "the table meta does not say which program wrote it"


def find_changed(reader: Reader) -> Iterator[str]:
    """Yield what has changed in a file that is not as it was written, at least one line.

    Raises:
        BaseError: The file is damaged.
    """
    changed = changed_tables(lambda table: reader.query(statement_of(table)))
    if changed:
        verb = "do" if len(changed) > 1 else "does"
        yield f"{', '.join(changed)} {verb} not hold what was written"
    else:
        yield "it has changed, although all its tables hold what was written"
    words = [
        str(State.of(state).address)
        for *state, number, checksum in reader.all_cells()
        if not is_as_written(state, number, checksum)
    ]
    if words:
        more = f" and {len(words) - 1} more" if len(words) > 1 else ""
        yield f"the table provision no longer has the words that were written for {min(words)}{more}"
