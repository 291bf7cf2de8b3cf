"""Original documents: found in files, folders and ZIPs; kept by SHA-256, with a manifest of their provenance.

The file `documents/ab/abcd…` has the unchanged bytes of a document and is named by their hash. The
manifest (`documents/manifest.json`) has the sources of documents, and the decisions to trust them: a
person accepted one, or independent publishers agreed on it. Without it the archive still has its documents.
"""

import json
import os
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import msgspec

from variorum.errors import BaseError, FileError, VariorumError
from variorum.files import read_file, read_whole, regular, write_file
from variorum.model import sha256_of
from variorum.records.answer import Answer
from variorum.records.upkeep import DocumentSource, KeptDocument, TrustDecision
from variorum.rows import BY_AGREEMENT

# What a damaged or strange ZIP raises; our own errors are among them.
_ZIP_ERRORS = (EOFError, OSError, RuntimeError, ValueError, zipfile.BadZipFile, zlib.error)
# What is packed otherwise is unpacked without a limit of memory.
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_NAMES = "??/" + "[0-9a-f]" * 64
ENOUGH_PUBLISHERS = 2  # no single one is believed
# A snapshot counts as published by the site it was taken from, not by the Wayback Machine.
_SNAPSHOTS = re.compile(r"(https?://web\.archive\.org/web/[^/]+/)*")
# A domain that its owner registered: example.co.uk, but also example.com; never an address of numbers.
_DOMAIN = re.compile(r"(?:.*?\.)??([^.]+\.(?:(?:ac|co|com|edu|gov|net|org)\.[a-z]{2}|[a-z][^.]*))")
# Our own header with the address to which a request was redirected.
REDIRECTED = "redirected-to"


@dataclass(frozen=True)
class Document:
    """Bytes that may be taken in, or the error of what cannot be opened.

    The address is where it was found, a member of a ZIP after "!". `is_named` means that the user named
    this very file; else it was found in a folder or a ZIP. The headers are those of a server.
    """

    name: str
    address: str
    data: bytes
    is_named: bool
    headers: dict[str, str] | None = None
    error: VariorumError | None = None

    @cached_property
    def sha256(self) -> str:
        return sha256_of(self.data)


class _Manifest(Answer):
    documents: list[KeptDocument]
    decisions: list[TrustDecision] = []  # noqa: RUF012 - msgspec copies it


class Archive:
    """The documents of one knowledge base, in a folder that need not exist yet.

    `sources` are those of each document by its hash, first seen first, also of those that the base `held`;
    `decisions` go by the hash and by who made them. `save_manifest` writes both. A damaged manifest raises BaseError.
    """

    def __init__(self, folder: Path, held: Iterable[str] = ()) -> None:
        self.folder, self.held, self._manifest = folder, {*held}, folder / "manifest.json"
        try:
            manifest = msgspec.convert(json.loads(self._manifest.read_bytes()), _Manifest)
        except FileNotFoundError:
            manifest = _Manifest([])
        except (OSError, ValueError, RecursionError, msgspec.ValidationError) as error:
            reason = f"not a manifest of documents: {getattr(error, 'strerror', None) or error}"
            remedy = "remove it and run cr build, which writes it without sources"
            raise BaseError(self._manifest, reason, remedy) from None
        kept = [file.name for file in sorted(folder.glob(_NAMES)) if file == self.path(file.name)]
        self.sources = {name: list[DocumentSource]() for name in (*kept, *held)}
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
            if sha256_of(data) != sha256:
                data, damage = b"", "the bytes have changed: they no longer match their name"
        except OSError as reason:
            damage = f"cannot be opened: {reason.strerror or reason}"
        remedy = "cr build FILE puts it back, given a file with this document"
        error = BaseError(path, damage, remedy) if damage else None
        return Document(self.name(sha256), str(path), data, is_named=True, error=error)

    def name(self, sha256: str) -> str:
        """Return the name of the file that a document first came from, else its hash."""
        return next((source.name for source in self.sources.get(sha256, ())), sha256)

    def names(self) -> dict[str, str]:
        """Return the names of all documents, by their hashes."""
        return {sha256: self.name(sha256) for sha256 in self.sources}

    def problems(self) -> Iterator[BaseError]:
        """Yield what is wrong with its files, and what to do about it."""
        errors = [self.document(sha256).error for sha256 in sorted(self.sources)]
        yield from [error for error in errors if isinstance(error, BaseError)]
        if self.sources and not self._manifest.exists():
            lost = "missing; nothing else records where documents came from"
            yield BaseError(self._manifest, lost, "cr build brings it up to date")

    def decide(self, *decisions: TrustDecision | None) -> None:
        """Accept documents, unless they have been accepted so before."""
        for decision in filter(None, decisions):
            self.decisions.setdefault((decision.sha256, decision.by), decision)

    def keep(self, document: Document, now: str) -> None:
        """Keep a document, or restore its bytes."""
        path, address = self.path(document.sha256), document.address
        if address == str(path):
            return
        if "://" not in address:  # a relative path would mean nothing later
            address = os.path.abspath(address)  # noqa: PTH100
        write_file(path, document.data)
        sources = self.sources.setdefault(document.sha256, [])
        if (document.name, address) not in {(known.name, known.address) for known in sources}:
            sources.append(DocumentSource(document.name, address, now, document.headers or None))

    def save_manifest(self) -> None:
        """Write the manifest, of an archive that has or had anything."""
        if self.sources or self.decisions or self.folder.exists():
            entries = [KeptDocument(*entry) for entry in sorted(self.sources.items())]
            manifest = _Manifest(entries, [self.decisions[key] for key in sorted(self.decisions)])
            write_file(self._manifest, json.dumps(manifest.as_json(), indent=1).encode())


