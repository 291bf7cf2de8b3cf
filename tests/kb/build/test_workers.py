"""Reading many documents, several at once."""

import contextlib
import os
import signal
import subprocess
import sys
from array import array
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.small_bases import DAYS, TRUNCATED, edition, write
from variorum_kb.build.workers import align_editions, read_one, read_rows
from variorum_kb.documents.find import Document
from variorum_kb.errors import DocumentError, TruncatedError
from variorum_kb.rows import State

# Reads the given files with two processes, reports after some, and waits.
READER = """
import signal, sys
from pathlib import Path
from variorum_kb.documents.find import Document
from variorum_kb.build.workers import read_rows

def documents():
    for path in sys.argv[1:]:
        yield Document(path, path, Path(path).read_bytes(), True)

if __name__ == "__main__":
    # Who is started in the background has been told to ignore interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    readings = read_rows(documents(), 2)
    for _ in range(20):
        next(readings)
    print("reading", flush=True)
    sys.stdin.read()
"""


def documents(number: int) -> list[Document]:
    """Return small editions, each slightly different."""
    return [
        Document(f"{item}.txt", "", edition(designer=f"Keeper {item}"), is_named=True)
        for item in range(number)
    ]


@pytest.mark.parametrize("jobs", [1, 2, 5])
@pytest.mark.parametrize("number", [0, 1, 3, 4, 20])
def test_order(jobs: int, number: int) -> None:
    """Documents are returned in order, each with its own rows."""
    expected = documents(number)

    results = list(read_rows(expected, jobs))

    assert [document for document, _ in results] == expected
    assert [rows for _, rows in results] == [read_one(document) for document in expected]


@pytest.mark.parametrize(
    ("number", "jobs", "is_pool"), [(3, 2, False), (4, 1, False), (4, 2, True)]
)
def test_processes(
    monkeypatch: pytest.MonkeyPatch, number: int, jobs: int, *, is_pool: bool
) -> None:
    """Fewer than four documents are read without further processes."""

    def start(*_: object, **__: object) -> None:
        raise NotImplementedError

    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", start)

    with pytest.raises(NotImplementedError) if is_pool else contextlib.nullcontext():
        assert len(list(read_rows(documents(number), jobs))) == number


@pytest.mark.parametrize("jobs", [1, 2])
def test_few_at_once(jobs: int) -> None:
    """However many documents there are, only a few are requested before the first is read."""
    asked = 0

    def endless() -> Iterator[Document]:
        nonlocal asked
        while True:
            asked += 1
            yield documents(1)[0]

    readings = read_rows(endless(), jobs)

    for number in range(1, 20):
        next(readings)
        assert asked <= number + 2 * jobs


@pytest.mark.parametrize("jobs", [1, 2])
def test_error_among_others(jobs: int) -> None:
    """A document that cannot be read is returned in its place, with the reason."""
    bad = Document("bad.txt", "/rules/bad.txt", TRUNCATED, is_named=True)
    nameless = Document("bad.txt", "", TRUNCATED, is_named=True)

    listed = [rows for _, rows in read_rows([*documents(2), bad, nameless, *documents(2)], jobs)]

    assert [isinstance(rows, TruncatedError) for rows in listed] == [
        *(False, False),
        *(True, True),
        *(False, False),
    ]
    reason = "ends inside the glossary, without credits"
    assert [str(rows) for rows in listed[2:4]] == [
        f"/rules/bad.txt:54: {reason}",
        f"bad.txt:54: {reason}",
    ]


def test_aligned_by_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """The alignment of editions does not depend on the number of processes."""
    monkeypatch.setattr("variorum_kb.build.workers._WORTH_A_POOL_OF_ALIGNERS", 1)
    states = list[State]()
    editions: list[tuple[str, array[int]]] = []
    for day in DAYS[:3]:
        rows = read_one(Document("", "", edition(day, rule=f"A gull since {day}."), is_named=True))
        assert not isinstance(rows, DocumentError)
        columns, held = rows
        editions.append(
            (columns.effective, array("I", range(len(states), len(states) + len(held))))
        )
        states += held
    pairs = [(0, 1), (1, 2), (0, 2)]

    alone, together = (list(align_editions(states, editions, pairs, jobs)) for jobs in (1, 2))

    assert [pair for pair, _ in alone] == pairs
    assert all(links for _, links in alone)
    assert together == alone


def start(folder: Path) -> subprocess.Popen[str]:
    """Start a process that reads with two others."""
    (folder / "reader.py").write_text(READER, "utf-8")
    paths = write(folder, {document.name: document.data for document in documents(60)})
    process = subprocess.Popen(
        [sys.executable, "-P", str(folder / "reader.py"), *map(str, paths)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "reading\n"
    return process


def test_nobody_outlives_the_first(tmp_path: Path) -> None:
    """When a process with worker processes is killed, they also end."""
    process = start(tmp_path)

    process.kill()

    # The workers share its stdout, so reading ends only after all of them end.
    assert process.communicate(timeout=30) == ("", "")


@pytest.mark.skipif(sys.platform == "win32", reason="a group of processes is told otherwise")
def test_interrupt(tmp_path: Path) -> None:
    """Only the first process answers an interrupt from the keyboard, though all receive it."""
    process = start(tmp_path)

    os.killpg(process.pid, signal.SIGINT)

    _, complaint = process.communicate(timeout=30)
    assert process.returncode != 0
    assert complaint.count("Traceback") == 1
    assert complaint.endswith("KeyboardInterrupt\n")
