"""Documents that a run fetched but has not built in yet: `crawl/incoming/` in a base's folder.

Their names are their hashes, so that an incomplete file is noticed. If a run is killed, the next
one fetches them again.
"""

import contextlib
import shutil
from collections.abc import Iterable
from pathlib import Path

from variorum_crawler.received import load_received
from variorum_crawler.sync.crawl_state import CRAWL
from variorum_kb.system.atomic_files import beside_of, removed_on_failure, writable

INCOMING = "incoming"
_HELD = "held-before"


class Incoming:
    """The fetched documents that are not built in yet."""

    def __init__(self, base: Path) -> None:
        """Name the folder of a base, which need not exist yet."""
        self.folder = base / CRAWL / INCOMING

    def load(self, sha256: str) -> bytes | None:
        """Return a document's bytes; None if they are missing or incomplete."""
        return load_received(self.folder, sha256)

    def keep(self, sha256: str, data: bytes) -> None:
        """Keep a document until it is built in.

        Raises:
            NotWritableError: It cannot be written; the disk may be full.
        """
        if self.load(sha256) is None:
            self._write(sha256, data)

    def remember_held(self, hashes: Iterable[str]) -> None:
        """Remember the editions in the base before these documents are built in.

        So if the run is killed after the build, the next run still reports what is new.

        Raises:
            NotWritableError: It cannot be written; the disk may be full.
        """
        if self.held_before() is None:
            self._write(_HELD, "\n".join(hashes).encode())

    def held_before(self) -> set[str] | None:
        """Return the editions in the base before the build; None if they were not recorded."""
        try:
            return set((self.folder / _HELD).read_text("ascii").split())
        except (OSError, ValueError):
            return None

    def clear(self) -> None:
        """Remove all files, once they are built in or quarantined.

        Raises:
            NotWritableError: A file cannot be removed.
        """
        with writable(self.folder), contextlib.suppress(FileNotFoundError):
            shutil.rmtree(self.folder)

    def _write(self, name: str, data: bytes) -> None:
        """Write a file without syncing: after a crash, it is fetched again."""
        with writable(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / name
        beside = beside_of(path)
        with removed_on_failure(beside), writable(path):
            beside.write_bytes(data)
            beside.replace(path)


def is_cut_short(base: Path) -> bool:
    """Return whether a run was killed after it had fetched a document."""
    return (base / CRAWL / INCOMING).is_dir()
