"""Sync in processes that die at chosen moments.

Each line on stdin has a moment, a folder and a file of sources; the answer is a line. For each, the
program forks, so that it imports only once: the child syncs and is killed at that moment. Moments
are counted before and after each request and each call that writes to the disk or renames a file;
at 0, the child is not killed. The answer is the number of moments, or 0 if the child was killed.
"""

import os
import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from variorum_crawler.fetch.fetcher import Fetcher
from variorum_crawler.fetch.settings import FetchSettings
from variorum_crawler.places.source import named_hosts
from variorum_crawler.places.source_file import load_sources
from variorum_crawler.sync.sync import Sync

NOW = datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)


class _Moments:
    """Counts moments, and dies at the given one."""

    def __init__(self, last: int) -> None:
        self._last, self.passed = last, 0

    def around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that counts a moment before a call and one after it."""

        def counted(*args: object, **named: object) -> object:
            self._tick()
            result = call(*args, **named)
            self._tick()
            return result

        return counted

    def _tick(self) -> None:
        self.passed += 1
        if self.passed == self._last:
            os.kill(os.getpid(), signal.SIGKILL)


class _Dying(Fetcher):
    """A fetcher whose requests are moments."""

    def watch(self, moments: _Moments) -> None:
        """Start counting."""
        self.__dict__["fetch"] = moments.around(self.fetch)


def sync(moment: int, folder: Path, sources: Path) -> int:
    """Sync, and die at the given moment; return how many moments there were."""
    moments = _Moments(moment)
    # Written files survive the death of the process without waiting for the disk.
    os.__dict__.update(fsync=moments.around(int), replace=moments.around(os.replace))
    every = load_sources(sources)
    settings = FetchSettings(pause=0, timeout=5, retries=0, private_hosts=named_hosts(every))
    with _Dying(settings) as fetcher:
        fetcher.watch(moments)
        for _ in Sync(folder, fetcher, NOW, jobs=1).run(every):
            pass
    return moments.passed


def main() -> None:
    """Answer each line."""
    for line in sys.stdin:
        moment, folder, sources = line.rstrip("\n").split("\t")
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            os.write(writer, str(sync(int(moment), Path(folder), Path(sources))).encode())
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as answer:
            count = answer.read() or "0"
        os.waitpid(child, 0)
        sys.stdout.write(f"{count}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
