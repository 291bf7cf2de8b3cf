"""Writing a knowledge base."""

import os
import random
import sqlite3
import sys
import time
from array import array
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from variorum_kb.build.taken_over import copy_editions
from variorum_kb.errors import BaseBusyError, NotWritableError
from variorum_kb.rows import State
from variorum_kb.store.findings import EditionFindings, findings_in, load_findings, stale_in
from variorum_kb.store.merger import Merger
from variorum_kb.store.reader import Reader
from variorum_kb.store.table_digests import changed_tables, statement_of
from variorum_kb.store.witnesses import WitnessRows, load_witnesses
from variorum_kb.store.writer import write_base
from variorum_kb.stored_rows import (
    EditionRow,
    LinkRow,
    PassageRow,
    StaleRow,
    StepEvidence,
    WitnessRow,
)

FACTS = {
    "aligner": "5",
    "verdicts": "6",
    "facts": "3",
    "finder": "4",
    "program": "1",
    "reader": "2",
}


def columns(
    effective: str, issue: int = 1, sha256: str = "", condition: str = "sound"
) -> EditionRow:
    """Return the columns of an edition that a test needs."""
    row = EditionRow.of(kind() for kind in EditionRow.__annotations__.values())
    hashed = sha256 or f"{effective}.{issue}"
    return row.changed(effective=effective, issue=issue, condition=condition, sha256=hashed)


def state(number: str, body: str = "Words.") -> State:
    """Return a rule."""
    return State("rule", number, number, "", body, "", "", "")


A, B, C = state("100.1"), state("100.2"), state("100.3", "Other words.")


def write(path: Path, *editions: tuple[EditionRow, list[State]]) -> Path:
    """Write a base of these editions."""
    write_base(path / "kb.sqlite", merged(*editions), FACTS)
    return path / "kb.sqlite"


def merged(*editions: tuple[EditionRow, list[State]]) -> Merger:
    """Return these editions, ready to be written."""
    merger = Merger()
    for row, states in editions:
        merger.add(row, states)
    return merger


def rows(path: Path, statement: str) -> list[tuple[object, ...]]:
    """Query a file."""
    reader = Reader(path)
    try:
        return reader.query(statement)
    finally:
        reader.close()


def test_order_does_not_matter(tmp_path: Path) -> None:
    """The same editions give the same bytes, in any order."""
    chance = random.Random(3)
    editions = [
        (columns(f"20{year:02}-01-01"), chance.sample([A, B, C, state("1"), state("2")], 3))
        for year in range(12)
    ]
    expected = write(tmp_path, *editions).read_bytes()

    for _ in range(5):
        chance.shuffle(editions)
        assert write(tmp_path, *editions).read_bytes() == expected


def linked(merger: Merger) -> Merger:
    """Link the first states of neighbouring editions."""
    merger.load()
    for older, newer in pairwise(merger.in_order()):
        old, new = older.states[0], newer.states[0]
        evidence = StepEvidence("", "", ("one", "two"))
        pair = older.columns.sha256, newer.columns.sha256
        merger.links[pair] = [LinkRow(old, new, 0, 2, 0, 0.5, evidence)]
    return merger


@pytest.mark.parametrize("kept", [1, 2, 3])
def test_grown(tmp_path: Path, kept: int) -> None:
    """Adding later editions to a file gives the bytes of a file written from scratch."""
    editions = [
        (columns("2001-01-01", condition="lossy"), [A, B]),
        (columns("2002-01-01"), [B]),
        (columns("2002-01-01", 2), [C, B]),
        (columns("2003-01-01"), [state("100.4"), A, B]),
    ]
    path = tmp_path / "kb.sqlite"
    write_base(path, linked(merged(*editions)), FACTS)
    expected = path.read_bytes()
    write_base(path, linked(merged(*editions[:kept])), FACTS)
    with closing(Reader(path)) as reader:
        assert {link.reasons for link in reader.links()} <= {"one\ntwo"}
        merger = copy_editions(reader, is_verified=False)
    for added in editions[kept:]:
        merger.add(*added)

    assert merger.goes_on()
    merger.kept = kept
    write_base(path, linked(merger), FACTS)

    assert path.read_bytes() == expected
    assert len(merger.states()) == merger.count() == 4
    merger.add(columns("2000-01-01"), [A])
    assert not merger.goes_on()
    assert not Merger().goes_on()


