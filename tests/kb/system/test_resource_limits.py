"""Tests of limits of time and memory."""

import faulthandler
import os
import signal
import sys
import threading
import time
import zlib
from contextlib import ExitStack
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from tests.support.original_files import pdf_of_streams
from tests.support.small_bases import edition
from variorum_kb.build.load import read_document
from variorum_kb.errors import CostlyError, LayoutError, UnexpectedError
from variorum_kb.model import Edition
from variorum_kb.system import resource_limits
from variorum_kb.system.resource_limits import limited, within_limits

if sys.platform != "win32":
    import resource

PDF = b"%PDF-1.7 of a kind"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no such limits there")


def endless(data: bytes, file: str) -> int:
    """Work without end, ignoring exceptions."""
    del data, file
    for number in count():
        try:
            _ = number / (number % 2)
        except Exception:  # noqa: BLE001, S112 - it is about what catches all
            continue
    return 0


def greedy(data: bytes, file: str) -> int:
    """Allocate a gigabyte."""
    del data, file
    return len(bytearray(2**30))


def name_of(data: bytes, file: str) -> str:
    """Return the file, its size and the process that read it."""
    return f"{file} {len(data)} {os.getpid()}"


def refuse(data: bytes, file: str) -> str:
    """Refuse a document."""
    raise LayoutError("nothing of the kind", file, len(data))


def fail(data: bytes, file: str) -> str:
    """Raise an unexpected error."""
    raise KeyError(file, len(data))


def die(data: bytes, file: str) -> str:
    """End the process, as PDFium does without memory."""
    os.kill(os.getpid(), signal.SIGKILL)
    return f"{file} {len(data)}"


def is_dumped(data: bytes, file: str) -> bool:
    """Return whether this process prints its stacks, or writes its memory, when it aborts."""
    del data, file
    return faulthandler.is_enabled() or resource.getrlimit(resource.RLIMIT_CORE) != (0, 0)


@pytest.mark.parametrize("data", [b"text", PDF])
def test_what_ends_in_time(data: bytes) -> None:
    """The result for a document is returned; a PDF is read in a process of its own."""
    file, size, process = within_limits(name_of, data, "a").split()

    assert (file, int(size)) == ("a", len(data))
    assert (int(process) == os.getpid()) is (data != PDF)


def test_other_threads() -> None:
    """Where no timer interrupts, a text is also read in a process of its own, and limits nothing."""
    results: list[str] = []

    def read() -> None:
        with limited("b", 9):
            results.append(within_limits(name_of, b"text", "a"))

    thread = threading.Thread(target=read)
    thread.start()
    thread.join()

    assert int(results[0].split()[-1]) != os.getpid()


@pytest.mark.parametrize("data", [b"text", PDF])
def test_errors_pass(data: bytes) -> None:
    """The error of a refused document is passed on; any other refuses it, and keeps its traceback."""
    with pytest.raises(LayoutError) as refused:
        within_limits(refuse, data, "a")
    with pytest.raises(
        UnexpectedError, match=r"a: cannot be read: KeyError in variorum_kb"
    ) as failed:
        within_limits(fail, data, "a")

    assert str(refused.value) == f"a:{len(data)}: nothing of the kind"
    assert "in fail" in "\n".join(failed.value.__notes__)


@pytest.mark.parametrize("data", [b"text", PDF])
def test_time(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that takes too long is stopped, even if it catches all exceptions."""
    monkeypatch.setattr(resource_limits, "_SECONDS", 1.0)

    with pytest.raises(CostlyError) as error:
        within_limits(endless, data, "a")

    assert "1 s" in str(error.value)


@pytest.mark.parametrize(
    ("megabytes", "seconds", "waited"), [(1, 12, 120), (8, 40, 400), (16, 40, 400)]
)
def test_time_by_the_clock(
    megabytes: int, seconds: int, waited: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A larger document gets more time, up to a limit; by the clock, ten times as much."""
    polled: list[float] = []

    def poll(_: Connection, timeout: float) -> bool:
        polled.append(timeout)
        return False

    monkeypatch.setattr(Connection, "poll", poll)

    with pytest.raises(CostlyError) as error:
        within_limits(name_of, PDF.ljust(megabytes * 2**20), "a")

    assert str(error.value) == f"a: takes more than {seconds} s of processor time to read"
    assert polled == [waited]


@pytest.mark.parametrize(("junk", "is_apart"), [(1019, True), (1020, False)])
def test_what_counts_as_a_pdf(junk: int, *, is_apart: bool) -> None:
    """As in PDF readers, the mark of a PDF is within the first 1,024 bytes."""
    process = within_limits(name_of, b" " * junk + PDF, "a").split()[-1]

    assert (int(process) != os.getpid()) is is_apart


def test_unknown_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing says how much memory a process has, its memory is not limited."""

    def read(path: Path) -> str:
        raise FileNotFoundError(path)

    monkeypatch.setattr(Path, "read_text", read)
    before = resource.getrlimit(resource.RLIMIT_AS)

    with limited("a", 9):
        assert resource.getrlimit(resource.RLIMIT_AS) == before


def test_own_limit_of_memory() -> None:
    """A lower limit that the user set stays; a higher one is lowered for a while."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    try:
        for own in (2**40, 2**42):
            resource.setrlimit(resource.RLIMIT_AS, (own, hard))
            with limited("a", 9):
                assert resource.getrlimit(resource.RLIMIT_AS)[0] < own
            assert resource.getrlimit(resource.RLIMIT_AS) == (own, hard)
            with limited("a", 9):
                lower = resource.getrlimit(resource.RLIMIT_AS)
                with limited("a", 9):
                    assert resource.getrlimit(resource.RLIMIT_AS) == lower
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@pytest.mark.parametrize("data", [b"text", PDF])
def test_memory(data: bytes) -> None:
    """Work that takes too much memory is stopped; afterwards there is no limit."""
    with pytest.raises(CostlyError) as error:
        within_limits(greedy, data, "a")

    assert str(error.value) == "a: takes more than 500 MB to read"
    assert greedy(b"", "") == 2**30


def test_what_ends_the_process() -> None:
    """If a reader ends its process, no other process ends."""
    with pytest.raises(CostlyError) as error:
        within_limits(die, PDF, "a")

    assert str(error.value) == "a: damaged, or takes more than 8 s or 500 MB to read"


def test_what_aborts_says_nothing() -> None:
    """PDFium may abort its process without a dump, even if our own process would print one."""
    assert faulthandler.is_enabled()
    assert within_limits(is_dumped, PDF, "a") is False


def test_limits_within_limits() -> None:
    """An inner limit does not change the outer one, and in the end there is none."""
    outer = ExitStack()
    outer.enter_context(limited("outer", 0.5))
    with limited("inner", 30):
        assert name_of(b"", "a")

    with pytest.raises(CostlyError) as error, outer:
        endless(b"", "")

    assert str(error.value).startswith("outer")
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)


@pytest.mark.slow
def test_a_pdf_that_unpacks_to_gigabytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small PDF that unpacks to gigabytes takes no more memory than allowed."""
    monkeypatch.setattr(resource_limits, "MEMORY", 100 * 2**20)
    packer = zlib.compressobj(9)
    blanks = b"".join(packer.compress(b" " * 2**20) for _ in range(400)) + packer.flush()
    begun = time.process_time()

    bomb = pdf_of_streams([blanks]).replace(b"<< /Length", b"<< /Filter /FlateDecode /Length")

    with pytest.raises(CostlyError):
        read_document(bomb, "bomb.pdf")

    assert time.process_time() - begun < 60
    assert isinstance(read_document(edition(), "a.txt"), Edition)
