"""Write a knowledge base: editions become rows, and are added behind those that a file holds."""

import sqlite3
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from shutil import copyfile
from typing import Any

from variorum.citations import find_references, numbers_between
from variorum.errors import NotWritableError
from variorum.files import replaced
from variorum.model import Edition, Irregularity, Kind, Provision
from variorum.records.answer import json_text
from variorum.rows import EditionRow, State, full_text, join_body
from variorum.store.reader import (
    APPLICATION,
    CHECKSUM,
    STATES,
    WitnessRows,
    checksums_of,
    schema,
    unpacked,
)
from variorum.text import keys_of

Cells = tuple[Any, ...]
# The levels of provisions, the highest first; entries of the glossary are on none.
_LEVELS = [*Kind]


@contextmanager
def new_file(
    path: Path, meta: Mapping[str, str], *, is_copy: bool = False
) -> Iterator[sqlite3.Connection]:
    """Write a file beside an old one, or a copy of it, with its `meta`; it replaces the old one at the end.

    Others can read what is committed, at `file_of` it. Processes that have the old file open keep it until they close
    it.

    Raises:
        NotWritableError: It cannot be written; the disk may be full.
        BaseBusyError: Another program has the file open on a system where that prevents writing.
    """
    with replaced(path) as beside:
        if is_copy:
            copyfile(path, beside)
        try:
            with closing(sqlite3.connect(beside)) as base:
                # No other process sees the file, and an unfinished one is discarded.
                base.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
                if not is_copy:
                    ours = f"PRAGMA page_size = 8192; PRAGMA application_id = {APPLICATION};"
                    base.executescript(f"{ours} {schema()}")
                    insert(base, "meta", meta.items())
                yield base
                base.commit()
        except sqlite3.OperationalError as error:
            raise NotWritableError(f"{path}: cannot be written: {error}") from error
        _, checksum = checksums_of(beside)
        with beside.open("r+b") as opened:
            opened.seek(CHECKSUM.start)
            opened.write(checksum.to_bytes(4))


def file_of(base: sqlite3.Connection) -> Path:
    """Return where the new file is now."""
    ((_, _, file),) = base.execute("PRAGMA database_list")
    return Path(file)


def insert(base: sqlite3.Connection, table: str, rows: Iterable[Cells]) -> None:
    """Insert rows into a table, each with all its columns."""
    if every := list(rows):
        marks = ", ".join("?" * len(every[0]))
        base.executemany(f"INSERT INTO {table} VALUES ({marks})", every)  # noqa: S608


def _insert_new(base: sqlite3.Connection, table: str, rows: Iterable[Cells]) -> dict[Cells, int]:
    """Insert the rows that a table lacks; return the ids of all."""
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
    ((first,),) = base.execute("SELECT count(*) FROM edition")
    ids = {State(*cells): number for *cells, number in base.execute(f"{STATES} ORDER BY 9")}
    before = len(ids)
    numbers = [
        array("I", [ids.setdefault(state, len(ids)) for state in states]) for _, states in editions
    ]
    rows = zip(editions, numbers, strict=True)
    cells = [(place, *row, held.tobytes()) for place, ((row, _), held) in enumerate(rows, first)]
    insert(base, "edition", cells)
    new = [(number, state) for state, number in islice(ids.items(), before, None)]
    readings = _insert_new(base, "reading", [(state.body,) for _, state in new])
    insert(base, "provision", [(id_, *it[:4], readings[it.body,], *it[5:-1]) for id_, it in new])
    insert(base, "lookup", sorted({(word, number) for number, it in new for word in keys_of(it)}))
    cited = [(number, *cells) for number, state in new for cells in _citations(state)]
    insert(base, "citation", [cells[:-1] for cells in cited])
    ranked = [(*cells[:2], rank, word) for cells in cited for rank, word in enumerate(cells[-1])]
    insert(base, "cited", ranked)
    spans = defaultdict[int, list[list[int]]](list)
    for place, states in base.execute("SELECT id, states FROM edition ORDER BY id"):
        for state in dict.fromkeys(unpacked(states)):
            if spans[state] and spans[state][-1][1] == place - 1:
                spans[state][-1][1] = place
            else:
                spans[state].append([place, place])
    base.execute("DELETE FROM span")
    insert(base, "span", [(state, *run) for state, runs in spans.items() for run in runs])
    return ids


