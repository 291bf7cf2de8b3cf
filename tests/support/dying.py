"""Run work in a separate process that dies at a chosen moment, as if killed.

Moments are counted before and after each call that flushes to the disk or renames a file. Written
files survive the death of a process without fsync, so nothing waits for the disk here.
"""

import multiprocessing
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

# A server that has imported the program forks in 10 ms; Windows has no such server.
if sys.platform == "win32":
    _CONTEXT = multiprocessing.get_context("spawn")
else:
    _CONTEXT = multiprocessing.get_context("forkserver")
    _CONTEXT.set_forkserver_preload(["variorum_kb.build.build"])

Work = Callable[..., object]


class Moments:
    """Counts moments, and ends the process at the chosen one."""

    def __init__(self, last: int) -> None:
        self._last, self.passed = last, 0

    def around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that counts a moment before a call and one after it."""

        def counted(*args: object, **named: object) -> object:
            self.pass_one()
            result = call(*args, **named)
            self.pass_one()
            return result

        return counted

    def pass_one(self) -> None:
        """Count a moment; at the chosen one, end the process without clean-up."""
        self.passed += 1
        if self.passed == self._last:
            os._exit(9)


def _work(answer: Connection, moment: int, work: Work, arguments: tuple[Any, ...]) -> None:
    moments = Moments(moment)
    # A note in the cache, written only for files older than 0.2 s, would add moments by chance.
    os.environ["VARIORUM_CACHE"] = os.devnull
    os.__dict__.update(fsync=moments.around(int), replace=moments.around(os.replace))
    answer.send(0)
    work(*arguments)
    answer.send(moments.passed)


def moments_of(work: Work, *arguments: object, dies_at: int = 0, after: float = 0) -> int:
    """Return how many moments some work has; 0 if it died.

    Args:
        work: A function of a module, with its arguments.
        arguments: The arguments of `work`.
        dies_at: The moment at which the process ends; 0 for none.
        after: The seconds after which it is killed from outside; 0 for never.
    """
    mine, theirs = _CONTEXT.Pipe(duplex=False)
    process = _CONTEXT.Process(target=_work, args=(theirs, dies_at, work, arguments))
    process.start()
    theirs.close()
    passed = 0
    with mine, suppress(EOFError):
        passed = int(mine.recv())
        if after:
            process.join(after)
            process.kill()
        passed = int(mine.recv())
    process.join()
    return passed
