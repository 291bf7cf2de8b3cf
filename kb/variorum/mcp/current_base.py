"""The knowledge base of a long-running server, reopened when the day or the file changes."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from threading import RLock

import variorum
from variorum.paths import FILE, base_folder


class CurrentBase:
    """Lends an open base for one question at a time."""

    def __init__(self, folder: Path | None, today: Callable[[], date]) -> None:
        """Open the base in a folder; `today` returns the day that "current" means.

        Raises:
            BaseError: There is no base, or it cannot be used.
        """
        self._folder, self._today = folder, today
        self._file = base_folder(folder) / FILE
        self._lock = RLock()
        self._state = self._found()
        self._base = variorum.open(folder, today=self._state[0])

    def close(self) -> None:
        """Close the base."""
        with self._lock:
            self._base.close()

    @contextmanager
    def lend(self) -> Generator[variorum.Base]:
        """Lend the base for a question.

        Raises:
            BaseError: The base was removed, or cannot be used.
        """
        with self._lock:
            state = self._found()
            if state != self._state:
                newer = variorum.open(self._folder, today=state[0])
                self._base.close()
                self._base, self._state = newer, state
            yield self._base

    def _found(self) -> tuple[date, int, int, int]:
        """Return the day, and the size, time and place of the file."""
        try:
            status = self._file.stat()
        except OSError:  # opening the base reports what is missing
            return self._today(), 0, 0, 0
        return self._today(), status.st_size, status.st_mtime_ns, status.st_ino
