"""The user's cache of search indexes: private folders, each whole or absent.

An index is never read from a base, because Whoosh reads pickles and a base may come from anybody. The
name of a folder is a digest of everything that its content rests on.
"""

import json
import os
import re
import shutil
import stat
import tempfile
import zlib
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

from variorum.errors import NotWritableError
from variorum.files import writable
from variorum.paths import cache_folder

_WHOLE = "whole.json"
_NAME, _UNFINISHED = re.compile(r"[0-9a-f]{32}").fullmatch, "new-"
# Indexes that were not used for longest are removed if there are more.
_MOST = 48


def indexes_folder() -> Path:
    """Return the folder of all indexes."""
    return cache_folder().absolute() / "search"


def name_of(rests_on: str) -> str:
    """Return the name of the folder for what an index rests on, given in words."""
    return blake2b(rests_on.encode(), digest_size=16).hexdigest()


def whole_folder(name: str) -> Path | None:
    """Return a folder of the cache; None if it is absent, damaged or open to other users."""
    folder = indexes_folder() / name
    if not (_is_private(folder.parent) and _is_private(folder)):
        return None
    try:
        files = json.loads((folder / _WHOLE).read_bytes())
        if {file: _checksum(folder / file) for file in files} != files:
            return None
        os.utime(folder)
    except (OSError, ValueError, TypeError):
        return None
    return folder


def make_folder(name: str, fill: Callable[[Path], None]) -> Path:
    """Make a folder of the cache, and return it when it is whole.

    Raises:
        NotWritableError: It cannot be written, or other users may write in the cache.
    """
    folder = indexes_folder() / name
    with writable(folder):
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_private(folder.parent):
            raise NotWritableError(f"{folder.parent}: other users may write there")
        # Of two processes that make it at once, the later one replaces the equal work of the other.
        new = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=folder.parent))
        try:
            fill(new)
            files = {file.name: _checksum(file) for file in new.iterdir()}
            (new / _WHOLE).write_text(json.dumps(files), "utf-8")
            shutil.rmtree(folder, ignore_errors=True)
            new.rename(folder)
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)
            if whole_folder(name) is None:
                raise
    _prune(folder.parent)
    return folder


def _checksum(file: Path) -> int:
    return zlib.crc32(file.read_bytes())


def _is_private(folder: Path) -> bool:
    """Return whether a folder is this user's, and no other user may write in it."""
    try:
        status = folder.lstat()
    except OSError:
        return False
    if not hasattr(os, "geteuid"):
        return stat.S_ISDIR(status.st_mode)
    is_own = status.st_uid == os.geteuid() and stat.S_ISDIR(status.st_mode)
    return is_own and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _prune(caches: Path) -> None:
    """Remove the indexes that were not used for longest, and what former versions left."""
    kept: list[tuple[float, Path]] = []
    for path in caches.iterdir():
        if path.name.startswith(_UNFINISHED) or not path.is_dir():
            continue
        if _NAME(path.name):
            kept.append((path.stat().st_mtime, path))
        else:
            shutil.rmtree(path, ignore_errors=True)
    for _, path in sorted(kept, reverse=True)[_MOST:]:
        shutil.rmtree(path, ignore_errors=True)
