"""Read the documents of strangers in processes with limits of time and memory."""

import contextlib
import gc
import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

from variorum.errors import CostlyError, UnexpectedError, VariorumError

if sys.platform != "win32":
    import resource

T = TypeVar("T")

# The costliest original, a PDF of 306 pages and 2.4 MB (2026-01-16), takes 3 s and 45 MB.
SECONDS, _MEMORY = 20, 2**30
_PATIENCE = 10  # by the clock, in multiples of the seconds of processor time
_LONGEST_MESSAGE = 200  # of an error, which may quote the document
_is_a_worker = False


class Call(NamedTuple):
    """Work on a document: a function at the top level of a module, its arguments, and the document's name."""

    work: Callable[..., Any]
    arguments: tuple[Any, ...]
    file: str
    seconds: int = SECONDS


def within_limits(work: Callable[[bytes, str], T], data: bytes, file: str) -> T:
    """Return the result of some work on a document, given its bytes and its name.

    Raises:
        CostlyError: It takes more time or memory than any document of the rules does.
        UnexpectedError: The work failed with an error that is not one of ours.
    """
    if _is_a_worker:
        return work(data, file)
    (outcome,) = outcomes([Call(work, (data, file), file)])
    if isinstance(outcome, VariorumError):
        raise outcome
    result: T = outcome
    return result


def outcomes(calls: Iterable[Call], jobs: int = 1) -> Iterator[Any]:
    """Do calls in some processes; yield in order the result of each, or its error.

    Only as many calls as there are processes are in memory at once.
    """
    waiting, busy = iter(calls), deque[tuple[_Worker, Call]]()
    free: list[_Worker] = []
    try:
        while True:
            while len(busy) < jobs and (call := next(waiting, None)):
                worker = free.pop() if free else _Worker()
                worker.begin(call)
                busy.append((worker, call))
            if not busy:
                return
            worker, call = busy.popleft()
            free.append(worker)
            outcome = worker.finish(call)
            if worker.was_killed:  # by someone, perhaps for the memory of all
                free[-1] = worker = _Worker()
                worker.begin(call)
                outcome = worker.finish(call)
            if not worker.is_alive:
                free.pop()
            yield outcome
    finally:
        for worker in (*free, *(worker for worker, _ in busy)):
            worker.end()


class _Worker:
    """A process that does one call after the other."""

    def __init__(self) -> None:
        self._pipe, theirs = multiprocessing.Pipe()
        self._process = multiprocessing.Process(target=_serve, args=(theirs,), daemon=True)
        with interrupts_wait():
            self._process.start()
        theirs.close()
        self.is_alive, self.was_killed = True, False

    def begin(self, call: Call) -> None:
        with contextlib.suppress(OSError):  # it has died, as `finish` will notice
            self._pipe.send(call)

    def finish(self, call: Call) -> Any:  # noqa: ANN401 - of any work
        """Wait for the outcome of a call; without one, the process has ended."""
        try:
            if self._pipe.poll(_PATIENCE * call.seconds):
                return self._pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            self.was_killed = self._process.exitcode == -9  # noqa: PLR2004 - SIGKILL
        self.end()
        self.is_alive = False
        # A limit ended it, or PDFium aborted because it got no memory.
        limits = f"{call.seconds} s or {_MEMORY >> 20} MB"
        return CostlyError(f"damaged, or takes more than {limits} to read", call.file)

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        self._pipe.close()


def _serve(pipe: Any) -> None:  # noqa: ANN401 - its type depends on the platform
    """Do the calls that come."""
    global _is_a_worker  # noqa: PLW0603 - of a process of its own
    _is_a_worker = True
    stay_quiet()
    gc.set_threshold(100_000, 20, 10)  # an edition is many objects that are freed together
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":  # macOS doesn't limit memory
        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
    with contextlib.suppress(EOFError):
        while True:
            pipe.send(_outcome(pipe.recv()))


def _outcome(call: Call) -> Any:  # noqa: ANN401 - of any work
    if sys.platform != "win32":
        used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
        _, hardest = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (int(used) + call.seconds, hardest))
    try:
        return call.work(*call.arguments)
    except VariorumError as error:
        return error
    except MemoryError:
        return CostlyError(f"takes more than {_MEMORY >> 20} MB to read", call.file)
    except Exception as found:  # noqa: BLE001 - anything may be wrong with a document
        frames = traceback.walk_tb(found.__traceback__)
        names = ((frame.f_globals.get("__name__", ""), line) for frame, line in frames)
        module, line = [place for place in names if place[0].startswith("variorum")][-1]
        says = " ".join(str(found).split())[:_LONGEST_MESSAGE]
        reason = f"cannot be read: {type(found).__name__} in {module}:{line}: {says}"
        unexpected = UnexpectedError(f"{reason}; cr read --debug shows the traceback", call.file)
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
