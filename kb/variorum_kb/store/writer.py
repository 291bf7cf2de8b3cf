"""Write a knowledge base: from editions as rows to one file, the same bytes for the same rows."""

import sqlite3
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

from variorum_kb.errors import NotWritableError
from variorum_kb.rows import APPLICATION, SCHEMA, EditionRow, LinkRow, State, checksum_of, lines_of
from variorum_kb.store.citations import Citation, citation_rows
from variorum_kb.store.digests import TableWriter
from variorum_kb.store.findings import EditionFindings, insert_findings
from variorum_kb.store.verified import seal
from variorum_kb.store.witnesses import WitnessRows, insert_witnesses
from variorum_kb.system.atomic_files import (
    beside_of,
    put,
    removed_on_failure,
    sync_file,
    sync_folder,
)
from variorum_kb.text.keys import keys_of


@dataclass(slots=True)
class EditionRows:
    """An edition as it goes into the file.

    Attributes:
        columns: What it is.
        states: Ids in a `Merger`, in printed order.
    """

    columns: EditionRow
    states: "array[int]"


# Two editions, the older first, by the hashes of their documents.
Pair = tuple[str, str]


class Merger:
    """Gathers editions, keeping each state once however many editions hold it.

    Attributes:
        editions: As they came.
        links: Of two editions that follow each other, by the hashes of their documents, where the
            provisions of the one went in the other; the ids are those of the merger.
        returns: Likewise of editions further apart, what came back after an absence.
        citations: Of states, by their ids, as far as they are known.
    """

    def __init__(self) -> None:
        self._ids: dict[State, int] = {}
        self.editions: list[EditionRows] = []
        self.links: dict[Pair, list[LinkRow]] = {}
        self.returns: dict[Pair, list[LinkRow]] = {}
        self.citations: Mapping[int, Sequence[Citation]] = {}

    def add(self, columns: EditionRow, states: Iterable[State]) -> None:
        """Take in an edition."""
        ids = self._ids
        found = array("I", [ids.setdefault(state, len(ids)) for state in states])
        self.editions.append(EditionRows(columns, found))

    def in_order(self) -> list[EditionRows]:
        """Return the editions in the order of their dates and issues."""
        return sorted(self.editions, key=lambda one: (one.columns.effective, one.columns.issue))

    def states(self) -> list[State]:
        """Return all states; the place of each is its id."""
        return list(self._ids)


def write_base(
    path: Path,
    merger: Merger,
    facts: Mapping[str, str],
    attest: Callable[[Path], Iterable[WitnessRows]] = lambda _: (),
    lint: Callable[[Path], Sequence[EditionFindings]] = lambda _: (),
) -> None:
    """Write a file beside its place and then put it there, whole or not at all.

    Equal editions give equal bytes, in whatever order they were added (with one version of
    SQLite). Readers of the file before keep it until they are done.

    Args:
        path: Of the file.
        merger: The editions; their issues are set already.
        facts: What the table `meta` holds.
        attest: Is given the file when all editions stand in it, and returns the witnesses, compared
            with these.
        lint: Likewise returns what is wrong in them.

    Raises:
        NotWritableError: It cannot be written; the disk may be full.
        BaseBusyError: Another program has the file open, where that is in the way.
    """
    # A run that was killed may have left one; whoever holds the lock may take its place.
    beside = beside_of(path)
    with removed_on_failure(beside):
        try:
            beside.unlink(missing_ok=True)
            connection = sqlite3.connect(beside, isolation_level=None)
            try:
                tables = _write(connection, merger, facts)
                findings, witnesses = lint(beside), list(attest(beside))
                connection.execute("BEGIN")
                insert_findings(tables, findings)
                insert_witnesses(tables, witnesses)
                tables.insert_digests()
                connection.execute("COMMIT")
            finally:
                connection.close()
            seal(str(beside))
        except (OSError, sqlite3.OperationalError) as error:
            raise NotWritableError(f"{path}: cannot be written: {error}") from error
        sync_file(beside)
        put(beside, path)
    sync_folder(path.parent)


def _write(connection: sqlite3.Connection, merger: Merger, facts: Mapping[str, str]) -> TableWriter:
    """Write all but the witnesses; return what puts these in."""
    connection.execute("PRAGMA page_size = 8192")
    # Nobody else sees the file yet, and what is half written is thrown away.
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {SCHEMA}")
    schema = files("variorum_kb.store").joinpath("schema.sql").read_text("utf-8")
    connection.executescript(f"BEGIN; {schema}")
    tables = TableWriter(connection)
    tables.insert("meta", sorted(facts.items()))
    _insert_all(tables, merger)
    connection.execute("COMMIT")
    return tables


