"""Write a knowledge base: editions are added behind those that a file holds, none at first."""

import sqlite3
import sys
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from shutil import copyfile
from typing import Any

from variorum.citations import find_references, numbers_between
from variorum.errors import NotWritableError
from variorum.files import beside_of, put, removed_on_failure, sync_file, sync_folder
from variorum.rows import State, full_text
from variorum.store.edition_rows import compact
from variorum.store.file import APPLICATION, schema, seal
from variorum.stored_rows import EditionRow, StaleRow, WitnessRows
from variorum.text import keys_of

Cells = tuple[Any, ...]
# A row of the table `link` with states in place of their ids, and evidence in place of its id.
Link = tuple[int, int, State | None, State | None, int, int, int, float, tuple[str, str, str]]


@contextmanager
def new_file(path: Path, meta: Mapping[str, str], *, is_copy: bool) -> Iterator["Writer"]:
    """Write a file beside an old one, which it replaces at the end.

    Processes that have the old file open keep it until they close it.

    Args:
        path: The file.
        meta: The content of the table `meta`.
        is_copy: Begin with a copy of the old file.

    Raises:
        NotWritableError: It cannot be written; the disk may be full.
        BaseBusyError: Another program has the file open on a system where that prevents writing.
    """
    beside = beside_of(path)
    with removed_on_failure(beside):
        try:
            beside.unlink(missing_ok=True)
            if is_copy:
                copyfile(path, beside)
            with closing(sqlite3.connect(beside, isolation_level=None)) as base:
                # No other process sees the file, and an unfinished one is discarded.
                base.execute("PRAGMA page_size = 8192")
                base.execute("PRAGMA journal_mode = OFF")
                base.execute("PRAGMA synchronous = OFF")
                base.execute(f"PRAGMA application_id = {APPLICATION}")
                base.execute("PRAGMA user_version = 0")
                if not is_copy:
                    base.executescript(schema())
                base.execute("DELETE FROM meta")
                writer = Writer(beside, base)
                writer.insert("meta", sorted(meta.items()))
                yield writer
            seal(beside)
        except (OSError, sqlite3.OperationalError) as error:
            raise NotWritableError(f"{path}: cannot be written: {error}") from error
        sync_file(beside)
        put(beside, path)
    sync_folder(path.parent)


