"""Limit the processor time and memory for work on an untrusted document, and what it may break.

Whatever fails in such work is an error about the document, so that the documents beside it are read.

A timer interrupts Python code. It cannot interrupt PDFium, which is C++, so a second process calls
PDFium. Where the platform cannot limit that process (Windows; memory on macOS), we end it after a
longer time by the clock.
"""

import contextlib
import faulthandler
import mmap
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from variorum.errors import CostlyError, UnexpectedError, VariorumError
from variorum.system.file_signatures import PDF
from variorum.system.processes import interrupts_wait, stay_quiet

if sys.platform != "win32":
    import resource

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

T = TypeVar("T")

# The costliest original, a PDF of 306 pages and 2.4 MB (2026-01-16), takes 3 seconds and 45 MB.
_SECONDS, _SECONDS_A_MEGABYTE, _MOST_SECONDS = 8.0, 4.0, 40.0
MEMORY = 500 * 2**20
# By the clock, on a machine with other work.
_PATIENCE = 10
# Interrupted code may catch every exception, so it is interrupted again after this many seconds.
_AGAIN = 1.0
_HEAD = 1024
# An error's message may quote the document.
_LONGEST_MESSAGE = 200


def within_limits(
    work: Callable[[bytes, str], T], data: bytes, file: str, *, is_apart: bool = False
) -> T:
    """Return the result of some work on a document.

    Args:
        work: Takes the document and its name; defined at the top level of a module, so that another
            process can find it.
        data: The document.
        file: Its name, for messages.
        is_apart: Work in a process of its own, for a document that may end its process.

    Raises:
        CostlyError: It takes more time or memory than any document of the rules does.
        UnexpectedError: The work failed with an error that is not one of ours.
    """
    seconds = min(_SECONDS + _SECONDS_A_MEGABYTE * len(data) / 2**20, _MOST_SECONDS)
    if is_apart or PDF in data[:_HEAD] or not _has_timer():
        return _in_a_process(work, data, file, seconds)
    with limited(file, seconds):
        return work(data, file)


@contextlib.contextmanager
def limited(file: str, seconds: float) -> Generator[None]:
    """Stop work that takes too much processor time, or more memory than any document needs.

    Args:
        file: The name of the document, for messages.
        seconds: The limit of processor time.

    Raises:
        CostlyError: It was stopped.
        UnexpectedError: It failed with an error that is not one of ours.
    """
    if not _has_timer():
        with _expecting_anything(file):
            yield
        return
    before = signal.signal(signal.SIGPROF, _stop)
    left, again = signal.setitimer(signal.ITIMER_PROF, seconds, _AGAIN)
    try:
        with _expecting_anything(file), _limited_memory():
            yield
    except _OutOfTimeError:
        raise _too_long(file, seconds) from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, left, again)
        signal.signal(signal.SIGPROF, before)


@contextlib.contextmanager
def _expecting_anything(file: str) -> Generator[None]:
    """Turn errors that are not ours into one about the document, which says where it arose."""
    try:
        yield
    except VariorumError:
        raise
    except MemoryError:
        raise CostlyError(f"takes more than {MEMORY >> 20} MB to read", file) from None
    except Exception as found:  # noqa: BLE001 - anything may be wrong with a document
        frames = traceback.walk_tb(found.__traceback__)
        names = ((frame.f_globals.get("__name__", ""), line) for frame, line in frames)
        module, line = [place for place in names if place[0].startswith("variorum")][-1]
        says = " ".join(str(found).split())[:_LONGEST_MESSAGE]
        reason = f"cannot be read: {type(found).__name__} in {module}:{line}: {says}"
        error = UnexpectedError(f"{reason}; cr read --debug shows the traceback", file)
        error.add_note(traceback.format_exc())
        raise error from None


class _OutOfTimeError(BaseException):
    """The timer ran out; handlers of other errors must not catch this."""


def _stop(*_: object) -> None:
    raise _OutOfTimeError


def _too_long(file: str, seconds: float) -> CostlyError:
    return CostlyError(f"takes more than {seconds:.0f} s of processor time to read", file)


def _has_timer() -> bool:
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and hasattr(signal, "setitimer")


@contextlib.contextmanager
def _limited_memory() -> Generator[None]:
    """Limit this process to the memory that it has now plus what a document may need."""
    size = _address_space()
    if sys.platform == "win32" or not size:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = size + MEMORY
    if soft != resource.RLIM_INFINITY and soft <= most:
        yield
        return
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _address_space() -> int:
    """Return the bytes of memory that this process has mapped; 0 if unknown."""
    try:
        pages = Path("/proc/self/statm").read_text().split()[0]
    except OSError:
        return 0
    return int(pages) * mmap.PAGESIZE


# A process of its own ---------------------------------------------------------------------------------


def _in_a_process(work: Callable[[bytes, str], T], data: bytes, file: str, seconds: float) -> T:
    import multiprocessing  # noqa: PLC0415 - takes a twentieth of a build with nothing new

    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(
        target=_work, args=(sender, work, data, file, seconds), daemon=True
    )
    with interrupts_wait():
        process.start()
    sender.close()
    try:
        if not receiver.poll(seconds * _PATIENCE):
            raise _too_long(file, seconds)
        outcome, error = cast("tuple[T, VariorumError | None]", receiver.recv())
    except EOFError:
        # A limit ended the process, or PDFium aborted because it got no memory.
        reason = f"damaged, or takes more than {seconds:.0f} s or {MEMORY >> 20} MB to read"
        raise CostlyError(reason, file) from None
    finally:
        process.kill()
        process.join()
        receiver.close()
    if error is not None:
        raise error
    return outcome


def _work(
    sender: "Connection", work: Callable[[bytes, str], T], data: bytes, file: str, seconds: float
) -> None:
    stay_quiet()
    faulthandler.disable()  # PDFium aborts if it gets no memory; that needs no traceback
    if sys.platform != "win32":
        most = int(seconds) + int(sum(resource.getrusage(resource.RUSAGE_SELF)[:2]))
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    outcome: T | None = None
    error: VariorumError | None = None
    try:
        with _expecting_anything(file), _limited_memory():
            outcome = work(data, file)
    except VariorumError as found:
        error = found
    sender.send((outcome, error))
    sender.close()
