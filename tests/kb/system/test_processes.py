"""How many processes work at once, and how they end."""

import multiprocessing
import os
import signal
import threading
from queue import SimpleQueue
from types import SimpleNamespace

import pytest

from variorum_kb.system.default_jobs import default_jobs
from variorum_kb.system.processes import interrupts_wait, stay_quiet


@pytest.mark.parametrize(("processors", "jobs"), [(None, 1), (1, 1), (8, 8)])
def test_default_jobs(monkeypatch: pytest.MonkeyPatch, processors: int | None, jobs: int) -> None:
    """There is one job for each processor, or one if their number is unknown."""
    monkeypatch.setattr(os, "cpu_count", lambda: processors)

    assert default_jobs() == jobs


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals cannot be delayed")
def test_interrupts_wait() -> None:
    """Keyboard interrupts are delayed only while processes start."""

    def delayed() -> set[int]:
        return signal.pthread_sigmask(signal.SIG_BLOCK, ())

    before = delayed()

    with interrupts_wait():
        assert delayed() == before | {signal.SIGINT}

    assert delayed() == before


def test_stay_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process ignores interrupts, and fails after its parent has ended."""
    ends: SimpleQueue[tuple[bool, int]] = SimpleQueue()
    ended = SimpleNamespace(join=lambda: None)

    def end(code: int) -> None:
        ends.put((threading.current_thread().daemon, code))

    monkeypatch.setattr(multiprocessing, "parent_process", lambda: ended)
    monkeypatch.setattr(os, "_exit", end)
    before = signal.getsignal(signal.SIGINT)

    try:
        stay_quiet()

        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        assert ends.get(timeout=30) == (True, 1)
    finally:
        signal.signal(signal.SIGINT, before)
