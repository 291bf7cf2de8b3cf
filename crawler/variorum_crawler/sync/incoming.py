"""Documents that were fetched but are not built in yet: `crawl/incoming/` in a base's folder.

If a run is killed, the next run uses these documents instead of fetching them again. Their names
are their hashes, so that an incomplete file is noticed.
"""

import contextlib
import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from variorum_crawler.received import Received, load_received
from variorum_crawler.sync.crawl_state import CRAWL
from variorum_kb.errors import ArchiveError
from variorum_kb.model import Sha256
from variorum_kb.system.atomic_files import beside_of, removed_on_failure, writable
from variorum_kb.system.json_files import json_bytes, load_json

INCOMING = "incoming"
_HELD = "held-before"


class Incoming:
    """The fetched documents that are not built in yet."""

    def __init__(self, base: Path) -> None:
        """Open the folder of a base, which need not exist yet; ignore damaged documents."""
        self.folder = base / CRAWL / INCOMING
        self._received: dict[str, Received] = {}
        for path in sorted(self.folder.glob("*.json")):
            with contextlib.suppress(ArchiveError, KeyError, TypeError, AttributeError):
                received = _from_json(path)
                if self.load(received.sha256) is not None:
                    self._received[received.address] = received

    def __iter__(self) -> Iterator[Received]:
        return iter(tuple(self._received.values()))

    def received(self, address: str) -> Received | None:
        """Return what an address served in an interrupted run; None if it was not asked."""
        return self._received.get(address)

    def load(self, sha256: str) -> bytes | None:
        """Return a document's bytes; None if they are missing or incomplete."""
        return load_received(self.folder, sha256)

    def keep(self, received: Received, data: bytes) -> None:
        """Keep a document until it is built in.

        Raises:
            NotWritableError: It cannot be written; the disk may be full.
        """
        if self.load(received.sha256) is None:
            self._write(received.sha256, data)
        note = hashlib.sha256(os.fsencode(received.address)).hexdigest()
        self._write(f"{note}.json", _json(received))
        self._received[received.address] = received

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
        self._received.clear()
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


def _json(received: Received) -> bytes:
    value = {
        "name": received.name,
        "address": received.address,
        "sha256": received.sha256,
        "headers": dict(received.headers),
    }
    return json_bytes(value)


def _from_json(path: Path) -> Received:
    value = load_json(path)
    headers = tuple((str(name), str(header)) for name, header in value["headers"].items())
    return Received(
        str(value["name"]), str(value["address"]), Sha256(str(value["sha256"])), headers
    )
