"""Write the tables of witnesses into a new file, and read those of an older file."""

from collections.abc import Iterable
from dataclasses import dataclass
from sqlite3 import Connection

from variorum.store.reader import Reader
from variorum.store.runs import insert
from variorum.stored_rows import PassageRow, WitnessRow


@dataclass(frozen=True, slots=True)
class WitnessRows:
    """A witness as it goes into the file, and its passages."""

    row: WitnessRow
    passages: tuple[PassageRow, ...]

    @property
    def sha256(self) -> str:
        """Return the hash of its document."""
        return self.row.sha256


def replace_witnesses(base: Connection, witnesses: Iterable[WitnessRows]) -> None:
    """Replace the witnesses in the tables, in the order of their hashes."""
    base.execute("DELETE FROM passage")
    base.execute("DELETE FROM witness")
    in_order = sorted(witnesses, key=lambda witness: witness.sha256)
    insert(base, "witness", [(id_, *witness.row) for id_, witness in enumerate(in_order)])
    rows = [
        (id_, place, *passage)
        for id_, witness in enumerate(in_order)
        for place, passage in enumerate(witness.passages)
    ]
    insert(base, "passage", rows)


def load_witnesses(reader: Reader) -> list[WitnessRows]:
    """Return all witnesses of a file; ids and places are those of the file.

    Raises:
        BaseError: The file is damaged.
    """
    passages: dict[int, list[PassageRow]] = {}
    names = ", ".join(PassageRow.columns)
    for id_, *cells in reader.query(
        f"SELECT witness, {names} FROM passage ORDER BY witness, place"  # noqa: S608 - our names
    ):
        passages.setdefault(id_, []).append(PassageRow(*cells))
    names = ", ".join(WitnessRow.columns)
    rows = reader.query(f"SELECT id, {names} FROM witness ORDER BY id")  # noqa: S608 - likewise
    return [WitnessRows(WitnessRow(*cells), tuple(passages.get(id_, []))) for id_, *cells in rows]
