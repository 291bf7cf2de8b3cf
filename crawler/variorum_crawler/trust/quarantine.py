"""Documents that are not trusted: `quarantine/` in the folder of a base, with the reasons.

The original bytes are named by SHA-256; `quarantine.json` says for each document why it is there,
from where and since when. No document is built in from here by itself. If a person trusts a
document and gives it to `cr build`, the next sync removes it here.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from variorum_crawler.received import Received, load_received
from variorum_kb.errors import ArchiveError
from variorum_kb.model import Sha256
from variorum_kb.system.atomic_files import sync_folder, writable, write_file
from variorum_kb.system.json_files import load_json, save_json

QUARANTINE = "quarantine"
LIST = "quarantine.json"


@dataclass(frozen=True, slots=True)
class QuarantineEntry:
    """A document in quarantine.

    Attributes:
        reason: Why it is not trusted, in our words.
        judged_by: The version of the judge; another version judges it again.
        since: When it was quarantined, as an ISO date with time and zone.
        received: The addresses that served it, oldest first.
    """

    sha256: Sha256
    reason: str
    judged_by: str
    since: str
    received: tuple[Received, ...]


class Quarantine:
    """The documents of one base that are not trusted."""

    def __init__(self, base: Path, judged_by: str = "", now: str = "") -> None:
        """Open the quarantine of a base, which need not exist yet.

        Args:
            base: The folder of the base.
            judged_by: The judge of documents that are added from now on.
            now: The time of documents that are added from now on.

        Raises:
            ArchiveError: The list cannot be opened or understood.
        """
        self._judged_by, self._now = judged_by, now
        self.folder = base / QUARANTINE
        self.path = self.folder / LIST
        value = load_json(self.path)
        try:
            entries = [_from_json(document) for document in value.get("documents", [])]
        except (KeyError, TypeError, AttributeError) as error:
            raise ArchiveError(
                self.path,
                f"not a list of documents: {error!r}; remove it, and cr sync begins another",
            ) from None
        self._entries = {entry.sha256: entry for entry in entries}

    def __iter__(self) -> Iterator[QuarantineEntry]:
        return iter([self._entries[sha256] for sha256 in sorted(self._entries)])

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, sha256: object) -> bool:
        return sha256 in self._entries

    def get(self, sha256: str) -> QuarantineEntry | None:
        """Return the entry of a document; None if it is not here."""
        return self._entries.get(Sha256(sha256))

    def load(self, sha256: str) -> bytes | None:
        """Return a document's bytes; None if they are missing or damaged."""
        return load_received(self.folder, sha256)

    def put(self, received: Received, reason: str, data: bytes) -> tuple[QuarantineEntry, bool]:
        """Put a document in quarantine; return its entry, and whether it is new.

        A known document keeps its date; a new address is added to it.

        Raises:
            NotWritableError: The quarantine cannot be written; the disk may be full.
        """
        before = self._entries.get(received.sha256)
        entry = QuarantineEntry(received.sha256, reason, self._judged_by, self._now, (received,))
        if before is not None:
            addresses = {received.address for received in before.received}
            every = (
                before.received if received.address in addresses else (*before.received, received)
            )
            is_same = before.judged_by == self._judged_by
            reason = before.reason if is_same else reason
            entry = replace(entry, reason=reason, since=before.since, received=every)
        if self.load(entry.sha256) is None:
            with writable(self.folder):
                self.folder.mkdir(parents=True, exist_ok=True)
            write_file(self.folder / entry.sha256, data)
            sync_folder(self.folder)
        self._entries[entry.sha256] = entry
        self._save()
        return entry, before is None

    def release(self, sha256: str) -> None:
        """Remove a document that is now trusted.

        Raises:
            NotWritableError: The folder cannot be written.
        """
        if self._entries.pop(Sha256(sha256), None) is not None:
            self._save()
            path = self.folder / sha256
            with writable(path):
                path.unlink(missing_ok=True)

    def _save(self) -> None:
        save_json(self.path, {"documents": [_json(entry) for entry in self]})


def _json(entry: QuarantineEntry) -> dict[str, Any]:
    return {
        "sha256": entry.sha256,
        "reason": entry.reason,
        "judged_by": entry.judged_by,
        "since": entry.since,
        "sources": [
            {"name": received.name, "address": received.address, "headers": dict(received.headers)}
            for received in entry.received
        ],
    }


def _from_json(value: dict[str, Any]) -> QuarantineEntry:
    sha256 = Sha256(str(value["sha256"]))
    received = [
        Received(
            str(source["name"]), str(source["address"]), sha256, tuple(source["headers"].items())
        )
        for source in value["sources"]
    ]
    reason, judged_by, since = (str(value[name]) for name in ("reason", "judged_by", "since"))
    return QuarantineEntry(sha256, reason, judged_by, since, tuple(received))
