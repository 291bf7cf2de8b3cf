"""Read the documents of strangers in processes with limits of time and memory."""

import contextlib
import faulthandler
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
from typing import Any, TypeVar

from variorum.errors import DocumentError, VariorumError

if sys.platform == "linux":  # macOS doesn't limit memory
    import resource

K = TypeVar("K")

# By the clock. The costliest original, a PDF of 306 pages and 2.4 MB (2026-01-16), takes 3 s and 45 MB.
SECONDS, _MEMORY = 60, 2**30
_MUCH = f"{_MEMORY >> 20} MB"


def within_limits(work: Callable[[bytes], Any], data: bytes, file: str) -> Any:  # noqa: ANN401 - of any work
    """Return the result of some work on a document, given its bytes and its name.

    More time or memory than any document of the rules takes is a DocumentError, as is an error not of ours.
    """
    if multiprocessing.current_process().daemon:  # one of ours
        return work(data)
    ((_, outcome),) = outcomes(work, [(file, (data,))])
    if isinstance(outcome, DocumentError):
        outcome.file = file
        raise outcome
    return outcome


def outcomes(
    work: Callable[..., Any],
    calls: Iterable[tuple[K, tuple[Any, ...] | None]],
    jobs: int = 1,
    seconds: int = SECONDS,
) -> Iterator[tuple[K, Any]]:
    """Do some work in several processes; yield, in order, the key of each call with its result or its error.

    The work is a function at the top level of a module. Each call has its arguments, or None, which is its
    outcome. Only as many as there are processes are in memory at once.
    """
    waiting, idle, busy = iter(calls), list[Any](), deque[tuple[K, Any]]()
    with contextlib.ExitStack() as workers:
        while True:
            for key, arguments in islice(waiting, jobs - len(busy)):
                pipe = None
                if arguments is not None:
                    pipe = idle.pop() if idle else _worker(workers, work, seconds)
                    pipe.send(arguments)
                busy.append((key, pipe))
            if not busy:
                return
            key, pipe = busy.popleft()
            try:
                outcome = pipe and pipe.recv()
                idle += [pipe] if pipe else []
            except (EOFError, OSError):  # a limit ended it, or PDFium got no memory
                outcome = DocumentError(
                    f"damaged, or takes more than {seconds} s or {_MUCH} to read"
                )
            yield key, outcome


def _worker(workers: contextlib.ExitStack, *work: object) -> Any:  # noqa: ANN401 - it depends on the platform
    """Start a process that does one call after the other, until the end of `workers`; return its pipe."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_serve, args=(theirs, *work), daemon=True)
    with interrupts_wait():
        process.start()
    workers.callback(process.join)
    workers.callback(process.kill)
    theirs.close()
    return ours


def _serve(pipe: Any, work: Callable[..., Any], seconds: int) -> None:  # noqa: ANN401 - likewise
    stay_quiet()
    gc.set_threshold(100_000, 20, 10)  # an edition is many objects that are freed together
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
    with Path(os.devnull).open("w") as nowhere, contextlib.suppress(EOFError):
        while True:
            arguments = pipe.recv()
            faulthandler.dump_traceback_later(seconds, file=nowhere, exit=True)
            try:
                outcome = work(*arguments)
            except VariorumError as error:
                outcome = error
            except MemoryError:
                outcome = DocumentError(f"takes more than {_MUCH} to read")
            except Exception as error:  # noqa: BLE001 - anything may be wrong with a document
                outcome = _unexpected(error)
            faulthandler.cancel_dump_traceback_later()
            pipe.send(outcome)


def _unexpected(error: Exception) -> DocumentError:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "variorum" in frame.filename][-1]
    place = f"{type(error).__name__} in {Path(ours.filename).stem}.{ours.name}"
    says = " ".join(str(error).split())[:200]  # it may quote the document
    return DocumentError(f"cannot be read: {place}: {says}; please report it")


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