def _insert_all(tables: TableWriter, merger: Merger) -> None:
    editions = merger.in_order()
    order = _in_order_of_appearance(editions)
    states = merger.states()
    readings: dict[str, int] = {}
    for old in order:
        readings.setdefault(states[old].body, len(readings))
    tables.insert("reading", ((number, body) for body, number in readings.items()))
    tables.insert(
        "provision",
        (_cells(new, states[old], readings[states[old].body]) for old, new in order.items()),
    )
    chosen = _chosen(editions)
    labels = _labels(editions)
    held = [[order[old] for old in edition.states] for edition in editions]
    tables.insert(
        "edition",
        (
            (number, *edition.columns, labels[number], int(number in chosen), _packed(held[number]))
            for number, edition in enumerate(editions)
        ),
    )
    tables.insert("span", _spans(held))
    of_state = [readings[states[old].body] for old in order]
    said = [sorted({of_state[state] for state in edition}) for edition in held]
    tables.insert("attestation", _spans(said))
    words = ((word, new) for old, new in order.items() for word in keys_of(states[old]))
    tables.insert("lookup", sorted(words))
    citations, cited = citation_rows(
        (new, states[old], merger.citations.get(old)) for old, new in order.items()
    )
    tables.insert("citation", citations)
    tables.insert("cited", cited)
    links, evidence = _links(merger, editions, order)
    tables.insert("link", links)
    tables.insert("evidence", evidence)


_Cell = int | float | None
# The columns of `evidence` but its id.
_Why = tuple[str, str, str, str]


def _cells(number: int, state: State, reading: int) -> tuple[str | int, ...]:
    """Return a row of the table `provision`."""
    named = (number, state.kind, state.number, state.address, state.heading)
    checksum = checksum_of(number, state)
    return (*named, reading, state.parent, state.meant, state.irregularities, checksum)


def _links(
    merger: Merger, editions: Sequence[EditionRows], order: Mapping[int, int]
) -> tuple[list[tuple[_Cell, ...]], Iterator[tuple[int, str, str, str, str]]]:
    """Return the rows of the tables `link` and `evidence`."""
    places = {edition.columns.sha256: place for place, edition in enumerate(editions)}
    pairs = set(pairwise(places))
    found: list[tuple[tuple[_Cell, ...], _Why]] = []
    for pair, links in (*merger.links.items(), *merger.returns.items()):
        if pair in pairs or pair in merger.returns:
            source, place = places[pair[0]], places[pair[1]]
            for link in links:
                ends = order.get(link.old), order.get(link.new)
                chance = float(link.confidence)
                row = (place, source, *ends, link.rank, link.kinds, link.change, chance)
                runners = lines_of(link.led_by(order, order).runners_up)
                why = link.readings, link.verdict, "\n".join(link.reasons), runners
                found.append((row, why))
    # In one order, whoever aligned them, and when.
    found.sort(key=lambda one: ([-1 if cell is None else cell for cell in one[0]], one[1]))
    known: dict[_Why, int] = {}
    rows = [(*row, known.setdefault(why, len(known))) for row, why in found]
    return rows, ((number, *said) for said, number in known.items())


def _in_order_of_appearance(editions: Sequence[EditionRows]) -> dict[int, int]:
    """Number the states anew, as editions in order bring them: a function of the editions alone."""
    order: dict[int, int] = {}
    for edition in editions:
        for state in edition.states:
            order.setdefault(state, len(order))
    return order


def _chosen(editions: Sequence[EditionRows]) -> set[int]:
    """Return which issue of each date a bare date means: the last sound one, or just the last."""
    best: dict[str, int] = {}
    for number, edition in enumerate(editions):
        before = best.get(edition.columns.effective)
        if before is None or _rank(edition) >= _rank(editions[before]):
            best[edition.columns.effective] = number
    return set(best.values())


def _labels(editions: Sequence[EditionRows]) -> list[str]:
    """Return each edition's date, with its issue where the date has several."""
    times = Counter(edition.columns.effective for edition in editions)
    return [
        f"{edition.columns.effective}.{edition.columns.issue}"
        if times[edition.columns.effective] > 1
        else edition.columns.effective
        for edition in editions
    ]


def _rank(edition: EditionRows) -> int:
    return ("lossy", "repaired", "sound").index(edition.columns.condition)


def _packed(ids: Iterable[int]) -> bytes:
    packed = array("I", ids)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def _spans(held: Sequence[Iterable[int]]) -> Iterator[tuple[int, int, int]]:
    """Yield (what, first, last) for every unbroken run of editions, sorted."""
    runs: dict[int, list[list[int]]] = {}
    for number, ids in enumerate(held):
        for one in ids:
            known = runs.get(one)
            if known is None:
                runs[one] = [[number, number]]
            elif known[-1][1] >= number - 1:
                known[-1][1] = number
            else:
                known.append([number, number])
    for one in sorted(runs):
        for first, last in runs[one]:
            yield one, first, last
