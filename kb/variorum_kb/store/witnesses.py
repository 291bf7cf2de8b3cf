"""The tables of witnesses: put into a file that is being written, and taken over from an older."""

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from variorum_kb.rows import PASSAGE_COLUMNS, WITNESS_COLUMNS
from variorum_kb.store.reader import Reader

Cell = str | int | float | None

_SHA256 = WITNESS_COLUMNS.index("sha256")
_RESTS_ON = WITNESS_COLUMNS.index("rests_on")
_SPAN = [WITNESS_COLUMNS.index(name) for name in ("first", "last")]
_STATES = [PASSAGE_COLUMNS.index(name) for name in ("provision", "former")]
_EDITION = PASSAGE_COLUMNS.index("edition")


@dataclass(frozen=True, slots=True)
class WitnessRows:
    """A witness as it goes into the file.

    Attributes:
        columns: In the order of `WITNESS_COLUMNS`.
        passages: Each in the order of `PASSAGE_COLUMNS`.
    """

    columns: tuple[Cell, ...]
    passages: tuple[tuple[Cell, ...], ...]

    @property
    def sha256(self) -> str:
        """Return the hash of its document."""
        return str(self.columns[_SHA256])

    @property
    def rests_on(self) -> str:
        """Return the digest of what it was compared with."""
        return str(self.columns[_RESTS_ON])

    def states(self) -> set[int]:
        """Return the ids of the states that it speaks of."""
        cells = [passage[place] for passage in self.passages for place in _STATES]
        return {one for one in cells if isinstance(one, int)}

    def moved(self, states: Mapping[int, int], editions: Mapping[int, int]) -> "WitnessRows":
        """Return it with other ids of states and places of editions.

        Raises:
            KeyError: It speaks of one that is not there.
        """
        columns = _replaced(self.columns, _SPAN, editions)
        passages = [
            _replaced(_replaced(one, _STATES, states), [_EDITION], editions)
            for one in self.passages
        ]
        return replace(self, columns=columns, passages=tuple(passages))


def _replaced(
    cells: tuple[Cell, ...], places: Iterable[int], ids: Mapping[int, int]
) -> tuple[Cell, ...]:
    changed = list(cells)
    for place in places:
        old = cells[place]
        changed[place] = ids[old] if isinstance(old, int) else None
    return tuple(changed)


def insert_witnesses(connection: sqlite3.Connection, witnesses: Iterable[WitnessRows]) -> None:
    """Put witnesses into their tables, in the order of their hashes."""
    in_order = sorted(witnesses, key=lambda one: one.sha256)
    _insert(connection, "witness", [(id_, *one.columns) for id_, one in enumerate(in_order)])
    rows = [
        (id_, place, *passage)
        for id_, one in enumerate(in_order)
        for place, passage in enumerate(one.passages)
    ]
    _insert(connection, "passage", rows)


def _insert(connection: sqlite3.Connection, table: str, rows: list[tuple[Cell, ...]]) -> None:
    if rows:
        marks = ", ".join("?" * len(rows[0]))
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608 - marks


def load_witnesses(reader: Reader) -> list[WitnessRows]:
    """Return all witnesses of a file; ids and places are those of the file.

    Raises:
        BaseError: The file is damaged.
    """
    passages: dict[int, list[tuple[Any, ...]]] = {}
    names = ", ".join(PASSAGE_COLUMNS)
    for id_, *cells in reader.query(
        f"SELECT witness, {names} FROM passage ORDER BY witness, place"  # noqa: S608 - our names
    ):
        passages.setdefault(id_, []).append(tuple(cells))
    names = ", ".join(WITNESS_COLUMNS)
    rows = reader.query(f"SELECT id, {names} FROM witness ORDER BY id")  # noqa: S608 - likewise
    return [WitnessRows(tuple(cells), tuple(passages.get(id_, []))) for id_, *cells in rows]
