"""Build a base in a process of its own that dies at a chosen moment.

Arguments: the folder of the base, the moment, files to take in. Moments are counted before and
after each call that brings something to the disk or puts a file into its place; at 0 the process
does not die. It says when it is ready, waits for a line, and in the end says how many moments there
were.
"""

import os
import signal
import sys
from pathlib import Path

from variorum_kb.build.build import Builder


class _Moments:
    def __init__(self, last: int) -> None:
        self._last, self.passed = last, 0
        self._fsync, self._replace = os.fsync, os.replace

    def fsync(self, handle: int) -> None:
        self._tick()
        self._fsync(handle)
        self._tick()

    def replace(self, source: Path, target: Path) -> None:
        self._tick()
        self._replace(source, target)
        self._tick()

    def _tick(self) -> None:
        self.passed += 1
        if self.passed == self._last:
            # On Windows, SIGTERM ends a process as abruptly.
            os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))


def main(folder: str, moment: str, *paths: str) -> None:
    """Build, and die if told so."""
    moments = _Moments(int(moment))
    os.__dict__.update(fsync=moments.fsync, replace=moments.replace)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    for _ in Builder(Path(folder), "2030-01-02T03:04:05+00:00", jobs=1).build(
        [Path(path) for path in paths]
    ):
        pass
    sys.stdout.write(f"{moments.passed}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