# Finding documents --------------------------------------------------------------------------------


def find_files(paths: Sequence[Path], without: Path | None = None) -> list[Path]:
    """Return the files that paths name, and all files below the folders that they name, sorted.

    Hidden files are left out, and the folder `without`. A folder that cannot be searched is in the list
    itself, so that opening it gives the error.
    """
    files, left_out = list[Path](), without and without.resolve()
    for path in paths:
        below, closed = list[Path](), list[OSError]()
        for above, folders, names in os.walk(path, onerror=closed.append):
            if Path(above).resolve() == left_out:
                folders.clear()
                continue
            folders[:] = [name for name in folders if name[0] != "."]
            below += [Path(above, name) for name in names if name[0] != "."]
        below = [*filter(Path.is_file, below), *(Path(it.filename) for it in closed)]
        files += sorted(below) if path.is_dir() else [path]
    return files


def find(paths: Sequence[Path], without: Path | None = None) -> Iterator[Document]:
    """Yield the documents that files, folders and ZIPs hold, and what cannot be opened."""
    for path in find_files(paths, without):
        place, is_zip = (path.name, str(path)), path.suffix.lower() == ".zip"
        try:
            if is_zip:
                yield from _members(path)
            else:
                yield Document(*place, read_file(path), path in paths)
        except _ZIP_ERRORS as error:
            yield Document(*place, b"", path in paths, error=_unreadable(path, error))


def _members(path: Path) -> Iterator[Document]:
    with zipfile.ZipFile(regular(path)) as packed:
        for member in sorted(packed.infolist(), key=lambda info: info.filename):
            parts = PurePosixPath(member.filename.replace("\n", " ")).parts
            if member.is_dir() or any(part[0] == "." or part == "__MACOSX" for part in parts):
                continue
            data, problem, address = b"", None, f"{path}!{'/'.join(parts)}"
            try:
                if member.compress_type not in _PACKED:
                    raise FileError(f"{address}: packed in a way that is not supported")
                with packed.open(member) as file:
                    data = read_whole(file, address)
            except _ZIP_ERRORS as error:
                problem = _unreadable(address, error)
            yield Document(parts[-1], address, data, is_named=False, error=problem)


def _unreadable(address: object, error: Exception) -> FileError:
    if isinstance(error, FileError):
        return error
    return FileError(f"{address}: not a readable ZIP: {error}")


# Publishers --------------------------------------------------------------------------------------


def agreement_on(sha256: str, sources: Iterable[Any], now: str) -> TrustDecision | None:
    """Return the decision that independent publishers made, if enough of them served a document."""
    publishers = publishers_of(sources)
    is_enough = len(publishers) >= ENOUGH_PUBLISHERS
    return TrustDecision(sha256, BY_AGREEMENT, now, publishers) if is_enough else None


def publishers_of(sources: Iterable[Any]) -> list[str]:
    """Return the independent publishers among the sources of a document, each with address and headers."""
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
