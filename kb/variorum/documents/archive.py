"""Original documents by SHA-256, and a manifest of their provenance.

The file `documents/ab/abcd…` has the unchanged bytes of a document and is named by their hash. The
manifest (`documents/manifest.json`) records each source of a document: its name, address and date.
It also has the decisions about documents (`decisions.py`). Writing it keeps all other keys.
"""

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from variorum.documents.decisions import Decision, agreement_on
from variorum.errors import ArchiveError
from variorum.model import Sha256, sha256_of
from variorum.records.upkeep import DocumentSource
from variorum.stored_rows import DECIDED
from variorum.system.atomic_files import sync_folder, writable, write_file
from variorum.system.json_files import json_bytes

MANIFEST = "manifest.json"

# This file exists while the archive has documents that the manifest does not name yet.
_UNFINISHED = ".unfinished"
# The end of the name of a file that is being written.
_HALF = ".new"

_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, order=True)
class Provenance:
    """Where a document came from: its file name, address and date.

    Attributes:
        name: Its file's name.
        address: The web address, or that of the file it was taken from; "" if unknown.
        added: When it was taken in, as an ISO date with time and zone.
        headers: The headers that the server sent with it; names in small letters, sorted.
    """

    name: str
    address: str
    added: str
    headers: tuple[tuple[str, str], ...] = ()

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> "Provenance":
        """Return what `json` made."""
        headers = tuple(
            [(str(name), str(header)) for name, header in value.get("headers", {}).items()]
        )
        return cls(value["name"], value["address"], value["added"], headers)

    def json(self) -> "DocumentSource":
        """Return the form in the manifest."""
        return DocumentSource(self.name, self.address, self.added, dict(self.headers) or None)


