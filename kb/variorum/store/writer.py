"""Write a knowledge base: editions become rows, and are added behind those that a file holds."""

import sqlite3
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from shutil import copyfile
from typing import Any

from variorum.citations import find_references, numbers_between
from variorum.files import replaced, writable
from variorum.records.answer import json_text
from variorum.rows import EditionRow, State, full_text
from variorum.store.reader import CHECKSUM, STATES, checksums_of, empty_base
from variorum.text import keys_of

Cells = tuple[Any, ...]


@contextmanager
def new_file(
    path: Path, meta: Mapping[str, str], *, is_copy: bool = False
) -> Iterator[tuple[sqlite3.Connection, Path]]:
    """Write a file beside an old one, or a copy of it, with its `meta`; it replaces the old one at the end.

    Others can read what is committed, at the path yielded. Who has the old file open keeps it.
    """
    with replaced(path) as beside:
        if is_copy:
            copyfile(path, beside)
        with writable(path), closing(sqlite3.connect(beside)) as base:
            # No other process sees the file, and an unfinished one is discarded.
            base.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            if not is_copy:
                insert(empty_base(base), "meta", meta.items())
            yield base, beside
            base.commit()
        _, checksum = checksums_of(beside)
        with beside.open("r+b") as opened:
            opened.seek(CHECKSUM.start)
            opened.write(checksum.to_bytes(4))


def insert(base: sqlite3.Connection, table: str, rows: Iterable[Cells]) -> None:
    """Insert rows into a table, each with all its columns."""
    if every := list(rows):
        marks = ", ".join("?" * len(every[0]))
        base.executemany(f"INSERT INTO {table} VALUES ({marks})", every)  # noqa: S608


def _ids_in(base: sqlite3.Connection, table: str, rows: Iterable[Cells]) -> dict[Cells, int]:
    """Return the ids of rows in a table; insert those that it lacks."""
    ids = {tuple(row): number for number, *row in base.execute(f"SELECT * FROM {table}")}  # noqa: S608
    before = len(ids)
    for row in rows:
        ids.setdefault(row, len(ids))
    insert(base, table, [(number, *row) for row, number in islice(ids.items(), before, None)])
    return ids


def add_editions(
    base: sqlite3.Connection, editions: Sequence[tuple[EditionRow, Sequence[State]]]
) -> dict[State, int]:
    """Add editions behind those that a file has; return the ids of all states."""
    ids = {State(*cells): number for *cells, number in base.execute(f"{STATES} ORDER BY 9")}
    before, ((count,),) = len(ids), base.execute("SELECT count(*) FROM edition")
    for place, (row, states) in enumerate(editions, count):
        held = array("I", [ids.setdefault(state, len(ids)) for state in states])
        insert(base, "edition", [(*row._replace(place=place), held.tobytes())])
    runs = defaultdict[int, list[list[int]]](list)
    for place, held in base.execute("SELECT id, states FROM edition ORDER BY id"):
        for state in {*array("I", held)}:
            if runs[state] and runs[state][-1][1] == place - 1:
                runs[state][-1][1] = place
            else:
                runs[state].append([place, place])
    base.execute("DELETE FROM span")
    insert(base, "span", [(state, *run) for state, some in sorted(runs.items()) for run in some])
    new = [(number, state) for state, number in islice(ids.items(), before, None)]
    readings = _ids_in(base, "reading", [(state.body,) for _, state in new])
    insert(base, "provision", [(id_, *it[:4], readings[it.body,], *it[5:-1]) for id_, it in new])
    insert(base, "lookup", sorted({(word, number) for number, it in new for word in keys_of(it)}))
    citations, cited = list[Cells](), list[Cells]()
    for number, it in new:
        # A glossary entry's headword cites nothing.
        texts = {"heading": "" if it.kind == "glossary" else it.heading, "text": full_text(it.body)}
        printed = [(part, each) for part in texts for each in find_references(texts[part])]
        for place, (part, each) in enumerate(printed):
            citations.append((number, place, part, each.start, each.end, each.title))
            between = enumerate(numbers_between(each.first, each.last))
            cited += [(number, place, *ranked) for ranked in between]
    insert(base, "citation", citations)
    insert(base, "cited", cited)
    return ids


def add_links(base: sqlite3.Connection, links: Sequence[Cells]) -> None:
    """Add rows of the table `link`, each with a row of the table `evidence` in place of its id."""
    evidence = _ids_in(base, "evidence", [why for *_, why in links])
    insert(base, "link", [(*cells, evidence[why]) for *cells, why in links])


def add_findings(base: sqlite3.Connection, first: int, findings: Sequence[Sequence[str]]) -> None:
    """Add the known errors of editions, as JSON, from the place `first` on."""
    ids = _ids_in(base, "finding", [(body,) for bodies in findings for body in bodies])
    for edition, bodies in enumerate(findings, first):
        insert(base, "found", [(edition, *it, ids[body,]) for *it, body in enumerate(bodies)])


def put_witnesses(base: sqlite3.Connection, compared: Mapping[str, object]) -> None:
    """Replace what is said of documents, by their hashes, with rows; by nothing for what is no witness."""
    for sha256, rows in compared.items():
        base.execute("DELETE FROM passage WHERE witness = ?", [sha256])
        base.execute("DELETE FROM witness WHERE sha256 = ?", [sha256])
        if isinstance(rows, tuple):
            insert(base, "witness", [(sha256, json_text(rows[0], is_compact=True))])
            cells = [(*ends, json_text(said, is_compact=True)) for *ends, said in rows[1]]
            insert(base, "passage", [(sha256, place, *row) for place, row in enumerate(cells)])
