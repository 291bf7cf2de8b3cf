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
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from variorum.errors import DocumentError, VariorumError

if sys.platform != "win32":
    import resource

K = TypeVar("K")

# The costliest original, a PDF of 306 pages and 2.4 MB (2026-01-16), takes 3 s and 45 MB.
SECONDS, _MEMORY = 20, 2**30
_PATIENCE = 10  # by the clock, in multiples of the seconds of processor time


class Call(NamedTuple):
    """Work on a document: a function at the top level of a module, its arguments, and the document's name."""

    work: Callable[..., Any]
    arguments: tuple[Any, ...]
    file: str
    seconds: int = SECONDS


def within_limits(work: Callable[[bytes, str], Any], data: bytes, file: str) -> Any:  # noqa: ANN401 - of any work
    """Return the result of some work on a document, given its bytes and its name.

    More time or memory than any document of the rules takes is a DocumentError, as is an error not of ours.
    """
    if multiprocessing.current_process().daemon:  # one of ours
        return work(data, file)
    ((_, outcome),) = outcomes([(file, Call(work, (data, file), file))])
    if isinstance(outcome, VariorumError):
        raise outcome
    return outcome


def outcomes(calls: Iterable[tuple[K, Call | None]], jobs: int = 1) -> Iterator[tuple[K, Any]]:
    """Do calls in some processes; yield, in order, the key of each with its result or its error.

    Only as many calls as there are processes are in memory at once. None is the outcome of no call.
    """
    waiting, busy, idle = iter(calls), deque[tuple[K, Call | None, _Worker]](), list[_Worker]()
    try:
        while True:
            for key, call in islice(waiting, jobs - len(busy)):
                busy.append((key, call, idle.pop() if idle else _Worker()))
                if call:
                    busy[-1][2].begin(call)
            if not busy:
                return
            key, call, worker = busy.popleft()
            idle.append(worker)
            yield key, worker.finish(call) if call else None
    finally:
        for worker in (*idle, *(worker for *_, worker in busy)):
            worker.end()


class _Worker:
    """A process, started when it is needed, that does one call after the other."""

    process: multiprocessing.Process | None = None

    def begin(self, call: Call) -> None:
        if not (self.process and self.process.is_alive()):
            self._pipe, theirs = multiprocessing.Pipe()
            self.process = multiprocessing.Process(target=_serve, args=(theirs,), daemon=True)
            with interrupts_wait():
                self.process.start()
            theirs.close()
        with contextlib.suppress(OSError):  # it has just died, as `finish` will notice
            self._pipe.send(call)

    def finish(self, call: Call) -> Any:  # noqa: ANN401 - of any work
        with contextlib.suppress(EOFError, OSError):
            if self._pipe.poll(_PATIENCE * call.seconds):
                return self._pipe.recv()
        self.end()
        # A limit ended it, or PDFium aborted because it got no memory.
        limits = f"{call.seconds} s or {_MEMORY >> 20} MB"
        return DocumentError(f"damaged, or takes more than {limits} to read", call.file)

    def end(self) -> None:
        if self.process:
            self.process.kill()
            self.process.join()
            self._pipe.close()
            self.process = None


def _serve(pipe: Any) -> None:  # noqa: ANN401 - its type depends on the platform
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
        return DocumentError(f"takes more than {_MEMORY >> 20} MB to read", call.file)
    except Exception as error:  # noqa: BLE001 - anything may be wrong with a document
        frames = traceback.extract_tb(error.__traceback__)
        ours = [frame for frame in frames if "variorum" in frame.filename][-1]
        place = f"{Path(ours.filename).stem}:{ours.lineno}"
        says = " ".join(str(error).split())[:200]  # it may quote the document
        reason = f"cannot be read: {type(error).__name__} in {place}: {says}"
        return DocumentError(f"{reason}; please report it", call.file)


@contextlib.contextmanager
def interrupts_wait() -> Generator[None]:
    """Delay keyboard interrupts while processes start; these inherit that until they ignore them."""
    mask = getattr(signal, "pthread_sigmask", lambda *_: None)  # Windows has none
    before = mask(getattr(signal, "SIG_BLOCK", 0), {signal.SIGINT})
    try:
        yield
    finally:
        mask(getattr(signal, "SIG_SETMASK", 0), before)


def stay_quiet() -> None:
    """Leave keyboard interrupts to the parent process, and end when it ends."""

    def end_with_parent() -> None:
        if parent := multiprocessing.parent_process():
            parent.join()
            os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()
