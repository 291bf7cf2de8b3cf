"""Export the archive as a ZIP that `cr build` takes: same archive, same bytes."""

import contextlib
import re
import stat
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from variorum.documents.archive import Archive
from variorum.system.atomic_files import (
    beside_of,
    put,
    removed_on_failure,
    sync_file,
    sync_folder,
    writable,
)
from variorum.system.json_files import json_bytes

# This file lists where each document was fetched. Its name is hidden, so `cr build` skips it.
PROVENANCE = ".manifest.json"

# The type and the permissions of a member, in the upper half of its attributes.
_FILE = (stat.S_IFREG | 0o644) << 16
_UNIX = 3
_ODD = re.compile(r"[^\w.,()+ -]+", re.ASCII)
# The longest name that every file system accepts, minus room for a hash.
_LONGEST = 150
_SHORT = 12


def name_members(archive: Archive) -> dict[str, str]:
    """Return a readable name for each document: its first file name.

    If a name is missing or taken, the beginning of the hash is added.
    """
    plain = {sha256: _plain(archive, sha256) for sha256 in archive}
    taken = Counter(name.casefold() for name in plain.values())
    names: dict[str, str] = {}
    for sha256, name in plain.items():
        if name and taken[name.casefold()] == 1:
            names[sha256] = name
        else:
            stem, dot, suffix = name.rpartition(".")
            stem, suffix = (stem, dot + suffix) if dot else (suffix, "")
            names[sha256] = f"{stem}-{sha256[:_SHORT]}{suffix}".removeprefix("-")
    return names


def _plain(archive: Archive, sha256: str) -> str:
    first = next((source.name for source in archive.sources(sha256)), "")
    name = _ODD.sub("_", first).strip(" .")
    stem, dot, suffix = name.rpartition(".")
    return f"{stem[:_LONGEST]}{dot}{suffix[:_SHORT]}" if dot else suffix[:_LONGEST]


def export(archive: Archive, path: Path) -> Iterator[str]:
    """Write all documents into one ZIP, or none; yield each name as it is written.

    A file that is there is replaced when the new one is complete.

    Raises:
        ArchiveError: A document is missing or damaged.
        NotWritableError: The ZIP cannot be written; the disk may be full.
    """
    names = name_members(archive)
    beside = beside_of(path)
    with removed_on_failure(beside), contextlib.ExitStack() as stack:
        with writable(path):
            packed = stack.enter_context(zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED))
            _write(packed, PROVENANCE, _provenance(archive, names))
        for sha256, name in sorted(names.items(), key=lambda hash_and_name: hash_and_name[1]):
            data = archive.load(sha256)
            with writable(path):
                _write(packed, name, data)
            yield name
        with writable(path):
            packed.close()
        sync_file(beside)
        put(beside, path)
    sync_folder(path.absolute().parent)


def _write(packed: zipfile.ZipFile, name: str, data: bytes) -> None:
    member = zipfile.ZipInfo(name)  # without a date, so that equal archives are equal files
    member.compress_type = zipfile.ZIP_DEFLATED
    member.external_attr = _FILE
    member.create_system = _UNIX
    packed.writestr(member, data)


def _provenance(archive: Archive, names: dict[str, str]) -> bytes:
    documents = [
        {
            "sha256": sha256,
            "member": names[sha256],
            "sources": [source.json().as_json() for source in archive.sources(sha256)],
        }
        for sha256 in archive
    ]
    return json_bytes({"documents": documents})
