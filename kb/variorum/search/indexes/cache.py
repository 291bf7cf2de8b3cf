"""The cache of indexes: a folder for each base, with parts that are complete or absent.

It is in the user's folder of caches, never in a base, and is opened only if no other user may write
in it. Each folder in it has a manifest with its dependencies and with sizes and checksums of its
files.
"""

import contextlib
import json
import os
import re
import stat
import zlib
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TypedDict

from variorum.errors import BaseBusyError, NotWritableError
from variorum.files import locked, writable
from variorum.paths import FILE, cache_folder

_MANIFEST, _OF, _NEW = "manifest.json", "base", "new"
# If there are more bases than this, the oldest indexes are removed.
_MOST_BASES = 24
_NAME = re.compile("[0-9a-f]{16}")
# The folder that former versions of this program wrote beside a base.
_FORMER, _FORMER_NAME = "index", re.compile(r"(on|ever)-[0-9a-f]{8}|new|lock")


class Manifest(TypedDict):
    """The dependencies and files of a folder in the cache.

    Attributes:
        rests_on: Everything on which it depends, in words.
        parts: The names of the folders that it needs.
        files: The size and CRC-32 of each file except the manifest.
    """

    rests_on: str
    parts: list[str]
    files: dict[str, list[int]]


def cache_of(base: Path) -> Path:
    """Return the folder of a base's indexes."""
    name = blake2b(os.fsencode(base.resolve()), digest_size=8).hexdigest()
    return cache_folder().absolute() / "search" / name


def open_cache(base: Path) -> Path:
    """Return the folder of a base's indexes, created if needed.

    Raises:
        NotWritableError: The folder cannot be made, or other users may write in it.
    """
    folder = cache_of(base)
    with writable(folder):
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        if not is_ours(folder):
            raise NotWritableError(f"{folder.parent}: other users may write there")
        (folder / _OF).write_bytes(os.fsencode(base.resolve()))
    return folder


def is_ours(folder: Path) -> bool:
    """Return whether a base's folder is this user's, and no other user may write in it."""
    return _is_private(folder.parent) and _is_private(folder)


def _is_private(folder: Path) -> bool:
    try:
        status = folder.lstat()
    except OSError:
        return False
    if not hasattr(os, "geteuid"):
        return stat.S_ISDIR(status.st_mode)
    is_own = status.st_uid == os.geteuid() and stat.S_ISDIR(status.st_mode)
    return is_own and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def remove(folder: Path) -> None:
    """Remove a folder as far as possible."""
    import shutil  # noqa: PLC0415 - it imports compression, which searches do not need

    shutil.rmtree(folder, ignore_errors=True)


def begin(folder: Path) -> Path:
    """Return a new temporary folder, to be filled before `put_in_place`."""
    new = folder / _NEW
    remove(new)
    new.mkdir(mode=0o700)
    return new


def put_in_place(new: Path, name: str, rests_on: str, parts: Sequence[str] = ()) -> None:
    """Write the manifest of a finished folder, and give the folder its name."""
    files = {file.name: _measure(file) for file in sorted(new.iterdir())}
    manifest: Manifest = {"rests_on": rests_on, "parts": list(parts), "files": files}
    (new / _MANIFEST).write_bytes(sealed(json.dumps(manifest)))
    remove(new.parent / name)
    new.rename(new.parent / name)


def open_manifest(folder: Path, *, with_parts: bool = True) -> Manifest | None:
    """Return the manifest of a folder; None if the folder is damaged or unfinished.

    Args:
        folder: The folder.
        with_parts: Whether its parts must also be whole.
    """
    try:
        manifest: Manifest = json.loads(unsealed((folder / _MANIFEST).read_bytes()))
        is_whole = all(
            _measure(folder / name) == measure for name, measure in manifest["files"].items()
        ) and (
            not with_parts or all(open_manifest(folder.parent / name) for name in manifest["parts"])
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
    return manifest if is_whole else None


def sealed(text: str) -> bytes:
    """Return a text with its checksum."""
    data = text.encode()
    return b"%08x\n%b" % (zlib.crc32(data), data)


def unsealed(data: bytes) -> bytes:
    """Return the text in what `sealed` returned.

    Raises:
        ValueError: The text was changed.
    """
    checksum, _, text = data.partition(b"\n")
    if int(checksum, 16) != zlib.crc32(text):
        raise ValueError("changed since it was written")
    return text


def _measure(file: Path) -> list[int]:
    data = file.read_bytes()
    return [len(data), zlib.crc32(data)]


def tidy(folder: Path, names: Sequence[str]) -> None:
    """Remove everything from a base's cache except some folders and their parts.

    Open files stay on platforms that cannot remove them.
    """
    kept = set(names)
    for name in names:
        manifest = open_manifest(folder / name, with_parts=False)
        kept.update(manifest["parts"] if manifest else ())
    for path in folder.iterdir():
        if path.is_dir() and path.name not in kept:
            remove(path)


def prune(caches: Path) -> None:
    """Remove the caches of bases that no longer exist, and the oldest if there are too many."""
    folders = [
        path for path in caches.iterdir() if _NAME.fullmatch(path.name) and (path / _OF).is_file()
    ]
    folders.sort(key=lambda folder: folder.stat().st_mtime_ns, reverse=True)
    for place, folder in enumerate(folders):
        base = Path(os.fsdecode((folder / _OF).read_bytes()))
        if place >= _MOST_BASES or not (base / FILE).is_file():
            with contextlib.suppress(BaseBusyError, NotWritableError), locked(folder):
                remove(folder)


def remove_former(base: Path) -> bool:
    """Remove the indexes that a former version kept in a base; return whether there were any.

    A folder of the same name with other content is left alone.
    """
    folder = base / _FORMER
    try:
        if folder.is_symlink() or not folder.is_dir():
            return False
        names = [path.name for path in folder.iterdir()]
    except OSError:
        return False
    if not all(map(_FORMER_NAME.fullmatch, names)):
        return False
    remove(folder)
    return not folder.exists()
