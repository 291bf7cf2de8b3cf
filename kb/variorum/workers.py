"""Read the documents of strangers in processes with limits of time and memory."""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, TypeVar

from variorum.errors import DocumentError, VariorumError

K = TypeVar("K")

# By the clock. The costliest original, a PDF of 306 pages and 2.4 MB (2026-01-16), takes 3 s and 45 MB.
SECONDS, _MEMORY = 60, 2**30


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
                if arguments is not None and not idle:
                    pipe, theirs = multiprocessing.Pipe()
                    process = multiprocessing.Process(
                        target=_serve, args=(theirs, work), daemon=True
                    )
                    process.start()
                    workers.callback(process.join)
                    workers.callback(process.kill)
                    theirs.close()
                    idle.append(pipe)
                busy.append((key, None if arguments is None else idle.pop()))
                if arguments is not None:
                    busy[-1][1].send(arguments)
            if not busy:
                return
            key, pipe = busy.popleft()
            outcome: Any = None
            if pipe:
                outcome = DocumentError(
                    f"damaged, or takes more than {seconds} s or {_MEMORY >> 20} MB to read"
                )
                with contextlib.suppress(EOFError, OSError):  # it ended, or PDFium got no memory
                    if pipe.poll(seconds):  # else it is left alone, and killed at the end
                        outcome = pipe.recv()
                        idle.append(pipe)
            yield key, outcome


def _serve(pipe: Any, work: Callable[..., Any]) -> None:  # noqa: ANN401 - it depends on the platform
    stay_quiet()
    if sys.platform == "linux":  # macOS doesn't limit memory
        import resource  # noqa: PLC0415 - Windows has none

        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
    with contextlib.suppress(EOFError):
        while True:
            arguments = pipe.recv()
            try:
                outcome = work(*arguments)
            except VariorumError as error:
                outcome = error
            except MemoryError:
                return
            except Exception as error:  # noqa: BLE001 - anything may be wrong with a document
                frames = traceback.extract_tb(error.__traceback__)
                ours = [frame for frame in frames if "variorum" in frame.filename][-1]
                place = f"{type(error).__name__} in {Path(ours.filename).stem}.{ours.name}"
                says = " ".join(str(error).split())[:200]  # it may quote the document
                outcome = DocumentError(f"cannot be read: {place}: {says}; please report it")
            pipe.send(outcome)


def stay_quiet() -> None:
    """Leave keyboard interrupts to the parent process, and end when it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if parent := multiprocessing.parent_process():
        ended = partial(wait, [parent.sentinel])
        threading.Thread(target=lambda: ended() and os._exit(1), daemon=True).start()
