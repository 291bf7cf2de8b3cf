"""Write the rows of editions into a knowledge base."""

import sqlite3
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from shutil import copyfile

from variorum.errors import NotWritableError
from variorum.rows import State
from variorum.store.citations import citation_rows
from variorum.store.file import APPLICATION, schema, seal
from variorum.store.findings import EditionFindings, insert_findings
from variorum.store.merger import EditionRows, Merger
from variorum.store.runs import extend_runs, insert
from variorum.store.witnesses import WitnessRows, replace_witnesses
from variorum.system.atomic_files import beside_of, put, removed_on_failure, sync_file, sync_folder
from variorum.text.keys import keys_of


def draft_of(path: Path) -> Path:
    """Return the path of the draft from which the finished file is written."""
    return path.with_name(f"{path.name}.draft")


def write_base(
    path: Path,
    merger: Merger,
    facts: Mapping[str, str],
    attest: Callable[[Path], Iterable[WitnessRows]] = lambda _: (),
    lint: Callable[[Path], Iterable[EditionFindings]] = lambda _: (),
) -> None:
    """Write a knowledge base atomically.

    Equal editions give equal bytes, in whatever order they were added (with one version of
    SQLite). Processes that have the old file open keep it until they close it.

    Args:
        path: The file.
        merger: The editions; their issues are set already.
        facts: The content of the table `meta`.
        attest: Receives the file with all editions, and returns the witnesses compared with them.
        lint: Is called before `attest` with the same file, and returns the known errors of editions
            that are not kept. These are read only after `attest` has finished.

    Raises:
        NotWritableError: It cannot be written; the disk may be full.
        BaseBusyError: Another program has the file open on a system where that prevents writing.
    """
    # A killed run may have left these files; the holder of the lock may remove them.
    beside, draft = beside_of(path), beside_of(draft_of(path))
    with removed_on_failure(beside), removed_on_failure(draft):
        try:
            beside.unlink(missing_ok=True)
            draft.unlink(missing_ok=True)
            if merger.kept:
                copyfile(path, draft)
            with closing(sqlite3.connect(draft, isolation_level=None)) as connection:
                _open_tables(connection, {} if merger.kept else facts)
                _insert_editions(connection, merger)
                connection.execute("COMMIT")
                findings, witnesses = lint(draft), list(attest(draft))
                connection.execute("BEGIN")
                insert_findings(connection, list(findings), merger.kept)
                replace_witnesses(connection, witnesses)
                connection.execute("COMMIT")
                connection.execute("VACUUM INTO ?", [str(beside)])
            draft.unlink()
            seal(beside)
        except (OSError, sqlite3.OperationalError) as error:
            raise NotWritableError(f"{path}: cannot be written: {error}") from error
        sync_file(beside)
        put(beside, path)
    sync_folder(path.parent)


def _open_tables(base: sqlite3.Connection, facts: Mapping[str, str]) -> None:
    """Open the tables of a draft for writing; create them if facts are given."""
    # No other process sees the draft, and an unfinished one is discarded.
    base.execute("PRAGMA page_size = 8192")
    base.execute("PRAGMA journal_mode = OFF")
    base.execute("PRAGMA synchronous = OFF")
    base.execute(f"PRAGMA application_id = {APPLICATION}")
    base.executescript(f"BEGIN; {schema() if facts else ''}")
    insert(base, "meta", sorted(facts.items()))


def _insert_editions(base: sqlite3.Connection, merger: Merger) -> None:
    """Insert the editions that are not kept, and update the kept ones that these affect."""
    first = merger.kept
    editions = merger.in_order()
    states = merger.states()
    stored: list[tuple[int, int]] = base.execute(
        "SELECT id, reading FROM provision ORDER BY id"
    ).fetchall()
    readings = {states[number].body: reading for number, reading in stored}
    order = _in_order_of_appearance(editions[first:], len(stored))
    new = {old: number for old, number in order.items() if number >= len(stored)}
    bodies = list(dict.fromkeys([states[old].body for old in new]))
    fresh = [body for body in bodies if body not in readings]
    added = list(enumerate(fresh, len(set(readings.values()))))
    readings |= {body: number for number, body in added}
    insert(base, "reading", added)
    insert(
        base,
        "provision",
        [_cells(number, states[old], readings[states[old].body]) for old, number in new.items()],
    )
    held = [[order[old] for old in edition.states] for edition in editions[first:]]
    _insert_columns(base, editions, held, first)
    extend_runs(base, "span", held, first=first)
    words = [(word, number) for old, number in new.items() for word in keys_of(states[old])]
    insert(base, "lookup", sorted(words))
    citations, cited = citation_rows(
        (number, states[old], merger.citations.get(old)) for old, number in new.items()
    )
    insert(base, "citation", citations)
    insert(base, "cited", cited)
    _insert_links(base, merger, editions, order, first)


