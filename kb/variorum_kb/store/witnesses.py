"""Write the tables of witnesses into a new file, and read those of an older file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from variorum_kb.store.reader import Reader
from variorum_kb.store.table_digests import TableWriter
from variorum_kb.stored_rows import PassageRow, WitnessRow


@dataclass(frozen=True, slots=True)
class WitnessRows:
    """A witness as it goes into the file, and its passages."""

    row: WitnessRow
    passages: tuple[PassageRow, ...]

    @property
    def sha256(self) -> str:
        """Return the hash of its document."""
        return self.row.sha256

    @property
    def rests_on(self) -> str:
        """Return the digest of everything that the comparison depends on."""
        return self.row.rests_on

    def states(self) -> set[int]:
        """Return the ids of the states that it refers to."""
        ids = [id_ for passage in self.passages for id_ in (passage.provision, passage.former)]
        return {id_ for id_ in ids if id_ is not None}

    def moved(self, states: Mapping[int, int], editions: Mapping[int, int]) -> "WitnessRows":
        """Return the rows with other ids of states and places of editions.

        Raises:
            KeyError: They refer to a state or an edition that no longer exists.
        """
        first, last = (_moved(place, editions) for place in (self.row.first, self.row.last))
        passages = [
            passage.changed(
                provision=_moved(passage.provision, states),
                former=_moved(passage.former, states),
                edition=_moved(passage.edition, editions),
            )
            for passage in self.passages
        ]
        return WitnessRows(self.row.changed(first=first, last=last), tuple(passages))


def _moved(number: int | None, numbers: Mapping[int, int]) -> int | None:
    return None if number is None else numbers[number]


def replace_witnesses(tables: TableWriter, witnesses: Iterable[WitnessRows]) -> None:
    """Replace the witnesses in the tables, in the order of their hashes."""
    tables.clear("passage")
    tables.clear("witness")
    in_order = sorted(witnesses, key=lambda witness: witness.sha256)
    tables.insert("witness", [(id_, *witness.row) for id_, witness in enumerate(in_order)])
    rows = [
        (id_, place, *_with_shares(passage))
        for id_, witness in enumerate(in_order)
        for place, passage in enumerate(witness.passages)
    ]
    tables.insert("passage", rows)


def _with_shares(passage: PassageRow) -> PassageRow:
    """Return a passage with its shares as floats, because their columns have that type."""
    likeness, confidence = float(passage.likeness), float(passage.confidence)
    return passage.changed(likeness=likeness, confidence=confidence)


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
