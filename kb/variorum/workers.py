"""Calls functions in other processes, with limits of time and memory for the documents of strangers."""

import contextlib
import faulthandler
import gc
import math
import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, TypeVar, cast

from variorum.errors import CostlyError, UnexpectedError, VariorumError

if sys.platform != "win32":
    import resource

T = TypeVar("T")

# The costliest original, a PDF of 306 pages and 2.4 MB (2026-01-16), takes 3 seconds and 45 MB.
_SECONDS, _SECONDS_A_MEGABYTE, _MOST_SECONDS = 8.0, 4.0, 40.0
_MEMORY = 2**30
_PATIENCE = 10  # by the clock, as another limit
_LONGEST_MESSAGE = 200  # of an error, which may quote the document
_is_a_worker = False


@dataclass
class Call:
    """A call in another process, of a function that is defined at the top level of a module.

    The key comes back with the outcome. Work on a document, named by `file`, has a limit of processor
    time. Work without one is ours: nothing limits it, and its errors are raised.
    """

    key: Any
    work: Callable[..., Any]
    arguments: tuple[Any, ...]
    file: str = ""
    seconds: float = _MOST_SECONDS
    outcome: Any = None
    is_done: bool = False
    tries: int = 0


def within_limits(work: Callable[[bytes, str], T], data: bytes, file: str) -> T:
    """Return the result of some work on a document, given its bytes and its name.

    Raises:
        CostlyError: It takes more time or memory than any document of the rules does.
        UnexpectedError: The work failed with an error that is not one of ours.
    """
    if _is_a_worker:
        return work(data, file)
    ((_, outcome),) = in_processes([Call(None, work, (data, file), file, seconds_for(data))], 1)
    if isinstance(outcome, VariorumError):
        raise outcome
    return cast("T", outcome)


def seconds_for(data: bytes) -> float:
    """Return the limit of processor time for reading a document."""
    return min(_SECONDS + _SECONDS_A_MEGABYTE * len(data) / 2**20, _MOST_SECONDS)


def in_processes(calls: Iterable[Call], jobs: int) -> Iterator[tuple[Any, Any]]:
    """Do calls in processes; yield in order each key and result, for a document also its error.

    Only a few calls are in memory at once.
    """
    waiting, in_order = iter(calls), deque[Call]()
    free: list[_Worker] = []
    busy: dict[Connection, tuple[_Worker, Call]] = {}
    try:
        call = next(waiting, None)
        while call or in_order:
            while call and len(busy) < jobs and len(in_order) <= 2 * jobs:
                in_order.append(call)
                if not call.is_done:
                    worker = free.pop() if free else _Worker()
                    busy[worker.pipe] = worker.began(call)
                call = next(waiting, None)
            while in_order and in_order[0].is_done:
                done = in_order.popleft()
                if isinstance(done.outcome, Exception) and not done.file:
                    raise done.outcome
                yield done.key, done.outcome
            if busy:
                free += _answered(busy)
    finally:
        for worker in [*free, *(worker for worker, _ in busy.values())]:
            worker.end()


def _answered(busy: "dict[Connection, tuple[_Worker, Call]]") -> "Iterator[_Worker]":
    """Take the outcomes of calls that are done; yield the workers that are free."""
    for pipe in _ready(busy):
        worker, call = busy.pop(pipe)
        if worker.took(call):
            yield worker
        elif not call.is_done:
            worker = _Worker()
            busy[worker.pipe] = worker.began(call)


def _ready(busy: "dict[Connection, tuple[_Worker, Call]]") -> list[Connection]:
    """Wait until some workers have answered, ended or taken too long."""
    until = min(worker.until for worker, _ in busy.values())
    timeout = None if until == math.inf else max(0.0, until - time.monotonic())
    ready = cast("list[Connection]", wait(list(busy), timeout))
    return ready or [pipe for pipe, (worker, _) in busy.items() if worker.until == until]


class _Worker:
    """A process that does one call after the other."""

    def __init__(self) -> None:
        self.pipe, theirs = multiprocessing.Pipe()
        self._process = multiprocessing.Process(target=_serve, args=(theirs,), daemon=True)
        with interrupts_wait():
            self._process.start()
        theirs.close()
        self.until = 0.0

    def began(self, call: Call) -> "tuple[_Worker, Call]":
        """Begin a call; return the worker and the call."""
        self.until = time.monotonic() + _PATIENCE * call.seconds if call.file else math.inf
        with contextlib.suppress(OSError):  # the process has ended, as `took` will notice
            self.pipe.send((call.work, call.arguments, call.file, call.seconds))
        return self, call

    def took(self, call: Call) -> bool:
        """Take the outcome of a call; return whether the process goes on.

        If someone killed the process, the call is not done, and may be tried once more.
        """
        try:
            if self.pipe.poll():
                call.outcome, call.is_done = self.pipe.recv(), True
                return True
        except (EOFError, OSError):
            self._process.join()
        is_killed = self._process.exitcode == -9  # noqa: PLR2004 - SIGKILL, which Windows lacks
        self.end()
        call.tries += 1
        call.is_done = not is_killed or call.tries > 1
        # A limit ended it, or PDFium aborted because it got no memory.
        limits = f"{call.seconds:.0f} s or {_MEMORY >> 20} MB"
        call.outcome = CostlyError(f"damaged, or takes more than {limits} to read", call.file)
        return False

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        self.pipe.close()


def _serve(pipe: Connection) -> None:
    """Do the calls that come."""
    global _is_a_worker  # noqa: PLW0603 - of a process of its own
    _is_a_worker = True
    stay_quiet()
    gc.set_threshold(100_000, 20, 10)  # an edition is many objects that are freed together
    faulthandler.disable()  # PDFium aborts if it gets no memory; that needs no traceback
    with contextlib.suppress(OSError):  # Linux says what this process has inherited
        pages = Path("/proc/self/statm").read_text("ascii").split()[0]
        most = int(pages) * resource.getpagesize() + _MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    while True:
        try:
            work, arguments, file, seconds = pipe.recv()
        except EOFError:
            return
        pipe.send(_outcome(work, arguments, file, seconds))


def _outcome(
    work: Callable[..., T], arguments: tuple[Any, ...], file: str, seconds: float
) -> T | Exception:
    if file and sys.platform != "win32":
        used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
        _, hardest = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (int(used + seconds) + 1, hardest))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        return work(*arguments)
    except VariorumError as error:
        return error
    except MemoryError:
        return CostlyError(f"takes more than {_MEMORY >> 20} MB to read", file)
    except Exception as found:  # noqa: BLE001 - anything may be wrong with a document
        if not file:
            return found
        frames = traceback.walk_tb(found.__traceback__)
        names = ((frame.f_globals.get("__name__", ""), line) for frame, line in frames)
        module, line = [place for place in names if place[0].startswith("variorum")][-1]
        says = " ".join(str(found).split())[:_LONGEST_MESSAGE]
        reason = f"cannot be read: {type(found).__name__} in {module}:{line}: {says}"
        unexpected = UnexpectedError(f"{reason}; cr read --debug shows the traceback", file)
        unexpected.add_note(traceback.format_exc())
        return unexpected


# Of any process beside the one that the user started ----------------------------------------------


@contextlib.contextmanager
def interrupts_wait() -> Generator[None]:
    """Delay keyboard interrupts while processes start.

    New processes inherit the delay, so no interrupt reaches them before they ignore interrupts.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def stay_quiet() -> None:
    """Leave keyboard interrupts to the parent process, and end when it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