def _insert_columns(
    base: sqlite3.Connection, editions: Sequence[EditionRows], held: Sequence[list[int]], first: int
) -> None:
    """Insert the columns of new editions, and update changed columns of the others."""
    chosen, labels = _chosen(editions), _labels(editions)
    settled = (*_SETTLED, "label", "is_chosen")
    names = ", ".join(settled)
    rows = base.execute(f"SELECT id, {names} FROM edition ORDER BY id").fetchall()  # noqa: S608 - our names
    for number, (_, *known) in enumerate(rows):
        columns = editions[number].columns.named()
        settled_cells = [
            *(columns[name] for name in _SETTLED),
            labels[number],
            int(number in chosen),
        ]
        if settled_cells != known:
            changed = ", ".join([f"{name} = ?" for name in settled])
            statement = f"UPDATE edition SET {changed} WHERE id = ?"  # noqa: S608 - our names
            base.execute(statement, [*settled_cells, number])
    insert(
        base,
        "edition",
        [
            (number, *edition.columns, labels[number], int(number in chosen), _packed(ids))
            for (number, edition), ids in zip(enumerate(editions[first:], first), held, strict=True)
        ],
    )


# The columns of an edition that later editions and decisions may change.
_SETTLED = ("issue", "set_code", "set_name", "attested", "doubts")


_Cell = int | float | None
# The columns of `evidence` but its id.
_Why = tuple[str, str, str]


def _cells(number: int, state: State, reading: int) -> tuple[str | int, ...]:
    """Return a row of the table `provision`."""
    named = (number, state.kind, state.number, state.address, state.heading)
    return (*named, reading, state.parent, state.meant, state.irregularities)


def _insert_links(
    base: sqlite3.Connection,
    merger: Merger,
    editions: Sequence[EditionRows],
    order: Mapping[int, int],
    first: int,
) -> None:
    """Insert the links that lead into editions from `first` on, and their evidence."""
    places = {edition.columns.sha256: place for place, edition in enumerate(editions)}
    pairs = set(pairwise(places))
    new_links: list[tuple[tuple[_Cell, ...], _Why]] = []
    # A pair between which an edition was found is not adjacent any more.
    adjacent = [(pair, links) for pair, links in merger.links.items() if pair in pairs]
    for (old, new), links in (*adjacent, *merger.returns.items()):
        source, place = places[old], places[new]
        for link in links if place >= first else ():
            ends = order.get(link.old), order.get(link.new)
            chance = float(link.confidence)
            row = (place, source, *ends, link.rank, link.kinds, link.change, chance)
            evidence = link.evidence
            why = evidence.readings, evidence.verdict, "\n".join(evidence.reasons)
            new_links.append((row, why))
    # The order must not depend on which process aligned them, or when.
    new_links.sort(
        key=lambda link_and_why: (
            [-1 if cell is None else cell for cell in link_and_why[0]],
            link_and_why[1],
        )
    )
    stored = base.execute("SELECT readings, verdict, reasons FROM evidence ORDER BY id").fetchall()
    known: dict[_Why, int] = {tuple(why): number for number, why in enumerate(stored)}
    insert(base, "link", [(*row, known.setdefault(why, len(known))) for row, why in new_links])
    added = list(known.items())[len(stored) :]
    insert(base, "evidence", [(number, *why) for why, number in added])


def _in_order_of_appearance(editions: Sequence[EditionRows], count: int) -> dict[int, int]:
    """Number the states in the order in which editions first have them.

    Args:
        editions: The editions that the file does not have.
        count: How many states the file has; these keep their ids.
    """
    order = {number: number for number in range(count)}
    for edition in editions:
        for state in edition.states:
            order.setdefault(state, len(order))
    return order


def _chosen(editions: Sequence[EditionRows]) -> set[int]:
    """Return the issues that bare dates mean: for each date, the last one in the best condition."""
    best: dict[str, int] = {}
    for number, edition in enumerate(editions):
        before = best.get(edition.columns.effective)
        if before is None or _rank(edition) >= _rank(editions[before]):
            best[edition.columns.effective] = number
    return set(best.values())


def _labels(editions: Sequence[EditionRows]) -> list[str]:
    """Return each edition's date, with its issue if the date has several."""
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