class Archive:
    """The documents of one knowledge base."""

    def __init__(self, folder: Path) -> None:
        """Open the archive in a folder, which need not exist yet.

        If the manifest is lost, the archive still has its documents, but without their sources.

        Raises:
            ArchiveError: The manifest cannot be opened or understood.
        """
        self.folder = folder
        self._rest: dict[str, Any] = {}
        self._entries: dict[str, dict[str, Any]] = {}
        self._sources: dict[str, dict[tuple[str, str], Provenance]] = {}
        self._decisions: dict[tuple[str, str], Decision] = {}
        self._not_synced: set[Path] = set()
        path = folder / MANIFEST
        try:
            self._read(path.read_bytes())
        except FileNotFoundError:
            for file in self.files():
                if _SHA256.fullmatch(file.name) and file == self.path(file.name):
                    self._entries[file.name] = {"sha256": file.name, "sources": []}
                    self._sources[file.name] = {}
        except OSError as error:
            raise ArchiveError(path, f"cannot be opened: {error.strerror or error}") from None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ArchiveError(path, f"not a manifest of documents: {error!r}") from None

    def _read(self, data: bytes) -> None:
        self._rest = json.loads(data)
        for entry in self._rest["documents"]:
            sha256 = entry["sha256"]
            if not _SHA256.fullmatch(sha256):
                raise ValueError(f"not a SHA-256: {sha256}")
            sources = [Provenance.from_json(source) for source in entry["sources"]]
            self._entries[sha256] = entry
            self._sources[sha256] = {
                (provenance.name, provenance.address): provenance for provenance in sources
            }
        for decision in map(Decision.from_json, self._rest.get("decisions", ())):
            self._decisions[decision.sha256, decision.by] = decision

    def __iter__(self) -> Iterator[Sha256]:
        """Yield the hashes of all documents, sorted."""
        return map(Sha256, sorted(self._entries))

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, sha256: object) -> bool:
        return sha256 in self._entries

    def files(self) -> list[Path]:
        """Return all files in the archive's folder, sorted, without hidden ones."""
        return sorted(_files_in(self.folder)) if self.folder.is_dir() else []

    def sources(self, sha256: str) -> tuple[Provenance, ...]:
        """Return where a document came from, first seen first."""
        return tuple(self._sources.get(sha256, {}).values())

    def decisions(self) -> list[Decision]:
        """Return the decisions about documents, by hash."""
        return sorted(self._decisions.values())

    def attestation(self, sha256: str) -> str:
        """Return who decided that a document is genuine, one of `rows.DECIDED`; "" if none did."""
        by = (decider for decider in DECIDED if (sha256, decider) in self._decisions)
        return next(by, "")

    def decide(self, decision: Decision) -> None:
        """Accept a document; `save_manifest` writes the decision."""
        self._decisions.setdefault((decision.sha256, decision.by), decision)

    def revoke(self, sha256: str, by: str) -> bool:
        """Revoke a decision; return whether there was one."""
        return self._decisions.pop((sha256, by), None) is not None

    def note_agreement(self, sha256: str, now: str) -> None:
        """Accept a document that independent publishers served."""
        decision = agreement_on(sha256, self.sources(sha256), now)
        if decision is not None:
            self.decide(decision)

    def path(self, sha256: str) -> Path:
        """Return the path of a document's bytes."""
        return self.folder / sha256[:2] / sha256

    def load(self, sha256: str) -> bytes:
        """Return a document's bytes.

        Raises:
            ArchiveError: They are missing or no longer what they were.
        """
        path = self.path(sha256)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise ArchiveError(path, f"cannot be opened: {error.strerror or error}") from None
        if sha256_of(data) != sha256:
            raise ArchiveError(path, "the bytes have changed: they no longer match their name")
        return data

    def find_damage(self, *, is_cut_short: bool) -> Iterator[ArchiveError | None]:
        """Check all files; yield each problem, and None for each sound document.

        Documents come first, by hash, then unknown files.

        Args:
            is_cut_short: A run was killed here and the next one continues. Whole documents that the
                manifest does not name yet are no damage then.
        """
        for sha256 in self:
            try:
                self.load(sha256)
            except ArchiveError as error:
                yield error
            else:
                yield None
        is_lost = self._entries and not (self.folder / MANIFEST).exists()
        if is_lost and not is_cut_short:
            yield ArchiveError(
                self.folder / MANIFEST, "missing; nothing else records where documents came from"
            )
        expected = {self.path(sha256) for sha256 in self} | {self.folder / MANIFEST}
        for path in self.files():
            if path not in expected and not (is_cut_short and self._is_left_behind(path)):
                yield ArchiveError(path, "not in the manifest")

    def tidy(self) -> None:
        """Add the complete documents that a killed run left; remove its half-written files.

        Raises:
            NotWritableError: A file cannot be removed.
        """
        for path in [path for path in self.files() if self.is_left_by_a_run(path)]:
            if _is_half_written(path):
                with writable(path):
                    path.unlink()
            else:
                self._entries[path.name] = {"sha256": path.name, "sources": []}
                self._sources[path.name] = {}

    def is_left_by_a_run(self, path: Path) -> bool:
        """Say whether a file that the manifest does not name was left by a run that was killed."""
        if path.name in self._entries:
            return False
        is_cut_short = _is_half_written(path) or (self.folder / _UNFINISHED).exists()
        return is_cut_short and self._is_left_behind(path)

    def _is_left_behind(self, path: Path) -> bool:
        """Say whether a file is a whole document in its place, or the beginning of a file."""
        if _is_half_written(path):
            beside = path.with_name(path.name.removesuffix(_HALF))
            return beside in {self.path(beside.name), self.folder / MANIFEST}
        return path == self.path(path.name) and _holds_itself(path)

    def save(self, data: bytes, source: Provenance, known: Sha256 | None = None) -> Sha256:
        """Keep a document; `save_manifest` writes its provenance.

        A document that the archive has gets one more source, unless name and address are known.
        Lost or damaged bytes are restored.

        Args:
            data: Its bytes.
            source: Where they come from.
            known: Their hash, if it is known.

        Raises:
            NotWritableError: It cannot be written; the disk may be full.
        """
        sha256 = known or sha256_of(data)
        path = self.path(sha256)
        if not _holds(path, data):
            with writable(path):
                path.parent.mkdir(parents=True, exist_ok=True)
                (self.folder / _UNFINISHED).touch()
            write_file(path, data)
            self._not_synced |= {path.parent, self.folder}
        entry = self._entries.setdefault(sha256, {"sha256": sha256, "sources": []})
        sources = self._sources.setdefault(sha256, {})
        if (source.name, source.address) not in sources:
            sources[source.name, source.address] = source
            entry["sources"].append(source.json().as_json())
        return sha256

    def save_manifest(self) -> None:
        """Write the manifest, sorted by hash, unless the file has the same content.

        Raises:
            NotWritableError: It cannot be written; the disk may be full.
        """
        # A manifest must not name documents that a crash could still remove.
        for folder in sorted(self._not_synced):
            sync_folder(folder)
        self._not_synced.clear()
        self._rest["documents"] = [self._entries[sha256] for sha256 in self]
        if self._decisions or "decisions" in self._rest:
            self._rest["decisions"] = [decision.json().as_json() for decision in self.decisions()]
        data = json_bytes(self._rest)
        path = self.folder / MANIFEST
        if not _holds(path, data) and (self._entries or self._decisions or path.exists()):
            with writable(path):
                self.folder.mkdir(parents=True, exist_ok=True)
            write_file(path, data)
            sync_folder(self.folder)
        with writable(path):
            (self.folder / _UNFINISHED).unlink(missing_ok=True)


def _files_in(folder: str | Path) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _files_in(entry.path)
            elif not entry.name.startswith(".") and entry.is_file():
                yield Path(entry.path)


def _is_half_written(path: Path) -> bool:
    return path.name.endswith(_HALF)


def _holds_itself(path: Path) -> bool:
    """Say whether a file holds the bytes that it is named after."""
    try:
        return sha256_of(path.read_bytes()) == path.name
    except OSError:
        return False


def _holds(path: Path, data: bytes) -> bool:
    """Say whether a file is there and holds these bytes."""
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False
