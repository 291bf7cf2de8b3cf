"""Find documents in files, folders and ZIPs."""

import os
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from variorum.errors import FileError, VariorumError
from variorum.files import LARGEST_EDITION, read_file, size_of_file, too_large
from variorum.model import Sha256, sha256_of

# What a damaged or strange ZIP raises; our own errors are among them.
_ZIP_ERRORS = (EOFError, OSError, RuntimeError, ValueError, zipfile.BadZipFile, zlib.error)
_WORD_PART = "word/document.xml"


@dataclass(frozen=True)
class Document:
    """Bytes that may be taken in, or the error of what cannot be opened.

    The address is where it was found, a member of a ZIP after "!". `is_named` means that the user named
    this very file; else it was found in a folder or a ZIP. The headers are those of a server, sorted.
    """

    name: str
    address: str
    data: bytes
    is_named: bool
    headers: tuple[tuple[str, str], ...] = ()
    error: VariorumError | None = None

    @cached_property
    def sha256(self) -> Sha256:
        return sha256_of(self.data)

    @property
    def origin(self) -> str:
        """Return its address, or its name where that is unknown, as messages show it."""
        return self.address or self.name


def find_files(paths: Sequence[Path], without: Path | None = None) -> list[Path]:
    """Return the files that paths name, and all files below the folders that they name, sorted.

    Hidden files are left out, and the folder `without`. A folder that cannot be searched is in the list
    itself, so that opening it gives the error.
    """
    files, ours = list[Path](), without and without.resolve()
    for path in paths:
        closed = list[OSError]()
        below = [] if path.is_dir() else [path]
        for above, folders, names in os.walk(path, onerror=closed.append):
            is_ours = ours is not None and Path(above).resolve() == ours
            folders[:] = [name for name in folders if name[0] != "." and not is_ours]
            within = [Path(above, name) for name in names if name[0] != "." and not is_ours]
            below += filter(Path.is_file, within)
        files += sorted([*below, *(Path(it.filename) for it in closed if path.is_dir())])
    return files


def find(paths: Sequence[Path], without: Path | None = None) -> Iterator[Document]:
    """Yield the documents that files, folders and ZIPs hold, and what cannot be opened."""
    for path in find_files(paths, without):
        is_named = path in paths
        try:
            if path.suffix.lower() == ".zip" and size_of_file(path):
                with zipfile.ZipFile(path) as archive:
                    if _WORD_PART not in archive.namelist():  # else it is a document of Word
                        yield from _members(path, archive)
                        continue
            yield Document(path.name, str(path), load(path), is_named)
        except _ZIP_ERRORS as error:
            yield Document(path.name, str(path), b"", is_named, error=_unreadable(path, error))


def load(path: Path) -> bytes:
    """Return the bytes of a file; FileError if it is far larger than any edition."""
    return read_file(path, LARGEST_EDITION)


def _members(path: Path, archive: zipfile.ZipFile) -> Iterator[Document]:
    """Yield the members of a ZIP by their names, without hidden ones."""
    for member in sorted(archive.infolist(), key=lambda info: info.filename):
        parts, address = PurePosixPath(member.filename).parts, f"{path}!{member.filename}"
        if member.is_dir() or any(part[0] == "." or part == "__MACOSX" for part in parts):
            continue
        data, problem = b"", None
        try:
            # Members packed otherwise are unpacked without a limit of memory.
            if member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
                raise FileError(f"{address}: packed in a way that is not supported")
            with archive.open(member) as file:
                data = file.read(LARGEST_EDITION + 1)
            if len(data) > LARGEST_EDITION:
                raise too_large(address, LARGEST_EDITION)
        except _ZIP_ERRORS as error:
            data, problem = b"", _unreadable(address, error)
        yield Document(parts[-1], address, data, is_named=False, error=problem)


def _unreadable(address: object, error: Exception) -> FileError:
    if isinstance(error, FileError):
        return error
    return FileError(f"{address}: not a readable ZIP: {error}")
