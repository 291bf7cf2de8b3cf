"""Original documents by SHA-256, and a manifest of their provenance.

The file `documents/ab/abcd…` has the unchanged bytes of a document and is named by their hash. The
manifest (`documents/manifest.json`) has the sources of documents, and the decisions to trust them: a
person accepted one, or independent publishers agreed on it. Without it the archive still has its documents.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

import msgspec

from variorum.errors import ArchiveError
from variorum.files import writable, write_file
from variorum.model import Sha256, sha256_of
from variorum.records.answer import Answer
from variorum.records.upkeep import DocumentSource, KeptDocument, TrustDecision
from variorum.rows import BY_AGREEMENT, BY_PERSON

MANIFEST = "manifest.json"
_NAME = re.compile(r"[0-9a-f]{64}")

# No single publisher is believed.
ENOUGH_PUBLISHERS = 2
# A snapshot counts as published by the site it was taken from, not by the Wayback Machine.
_SNAPSHOTS = re.compile(r"(https?://web\.archive\.org/web/[^/]+/)*")
# A domain that its owner registered: example.co.uk, but also example.com; never an address of numbers.
_DOMAIN = re.compile(r"(?:.*?\.)??([^.]+\.(?:(?:ac|co|com|edu|gov|net|org)\.[a-z]{2}|[a-z][^.]*))")
# Our own header with the address to which a request was redirected.
REDIRECTED = "redirected-to"


class _Manifest(Answer):
    documents: list[KeptDocument]
    decisions: list[TrustDecision] = []  # noqa: RUF012 - msgspec copies it


class Archive:
    """The documents of one knowledge base, by their hashes."""

    def __init__(self, folder: Path) -> None:
        """Open the archive in a folder, which need not exist yet.

        Raises:
            ArchiveError: The manifest cannot be opened or understood.
        """
        self.folder, self._manifest, manifest = folder, folder / MANIFEST, _Manifest([])
        try:
            manifest = msgspec.convert(json.loads(self._manifest.read_bytes()), _Manifest)
        except FileNotFoundError:
            pass
        except OSError as error:
            reason = f"cannot be opened: {error.strerror or error}"
            raise ArchiveError(self._manifest, reason) from None
        except (ValueError, RecursionError, msgspec.ValidationError) as error:
            raise ArchiveError(self._manifest, f"not a manifest of documents: {error}") from None
        names = [file.name for file in folder.glob("??/*") if file == self.path(file.name)]
        self._sources = {name: list[DocumentSource]() for name in names if _NAME.fullmatch(name)}
        self._sources |= {entry.sha256: entry.sources for entry in manifest.documents}
        self._decisions = {(each.sha256, each.by): each for each in manifest.decisions}

    def __iter__(self) -> Iterator[Sha256]:
        """Yield the hashes of all documents, sorted."""
        return map(Sha256, sorted(self._sources))

    def __len__(self) -> int:
        return len(self._sources)

    def __contains__(self, sha256: object) -> bool:
        return sha256 in self._sources

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

    def sources(self, sha256: str) -> tuple[DocumentSource, ...]:
        """Return where a document came from, first seen first."""
        return tuple(self._sources.get(sha256, ()))

    def names(self) -> dict[str, str]:
        """Return the name of the file that each document first came from, by its hash."""
        return {sha256: sources[0].name for sha256, sources in self._sources.items() if sources}

    def problems(self) -> Iterator[tuple[Path, str, str]]:
        """Yield what is wrong with its files, and what to do about it."""
        for sha256 in self:
            try:
                self.load(sha256)
            except ArchiveError as error:
                remedy = "cr build FILE puts it back, given a file with this document"
                yield error.path, error.reason, remedy
        if self._sources and not self._manifest.exists():
            lost = "missing; nothing else records where documents came from"
            yield self._manifest, lost, "cr build brings it up to date"

    # Decisions -----------------------------------------------------------------------------------

    def decisions(self) -> list[TrustDecision]:
        """Return the decisions about documents, by hash."""
        return [self._decisions[key] for key in sorted(self._decisions)]

    def attestation(self, sha256: str) -> str:
        """Return who decided that a document is genuine; "" if none did."""
        return next((by for by in (BY_AGREEMENT, BY_PERSON) if (sha256, by) in self._decisions), "")

    def decide(self, decision: TrustDecision | None) -> None:
        """Accept a document; `save_manifest` writes the decision."""
        if decision:
            self._decisions.setdefault((decision.sha256, decision.by), decision)

    def revoke(self, sha256: str, by: str) -> bool:
        """Revoke a decision; return whether there was one."""
        return self._decisions.pop((sha256, by), None) is not None

    def note_agreements(self, now: str) -> None:
        """Accept the documents that independent publishers served."""
        for sha256, sources in self._sources.items():
            self.decide(agreement_on(sha256, sources, now))

    # Writing -------------------------------------------------------------------------------------

    def save(self, data: bytes, source: DocumentSource, sha256: Sha256) -> None:
        """Keep a document, or restore its bytes; `save_manifest` writes where it came from.

        Raises:
            NotWritableError: It cannot be written; the disk may be full.
        """
        _write(self.path(sha256), data)
        sources = self._sources.setdefault(sha256, [])
        if (source.name, source.address) not in {(known.name, known.address) for known in sources}:
            sources.append(source)

    def save_manifest(self) -> None:
        """Write the manifest, of an archive that has or had anything.

        Raises:
            NotWritableError: It cannot be written; the disk may be full.
        """
        entries = [KeptDocument(sha256, self._sources[sha256]) for sha256 in self]
        if entries or self._decisions or self.folder.exists():
            manifest = _Manifest(entries, self.decisions()).as_json()
            _write(self._manifest, json.dumps(manifest, indent=1).encode())


def _write(path: Path, data: bytes) -> None:
    """Write a file unless it holds these bytes."""
    with suppress(OSError):
        if path.read_bytes() == data:
            return
    with writable(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, data)


# Publishers --------------------------------------------------------------------------------------


class Addressed(Protocol):
    """Where a document came from: its web address or the path of a file, and what the server said of it."""

    @property
    def address(self) -> str: ...
    @property
    def headers(self) -> Mapping[str, str] | tuple[tuple[str, str], ...] | None: ...


def agreement_on(sha256: str, sources: Iterable[Addressed], now: str) -> TrustDecision | None:
    """Return the decision that independent publishers made, if enough of them served a document."""
    publishers = publishers_of(sources)
    is_enough = len(publishers) >= ENOUGH_PUBLISHERS
    return TrustDecision(sha256, BY_AGREEMENT, now, [*publishers]) if is_enough else None


def publishers_of(sources: Iterable[Addressed]) -> tuple[str, ...]:
    """Return the independent publishers among the sources of a document, sorted."""
    addresses = [dict(source.headers or ()).get(REDIRECTED, source.address) for source in sources]
    return tuple(sorted({publisher_of(address) for address in addresses} - {""}))


def publisher_of(address: str) -> str:
    """Return the publisher of an address; "" for files, which have none.

    The hosts of one domain are one publisher, and a snapshot of the Wayback Machine is its site's.

    >>> publisher_of("https://media.example.com/rules.txt")
    'example.com'
    >>> publisher_of("https://web.archive.org/web/2026id_/http://www.example.com/rules.txt")
    'example.com'
    >>> publisher_of("http://a.example.co.uk/"), publisher_of("http://[::1]:80/"), publisher_of("/me/rules.txt")
    ('example.co.uk', '::1:80', '')
    """
    try:
        parts = urlsplit(_SNAPSHOTS.sub("", address, count=1))
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return ""
    if parts.scheme not in {"http", "https"}:
        return ""
    if domain := _DOMAIN.fullmatch(host):
        return domain[1]
    return f"{host}:{port}" if port else host