def add_links(base: sqlite3.Connection, links: Sequence[Cells]) -> None:
    """Add rows of the table `link`, each with a row of the table `evidence` in place of its id."""
    evidence = _insert_new(base, "evidence", [why for *_, why in links])
    insert(base, "link", [(*cells, evidence[why]) for *cells, why in links])


def add_findings(base: sqlite3.Connection, first: int, findings: Sequence[Sequence[str]]) -> None:
    """Add the known errors of editions, as JSON, from the place `first` on."""
    ids = _insert_new(base, "finding", [(body,) for some in findings for body in some])
    places = [enumerate(some) for some in findings]
    rows = [
        (at, place, ids[body,]) for at, some in enumerate(places, first) for place, body in some
    ]
    insert(base, "found", rows)


def add_witnesses(base: sqlite3.Connection, witnesses: Mapping[str, WitnessRows]) -> None:
    """Add what is said of witnesses, by their hashes."""
    for sha256, rows in witnesses.items():
        insert(base, "witness", [(sha256, compact(rows.about))])
        cells = [(*ends, compact(said)) for *ends, said in rows.passages]
        insert(base, "passage", [(sha256, place, *row) for place, row in enumerate(cells)])


def _citations(state: State) -> Iterator[Cells]:
    """Yield a state's citations: place, part, start, stop, title, and the numbers that each may name."""
    # A glossary entry's headword cites nothing.
    headings = () if state.kind == "glossary" else (("heading", state.heading),)
    parts = (*headings, ("text", full_text(state.body)))
    found = ((part, cited) for part, text in parts for cited in find_references(text))
    for place, (part, cited) in enumerate(found):
        numbers = numbers_between(cited.first, cited.last)
        yield place, part, cited.start, cited.end, cited.title, numbers


# Editions as rows ---------------------------------------------------------------------------------


def rows_of(edition: Edition) -> tuple[EditionRow, list[State]]:
    """Return an edition as a row, and its states in printed order.

    The parent of a state is the last provision of a higher kind. So the parent of a misprinted subrule is
    the rule above it on the page, not the one it names.
    """
    odd = [_odd(irregularity, address="") for irregularity in edition.irregularities]
    states, above = list[State](), list[tuple[int, str]]()
    for provision in (*edition.provisions, *edition.glossary):
        odd += [_odd(each, address=provision.address) for each in provision.irregularities]
        level = _LEVELS.index(provision.kind)
        above = [(higher, address) for higher, address in above if higher < level]
        is_entry = provision.kind is Kind.GLOSSARY
        states.append(_state(provision, above[-1][1] if above and not is_entry else ""))
        above.append((level, provision.address))
    account = {
        "effective": edition.effective.isoformat(),
        **asdict(edition.ledger),
        "accounted": {role.value: count for role, count in edition.ledger.accounted},
        "condition": edition.condition,
        "reason": edition.decoding.reason,
        "notes": edition.notes,
        "irregularities": odd,
    }
    row = EditionRow(
        effective=edition.effective.isoformat(),
        sha256=edition.sha256,
        layout=edition.layout,
        encoding=edition.decoding.encoding,
        **asdict(edition.line_ends),
        **dict[str, Any](edition.counts()),
        condition=edition.condition.value,
        introduction=compact(edition.introduction),
        index_lines=compact(edition.index),
        credits=compact(edition.credits),
        ledger=compact(account),
    )
    return row, states


def compact(value: object) -> str:
    """Return a value as JSON without blanks."""
    return json_text(value, is_compact=True)


def _state(provision: Provision, parent: str) -> State:
    meant = "" if provision.meant is None else str(provision.meant)
    odd = [_odd(irregularity) for irregularity in provision.irregularities]
    return State(
        provision.kind.value,
        provision.number,
        provision.address,
        provision.heading,
        join_body([(marker, text) for text, marker, _ in provision.paragraphs]),
        parent,
        "" if meant == provision.number else meant,
        compact(odd) if odd else "",
    )


def _odd(irregularity: Irregularity, **where: str) -> dict[str, object]:
    """Return an irregularity as its record in docs/json.md: `start` is null if it is not in the text."""
    start = irregularity.start if irregularity.start >= 0 else None
    return {**asdict(irregularity), "start": start, **where}
