"""Writes the table of all numbers as CSV and as an SQLite database; see docs/reach.md."""

import csv
import io
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from variorum_kb.forms.number import NumberTableJson, TableBearerJson

COLUMNS = ("number", "first", "last", "now", "kinds", "confidence", "read")
_TABLES = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE edition (place INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE bearer (
  id INTEGER PRIMARY KEY, number TEXT NOT NULL,
  first INTEGER NOT NULL REFERENCES edition, last INTEGER NOT NULL REFERENCES edition,
  kinds TEXT NOT NULL, confidence REAL NOT NULL
) STRICT;
CREATE TABLE heir (
  bearer INTEGER NOT NULL REFERENCES bearer, rank INTEGER NOT NULL, name TEXT NOT NULL,
  PRIMARY KEY (bearer, rank)
) STRICT, WITHOUT ROWID;
CREATE TABLE decided (
  bearer INTEGER NOT NULL REFERENCES bearer, edition INTEGER NOT NULL REFERENCES edition,
  PRIMARY KEY (bearer, edition)
) STRICT, WITHOUT ROWID;
CREATE INDEX bearer_number ON bearer (number);
"""


def bearers_of(table: "NumberTableJson") -> "Iterator[tuple[str, TableBearerJson]]":
    """Yield every bearer with its number, in the order of the table."""
    return ((number, bearer) for number, rows in table["numbers"].items() for bearer in rows)


def csv_of(table: "NumberTableJson") -> str:
    """Return the table as comma-separated values, lists joined by semicolons."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for number, bearer in bearers_of(table):
        now, kinds, read = map(";".join, (bearer["now"], bearer["kinds"], bearer.get("read", [])))
        writer.writerow(
            [number, bearer["first"], bearer["last"], now, kinds, bearer["confidence"], read]
        )
    return out.getvalue()


def sqlite_of(table: "NumberTableJson") -> bytes:
    """Return the table as the bytes of a database; equal tables give equal bytes."""
    places = {label: place for place, label in enumerate(table["editions"])}
    about = {key: str(table[key]) for key in ("edition", "format", "version")}
    with closing(sqlite3.connect(":memory:")) as made:
        made.executescript(_TABLES)
        made.executemany("INSERT INTO about VALUES (?, ?)", about.items())
        made.executemany("INSERT INTO edition (label, place) VALUES (?, ?)", places.items())
        for row, (number, bearer) in enumerate(bearers_of(table), start=1):
            ends = places[bearer["first"]], places[bearer["last"]]
            cells = (row, number, *ends, " ".join(bearer["kinds"]), bearer["confidence"])
            made.execute("INSERT INTO bearer VALUES (?, ?, ?, ?, ?, ?)", cells)
            heirs = [(row, rank, name) for rank, name in enumerate(bearer["now"])]
            made.executemany("INSERT INTO heir VALUES (?, ?, ?)", heirs)
            read = [(row, places[label]) for label in dict.fromkeys(bearer.get("read", []))]
            made.executemany("INSERT INTO decided VALUES (?, ?)", read)
        made.commit()
        return made.serialize()
