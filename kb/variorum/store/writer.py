"""Write a knowledge base: editions become rows, and are added behind those that a file holds."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from shutil import copyfile
from typing import Any

from msgspec import structs

from variorum.citations import find_references, numbers_between
from variorum.errors import NotWritableError
from variorum.files import replaced
from variorum.model import Edition, Irregularity, Kind, Provision
from variorum.records.answer import json_text
from variorum.records.edition import Irregularity as IrregularityRecord
from variorum.records.edition import LedgerCounts, LocatedIrregularity
from variorum.rows import EditionRow, StaleRow, State, full_text, join_body
from variorum.store.reader import (
    APPLICATION,
    CHECKSUM,
    WitnessRows,
    checksums_of,
    packed,
    schema,
    unpacked,
)
from variorum.text import keys_of
from variorum.versions import current_meta

Cells = tuple[Any, ...]
# The levels of provisions, the highest first.
_LEVELS = (Kind.CHAPTER, Kind.SECTION, Kind.RULE, Kind.SUBRULE)
_PRAGMAS = (
    "page_size = 8192",
    # No other process sees the file, and an unfinished one is discarded.
    "journal_mode = OFF",
    "synchronous = OFF",
    f"application_id = {APPLICATION}",
)


@contextmanager
def new_file(path: Path, decisions: str = "", *, is_copy: bool = False) -> Iterator["Writer"]:
    """Write a file beside an old one, or a copy of it; it replaces the old one at the end.

    Processes that have the old file open keep it until they close it. `decisions` tell whether documents
    are trusted as before.

    Raises:
        NotWritableError: It cannot be written; the disk may be full.
        BaseBusyError: Another program has the file open on a system where that prevents writing.
    """
    with replaced(path) as beside:
        beside.unlink(missing_ok=True)
        if is_copy:
            copyfile(path, beside)
        try:
            with closing(sqlite3.connect(beside, isolation_level=None)) as base:
                for pragma in _PRAGMAS:
                    base.execute(f"PRAGMA {pragma}")
                if not is_copy:
                    base.executescript(schema())
                writer = Writer(beside, base)
                writer.query("DELETE FROM meta")
                writer.insert("meta", {**current_meta(), "decisions": decisions}.items())
                yield writer
        except sqlite3.OperationalError as error:
            raise NotWritableError(f"{path}: cannot be written: {error}") from error
        _, checksum = checksums_of(beside)
        with beside.open("r+b") as opened:
            opened.seek(CHECKSUM.start)
            opened.write(checksum.to_bytes(4))


class Writer:
    """Adds rows to a new file, which others may read while nothing is inserted."""

    def __init__(self, file: Path, base: sqlite3.Connection) -> None:
        self.file, self._base = file, base

    def query(self, statement: str, values: Sequence[object] = ()) -> list[Cells]:
        """Return all rows that a statement gives, or change some."""
        return self._base.execute(statement, values).fetchall()

    def insert(self, table: str, rows: Iterable[Cells]) -> None:
        """Insert rows into a table, each with all its columns."""
        every = list(rows)
        if every:
            marks = ", ".join("?" * len(every[0]))
            self._base.execute("BEGIN")
            self._base.executemany(f"INSERT INTO {table} VALUES ({marks})", every)  # noqa: S608
            self._base.execute("COMMIT")

    def _numbered(self, table: str, rows: Iterable[Cells]) -> dict[Cells, int]:
        """Insert the rows that a table lacks; return the ids of all."""
        known = {tuple(row): number for number, *row in self.query(f"SELECT * FROM {table}")}  # noqa: S608
        before = len(known)
        for row in rows:
            known.setdefault(row, len(known))
        self.insert(table, [(number, *row) for row, number in islice(known.items(), before, None)])
        return known

    # Editions ------------------------------------------------------------------------------------

    def add_editions(
        self, editions: Iterable[tuple[EditionRow, Sequence[State]]], ids: dict[State, int]
    ) -> None:
        """Add editions behind those that the file has.

        `ids` are those of the states that the file has, in order; it receives those of new states.
        """
        ((first,),) = self.query("SELECT count(*) FROM edition")
        before = len(ids)
        rows = [
            (place, *row, packed([ids.setdefault(state, len(ids)) for state in states]))
            for place, (row, states) in enumerate(editions, first)
        ]
        self.insert("edition", rows)
        new = [(number, state) for state, number in islice(ids.items(), before, None)]
        readings = self._numbered("reading", [(state.body,) for _, state in new])
        self.insert(
            "provision",
            [(number, *it[:4], readings[it.body,], *it[5:-1]) for number, it in new],
        )
        self.insert("lookup", sorted((word, number) for number, it in new for word in keys_of(it)))
        citations = [(number, *cells) for number, state in new for cells in _citations(state)]
        self.insert("citation", [cells[:-1] for cells in citations])
        self.insert(
            "cited",
            [
                (number, place, rank, word)
                for number, place, *_, words in citations
                for rank, word in enumerate(words)
            ],
        )
        self._set_spans()

    def _set_spans(self) -> None:
        spans: dict[int, list[list[int]]] = defaultdict(list)
        for place, (states,) in enumerate(self.query("SELECT states FROM edition ORDER BY id")):
            for state in dict.fromkeys(unpacked(states)):
                runs = spans[state]
                if runs and runs[-1][1] == place - 1:
                    runs[-1][1] = place
                else:
                    runs.append([place, place])
        self.query("DELETE FROM span")
        self.insert("span", [(state, *run) for state, runs in spans.items() for run in runs])

    def add_links(self, links: Sequence[Cells]) -> None:
        """Add rows of the table `link`, each with a row of the table `evidence` in place of its id."""
        evidence = self._numbered("evidence", [why for *_, why in links])
        self.insert("link", [(*cells, evidence[why]) for *cells, why in links])

    def add_findings(
        self, first: int, findings: Sequence[Sequence[str]], stale: Iterable[StaleRow]
    ) -> None:
        """Add the known errors of editions, as JSON, from the place `first` on; set what is stale in the last."""
        numbers = self._numbered("finding", [(body,) for some in findings for body in some])
        self.insert(
            "found",
            [
                (edition, place, numbers[body,])
                for edition, some in enumerate(findings, first)
                for place, body in enumerate(some)
            ],
        )
        self.query("DELETE FROM stale")
        self.insert("stale", stale)

    # Witnesses -----------------------------------------------------------------------------------

    def add_witnesses(self, witnesses: Mapping[str, WitnessRows]) -> None:
        """Add what is said of witnesses, by their hashes."""
        for sha256, rows in witnesses.items():
            self.insert("witness", [(sha256, compact(rows.about))])
            cells = [(*ends, compact(said)) for *ends, said in rows.passages]
            self.insert("passage", [(sha256, place, *row) for place, row in enumerate(cells)])


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
    """Return an edition as a row, and its states in printed order."""
    counts, ends = edition.counts(), edition.line_ends
    row = EditionRow(
        effective=edition.effective.isoformat(),
        sha256=edition.sha256,
        layout=edition.layout,
        encoding=edition.decoding.encoding,
        crlf=ends.crlf,
        cr=ends.cr,
        lf=ends.lf,
        sections=counts["sections"],
        rules=counts["rules"],
        examples=counts["examples"],
        glossary=counts["glossary"],
        irregularities=counts["irregularities"],
        condition=edition.condition.value,
        introduction=compact(edition.introduction),
        index_lines=compact(edition.index),
        credits=compact(edition.credits),
        ledger=compact(_ledger(edition)),
    )
    return row, [*_states(edition)]


def compact(value: object) -> str:
    """Return a value as JSON without blanks."""
    return json_text(value, is_compact=True)


def _states(edition: Edition) -> Iterator[State]:
    """Yield states; the parent of each is the last provision of a higher kind.

    So the parent of a misprinted subrule is the rule above it on the page, not the one it names.
    """
    above: list[tuple[int, str]] = []
    for provision in edition.provisions:
        level = _LEVELS.index(provision.kind)
        while above and above[-1][0] >= level:
            above.pop()
        yield _state(provision, above[-1][1] if above else "")
        above.append((level, provision.address))
    for entry in edition.glossary:
        yield _state(entry, "")


def _state(provision: Provision, parent: str) -> State:
    meant = "" if provision.meant is None else str(provision.meant)
    odd = [_record(irregularity) for irregularity in provision.irregularities]
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


def _ledger(edition: Edition) -> LedgerCounts:
    """Return the account of every line, and all irregularities of the document."""
    ledger = edition.ledger
    odd = [("", irregularity) for irregularity in edition.irregularities]
    for provision in (*edition.provisions, *edition.glossary):
        odd += [(provision.address, irregularity) for irregularity in provision.irregularities]
    return LedgerCounts(
        effective=edition.effective.isoformat(),
        lines=ledger.lines,
        blank=ledger.blank,
        accounted={role.value: number for role, number in ledger.accounted},
        unaccounted=list(ledger.unaccounted),
        characters=ledger.characters,
        characters_kept=ledger.characters_kept,
        hyphens=list(ledger.hyphens),
        condition=edition.condition.value,
        reason=edition.decoding.reason,
        notes=list(edition.notes),
        irregularities=[
            LocatedIrregularity(**structs.asdict(_record(irregularity)), address=address)
            for address, irregularity in odd
        ],
    )


def _record(irregularity: Irregularity) -> IrregularityRecord:
    return IrregularityRecord(
        kind=irregularity.kind.value,
        printed=irregularity.printed,
        meant=irregularity.meant,
        evidence=irregularity.evidence,
        start=irregularity.start if irregularity.start >= 0 else None,
    )
