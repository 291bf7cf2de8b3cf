"""The knowledge base of a long-running server, reopened when the day or the file changes."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import variorum
from variorum.system.default_folders import FILE, base_folder


class _State(NamedTuple):
    """The day and the file that an open base was opened for."""

    day: date
    size: int
    changed: int
    inode: int


class CurrentBase:
    """Lends an open base to any thread, and reopens it when the day or the file changes."""

    def __init__(self, folder: Path | None, today: Callable[[], date]) -> None:
        """Open the base.

        Args:
            folder: The folder of the base; by default the user's own.
            today: Returns the day that "current" means.

        Raises:
            NoBaseError: The folder has no base.
            BaseError: The base cannot be used.
        """
        self._folder, self._today = folder, today
        self._file = Path(base_folder(None if folder is None else str(folder)), FILE)
        self._lock = Lock()
        self._users: dict[int, int] = {}
        self._state = self._found()
        self._base = variorum.open(folder, today=self._state.day)

    def close(self) -> None:
        """Close the base."""
        self._base.close()

    @contextmanager
    def lend(self) -> Generator[variorum.Base]:
        """Lend the base for one question.

        Raises:
            NoBaseError: The base was removed.
            BaseError: The base cannot be used.
        """
        base = self._take()
        try:
            yield base
        finally:
            self._give_back(base)

    def _take(self) -> variorum.Base:
        with self._lock:
            current = self._found()
            if current != self._state:
                newer = variorum.open(self._folder, today=current.day)
                outdated, self._base, self._state = self._base, newer, current
                if not self._users.get(id(outdated)):
                    outdated.close()
            self._users[id(self._base)] = self._users.get(id(self._base), 0) + 1
            return self._base

    def _give_back(self, base: variorum.Base) -> None:
        with self._lock:
            self._users[id(base)] -= 1
            if not self._users[id(base)]:
                del self._users[id(base)]
                if base is not self._base:
                    base.close()

    def _found(self) -> _State:
        try:
            status = self._file.stat()
        except OSError:  # opening the base reports what is missing
            return _State(self._today(), 0, 0, 0)
        return _State(self._today(), status.st_size, status.st_mtime_ns, status.st_ino)