def test_findings(tmp_path: Path) -> None:
    """The findings of each edition keep their order, and its stale citations are sorted."""
    first, second = StaleRow(0, 0, "100.2", 1, 1, 1), StaleRow(0, 1, "100.3", 1, 1, 0)
    findings = [
        EditionFindings([], []),
        EditionFindings(["b", "a"], [first]),
        EditionFindings(["a"], [first, second]),
    ]
    path = tmp_path / "kb.sqlite"
    merger = merged(*[(columns(f"200{year}-01-01"), [A, B]) for year in (1, 2, 3)])

    write_base(path, merger, FACTS, lint=lambda _: findings)

    with closing(Reader(path)) as reader:
        assert load_findings(reader) == findings
        assert [
            EditionFindings(findings_in(reader, place), stale_in(reader, place))
            for place in range(3)
        ] == findings


def test_witnesses(tmp_path: Path) -> None:
    """Witnesses are written by their hashes and read as they were; other ids can replace theirs."""
    numbers = (0, 2, 1, "", "", "", "", 1, 0.5, "", "")
    passage = PassageRow("quotation", "reworded", "100.1", "", "Words.", 3, *numbers)
    bare = PassageRow("quotation", "agrees", "", "", "Words.", 4, None, None, None, *numbers[3:])
    early = WitnessRow("a", "rests", "article", "", "", "", "", "", None, 1, 1, 2, "")
    late = WitnessRow("b", "rests", "article", "", "", "", "", "", 0, None, 0, 0, "")
    witnesses = [WitnessRows(early, (passage, bare)), WitnessRows(late, ())]
    path, merger = (
        tmp_path / "kb.sqlite",
        merged(*[(columns(f"200{n}-01-01"), [A, B, C]) for n in (1, 2)]),
    )

    write_base(path, merger, FACTS, attest=lambda _: reversed(witnesses))

    with closing(Reader(path)) as reader:
        assert load_witnesses(reader) == witnesses
        assert changed_tables(lambda table: reader.query(statement_of(table))) == []
    assert [witness.states() for witness in witnesses] == [{0, 2}, set()]
    moved = witnesses[0].moved({0: 5, 2: 7}, {1: 8})
    assert moved.row == early.changed(last=8)
    assert moved.passages == (passage.changed(provision=5, former=7, edition=8), bare)


@pytest.mark.parametrize(
    ("conditions", "chosen"),
    [
        (["sound"], 0),
        (["sound", "sound"], 1),
        (["sound", "repaired"], 0),
        (["lossy", "repaired"], 1),
        (["repaired", "lossy", "repaired", "lossy"], 2),
        (["lossy", "lossy"], 1),
    ],
)
def test_chosen_issue(tmp_path: Path, conditions: list[str], chosen: int) -> None:
    """A bare date means the last of the soundest issues."""
    path = write(
        tmp_path,
        (columns("1999-01-01"), [A]),
        *(
            (columns("2001-01-01", issue, condition=condition), [A])
            for issue, condition in enumerate(conditions, start=1)
        ),
    )

    result = rows(path, "SELECT is_chosen FROM edition WHERE effective = '2001-01-01' ORDER BY id")

    assert [bool(item) for (item,) in result] == [at == chosen for at in range(len(conditions))]
    assert rows(path, "SELECT is_chosen FROM edition WHERE id = 0") == [(1,)]


def test_labels(tmp_path: Path) -> None:
    """A label is the date, and the issue if the base has several of that date."""
    path = write(
        tmp_path,
        (columns("2001-01-01", 2), [A]),
        (columns("2002-01-01", 1), [A]),
        (columns("2002-01-01", 3), [B]),
    )

    assert rows(path, "SELECT label FROM edition ORDER BY id") == [
        ("2001-01-01",),
        ("2002-01-01.1",),
        ("2002-01-01.3",),
    ]


