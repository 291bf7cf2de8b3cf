"""Original documents by SHA-256, and a manifest of their provenance.

The file `documents/ab/abcd…` has the unchanged bytes of a document and is named by their hash. The
manifest (`documents/manifest.json`) has the sources of each document, and the decisions about documents.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from variorum.documents.decisions import agreement_on
from variorum.errors import ArchiveError
from variorum.files import json_bytes, sync_folder, writable, write_file
from variorum.model import Sha256, sha256_of
from variorum.records.answer import Answer
from variorum.records.upkeep import DocumentSource, KeptDocument, TrustDecision
from variorum.stored_rows import DECIDED

MANIFEST = "manifest.json"
# The end of the name of a file that is being written.
_HALF = ".new"


class _Manifest(Answer):
    documents: list[KeptDocument]
    decisions: list[TrustDecision] = []  # noqa: RUF012 - msgspec copies it


class Archive:
    """The documents of one knowledge base."""

    def __init__(self, folder: Path) -> None:
        """Open the archive in a folder, which need not exist yet.

        If the manifest is lost, the archive still has its documents, but without their sources.

        Raises:
            ArchiveError: The manifest cannot be opened or understood.
        """
        self.folder = folder
        self._sources: dict[str, list[DocumentSource]] = {}
        self._decisions: dict[tuple[str, str], TrustDecision] = {}
        self._not_synced: set[Path] = set()
        path = folder / MANIFEST
        try:
            manifest = msgspec.convert(json.loads(path.read_bytes()), _Manifest)
        except FileNotFoundError:
            manifest = _Manifest([])
            self._sources = {file.name: [] for file in self.files() if file == self.path(file.name)}
        except OSError as error:
            raise ArchiveError(path, f"cannot be opened: {error.strerror or error}") from None
        except (ValueError, RecursionError, msgspec.ValidationError) as error:
            raise ArchiveError(path, f"not a manifest of documents: {error}") from None
        self._sources |= {entry.sha256: entry.sources for entry in manifest.documents}
        for decision in manifest.decisions:
            self.decide(decision)

    def __iter__(self) -> Iterator[Sha256]:
        """Yield the hashes of all documents, sorted."""
        return map(Sha256, sorted(self._sources))

    def __len__(self) -> int:
        return len(self._sources)

    def __contains__(self, sha256: object) -> bool:
        return sha256 in self._sources

    def files(self) -> list[Path]:
        """Return all files in the archive's folder, sorted, without hidden ones."""
        above = os.walk(self.folder)
        files = (Path(folder, name) for folder, _, names in above for name in names)
        return sorted([file for file in files if not file.name.startswith(".")])

    def sources(self, sha256: str) -> tuple[DocumentSource, ...]:
        """Return where a document came from, first seen first."""
        return tuple(self._sources.get(sha256, ()))

    def decisions(self) -> list[TrustDecision]:
        """Return the decisions about documents, by hash."""
        return [self._decisions[key] for key in sorted(self._decisions)]

    def attestation(self, sha256: str) -> str:
        """Return who decided that a document is genuine, one of `rows.DECIDED`; "" if none did."""
        return next((by for by in DECIDED if (sha256, by) in self._decisions), "")

    def decide(self, decision: TrustDecision) -> None:
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

    def find_damage(self) -> Iterator[ArchiveError]:
        """Yield what is wrong with its files: damaged documents, a lost manifest, unknown files."""
        for sha256 in self:
            try:
                self.load(sha256)
            except ArchiveError as error:
                yield error
        if self._sources and not (self.folder / MANIFEST).exists():
            lost = "missing; nothing else records where documents came from"
            yield ArchiveError(self.folder / MANIFEST, lost)
        for path in self.unknown_files():
            yield ArchiveError(path, "not in the manifest")

    def unknown_files(self) -> list[Path]:
        """Return the files that are no documents of the archive."""
        known = {self.path(sha256) for sha256 in self} | {self.folder / MANIFEST}
        return [path for path in self.files() if path not in known]

    def is_left_by_a_run(self, path: Path) -> bool:
        """Return whether a killed run left a file: a whole document in its place, or one half-written."""
        if path.name.endswith(_HALF):
            whole = path.with_name(path.name.removesuffix(_HALF))
            return whole in {self.path(whole.name), self.folder / MANIFEST}
        try:
            return path == self.path(path.name) and sha256_of(path.read_bytes()) == path.name
        except OSError:
            return False

    def tidy(self) -> None:
        """Add the documents that a killed run left; remove its half-written files.

        Raises:
            NotWritableError: A file cannot be removed.
        """
        for path in filter(self.is_left_by_a_run, self.unknown_files()):
            if path.name.endswith(_HALF):
                with writable(path):
                    path.unlink()
            else:
                self._sources[path.name] = []

    def save(self, data: bytes, source: DocumentSource, known: Sha256 | None = None) -> Sha256:
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
            write_file(path, data)
            self._not_synced |= {path.parent, self.folder}
        sources = self._sources.setdefault(sha256, [])
        if (source.name, source.address) not in {(known.name, known.address) for known in sources}:
            sources.append(source)
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
        entries = [KeptDocument(sha256, self._sources[sha256]) for sha256 in self]
        data = json_bytes(_Manifest(entries, self.decisions()).as_json())
        path = self.folder / MANIFEST
        if not _holds(path, data) and (self._sources or self._decisions or path.exists()):
            with writable(path):
                self.folder.mkdir(parents=True, exist_ok=True)
            write_file(path, data)
            sync_folder(self.folder)


def _holds(path: Path, data: bytes) -> bool:
    """Return whether a file is there and holds these bytes."""
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False
