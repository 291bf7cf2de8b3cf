"""Original documents by SHA-256, and a manifest of their provenance.

The file `documents/ab/abcd…` has the unchanged bytes of a document and is named by their hash. The
manifest (`documents/manifest.json`) has the sources of documents, and the decisions to trust them: a
person accepted one, or independent publishers agreed on it. Without it the archive still has its documents.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

import msgspec

from variorum.documents.find import Document
from variorum.errors import ArchiveError
from variorum.files import writable, write_file
from variorum.model import sha256_of
from variorum.records.answer import Answer
from variorum.records.upkeep import DocumentSource, KeptDocument, TrustDecision
from variorum.rows import BY_AGREEMENT, BY_PERSON

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
    """The documents of one knowledge base.

    `sources` are those of each document by its hash, first seen first; `decisions` go by the hash and by who
    made them. `save_manifest` writes both.
    """

    def __init__(self, folder: Path) -> None:
        """Open the archive in a folder, which need not exist yet; a damaged manifest raises ArchiveError."""
        self.folder, self._manifest, manifest = folder, folder / "manifest.json", _Manifest([])
        try:
            manifest = msgspec.convert(json.loads(self._manifest.read_bytes()), _Manifest)
        except FileNotFoundError:
            pass
        except (OSError, ValueError, RecursionError, msgspec.ValidationError) as error:
            reason = getattr(error, "strerror", None) or error
            raise ArchiveError(self._manifest, f"not a manifest of documents: {reason}") from None
        kept = sorted(file.name for file in folder.glob("??/*") if file == self.path(file.name))
        self.sources = {name: list[DocumentSource]() for name in kept if _NAME.fullmatch(name)}
        self.sources |= {entry.sha256: entry.sources for entry in manifest.documents}
        self.decisions = {(each.sha256, each.by): each for each in manifest.decisions}

    def path(self, sha256: str) -> Path:
        """Return the path of a document's bytes."""
        return self.folder / sha256[:2] / sha256

    def document(self, sha256: str) -> Document:
        """Return a document; if its bytes are missing or no longer what they were, with the error."""
        path, data, damage = self.path(sha256), b"", ""
        try:
            data = path.read_bytes()
        except OSError as error:
            damage = f"cannot be opened: {error.strerror or error}"
        if not damage and sha256_of(data) != sha256:
            data, damage = b"", "the bytes have changed: they no longer match their name"
        problem = ArchiveError(path, damage) if damage else None
        return Document(self.name(sha256), str(path), data, is_named=True, error=problem)

    def name(self, sha256: str) -> str:
        """Return the name of the file that a document first came from, else its hash."""
        return self.names().get(sha256, sha256)

    def names(self) -> dict[str, str]:
        """Return the name of the file that each document first came from, by its hash."""
        return {sha256: sources[0].name for sha256, sources in self.sources.items() if sources}

    def problems(self) -> Iterator[tuple[Path, str, str]]:
        """Yield what is wrong with its files, and what to do about it."""
        again = "cr build FILE puts it back, given a file with this document"
        errors = [self.document(sha256).error for sha256 in sorted(self.sources)]
        yield from [(it.path, it.reason, again) for it in errors if isinstance(it, ArchiveError)]
        if self.sources and not self._manifest.exists():
            lost = "missing; nothing else records where documents came from"
            yield self._manifest, lost, "cr build brings it up to date"

    def attestation(self, sha256: str) -> str:
        """Return who decided that a document is genuine; "" if none did."""
        return next((by for by in (BY_AGREEMENT, BY_PERSON) if (sha256, by) in self.decisions), "")

    def decide(self, decision: TrustDecision | None) -> None:
        """Accept a document, unless it has been accepted so before."""
        if decision:
            self.decisions.setdefault((decision.sha256, decision.by), decision)

    def keep(self, document: Document, now: str) -> None:
        """Keep a document, or restore its bytes."""
        path, address = self.path(document.sha256), document.address
        if address == str(path):
            return
        if address and "://" not in address:  # a relative path would mean nothing later
            address = os.path.abspath(address)  # noqa: PTH100
        _write(path, document.data)
        sources = self.sources.setdefault(document.sha256, [])
        if (document.name, address) not in {(known.name, known.address) for known in sources}:
            headers = dict(document.headers) or None
            sources.append(DocumentSource(document.name, address, now, headers))

    def save_manifest(self) -> None:
        """Write the manifest, of an archive that has or had anything."""
        if self.sources or self.decisions or self.folder.exists():
            entries = [KeptDocument(*entry) for entry in sorted(self.sources.items())]
            decisions = [self.decisions[key] for key in sorted(self.decisions)]
            manifest = _Manifest(entries, decisions).as_json()
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
    def headers(self) -> Mapping[str, str] | None: ...


def agreement_on(sha256: str, sources: Iterable[Addressed], now: str) -> TrustDecision | None:
    """Return the decision that independent publishers made, if enough of them served a document."""
    publishers = publishers_of(sources)
    is_enough = len(publishers) >= ENOUGH_PUBLISHERS
    return TrustDecision(sha256, BY_AGREEMENT, now, publishers) if is_enough else None


def publishers_of(sources: Iterable[Addressed]) -> list[str]:
    """Return the independent publishers among the sources of a document, sorted."""
    addresses = [(source.headers or {}).get(REDIRECTED, source.address) for source in sources]
    return sorted({publisher_of(address) for address in addresses} - {""})


def publisher_of(address: str) -> str:
    """Return the publisher of an address; "" for files, which have none.

    The hosts of one domain are one publisher, and a snapshot of the Wayback Machine is its site's.

    >>> publisher_of("https://web.archive.org/web/2026id_/http://www.example.com/rules.txt")
    'example.com'
    >>> publisher_of("http://a.example.co.uk/"), publisher_of("http://[::1]:80/"), publisher_of("/me/rules.txt")
    ('example.co.uk', '::1:80', '')
    """
    with suppress(ValueError):
        parts = urlsplit(_SNAPSHOTS.sub("", address, count=1))
        host, port = (parts.hostname or "").rstrip("."), parts.port
        if parts.scheme in {"http", "https"}:
            domain = _DOMAIN.fullmatch(host)
            return domain[1] if domain else f"{host}:{port}" if port else host
    return ""