class Writer:
    """Inserts rows into a new file.

    Attributes:
        file: The file. Others may read it while nothing is inserted.
    """

    def __init__(self, file: Path, base: sqlite3.Connection) -> None:
        self.file, self._base = file, base

    def insert(self, table: str, rows: Iterable[Cells]) -> None:
        """Insert rows into a table, each with all its columns."""
        every = list(rows)
        if every:
            marks = ", ".join("?" * len(every[0]))
            self._base.execute("BEGIN")
            self._base.executemany(f"INSERT INTO {table} VALUES ({marks})", every)  # noqa: S608
            self._base.execute("COMMIT")

    def query(self, statement: str, values: Sequence[object] = ()) -> list[Cells]:
        """Return all rows that a statement gives, or change some."""
        return self._base.execute(statement, values).fetchall()

    def add_editions(
        self,
        editions: Sequence[tuple[EditionRow, Sequence[State]]],
        links: Sequence[Link],
        ids: dict[State, int],
    ) -> None:
        """Add editions, all later than those that the file has.

        Args:
            editions: All editions of the new file, those that it has first.
            links: The links that lead into the new ones.
            ids: The ids of the states that the file has; it receives those of new states.
        """
        ((first,),) = self.query("SELECT count(*) FROM edition")
        before = len(ids)
        held = [
            [ids.setdefault(state, len(ids)) for state in states] for _, states in editions[first:]
        ]
        new = {number: state for state, number in ids.items() if number >= before}
        readings = {body: number for number, body in self.query("SELECT id, body FROM reading")}
        known = len(readings)
        of_state = {
            number: readings.setdefault(state.body, len(readings)) for number, state in new.items()
        }
        fresh = [(number, body) for body, number in readings.items() if number >= known]
        self.insert("reading", fresh)
        self.insert(
            "provision",
            [
                (number, *state[:4], of_state[number], *state[5:-1])  # the body is a reading
                for number, state in new.items()
            ],
        )
        named = edition_names([row for row, _ in editions])[first:]
        self.insert(
            "edition",
            [
                (place, *row, *names, _packed(numbers))
                for place, ((row, _), names, numbers) in enumerate(
                    zip(editions[first:], named, held, strict=True), first
                )
            ],
        )
        self._add_spans([dict.fromkeys(numbers) for numbers in held], first)
        keys = [(word, number) for number, state in new.items() for word in keys_of(state)]
        self.insert("lookup", sorted(keys))
        citations = [(number, *row) for number, state in new.items() for row in _citations(state)]
        self.insert("citation", [row[:-1] for row in citations])
        self.insert(
            "cited",
            [
                (number, place, rank, word)
                for number, place, *_, words in citations
                for rank, word in enumerate(words)
            ],
        )
        evidence = self._numbered("evidence", [why for *_, why in links])
        self.insert(
            "link",
            [
                (
                    *places,
                    *(None if end is None else ids[end] for end in (old, new)),
                    *rest,
                    evidence[why],
                )
                for *places, old, new, rank, kinds, change, chance, why in links
                for rest in [(rank, kinds, change, chance)]
            ],
        )

    def _add_spans(self, held: Sequence[Iterable[int]], first: int) -> None:
        """Add the runs of editions that have each state; some go on from the edition before."""
        ends = self.query("SELECT provision, first FROM span WHERE last = ?", [first - 1])
        known = {state: [start, first - 1] for state, start in ends}
        runs, begun = dict(known), list[tuple[int, list[int]]]()
        for place, states in enumerate(held, first):
            for state in states:
                if state not in runs or runs[state][1] < place - 1:
                    runs[state] = [place, place]
                    begun.append((state, runs[state]))
                runs[state][1] = place
        for state, (start, last) in known.items():
            if last >= first:
                end = "UPDATE span SET last = ? WHERE provision = ? AND first = ?"
                self.query(end, [last, state, start])
        self.insert("span", [(state, *run) for state, run in begun])

    def _numbered(self, table: str, rows: Iterable[Cells]) -> dict[Cells, int]:
        """Insert the rows that a table lacks; return the ids of all."""
        known = {tuple(row): number for number, *row in self.query(f"SELECT * FROM {table}")}  # noqa: S608
        before = len(known)
        for row in rows:
            known.setdefault(row, len(known))
        self.insert(table, [(number, *row) for row, number in [*known.items()][before:]])
        return known

    def add_findings(
        self, first: int, findings: Sequence[Sequence[str]], stale: Iterable[StaleRow]
    ) -> None:
        """Add the known errors of editions.

        Args:
            first: The place of the first of these editions.
            findings: The errors of each edition as JSON, in the order in which they are shown.
            stale: The stale citations of the last edition.
        """
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
        self.insert("stale", [tuple(row) for row in stale])

    def set_witnesses(self, witnesses: Mapping[str, WitnessRows | None]) -> None:
        """Set what is said of witnesses, by their hashes; None removes one."""
        for sha256, rows in sorted(witnesses.items()):
            self.query("DELETE FROM passage WHERE witness = ?", [sha256])
            self.query("DELETE FROM witness WHERE sha256 = ?", [sha256])
            if rows:
                self.insert("witness", [(sha256, compact(rows.about))])
                cells = [(*ends, compact(said)) for *ends, said in rows.passages]
                self.insert("passage", [(sha256, place, *row) for place, row in enumerate(cells)])


def edition_names(rows: Sequence[EditionRow]) -> list[tuple[str, int]]:
    """Return each edition's label, and whether a bare date means it.

    The label is its date, with its issue where the date has several; a bare date means the last one in
    the best condition.
    """
    days = Counter(row.effective for row in rows)
    best: dict[str, EditionRow] = {}
    for row in rows:
        before = best.setdefault(row.effective, row)
        if _CONDITIONS.index(row.condition) >= _CONDITIONS.index(before.condition):
            best[row.effective] = row
    return [
        (
            f"{row.effective}.{row.issue}" if days[row.effective] > 1 else row.effective,
            int(best[row.effective] is row),
        )
        for row in rows
    ]


_CONDITIONS = ("lossy", "repaired", "sound")


def _citations(state: State) -> Iterator[Cells]:
    """Yield a state's citations: place, part, start, stop, title, and the numbers that each may name."""
    # A glossary entry's headword cites nothing.
    headings = () if state.kind == "glossary" else (("heading", state.heading),)
    parts = (*headings, ("text", full_text(state.body)))
    found = ((part, cited) for part, text in parts for cited in find_references(text))
    for place, (part, cited) in enumerate(found):
        numbers = numbers_between(cited.first, cited.last)
        yield place, part, cited.start, cited.end, cited.title, numbers


def _packed(ids: Iterable[int]) -> bytes:
    packed = array("I", ids)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()
