"""Start processes that leave keyboard interrupts to their parent process and end when it ends."""

import os
import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
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
    from multiprocessing import parent_process  # noqa: PLC0415 - only a process of its own needs it

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