def test_big_end_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with another byte order swaps numbers when it writes and reads."""
    monkeypatch.setattr(sys, "byteorder", "big")
    path = write(tmp_path, (columns("2001-01-01"), [A, B]))

    ((packed,),) = rows(path, "SELECT states FROM edition")
    reader = Reader(path)
    states = list(reader.states_of(0))
    reader.close()

    # This machine swaps its own order, as the other would.
    assert packed == array("I", [0, 1 << 24]).tobytes()
    assert states == [0, 1]


def test_old_readers_keep_the_old_file(tmp_path: Path) -> None:
    """A reader that opened the file before its replacement still gets the old answers."""
    path = write(tmp_path, (columns("2001-01-01"), [A]))
    reader = Reader(path)

    write(tmp_path, (columns("2001-01-01"), [A]), (columns("2002-01-01"), [B, C]))

    assert [edition["label"] for edition in reader.editions()] == ["2001-01-01"]
    assert reader.states_in(0) == [(*A, 0)]
    reader.close()
    assert len(rows(path, "SELECT 1 FROM edition")) == 2


def test_left_over_file(tmp_path: Path) -> None:
    """A file left by a killed run is no obstacle, and is removed."""
    (tmp_path / "kb.sqlite.new").write_bytes(b"half")

    write(tmp_path, (columns("2001-01-01"), [A]))

    assert [path.name for path in tmp_path.iterdir()] == ["kb.sqlite"]


@pytest.mark.skipif(sys.platform == "win32", reason="this platform limits no files")
def test_error_disk_is_full(tmp_path: Path) -> None:
    """If the disk is full, the old file stays, and no other file does."""
    import resource  # noqa: PLC0415 - not on every platform

    path = write(tmp_path, (columns("2001-01-01"), [A]))
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    long = [state(str(number), f"{number} " * 1000) for number in range(200)]
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, limits[1]))
    try:
        with pytest.raises(NotWritableError) as caught:
            write(tmp_path, (columns("2001-01-01"), long))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    message = str(caught.value)
    assert message.startswith(f"{path}: cannot be written: ")
    assert message.endswith(("database or disk is full", "disk I/O error"))
    assert path.read_bytes() == before
    assert [item.name for item in tmp_path.iterdir()] == ["kb.sqlite"]


def test_error_folder_is_missing(tmp_path: Path) -> None:
    """A file cannot be written into a missing folder."""
    with pytest.raises(NotWritableError) as caught:
        write(tmp_path / "none")

    path = tmp_path / "none" / "kb.sqlite"
    assert str(caught.value) == f"{path}: cannot be written: unable to open database file"


def test_error_equal_documents(tmp_path: Path) -> None:
    """One document as two editions is a bug of ours."""
    row = columns("2001-01-01", sha256="a")

    with pytest.raises(sqlite3.IntegrityError):
        write(tmp_path, (row, [A]), (row, [A]))

    assert list(tmp_path.iterdir()) == []


class _Windows:
    """Windows, where an open file cannot be replaced.

    Attributes:
        busy: How often the file is still open.
        waits: How often the program waited for it.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, busy: int) -> None:
        self.busy, self.waits = busy, 0
        self._replace = os.replace
        monkeypatch.setattr(sys, "platform", "win32")
        monkeypatch.setattr(os, "replace", self.replace)
        monkeypatch.setattr(time, "sleep", self.sleep)

    def replace(self, source: Path, target: Path) -> None:
        if self.busy:
            self.busy -= 1
            raise PermissionError(13, "Access is denied")
        self._replace(source, target)

    def sleep(self, seconds: float) -> None:
        assert seconds < 1
        self.waits += 1


def test_windows_waits_for_readers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The writer waits for a look-up that has the file open."""
    windows = _Windows(monkeypatch, busy=3)

    path = write(tmp_path, (columns("2001-01-01"), [A]))

    assert windows.waits == 3
    assert path.exists()


def test_error_windows_readers_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a program keeps the file open, the message says so."""
    path = write(tmp_path, (columns("2001-01-01"), [A]))
    before = path.read_bytes()
    _Windows(monkeypatch, busy=1000)

    with pytest.raises(BaseBusyError) as caught:
        write(tmp_path, (columns("2002-01-01"), [A]))

    assert str(caught.value) == (
        f"{path}: another program has this file open, so the new one cannot take its place; close "
        "that program and run cr build again"
    )
    assert path.read_bytes() == before
    assert [item.name for item in tmp_path.iterdir()] == ["kb.sqlite"]
